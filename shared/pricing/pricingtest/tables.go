// Package pricingtest makes random tables and plans, for tests: what an engine, a
// command or a server does with them is compared with the reference.
package pricingtest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// Generator makes tables in the forms of all profiles, in all dialects, with
// prices in all forms; some of them with something wrong.
type Generator struct {
	*rand.Rand
	Profile   profile.Profile
	Dialect   dialect.Dialect
	price     priceForm
	costs     *priceForm        // nil: as prices are
	wrong     bool              // cells may be wrong
	sales     bool              // plans are about them
	unmatched setting.Unmatched // lets go of all that the last plan leaves out
	dates     bool              // sales may have some
	pair      [2]string         // the words of a column of stock; "": the usual ones
	pieces    *rand.Rand        // for quantities
	titles    []string
	makers    []func(row int) string // of a cell, by column
}

type priceForm struct{ point, group, before, behind string }

func pick[T any](g *Generator, from ...T) T { return from[g.IntN(len(from))] }

// Chance reports true once in so many times.
func (g *Generator) Chance(of int) bool { return g.IntN(of) == 0 }

// New returns the generator of a seed: of the same, the same.
func New(seed uint64) *Generator {
	g := &Generator{Rand: rand.New(rand.NewPCG(seed, 16)), pieces: rand.New(rand.NewPCG(seed, 17))}
	if g.Profile = pick(g, profile.Profiles()...); g.Chance(8) {
		g.Profile = *profile.PlainProfile()
	}
	g.Dialect = pick(g, Dialects()...)
	g.wrong = g.Chance(3)
	g.dates = g.Chance(8)
	if g.Profile.Name == profile.Plain && g.Chance(2) {
		g.pair = pick(g, profile.StockPairs...)
	}
	g.price = priceForm{point: pick(g, ".", ".", ","), before: pick(g, "", "", "", "$", "€ ", " US$", "kr\u00a0", "CHF "), group: pick(g, "", "", " ", "'", "\u00a0", "both")}
	if g.price.group == "both" {
		g.price.group = map[string]string{".": ",", ",": "."}[g.price.point]
	}
	if g.price.before == "" {
		g.price.behind = pick(g, "", "", " ", " AED", " € ", "Fcfa", "zł", "%")
	}
	if g.Dialect.Encoding == dialect.Windows1252 || g.Profile.Writes(profile.LiteralQuotes) {
		g.price.before, g.price.behind = strings.TrimSpace(strings.Trim(g.price.before, "\u00a0")), strings.Trim(g.price.behind, "zł")
	}
	if g.Chance(2) {
		g.costs = &priceForm{point: pick(g, ".", ",")}
	}
	g.columns()
	return g
}

// title returns one of the titles of a column, written in one of the ways that
// are the same: one of those that tell the platform, where some do. A plain
// table is what no other's titles tell, so it has any of them.
func (g *Generator) title(titles profile.Titles) string {
	if g.Profile.Name != profile.Plain {
		for _, signature := range g.Profile.Signature {
			if telling := common(signature, titles); len(telling) > 0 {
				titles = telling
				break
			}
		}
	}
	title := pick(g, titles...)
	if stem, begins := strings.CutSuffix(title, "*"); begins {
		title = stem + pick(g, "EUR", "Main Street")
	}
	switch g.IntN(12) {
	case 0:
		return strings.ToUpper(title)
	case 1:
		return " " + strings.ReplaceAll(title, " ", "\u00a0") + " "
	default:
		return title
	}
}

// common returns the titles that are among others.
func common(titles, others profile.Titles) (both profile.Titles) {
	for _, title := range titles {
		if slices.Contains(others, title) {
			both = append(both, title)
		}
	}
	return both
}

