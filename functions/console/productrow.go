package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

// seenRow is a product of the result.
type seenRow struct {
	plannerapi.SeenChange
	result result
}

// Seen are the samples of the tab that is looked at, the largest moves first.
func (f result) Seen() (all []seenRow) {
	of := f.shownPreview()
	if of == nil {
		return nil
	}
	against := f.state.againstRule()
	for _, change := range of.Changes {
		if of == f.Against && !slices.Contains(change.OperationIDs, of.Rules[against].OperationID) {
			continue // another rule moves it
		}
		all = append(all, seenRow{change, f})
	}
	slices.SortStableFunc(all, func(a, b seenRow) int { return b.moves().Cmp(a.moves()) })
	return all
}

// shownPreview is the preview whose products are shown; nil: none.
func (f result) shownPreview() *plannerapi.Preview {
	switch f.Tab() {
	case "changes":
		return f.Preview
	case "left":
		return f.LeftOut
	case "unmatched":
		return nil
	}
	return f.Against
}

// SampleOnly reports whether more products are found than are shown.
func (f result) SampleOnly() bool {
	of := f.shownPreview()
	return of != nil && of.RowsFound > int64(len(of.Changes))
}

// moves is how far the row's price moves, in either direction.
func (s seenRow) moves() *big.Rat {
	moved := new(big.Rat)
	if s.MovedPercent != nil {
		moved.SetString(*s.MovedPercent)
	}
	return moved.Abs(moved)
}

// Way is how its price moves: up, down or "".
func (s seenRow) Way() string {
	switch {
	case s.MovedPercent == nil:
		return ""
	case strings.HasPrefix(*s.MovedPercent, "-"):
		return "down"
	}
	return "up"
}

// NowPrice and NewPrice are what the column of prices says.
func (s seenRow) NowPrice() string { return priceText(s.Before.Price) }
func (s seenRow) NewPrice() string { return priceText(s.After.Price) }

// PriceChanges reports whether that changes.
func (s seenRow) PriceChanges() bool { return s.NowPrice() != s.NewPrice() }

// Stock is what it says of the row's stock.
func (s seenRow) Stock() pair { return pair{s.Before.StockWords(), s.After.StockWords()} }

// otherPrice is what stands beside a price: the regular one, struck through, or the sale's.
type otherPrice struct {
	Text            string
	Struck, Changed bool
}

// NowOther and NewOther are what stands beside the price, before and after.
func (s seenRow) NowOther() []otherPrice { return otherPrices(s.Before, s.After) }
func (s seenRow) NewOther() []otherPrice { return otherPrices(s.After, s.Before) }

func otherPrices(of, other pricing.State) (all []otherPrice) {
	add := func(lead string, is, was *string, struck bool) {
		now, then := priceText(is), priceText(was)
		switch {
		case is == nil || now == "" && then == "":
		case now == "":
			all = append(all, otherPrice{Text: "no " + cmp.Or(lead, "regular price"), Changed: true})
		case struck:
			all = append(all, otherPrice{Text: now, Struck: true, Changed: now != then})
		default:
			all = append(all, otherPrice{Text: lead + " " + now, Changed: now != then})
		}
	}
	add("sale", of.SalePrice, other.SalePrice, false)
	add("", of.CompareAt, other.CompareAt, true)
	if priceText(of.SaleFrom) != priceText(other.SaleFrom) {
		add("from", of.SaleFrom, other.SaleFrom, false)
	}
	if priceText(of.SaleUntil) != priceText(other.SaleUntil) {
		add("until", of.SaleUntil, other.SaleUntil, false)
	}
	return all
}

// LeaveOut is the button that leaves the product out; nil where it has nothing to do so by.
func (s seenRow) LeaveOut() *choice {
	if s.result.fixed || !s.result.TabIs("changes") || len(s.OperationIDs) == 0 || s.SKU == "" {
		return nil
	}
	var rules []string
	for _, id := range s.OperationIDs {
		rules = append(rules, fmt.Sprint(s.result.place(id)))
	}
	numbers := strings.Join(rules, ",")
	if s.Own == nil {
		return &choice{"leave:" + numbers + ":" + s.SKU, "leave out"}
	}
	argument, err := json.Marshal(leftOutBy{numbers, s.Own.Column, s.Own.Value})
	if err != nil {
		panic(err) // of texts
	}
	if s.Own.Shared {
		return &choice{"leave-by:" + string(argument), "leave the product out"}
	}
	return &choice{"leave-by:" + string(argument), "leave out"}
}
