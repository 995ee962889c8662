package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// productsPage is the list of the products of a file, or the history of one of them.
type productsPage struct {
	Search  string
	File    *remembered // the file that they are of; nil where there is none
	List    []plannerapi.Product
	Pager   pager
	SKU     string              // of the history; "" where the list is shown
	Product *plannerapi.Product // of the history, as it is in the file; nil where it is not there
	Changes []plannerapi.SKUChange
	Line    *line
}

// products shows the products of the file at hand, or what was done to one.
func (c *Console) products(w http.ResponseWriter, r *http.Request) (err error) {
	asked := r.URL.Query()
	text := func(name string) string { return strings.TrimSpace(asked.Get(name)) }
	shown := productsPage{Search: text("search"), SKU: text("sku"), File: lastFile(r)}
	title := "Products"
	if shown.SKU != "" {
		title = shown.SKU
		err = c.readHistory(r, &shown, asked["after"])
	} else {
		err = c.readProducts(r, &shown, asked["after"])
	}
	if err != nil {
		return err
	}
	c.render(w, r, http.StatusOK, "product", page{Title: title, Here: "products", Body: shown})
	return nil
}

// readProducts reads a page of the products that a search finds.
func (c *Console) readProducts(r *http.Request, shown *productsPage, after []string) error {
	if shown.File == nil || shown.File.Expired() {
		return nil
	}
	list, err := c.productsOf(r, shown.File.Table, shown.Search, last(after), "50")
	shown.List = list.Products
	shown.Pager = pages("/products", url.Values{"search": {shown.Search}}, after, list.NextPageToken)
	return err
}

func (c *Console) productsOf(
	r *http.Request, table, search, after, size string,
) (list plannerapi.ProductList, err error) {
	query := url.Values{"table": {table}, "q": {search}, "page_token": {after}, "page_size": {size}}
	return list, c.Planner.Get(r.Context(), "/v1/products"+queryOf(query), &list)
}

// readHistory reads what was done to a SKU, and what the file at hand says of it now.
func (c *Console) readHistory(r *http.Request, shown *productsPage, after []string) error {
	var list plannerapi.Changes[plannerapi.SKUChange]
	query := url.Values{"page_token": {last(after)}, "page_size": {"100"}}
	if err := c.Planner.Get(r.Context(), "/v1/skus/"+url.PathEscape(shown.SKU)+"/changes"+queryOf(query),
		&list); err != nil {
		return err
	}
	shown.Changes, shown.Line = list.Changes, lineOf(list.Changes)
	shown.Pager = pages("/products", url.Values{"sku": {shown.SKU}}, after, list.NextPageToken)
	if shown.File == nil || shown.File.Expired() {
		return nil
	}
	found, err := c.productsOf(r, shown.File.Table, shown.SKU, "", "50")
	if err != nil {
		return nil // what was done to it is shown all the same
	}
	at := slices.IndexFunc(found.Products, func(p plannerapi.Product) bool { return p.SKU == shown.SKU })
	if at >= 0 {
		shown.Product = &found.Products[at]
	}
	return nil
}

// The picture of a line of prices, in its own units.
const (
	lineWidth, lineHeight = 720.0, 220.0
	lineMargin            = 28.0
	// apart is the least distance of two changes, so that each can be seen.
	apart = 24.0
)

// line is a price over time, as steps. It is broken where a change began with another
// price than the one before had left.
type line struct {
	Path        string
	Dots        []dot // each change on it
	Broken      bool
	First, Last string // of the prices
	Top, Bottom string // the highest, and the lowest where it is another
	From, To    time.Time
}

// dot is a change on a line: where it is drawn, and what it says.
type dot struct {
	X, Y          string
	At            time.Time
	Before, After string
	Dated         bool // there is room for its date below it
}

// dated is how far apart dates stand below a line.
const dated = 110.0

// lineOf draws the changes of a price, or nothing where there are too few or a
// price is no number.
func lineOf(newestFirst []plannerapi.SKUChange) *line {
	changes := slices.Clone(newestFirst)
	slices.Reverse(changes)
	changes = slices.DeleteFunc(changes,
		func(c plannerapi.SKUChange) bool { return c.Before.Price == nil || c.After.Price == nil })
	if len(changes) == 0 {
		return nil
	}
	var texts []string
	for _, change := range changes {
		texts = append(texts, *change.Before.Price, *change.After.Price)
	}
	prices, ok := amounts(texts)
	if !ok {
		return nil
	}
	low, high := slices.Index(prices, slices.Min(prices)), slices.Index(prices, slices.Max(prices))
	height := func(price float64) float64 {
		if prices[high] == prices[low] {
			return lineHeight / 2
		}
		above := (price - prices[low]) / (prices[high] - prices[low])
		return round(lineHeight - lineMargin - above*(lineHeight-2*lineMargin))
	}
	drawn := &line{
		First: texts[0],
		Last:  texts[len(texts)-1],
		Top:   texts[high],
		From:  changes[0].ExecutedAt,
		To:    changes[len(changes)-1].ExecutedAt,
	}
	if prices[low] != prices[high] {
		drawn.Bottom = texts[low]
	}
	ends, lastDate := 0.0, 0.0 // the line as it is drawn so far
	for i, change := range changes {
		x := drawn.at(i, len(changes), change.ExecutedAt)
		before, after := number(height(prices[2*i])), number(height(prices[2*i+1]))
		if i == 0 {
			drawn.Path = "M0 " + before
		} else if prices[2*i] != prices[2*i-1] {
			stub := (x - ends) / 4
			drawn.Path += "H" + number(round(ends+stub)) + "M" + number(round(x-stub)) + " " + before
			drawn.Broken = true
		}
		drawn.Path += "H" + number(x) + "V" + after
		drawn.Dots = append(drawn.Dots,
			dot{number(x), after, change.ExecutedAt, texts[2*i], texts[2*i+1], i == 0 || x-lastDate >= dated})
		if drawn.Dots[i].Dated {
			lastDate = x
		}
		ends = x
	}
	drawn.Path += "H" + number(lineWidth)
	return drawn
}

// at is where the change i of so many stands: by its time, and apart from the
// one before.
func (l *line) at(i, changes int, executed time.Time) float64 {
	if changes == 1 {
		return lineWidth / 2
	}
	gaps := float64(changes - 1)
	gap := min(apart, lineWidth/2/gaps)
	share := float64(i) / gaps
	if all := l.To.Sub(l.From); all > 0 {
		share = float64(executed.Sub(l.From)) / float64(all)
	}
	return round(lineMargin + gap*float64(i) + share*(lineWidth-2*lineMargin-gap*gaps))
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func round(n float64) float64 { return float64(int(n*10+0.5)) / 10 }

// amounts reads prices that are written in one form.
func amounts(texts []string) (read []float64, ok bool) {
	var cells []profile.Sampled
	for _, text := range texts {
		cells = append(cells, profile.Sampled{Content: []byte(text)})
	}
	form, fault := profile.NewMoneyForm(dialect.Dialect{Encoding: dialect.UTF8}, "", false, cells)
	if fault != nil {
		return nil, false
	}
	for _, text := range texts {
		block := append([]byte(text), make([]byte, cell.WordBytes)...) // words are read of it
		price, wrong := form.Read(block, cell.Span{To: uint32(len(text))})
		amount, err := strconv.ParseFloat(string(price.Append(nil, '.')), 64)
		if wrong != faults.Fine || err != nil {
			return nil, false
		}
		read = append(read, amount)
	}
	return read, true
}