// columns chooses the columns of the header, in any order.
func (g *Generator) columns() {
	var added []profile.Titles
	role := "" // of the column that is added
	add := func(titles profile.Titles, cell func(int) string) {
		if len(titles) == 0 || slices.ContainsFunc(g.titles, func(t string) bool {
			return slices.ContainsFunc(titles, func(other string) bool {
				return profile.SameTitle(t, other) || strings.HasSuffix(other, "*") && strings.HasPrefix(t, strings.TrimSuffix(other, "*"))
			})
		}) || g.wrong && g.Chance(40) {
			return
		}
		title := g.title(titles)
		if said := g.called(role); g.Profile.Name == profile.Plain && said != "" && g.Chance(3) {
			title = said
		}
		g.titles, g.makers, added = append(g.titles, title), append(g.makers, cell), append(added, titles)
	}
	p := g.Profile
	role = "category"
	for _, c := range p.Categories {
		add(c.Titles, func(int) string { return g.category(c) })
	}
	role = "sku"
	add(p.SKU, func(int) string { return g.sku() })
	role = "brand"
	for _, c := range p.Brands {
		add(c.Titles, func(int) string { return g.named(c, brandNames) })
	}
	role = "tags"
	for _, c := range p.Tags {
		add(c.Titles, func(int) string { return g.named(c, tagNames) })
	}
	role = "name"
	add(p.ProductName, func(int) string { return g.productName() })
	role = "price"
	add(p.Price, func(int) string { return g.money() })
	role = ""
	add(p.Cost, func(int) string { return pick(g, g.cost(), g.cost(), g.cost(), "", "0") })
	for _, s := range p.Sales {
		if len(p.Sales) > 1 && g.Chance(2) {
			continue
		}
		add(s.Titles, func(int) string {
			return pick(g, append([]string{"", "0", g.sale(), g.sale(), g.sale(), g.money()}, s.None...)...)
		})
		if len(s.Flag) > 0 {
			on, off := profile.FlagOn, profile.FlagOff
			add(s.Flag, func(int) string { return pick(g, on, on, off, strings.ToLower(on), strings.ToUpper(off), "") })
		}
		add(s.From, func(int) string { return g.date() })
		add(s.Until, func(int) string { return g.date() })
	}
	if code := pick(g, "EUR", "JPY", "cny", "Euro"); g.Chance(3) {
		add(profile.Currency, func(int) string {
			return pick(g, code, code, code, code, strings.ToLower(code), "", pick(g, code, "USD"))
		})
	}
	for i := range p.Backorders {
		g.addRows(&p.Backorders[i], add)
	}
	if others := p.OtherPrices; len(others) > 0 && g.Chance(2) {
		add(profile.Titles{strings.Replace(pick(g, others...), "*", "Elsewhere", 1)}, func(int) string { return pick(g, "", g.money()) })
	}
	role = pick(g, "in_stock", "in_stock_count")
	for _, s := range p.Stock {
		add(s.Titles, func(int) string { return g.stock(s) })
		if stem, begins := strings.CutSuffix(s.Titles[len(s.Titles)-1], "*"); begins && g.Chance(2) {
			for _, place := range []string{"Second", "Third"} {
				add(profile.Titles{stem + place}, func(int) string { return pick(g, "", g.stock(s)) })
			}
		}
		g.addRows(s.Untracked, add)
	}
	role = ""
	g.addRows(p.Skip, add)
	if i := p.Inheritance; i != nil {
		g.addRows(i.Below, add)
		add(i.Parent, func(int) string { return pick(g, "", "", "id:1", "1", "A-1", "A-2", "none") })
		add(i.Children, func(int) string { return pick(g, "", "", "sku=A-1,size=S|size=M,sku=A-2", "sku=") })
		add(i.Same, func(row int) string { return pick(g, "", fmt.Sprint("p", row/2)) })
		add(i.Above, func(row int) string { return pick(g, "", fmt.Sprint("p", row/3), fmt.Sprint("p", row/2)) })
		for _, key := range i.Keys {
			add(key.Titles, func(row int) string { return fmt.Sprint(row) })
		}
	}
	for _, titles := range p.Identity {
		add(titles, func(row int) string { return pick(g, "", "M", "x / y", fmt.Sprint("id", row)) })
	}
	for _, titles := range p.Signature {
		// Beside a Preis, a column price would be the one that is read.
		read := slices.ContainsFunc(added, func(column profile.Titles) bool { return len(common(titles, column)) > 0 })
		if !read || g.Chance(20) {
			add(titles, func(int) string { return g.filler() })
		}
	}
	for range g.IntN(3) {
		g.titles, g.makers = append(g.titles, fmt.Sprint("note ", len(g.titles))), append(g.makers, func(int) string { return g.filler() })
	}
	for g.Profile.Name == profile.Plain && g.Chance(3) { // a column that may be one of these too
		if said := g.called(pick(g, "sku", "category", "name", "price", "price", "in_stock", "in_stock_count", "option")); said != "" {
			shape := g.IntN(7)
			g.titles, g.makers = append(g.titles, said), append(g.makers, func(row int) string { return g.shaped(shape, row) })
		}
	}
	g.Shuffle(len(g.titles), func(i, j int) {
		g.titles[i], g.titles[j] = g.titles[j], g.titles[i]
		g.makers[i], g.makers[j] = g.makers[j], g.makers[i]
	})
}

