package reference

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/profile"
)

// counts reports whether an operation looks at quantities, or changes them.
func counts(op plan.Operation) bool {
	return recounts(op) || op.Filter.QuantityGTE != nil || op.Filter.QuantityLTE != nil
}

func recounts(op plan.Operation) bool {
	return slices.Contains(
		[]plan.ActionType{plan.SetQuantity, plan.QuantityIncrease, plan.QuantityDecrease}, op.Action.Type,
	)
}

// findPieces finds the column of quantities: the one that the settings name, the platform's
// beside its word, the stock's own, or the only one that counts something.
func (t *run) findPieces(h header, whole []record) error {
	t.pieces = none
	if !t.needs.pieces {
		return nil
	}
	said := t.settings.Columns.Quantity
	both := said != "" && t.settings.Columns.InStock != ""
	if (said == "" || both) && t.columns.stock != none && len(t.columns.places) == 1 && !t.needs.stock {
		var cells []string
		for _, r := range whole {
			cells = append(cells, r.text(t.columns.stock))
		}
		if err := t.findStock(cells); both || t.columns.quantity != none || t.columns.stockAs.Quantity {
			t.needs.stock = true
			if err != nil {
				return err
			}
		}
	}
	var found []int
	switch {
	case said != "":
		found = h.all(said)
	case t.columns.quantity != none:
		found = []int{t.columns.quantity}
	case len(t.columns.places) > 1:
		found = t.columns.places
	case t.needs.stock && t.columns.stock != none && t.columns.stockAs.Quantity:
		found = []int{t.columns.stock}
	default:
		for _, column := range slices.Concat(slices.Collect(maps.Values(t.columns.seek.fits("in_stock")))...) {
			if _, _, counted := means(t.columns.seek.titles[column]); counted {
				found = append(found, column)
			}
		}
	}
	if len(found) != 1 {
		return &Fault{1, "no column of quantities, or several"}
	}
	t.pieces = found[0]
	t.follow = t.needs.stock && (both || t.pieces == t.columns.quantity || t.pieces == t.columns.stock)
	return nil
}

var wholeOrNot = regexp.MustCompile(`^'?(-?)([0-9]+)(?:[.,]([0-9]+))?$`)

// piecesOf reads a row's quantity; "" is one that is not known.
func (t *run) piecesOf(r record) (number, fault string) {
	text := r.text(t.pieces)
	if text == "" ||
		t.free.has(r) && slices.Contains(t.header.any([]profile.Titles{t.columns.stockAs.Titles}), t.pieces) {
		return "", ""
	}
	m := wholeOrNot.FindStringSubmatch(text)
	if m == nil || t.isStray(r, t.pieces) || len(m[2])+len(m[3]) > 15 ||
		len(m[3]) == 3 && len(m[2]) <= 3 && m[2][0] != '0' {
		return "", badStock
	}
	return m[1] + m[2] + "." + m[3] + "0", ""
}

// piecesPass reports whether a filter lets a quantity pass.
func piecesPass(f plan.Filter, number string) bool {
	return (f.QuantityGTE == nil || rat(number).Cmp(rat(f.QuantityGTE.String())) >= 0) &&
		(f.QuantityLTE == nil || rat(number).Cmp(rat(f.QuantityLTE.String())) <= 0)
}

// otherPieces are the operations for other quantities than a row's, where that is known of
// every row that has one.
func (t *run) otherPieces(r record) (beyond map[string]bool) {
	beyond = map[string]bool{}
	if t.pieces == none || t.free.column != none &&
		slices.Contains(t.header.any([]profile.Titles{t.columns.stockAs.Titles}), t.pieces) {
		return beyond
	}
	number, fault := t.piecesOf(r)
	for _, op := range t.plan.Operations {
		f := op.Filter
		if (f.QuantityGTE != nil || f.QuantityLTE != nil) && fault == "" && number != "" &&
			!piecesPass(f, number) {
			beyond[op.OperationID] = true
		}
	}
	return beyond
}

// recounted returns what an operation makes of a quantity, and whether that would be below 0.
func recounted(op plan.Operation, number string) (made string, below bool) {
	x, value := rat(number), rat(op.Action.Value.String())
	switch op.Action.Type {
	case plan.QuantityIncrease:
		x.Add(x, value)
	case plan.QuantityDecrease:
		x.Sub(x, value)
	default:
		x = value
	}
	if x.Sign() < 0 {
		return "0", true
	}
	return plainNumber(x), false
}

// keepsWord reports whether what stands for a row's stock says more than the two words.
func (t *run) keepsWord(r record) bool {
	return slices.ContainsFunc(t.ordered, func(k kind) bool {
		return k.column == t.columns.stock && k.has(r)
	})
}

// sameNumber reports whether two quantities are one number, or both are not known.
func sameNumber(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	return x.Cmp(y) == 0
}

// changePieces writes a row's quantity, which may be its stock.
func (t *run) changePieces(r record, line *change, was, now values) (fault string) {
	if t.pieces >= len(r.cells) {
		return "nowhere to write the quantity"
	}
	text, old := strings.TrimSuffix(now.pieces, ".0"), r.text(t.pieces)
	t.edits = append(t.edits, edit{r.cells[t.pieces], text})
	line.Before.Quantity, line.After.Quantity = &old, &text
	if t.pieces == t.columns.stock {
		line.Before.Stock, line.After.Stock = &old, &text
	}
	return ""
}
