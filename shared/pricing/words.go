package pricing

import (
	"fmt"
	"strings"
)

// String says a state in a few words: "29.99, in stock".
func (s State) String() string {
	price := ""
	if s.Price != nil {
		price = *s.Price
	}
	return strings.Trim(price+", "+s.StockWords(), ", ")
}

// StockWords says whether there is any in stock, and nothing where that is not
// known.
func (s State) StockWords() string {
	switch {
	case s.InStock == nil:
		return ""
	case *s.InStock:
		return "in stock"
	}
	return "out of stock"
}

// String says which moves are in a band: "down 5 to 10%".
func (b Band) String() string {
	switch {
	case b.From == nil:
		return fmt.Sprintf("down more than %d%%", -*b.To)
	case b.To == nil:
		return fmt.Sprintf("up %d%% or more", *b.From)
	case *b.From < 0:
		return fmt.Sprintf("down %d to %d%%", -*b.To, -*b.From)
	}
	return fmt.Sprintf("up %d to %d%%", *b.From, *b.To)
}