// called returns what people of some language call a column, as shops write it: with a
// currency, a store, a unit, or words that say something else. "": nothing is known.
func (g *Generator) called(role string) string {
	languages := recognize.Languages()
	language := languages[pick(g, slices.Sorted(maps.Keys(languages))...)]
	all := slices.Concat(language.Roles[role]...)
	if role == "option" {
		all = language.Options
	}
	if role == "" || len(all) == 0 {
		return ""
	}
	title := pick(g, all...)
	switch g.IntN(10) {
	case 0:
		return title + pick(g, " (₹)", " (EUR)", " (円)", " (old)", " (2)", " [Centro]", "（税込）")
	case 1:
		return title + pick(g, " EUR", " per kg", " 2", " TTC", " netto", "_usd")
	case 2:
		return pick(g, append(language.Fillers, "x")...) + " " + title
	case 3:
		return pick(g, append(language.Nouns, "item")...) + "_" + title
	case 4:
		return title + " " + pick(g, slices.Concat(slices.Concat(language.Marks["cost"], language.Marks["sale_price"], language.Marks["other"]), []string{"sale"})...)
	case 5:
		return strings.ReplaceAll(title, " ", "_")
	case 6:
		return strings.ToUpper(title)
	case 7:
		return title + "*" // as forms mark what has to be filled in
	default:
		return title
	}
}

// shaped returns a cell of a column in which all have one shape: prices, codes, numbers
// that are each once, what is in stock, words.
func (g *Generator) shaped(shape, row int) string {
	return []func() string{
		g.money, func() string { return fmt.Sprint(871234567 + row) }, func() string { return fmt.Sprint(1001 + row) }, func() string { return pick(g, "0", "1") },
		func() string { return pick(g, "in stock", "out of stock", "3", "0") }, func() string { return pick(g, append(categoryNames, "")...) }, func() string { return fmt.Sprint("K-", row/2) },
	}[shape]()
}

func (g *Generator) addRows(rows *profile.Rows, add func(profile.Titles, func(int) string)) {
	if rows != nil {
		add(rows.Titles, func(int) string {
			return pick(g, "other", strings.ToUpper(pick(g, rows.Words...)), " "+pick(g, rows.Words...)+" ")
		})
	}
}

func (g *Generator) sku() string {
	return pick(g, "A-1", "A-2", "B \"x\"", "Ü-9", "", g.near("A-1"), g.near("A-2"), `="A-1"`)
}

// near returns a name, now and then in another way that looks the same.
func (g *Generator) near(name string) string {
	if !g.Chance(10) {
		return name
	}
	return pick(g, strings.ToUpper(name), strings.ToLower(name), name+" ", "\u00a0"+name, name+"\u00ad", " "+name+"  ")
}

var (
	categoryNames = []string{"Hats", "Bags", "Wool & Silk", "größe", "Hats"}
	brandNames    = []string{"Acme", "Ünder", "Acme", "B&C"}
	tagNames      = []string{"summer", "new in", "été", "summer", "a, b"}
)

func (g *Generator) category(c profile.NameColumn) string { return g.named(c, categoryNames) }

