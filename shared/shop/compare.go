package shop

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plan"
)

// Outcome is what becomes of a row.
type Outcome string

const (
	Written Outcome = "written"
	Already Outcome = "already" // it held the new price when it was read
	Stale   Outcome = postings.LeftStale
	Refused Outcome = postings.LeftRefused
	Gone    Outcome = postings.LeftGone
	Differs Outcome = postings.LeftDiffers // it was written, and holds something else now

	toWrite Outcome = "" // it holds what it was fetched with
)

// changedRow is a row that an execution changed, with where the shop has it.
type changedRow struct {
	Row           int64 // in the fetched table
	SKU, Name     string
	Group, ID     string // what Shop.Read and Shop.Write take
	Before, After Prices
	End           int64 // of its line in the changes file
}

// decision is what is to be done about a row, and why.
type decision struct {
	Outcome
	why string
}

// decide compares a row with what the shop has now; nil is gone. Amounts compare as
// decimals: 9.9 is 9.90. Regular price and sale are compared even where the plan changes
// one of them, the dates of a sale where it changes them.
func decide(row changedRow, now *State, wanted postings.Shop, about About) decision {
	switch {
	case now == nil:
		return decision{Gone, "The shop does not have it any more."}
	case row.matches(now.Prices, row.After):
		return decision{Already, ""}
	case !row.matches(now.Prices, row.Before):
		return decision{Stale, "It was changed in the shop since the table was fetched."}
	case about.Currency != wanted.Currency:
		return decision{
			Refused,
			fmt.Sprintf("The shop's prices are in %s now; they were in %s when the table was fetched.",
				about.Currency, wanted.Currency),
		}
	}
	if why := row.After.refusal(about.Decimals); why != "" {
		return decision{Refused, why}
	}
	return decision{toWrite, ""}
}

func (r changedRow) matches(now, then Prices) bool {
	same := sameAmount(now.Regular, then.Regular) && sameAmount(now.Sale, then.Sale)
	if r.Before.SaleFrom != r.After.SaleFrom {
		same = same && now.SaleFrom == then.SaleFrom
	}
	if r.Before.SaleUntil != r.After.SaleUntil {
		same = same && now.SaleUntil == then.SaleUntil
	}
	return same
}

// set is what is sent of a row: its price, the sale beside it where one stands or is
// changed, and nothing else, for a shop checks all that is sent anew.
func (r changedRow) set() Set {
	s := Set{ID: r.ID, Regular: &r.After.Regular}
	if r.After.Sale != "" || r.Before.Sale != "" {
		s.Sale = &r.After.Sale
	}
	if r.Before.SaleFrom != r.After.SaleFrom {
		s.SaleFrom = &r.After.SaleFrom
	}
	if r.Before.SaleUntil != r.After.SaleUntil {
		s.SaleUntil = &r.After.SaleUntil
	}
	return s
}

// refusal says why prices are not sent to a shop: it would take them, and make something
// else of them. "" is no reason.
func (p Prices) refusal(decimals int) string {
	regular, err := amount(p.Regular)
	if err != nil || p.Regular == "" {
		return fmt.Sprintf("%q is no price that can be sent.", p.Regular)
	}
	if regular.Scale() > decimals {
		return fmt.Sprintf("%s has more decimals than the %d that the shop keeps.", p.Regular, decimals)
	}
	if p.Sale == "" {
		return ""
	}
	sale, err := amount(p.Sale)
	switch {
	case err != nil:
		return fmt.Sprintf("%q is no sale price that can be sent.", p.Sale)
	case sale.Scale() > decimals:
		return fmt.Sprintf("The sale price %s has more decimals than the %d that the shop keeps.",
			p.Sale, decimals)
	case regular.Cmp(sale) <= 0:
		return fmt.Sprintf("The regular price %s is not above the sale price %s: the shop would drop the sale.",
			p.Regular, p.Sale)
	}
	return ""
}

// amount reads an amount as a shop's API writes it: digits and a point, no sign.
func amount(text string) (plan.Decimal, error) { return plan.ParseDecimal(text) }

func sameAmount(a, b string) bool {
	if a == b {
		return true
	}
	x, err := amount(a)
	y, wrong := amount(b)
	return err == nil && wrong == nil && a != "" && b != "" && x.Cmp(y) == 0
}

// String says prices to people.
func (p Prices) String() string {
	var parts []string
	if p.Regular != "" {
		parts = append(parts, p.Regular)
	}
	if p.Sale != "" {
		parts = append(parts, "on sale for "+p.Sale)
	}
	if len(parts) == 0 {
		return "no price"
	}
	return strings.Join(parts, ", ")
}
