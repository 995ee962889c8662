package console

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
)

//go:embed pages
var pageFiles embed.FS

// page is what every page shows.
type page struct {
	Title string
	Here  string // the entry of the navigation
	Live  string // an address of changes, "" where there are none to come
	Again bool   // it may come anew by itself where there is no script: nobody types into it
	Me    *plannerapi.Me
	Mine  int // proposals that wait for the reader's approval
	// Uploads says that the browser sends tables to the bucket itself.
	Uploads bool
	About   string
	Goals   bool        // goals can be planned in conversation
	Table   *tableView  // that the page is about; nil where it is about none
	File    *remembered // the file at hand; nil where there is none
	People  bool        // several people work here
	Body    any
}

var helpers = template.FuncMap{
	"asset":       assetPath,
	"moment":      moment,
	"zone":        zone,
	"title":       notices.Title,
	"unended":     func(text string) string { return strings.TrimRight(text, ". ") }, // within a sentence
	"when":        when,
	"exact":       exact,
	"day":         day,
	"fileWarning": fileWarning,
	"cellFault":   cellFault,
	"roleName":    roleName,
	"ofProducts":  ofProducts,
	"ago":         ago,
	"clock":       func(at time.Time) string { return at.Local().Format("2 Jan 2006, 15:04:05") },
	"short":       func(at time.Time) string { return at.Local().Format("2 Jan 15:04") },
	"count":       count,
	"shown":       shown,
	"named":       named,
	"lines":       lines,
	"lower":       strings.ToLower,
	"changed":     changed,
	"line":        func(text string) string { first, _, _ := strings.Cut(text, "\n"); return first },
	"first":       func(n int, list []string) []string { return list[:min(n, len(list))] },
	"size":        size,
	"standing":    statusWords,
	"kind":        kindOf,
	"failureText": failureText,
	"whyNot": func(of plannerapi.Permissions, act string) string {
		return whyNot(of, plannerapi.Action(act))
	},
	"moved": movedText,
	"pager": func(p pager, at, newer, older string) pagerView {
		return pagerView{p, at, newer, older}
	},
}

// templates gives each page its own copy of the frame. They are parsed once they
// are needed: most commands show no page.
var templates = sync.OnceValue(func() map[string]*template.Template {
	frame := template.Must(template.New("frame.html").Funcs(helpers).ParseFS(
		pageFiles, "pages/frame.html", "pages/parts.html",
	))
	entries, err := pageFiles.ReadDir("pages")
	if err != nil {
		panic(err)
	}
	all := map[string]*template.Template{}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".html")
		all[name] = template.Must(template.Must(frame.Clone()).ParseFS(pageFiles, "pages/"+entry.Name()))
	}
	return all
})

// render answers with a page, whole or not at all.
func (c *Console) render(w http.ResponseWriter, r *http.Request, status int, name string, shown page) {
	if shown.Me == nil {
		shown.Me = c.me(r)
	}
	shown.Mine = c.waiting(r)
	shown.About, shown.Goals = c.About, c.Sessions != nil
	shown.Uploads, shown.People = c.Uploads != "", shown.Me.Several
	if shown.Table != nil {
		shown.File = &remembered{
			Table:     shown.Table.Table,
			File:      shown.Table.File,
			Rows:      shown.Table.Rows,
			ExpiresAt: shown.Table.ExpiresAt,
		}
	} else if file := lastFile(r); file != nil && !file.Expired() {
		shown.File = file
	}
	var body bytes.Buffer
	if err := templates()[name].ExecuteTemplate(&body, "frame.html", shown); err != nil {
		panic("console: page " + name + ": " + err.Error()) // becomes a 500 and a line in the log
	}
	send(w, r, status, body.Bytes())
}