// productName returns some words of phrases, with something between them.
func (g *Generator) productName() string {
	var name string
	for range g.IntN(5) {
		name += pick(g, "Linen", "linen", "Wool", "5", "2.5", "kg", "100%", "C++", "ÉTÉ", "e\u0301t\u00e9", "Straße", "Acme™", "½", "mat's", "=1") + pick(g, " ", " ", "-", ", ", "  ", "/", ".", ",", "\u00a0", "+", "&")
	}
	return name
}

// named returns a cell of one of some names, or of several as the column has them.
func (g *Generator) named(c profile.NameColumn, names []string) string {
	if g.Chance(4) {
		return ""
	}
	list := ""
	if c.List != "" {
		list = pick(g, strings.Split(c.List, "")...)
	}
	entry := func() string {
		path := []string{g.near(pick(g, names...))}
		for c.Path != "" && g.Chance(2) {
			path = append(path, pick(g, names...))
		}
		if c.Escape != "" && g.Chance(4) {
			path[0] = "Caps" + c.Escape + pick(g, list, c.Path) + "Hats"
		}
		return pick(g, "", " ") + strings.Join(path, pick(g, c.Path, " "+c.Path+" "))
	}
	all := []string{strings.TrimSpace(entry())}
	for list != "" && g.Chance(2) {
		all = append(all, entry())
	}
	cell := strings.Join(all, list)
	if g.wrong && g.Chance(40) {
		cell = pick(g, "=", "-", "@") + cell
	}
	return cell
}

func (g *Generator) money() string {
	if g.Chance(8) {
		return ""
	}
	if g.wrong && g.Chance(10) {
		return pick(g, "NULL", "($3.00)", "on request", "1,299", "1.299", "1 299", "-5", "5.", "12 x", "1.2.3", "1,23,456", "0012.50", "1'234,5", "$ 5 $", "EUR 5", "9999999999999999999", "1,234,567.891")
	}
	whole := fmt.Sprint(g.IntN(pick(g, 10, 1000, 100000, 9000000)))
	if g.price.group != "" && g.Chance(2) || g.price.group != "" && !g.wrong {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + g.price.group + whole[at:]
		}
	}
	if g.Chance(3) {
		return g.price.before + whole + g.price.behind
	}
	return g.price.before + whole + g.price.point + pick(g, "5", "50", "99", "005", "123456") + g.price.behind
}

// cost returns an amount, now and then in a form of its own.
func (g *Generator) cost() string {
	price := g.price
	defer func() { g.price = price }()
	if g.costs != nil {
		g.price = *g.costs
	}
	return g.money()
}

// sale returns an amount as prices are written, now and then as costs are.
func (g *Generator) sale() string {
	if g.Chance(12) {
		return g.cost()
	}
	return g.money()
}

// date returns the date of a sale, where tables have some.
func (g *Generator) date() string {
	if !g.dates || g.Chance(2) {
		return ""
	}
	return pick(g, "2026-11-27", "11/27/26")
}

func (g *Generator) stock(s profile.StockColumn) string {
	var words []string
	for word := range s.Words {
		words = append(words, word, strings.ToUpper(word))
	}
	slices.Sort(words)
	if s.Quantity {
		words = append(words, "0", "0", "1", "2", "12", "0.0", "7.0", "-3", "0,5", "1.250,00", "-1,250", "12 000")
	} else {
		words = append(words, "true", "FALSE", "Yes", "no", "1", "0")
		if len(g.pair[0]) > 0 {
			words = []string{g.pair[0], g.pair[1], strings.ToUpper(g.pair[0]), "no", g.pair[0]}
		}
	}
	if g.Profile.Inheritance != nil {
		words = append(words, "")
	}
	if g.wrong && g.Chance(15) {
		return pick(g, "maybe", "", "1e3", "+4")
	}
	return pick(g, words...)
}

func (g *Generator) filler() string {
	return pick(g, "", "x", "a, b; c | d\te", "say \"hi\"", "two\nlines", "é ß", " blank ", "12,50", "=1")
}

