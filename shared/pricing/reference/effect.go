package reference

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// priceMove is what happened to the price of a row.
type priceMove struct {
	row           int64
	sku           string
	before, after string
	was, now      *big.Rat
	other         bool // in another currency than the column's first
	// The regular price, of a row on sale.
	regularBefore, regularAfter *string
}

// band counts moves of shares; a bound that is nil is none.
type band struct {
	From *int `json:"from_percent"`
	To   *int `json:"to_percent"`
	Rows int  `json:"rows"`
}

type listed struct {
	Row     int64   `json:"row"`
	SKU     string  `json:"sku"`
	Before  string  `json:"before"`
	After   string  `json:"after"`
	Percent *string `json:"percent"`

	RegularBefore *string `json:"regular_before,omitempty"`
	RegularAfter  *string `json:"regular_after,omitempty"`

	share *big.Rat // nil: from zero
}

func (t *run) effect() string {
	shown := struct {
		RowsRaised     int      `json:"rows_raised"`
		RowsLowered    int      `json:"rows_lowered"`
		RowsFromZero   int      `json:"rows_from_zero"`
		Raised         *string  `json:"raised"`
		Lowered        *string  `json:"lowered"`
		Currency       string   `json:"currency,omitempty"`
		Distribution   []band   `json:"distribution"`
		LargestRises   []listed `json:"largest_rises"`
		LargestFalls   []listed `json:"largest_falls"`
		RowsRegular    int      `json:"rows_regular,omitempty"`
		LargestRegular []listed `json:"largest_regular,omitempty"`
		RowsIntoStock  int      `json:"rows_into_stock"`
		RowsOutOfStock int      `json:"rows_out_of_stock"`
		Changes        []change `json:"changes"`
	}{Distribution: bands(), LargestRises: []listed{}, LargestFalls: []listed{}, Changes: []change{}}
	raised, lowered, mixed := new(big.Rat), new(big.Rat), t.mixed
	for _, m := range t.regulars {
		shown.RowsRegular++
		mixed = mixed || m.other
		shown.LargestRegular = append(shown.LargestRegular, m.listed())
	}
	shown.LargestRegular = largest(shown.LargestRegular)
	for _, m := range t.moves {
		by := new(big.Rat).Sub(m.now, m.was)
		mixed = mixed || m.other
		entry := m.listed()
		for i := range shown.Distribution {
			if shown.Distribution[i].holds(entry.share, by.Sign()) {
				shown.Distribution[i].Rows++
			}
		}
		if by.Sign() < 0 {
			shown.RowsLowered++
			lowered.Sub(lowered, by)
			shown.LargestFalls = append(shown.LargestFalls, entry)
			continue
		}
		shown.RowsRaised++
		raised.Add(raised, by)
		shown.LargestRises = append(shown.LargestRises, entry)
		if entry.share == nil {
			shown.RowsFromZero++
		}
	}
	if !mixed {
		up, down := plainNumber(raised), plainNumber(lowered)
		shown.Raised, shown.Lowered = &up, &down
		if t.needs.price {
			shown.Currency = cmp.Or(t.prices.currency, t.code)
		}
	}
	shown.LargestRises, shown.LargestFalls = largest(shown.LargestRises), largest(shown.LargestFalls)
	for _, c := range t.changes {
		c.SKU = characters(c.SKU)
		for _, text := range []**string{
			&c.Before.SalePrice, &c.After.SalePrice, &c.Before.CompareAt, &c.After.CompareAt,
		} {
			if *text != nil {
				*text = new(characters(**text))
			}
		}
		if len(shown.Changes) < 100 {
			shown.Changes = append(shown.Changes, c)
		}
		moved := c.After.Stock != nil && c.After.InStock != nil && *c.Before.InStock != *c.After.InStock
		if moved && *c.After.InStock {
			shown.RowsIntoStock++
		} else if moved {
			shown.RowsOutOfStock++
		}
	}
	text, _ := json.Marshal(shown)
	return string(text)
}

// characters returns what a reader of JSON makes of a text: a byte that is no
// character is U+FFFD.
func characters(text string) string { return string([]rune(text)) }

// clipped returns at most 512 bytes of a text, in whole characters.
func clipped(text string) string {
	for len(text) > 512 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

func (m priceMove) listed() listed {
	l := listed{
		Row:           m.row,
		SKU:           clipped(characters(m.sku)),
		Before:        m.before,
		After:         m.after,
		RegularBefore: m.regularBefore,
		RegularAfter:  m.regularAfter,
	}
	if m.was.Sign() == 0 {
		return l
	}
	share := new(big.Rat).Sub(m.now, m.was)
	share.Quo(share.Abs(share), m.was)
	share.Mul(share, rat("1000000"))
	l.share = new(big.Rat).SetFrac(new(big.Int).Quo(share.Num(), share.Denom()), big.NewInt(10000))
	if most := rat("100000000000000"); l.share.Cmp(most) > 0 {
		l.share = most
	}
	text := plainNumber(l.share)
	l.Percent = &text
	return l
}

func largest(all []listed) []listed {
	slices.SortStableFunc(all, func(a, b listed) int {
		switch {
		case a.share == nil && b.share == nil:
			return 0
		case a.share == nil:
			return -1
		case b.share == nil:
			return 1
		}
		return b.share.Cmp(a.share)
	})
	return all[:min(len(all), 10)]
}

func bands() []band {
	ends := []int{
		-100, -51, -49, -41, -39, -31, -29, -26, -24, -21, -19, -16, -14, -11, -9, -6, -4, -1, 0, 1, 4, 6, 9,
		11, 14, 16, 19, 21, 24, 26, 29, 31, 39, 41, 49, 51, 100,
	}
	all := []band{{To: &ends[0]}}
	for i := range ends {
		all = append(all, band{From: &ends[i]})
		if i+1 < len(ends) {
			all[i+1].To = &ends[i+1]
		}
	}
	return all
}

// holds reports whether a share moved in that direction is in the band.
func (b band) holds(share *big.Rat, direction int) bool {
	near, far := b.From, b.To
	if near == nil || *near < 0 { // of falls
		if direction > 0 {
			return false
		}
		near, far = b.To, b.From
	} else if direction < 0 {
		return false
	}
	if share == nil {
		return far == nil
	}
	abs := func(n int) *big.Rat { r := big.NewRat(int64(n), 1); return r.Abs(r) }
	return share.Cmp(abs(*near)) >= 0 && (far == nil || share.Cmp(abs(*far)) < 0)
}

func plainNumber(r *big.Rat) string {
	text := r.FloatString(9)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