// when is a time that the module shows in the reader's zone, and the server's
// zone without it.
func when(at time.Time) template.HTML {
	local := at.Local()
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`,
		at.UTC().Format(time.RFC3339), template.HTMLEscapeString(local.Format("2 Jan 2006, 15:04 MST"))))
}

// ago says how long ago a time was, for a file of at most a day.
func ago(at time.Time) string {
	switch since := time.Since(at); {
	case since < 2*time.Minute:
		return "just now"
	case since < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(since.Minutes()))
	case since < 36*time.Hour:
		return fmt.Sprintf("%d hours ago", int(since.Hours()))
	default:
		return fmt.Sprintf("%d days ago", int(since.Hours()/24))
	}
}

// moment is a time with its day of the week, in the reader's zone with our module.
func moment(at time.Time) template.HTML {
	local := at.Local()
	return template.HTML(fmt.Sprintf(`<time data-day datetime="%s">%s</time>`,
		at.UTC().Format(time.RFC3339), template.HTMLEscapeString(local.Format("Mon 2 Jan 2006, 15:04"))))
}

// zone is the time zone of a page's times: the reader's with our module, else the server's.
func zone() template.HTML {
	name, _ := time.Now().Zone()
	return template.HTML(`<span data-tz>` + template.HTMLEscapeString(name) + `</span>`)
}

// exact is a time to the second.
func exact(at time.Time) template.HTML {
	local := at.Local()
	return template.HTML(fmt.Sprintf(`<time data-exact datetime="%s">%s</time>`,
		at.UTC().Format(time.RFC3339), template.HTMLEscapeString(local.Format("2 Jan 2006, 15:04:05 MST"))))
}

// day is a date as every page writes one; of a moment too, and as it is where it is none.
func day(date string) string {
	at, err := time.Parse(time.DateOnly, date[:min(len(time.DateOnly), len(date))])
	if err != nil {
		return shown(date)
	}
	return at.Format("2 Jan 2006")
}

// count writes a number with commas between its thousands.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// effectView is what a plan does to prices, and how the table writes the price
// 1234.56, such as "1.234,56 €".
type effectView struct {
	*pricing.Effect
	Form string
}

// money is a sum as the table writes its prices.
func (e effectView) money(sum string) string {
	whole, cents, _ := strings.Cut(sum, ".")
	number := e.Form[:strings.LastIndexByte(e.Form, '6')+1]
	if len(number) < len("1234.56") {
		return strings.TrimSpace(sum + " " + e.Currency)
	}
	group, point := number[1:len(number)-len("234.56")], number[len(number)-len(".56"):len(number)-len("56")]
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + group + whole[at:]
	}
	written := slices.Concat(e.LargestRises, e.LargestFalls)
	if cents != "" || len(written) > 0 && strings.Contains(written[0].After, point) {
		whole += point + cents + strings.Repeat("0", max(0, 2-len(cents)))
	}
	return strings.TrimSpace(whole + " " + e.Currency)
}

// priceForm is the form of the column of prices.
func priceForm(found *table.Recognized) string {
	if found == nil {
		return ""
	}
	columns := found.Columns
	at := slices.IndexFunc(columns, func(c row.Column) bool { return c.Role == recognize.RolePrice })
	if at < 0 {
		return ""
	}
	return columns[at].Form
}

// pagerView is a pager with what its links say, and the part of the page they lead to.
type pagerView struct {
	pager
	At, Newer, Older string
}

// movedText is a move with its sign, to one digit.
func movedText(percent string) string {
	if rest, falls := strings.CutPrefix(percent, "-"); falls {
		return "−" + share(rest)
	}
	return "+" + share(percent)
}

// share is a percentage to one digit.
func share(percent string) string {
	value, err := strconv.ParseFloat(percent, 64)
	if err != nil {
		return percent + "%"
	}
	return strconv.FormatFloat(value, 'f', 1, 64) + "%"
}

func size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	case bytes >= 1000:
		return fmt.Sprintf("%d KB", (bytes+500)/1000)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// shown makes what cannot be seen visible: text of a table or a model may hold
// controls, and marks that turn the direction of what follows.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ':
			return '\u2400' + r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200d':
			return '\ufffd'
		}
		return r
	}, text)
}

// named is shown for a name of a table, and says which of its letters only look like Latin ones.
func named(name string) string {
	disguised, plain := fold.Disguised(name), fold.Names.Fold(name)
	if disguised == "" || strings.ContainsFunc(plain, func(r rune) bool { return r > unicode.MaxASCII }) {
		return shown(name)
	}
	return shown(name) + " (" + disguised + ")"
}

// lines is shown for text of several lines.
func lines(text string) string {
	return strings.ReplaceAll(shown(text), "\u240a", "\n")
}

// pair is one value before and after.
type pair struct{ Before, After string }

// Changed reports whether the two differ.
func (p pair) Changed() bool { return p.Before != p.After }

// priced is a price, and what is beside it of a sale.
type priced struct{ Price, Sale pair }

// changedCells are the price and the stock of a change, in the table's own form.
type changedCells struct {
	Price priced
	Stock pair
}

func changed(change pricing.Change) changedCells {
	before, after := change.Before, change.After
	return changedCells{
		priced{
			pair{priceText(before.Price), priceText(after.Price)},
			pair{shown(before.SaleWords()), shown(after.SaleWords())},
		},
		pair{before.StockWords(), after.StockWords()},
	}
}

func priceText(price *string) string {
	if price == nil {
		return ""
	}
	return shown(*price)
}

// stateText is the price and stock of a row as one text.
func stateText(s pricing.State) string { return shown(s.String()) }