// Table returns the text of a table of up to so many rows.
func (g *Generator) Table(rows int) []byte {
	var text strings.Builder
	lines := [][]string{g.titles}
	for row := range g.IntN(rows + 1) {
		var cells []string
		for _, maker := range g.makers {
			cells = append(cells, maker(row))
		}
		switch {
		case (g.Profile.Writes(profile.ShortRows) || g.wrong && g.Chance(30)) && g.Chance(4) && len(cells) > 2:
			cells = cells[:len(cells)-1-g.IntN(2)]
		case (g.Profile.Writes(profile.TrailingDelimiter) || g.wrong && g.Chance(30)) && g.Chance(3):
			cells = append(cells, "")
		}
		lines = append(lines, cells)
	}
	for _, cells := range lines {
		for i, cell := range cells {
			if i > 0 {
				text.WriteByte(g.Dialect.Delimiter.Byte())
			}
			text.WriteString(g.quoted(cell))
		}
		text.WriteString("\n")
		if g.Chance(12) {
			text.WriteString("\n")
		}
	}
	return g.encoded(text.String())
}

// quoted writes a cell's content, with quotes where it needs them or not.
func (g *Generator) quoted(cell string) string {
	if g.Profile.Writes(profile.LiteralQuotes) {
		return strings.NewReplacer(string(g.Dialect.Delimiter.Byte()), " ", "\n", " ").Replace(cell)
	}
	if g.wrong && g.Chance(60) && cell != "" && !strings.ContainsAny(cell, "\"\n\r"+string(g.Dialect.Delimiter.Byte())) {
		return cell + pick(g, `"`, `" x`)
	}
	if g.Chance(6) || strings.ContainsAny(cell, "\"\n\r"+string(g.Dialect.Delimiter.Byte())) {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}

// encoded writes the text in the dialect; what its encoding lacks is a question
// mark.
func (g *Generator) encoded(text string) []byte {
	if g.Chance(5) {
		text = strings.TrimSuffix(text, "\n")
	} else if g.Chance(5) {
		text += "\n\n"
	}
	d := g.Dialect
	if d.Comment {
		text = strings.ReplaceAll("# Required,\"# a \"\"note\"\"\"\n", ",", string(d.Delimiter.Byte())) + text
	}
	text = strings.ReplaceAll(text, "\n", lineEnds[d.LineEnd])
	if d.SepLine {
		text = "sep=" + string(d.Delimiter.Byte()) + lineEnds[d.LineEnd] + text
	}
	as := dialect.Dialect{Delimiter: dialect.Comma, LineEnd: dialect.LF, Encoding: d.Encoding, BOM: d.BOM}
	encoded, ok := InDialect(text, as)
	if !ok {
		encoded, _ = InDialect(strings.Map(func(r rune) rune {
			if r > 0xff {
				return '?'
			}
			return r
		}, text), as)
	}
	return encoded
}

// Settings returns some of those that a person could have made for the last plan.
func (g *Generator) Settings() (s table.Settings) {
	s.Unmatched = pick(g, "", setting.UnmatchedAllow, g.unmatched)
	s.NearNames = pick(g, "", "", table.NearNamesExact)
	s.OddRows = pick(g, "", table.OddRowsLeave)
	if g.Chance(15) {
		s.StockWords = pick(g, profile.StockWords{In: "Yes", Out: "Sold out"}, profile.StockWords{In: "no", Out: "yes"}, profile.StockWords{In: "ja", Out: "nein"})
	}
	if g.Dialect.Encoding == dialect.Windows1252 && g.Chance(2) {
		s.Dialect.Encoding = dialect.Windows1252
	}
	s.BlankPrice = pick(g, "", "", profile.BlankPriceKeep, profile.BlankPriceError)
	if g.Chance(3) {
		s.InStockQuantity = new(int64(5))
	}
	if g.Chance(6) {
		s.PriceForm = pick(g, profile.PriceForms...)
	}
	for i, at := range g.Perm(len(g.titles)) { // no two are one column
		if named := []*string{&s.Columns.Price, &s.Columns.Category, &s.Columns.InStock, &s.Columns.Tags, &s.Columns.Brand, &s.Columns.Name, &s.Columns.Cost}; i < len(named) && g.Chance(8) {
			*named[i] = g.titles[at]
		}
	}
	if at := g.IntN(len(g.titles) + 1); at < len(g.titles) && g.Chance(12) {
		*pick(g, &s.Columns.SalePrice, &s.Columns.CompareAt) = g.titles[at]
	}
	if g.pieces.IntN(90) == 0 {
		s.Columns.Quantity = g.titles[g.pieces.IntN(len(g.titles))]
	}
	if s.Validate() != nil { // two have one title
		s.Columns = setting.Columns{}
	}
	s.SaleDates = pick(g, "", setting.SaleDatesClear, table.SaleDatesIgnore)
	return s
}

// Plan returns a plan of up to four operations.
func (g *Generator) Plan() *plan.Plan {
	names := func(from ...string) []string {
		if g.Chance(2) {
			return nil
		}
		return []string{pick(g, from...), pick(g, from...)}
	}
	p := &plan.Plan{}
	g.sales = g.Chance(3)
	for i := range 1 + g.IntN(3) {
		op := plan.Operation{OperationID: fmt.Sprint("op", i)}
		op.Filter.SKUs = names("A-1", "A-2", "B \"x\"", "C", "A-1")
		if g.Chance(3) {
			op.Filter.ExcludeSKUs = names("A-2", "Ü-9")
		}
		if len(g.Profile.Categories) > 0 || g.Chance(8) { // some platforms export none
			op.Filter.Categories = names("Hats", "Bags", "größe", "Caps,Hats", "Caps/Hats", "missing", "Hats > Bags")
			if g.Chance(3) {
				op.Filter.ExcludeCategories = names("Bags", "Wool & Silk")
			}
		}
		if f := &op.Filter; g.Chance(5) {
			if len(g.Profile.Brands) > 0 && g.Chance(2) {
				f.Brands, f.ExcludeBrands = names("Acme", "B&C", "Ünder", "Caps,Hats"), names("Ünder", "B&C", "Ünder")
			}
			if len(g.Profile.Tags) > 0 && g.Chance(2) {
				f.Tags, f.ExcludeTags = names("summer", "new in", "a, b", "été"), names("été", "a", "summer")
			}
			if g.Chance(2) {
				f.NameContains = names("LINEN", "linen wool", "5 kg", "2.5", "100%", "c++", "été", "strasse", "acme", "mat s", "wool/5", "½", "kg")
				f.ExcludeNameContains = names("Wool 5", "mat's", "c", "2", "100", "C++ kg", "Ete")
			}
		}
		if g.Chance(8) {
			op.Filter.Where = g.wheres()
		}
		if g.Chance(2) {
			op.Filter.InStock = new(g.Chance(3))
		}
		if g.Chance(5) {
			op.Filter.PriceGTE = new(plan.MustDecimal("12.5"))
		}
		if g.Chance(6) {
			op.Options.RoundStep = pick(g, nil, new(plan.MustDecimal("0.05")), new(plan.MustDecimal("5")), new(plan.MustDecimal("50")))
			op.Options.KeepDirection = g.Chance(2)
			op.Options.OutsideLimits = pick(g, "", plan.LeaveAlone, plan.ClampToLimits)
			op.Options.Rounding = pick(g, "", plan.RoundNearest, plan.RoundUp, plan.RoundDown)
		}
		if g.costs != nil && (len(g.Profile.Cost) > 0 || g.Chance(8)) {
			g.setCosts(&op.Options)
		}
		switch g.IntN(7) {
		case 6:
			op.Action = plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("60")}
			if len(g.Profile.Cost) > 0 && g.Chance(2) {
				op.Action = plan.Action{Type: plan.CostPlusPercent, Value: plan.MustDecimal("33.3")}
			}
		case 0:
			op.Action = plan.Action{Type: plan.SetStock, Stock: g.Chance(2)}
		case 1:
			op.Action = plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("1234.5")}
		case 2:
			op.Action = plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("0.015")}
		default:
			op.Action = plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}
		}
		if sales := len(g.Profile.Sales) > 0; g.sales && (sales || g.Chance(8)) {
			g.setSale(&op)
		}
		g.setPieces(&op)
		p.Operations = append(p.Operations, op)
	}
	g.unmatched = setting.RepriceAll(p.Excluded()...)
	return p
}

