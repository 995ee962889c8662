package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// productPage is the history of one SKU.
type productPage struct {
	SKU     string
	Asked   bool
	Changes []plannerapi.SKUChange
	Line    *line
	Pager   pager
}

// product shows what was done to a SKU.
func (c *Console) product(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query()
	shown := productPage{SKU: asked.Get("sku"), Asked: asked.Get("sku") != ""}
	if shown.Asked {
		var list plannerapi.Changes[plannerapi.SKUChange]
		query := url.Values{"page_token": {last(asked["after"])}, "page_size": {"100"}}
		if err := c.Planner.Get(r.Context(), "/v1/skus/"+url.PathEscape(shown.SKU)+"/changes"+queryOf(query), &list); err != nil {
			return err
		}
		shown.Changes, shown.Line = list.Changes, lineOf(list.Changes)
		shown.Pager = pages("/products", url.Values{"sku": {shown.SKU}}, asked["after"], list.NextPageToken)
	}
	c.render(w, r, http.StatusOK, "product", page{Title: "Product history", Here: "products", Body: shown})
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
	Path, Dots  string // the line, and each change on it
	Broken      bool
	First, Last string // of the prices
	Top, Bottom string // the highest, and the lowest where it is another
	From, To    time.Time
}

// lineOf draws the changes of a price, or nothing where there are too few or a
// price is no number.
func lineOf(newestFirst []plannerapi.SKUChange) *line {
	changes := slices.Clone(newestFirst)
	slices.Reverse(changes)
	changes = slices.DeleteFunc(changes, func(c plannerapi.SKUChange) bool { return c.Before.Price == nil || c.After.Price == nil })
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
		return round(lineHeight - lineMargin - (price-prices[low])/(prices[high]-prices[low])*(lineHeight-2*lineMargin))
	}
	drawn := &line{First: texts[0], Last: texts[len(texts)-1], Top: texts[high], From: changes[0].ExecutedAt, To: changes[len(changes)-1].ExecutedAt}
	if prices[low] != prices[high] {
		drawn.Bottom = texts[low]
	}
	ends := 0.0 // the line as it is drawn so far
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
		drawn.Dots += "M" + number(x) + " " + after + "h0"
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
