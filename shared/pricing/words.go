package pricing

import (
	"fmt"
	"slices"
	"strings"
)

// String says a state in a few words: "29.99, sale price 19.99, in stock".
func (s State) String() string {
	price := ""
	if s.Price != nil {
		price = *s.Price
	}
	words := []string{price, s.SaleWords(), s.StockWords()}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

// SaleWords say what is beside the price of a row that is, or may be put, on sale; ""
// where that is not told.
func (s State) SaleWords() string {
	var words []string
	for _, beside := range []struct {
		name string
		cell *string
	}{
		{"sale price", s.SalePrice}, {"compare-at price", s.CompareAt}, {"on sale", s.OnSale},
		{"from", s.SaleFrom}, {"until", s.SaleUntil},
	} {
		switch {
		case beside.cell == nil:
		case *beside.cell == "":
			words = append(words, "no "+beside.name)
		default:
			words = append(words, beside.name+" "+*beside.cell)
		}
	}
	return strings.Join(words, ", ")
}

// BeforeText and AfterText say what customers paid and pay, and the regular price
// beside it while the row is on sale: "36.00 (regular 45.00)".
func (m Move) BeforeText() string { return withRegular(m.Before, m.RegularBefore) }
func (m Move) AfterText() string  { return withRegular(m.After, m.RegularAfter) }

func withRegular(paid string, regular *string) string {
	if regular == nil {
		return paid
	}
	return paid + " (regular " + *regular + ")"
}

// StockWords says whether there is any in stock, and nothing where that is not
// known.
func (s State) StockWords() string {
	words := "out of stock"
	switch {
	case s.InStock == nil && s.Quantity != nil:
		return "quantity " + *s.Quantity
	case s.InStock == nil:
		return ""
	case *s.InStock:
		words = "in stock"
	}
	if s.Quantity != nil {
		words += ", quantity " + *s.Quantity
	}
	return words
}

// String says which moves are in a band: "down 5 to 10%".
func (b Band) String() string {
	switch {
	case b.From == nil:
		return "down to 0"
	case b.To == nil:
		return fmt.Sprintf("up %d%% or more", *b.From)
	case *b.From < 0:
		return fmt.Sprintf("down %d to %d%%", -*b.To, -*b.From)
	}
	return fmt.Sprintf("up %d to %d%%", *b.From, *b.To)
}