// setPieces has an operation be about quantities, now and then.
func (g *Generator) setPieces(op *plan.Operation) {
	number := func(from ...string) *plan.Decimal { return new(plan.MustDecimal(from[g.pieces.IntN(len(from))])) }
	if g.pieces.IntN(90) == 0 {
		op.Filter.QuantityGTE = number("0", "1", "7")
	}
	if g.pieces.IntN(90) == 0 {
		op.Filter.QuantityLTE = number("7", "12")
	}
	if g.pieces.IntN(90) == 0 {
		actions := []plan.ActionType{plan.SetQuantity, plan.QuantityIncrease, plan.QuantityDecrease}
		op.Action = plan.Action{Type: actions[g.pieces.IntN(len(actions))], Value: *number("0", "3", "40")}
	}
}

// wheres are conditions on columns by their titles, some of which the table lacks.
func (g *Generator) wheres() (wheres []plan.Where) {
	for range 1 + g.IntN(2) {
		w := plan.Where{Column: pick(g, g.titles...), Kind: pick(g, plan.WhereIs, plan.WhereIsNot, plan.WhereContains, plan.WhereStartsWith)}
		if w.Column == "" || g.Chance(8) {
			w.Column = "Missing"
		}
		switch w.Kind {
		case plan.WhereIs, plan.WhereIsNot:
			w.Values = []string{pick(g, "Acme", "", "x", "Hats", "Bags", "A-1", "summer", "0", "1", "Yes", "no")}
		case plan.WhereContains:
			w.Values = []string{pick(g, "linen", "wool 5", "kg", "hats", "two lines"), "c++"}
		default:
			w.Values = []string{pick(g, "a", "LIN", "ét", "B ", "H", "1"), "wo"}
		}
		wheres = append(wheres, w)
	}
	return wheres
}

// setSale has an operation be about sales, now and then.
func (g *Generator) setSale(op *plan.Operation) {
	if g.Chance(4) {
		op.Filter.OnSale = new(g.Chance(2))
	}
	if g.Chance(5) {
		op.Action = plan.Action{Type: plan.SetCompareAt, Value: plan.MustDecimal("55.5")}
		if op.Action.NoValue = g.Chance(2); op.Action.NoValue {
			op.Action.Value = plan.Decimal{}
		}
		return
	}
	switch g.IntN(5) {
	case 0:
		op.Action = plan.Action{Type: plan.EndSale}
	case 1, 2, 3:
		op.Options.AsSale = true
		if g.Chance(2) {
			op.Action = plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal(pick(g, "20", "99.99", "0"))}
		} else if g.Chance(3) {
			op.Action = plan.Action{Type: pick(g, plan.SetPrice, plan.FixedDecrease), Value: plan.MustDecimal(pick(g, "7", "0.5"))}
			op.Options.MinPrice = nil
			if op.Action.Type == plan.FixedDecrease {
				op.Options.MinPrice = new(plan.MustDecimal("0"))
			}
		}
	}
}

// setCosts has some prices not below the cost.
func (g *Generator) setCosts(o *plan.Options) {
	if o.NotBelowCost = g.Chance(2); g.Chance(2) {
		return
	}
	o.RoundTo = new(g.IntN(5))
	if o.RoundStep != nil {
		*o.RoundTo = max(*o.RoundTo, o.RoundStep.Scale())
	}
	if *o.RoundTo > 1 && (o.RoundStep == nil || o.RoundStep.Cmp(plan.MustDecimal("1")) > 0) && g.Chance(2) {
		o.PriceEnding = new(plan.MustDecimal("0.95"))
	}
	if g.Chance(2) {
		o.MinPrice = new(plan.MustDecimal(pick(g, "3", "700")))
	}
	if g.Chance(2) {
		o.MaxPrice = new(plan.MustDecimal(pick(g, "900", "50000")))
	}
}
