package pricing

import (
	"context"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
)

// Preview is all that can be said of rules before they are carried out on a table.
type Preview struct {
	Summary
	Paid     Paid
	Rules    []Rule    // as in the plan
	Overlaps []Overlap // nil where the table can be read but once
}

// Paid counts the rows of a table by what becomes of the price that customers pay.
type Paid struct {
	Cheaper   int64 `json:"cheaper"`
	Dearer    int64 `json:"dearer"`
	Unchanged int64 `json:"unchanged"` // all other rows
}

// Rule is what one operation does, and what keeps it from doing more. What takes a
// second look is nil where the table can be read but once.
type Rule struct {
	OperationCount
	LeftAlone  []LeftAlone `json:"left_alone"`
	Exceptions []Exception `json:"exceptions"`
	EmptiedBy  []Emptying  `json:"emptied_by"` // none where the rule matches a row
}

// LeftAlone counts the rows that a rule is for and leaves as they are. Its code is the
// one of the warning that says why.
type LeftAlone struct {
	Code string `json:"code"`
	Rows int64  `json:"rows"`
}

// Exception counts the rows that a rule would match but for names that it leaves out.
type Exception struct {
	Condition string   `json:"condition"`        // such as exclude_brands
	Column    string   `json:"column,omitempty"` // of a condition on another column: its title
	Names     []string `json:"names"`            // one, or the first of a longer list that is counted in one
	More      int      `json:"more"`             // names of that list behind them
	Rows      int64    `json:"rows"`
}

// Emptying says of one condition of a rule that matches no row what the others would
// match without it, and what it would match alone, when the rule's turn comes.
type Emptying struct {
	Condition   string `json:"condition"`
	Column      string `json:"column,omitempty"` // of a condition on another column: its title
	RowsWithout int64  `json:"rows_without"`
	RowsAlone   int64  `json:"rows_alone"`
}

// Overlap is what two rules have in common: rows that both match as the table is, or when
// their turn comes.
type Overlap struct {
	OperationIDs [2]string `json:"operation_ids"` // in the plan's order
	Rows         int64     `json:"rows"`
	Samples      []Sample  `json:"samples"` // the first of them
}

// Sample is a row that two rules have in common, with what each alone and both in the
// plan's order make of it. Nil is a result that would be refused.
type Sample struct {
	Row    int64    `json:"row"`
	SKU    string   `json:"sku"`
	Before *Outcome `json:"before"`
	First  *Outcome `json:"first"`
	Second *Outcome `json:"second"`
	Both   *Outcome `json:"both"`
}

// Outcome is what customers pay for a row, and whether it is in stock. Nil is what the
// rules do not look at.
type Outcome struct {
	Price   *string `json:"price"`
	InStock *bool   `json:"in_stock"`
}

// String says it in a few words.
func (o *Outcome) String() string {
	switch {
	case o == nil:
		return "refused"
	case o.InStock == nil:
		return o.price()
	case *o.InStock:
		return o.price() + ", in stock"
	}
	return o.price() + ", out of stock"
}

func (o *Outcome) price() string {
	if o.Price == nil {
		return "no price"
	}
	return *o.Price
}

// Preview runs the engine over a table as Look does, and says what each rule does. Again
// opens the table for further looks; where it is nil, what takes those is not told. See is
// as in Look and may be nil.
func (e *Engine) Preview(
	ctx context.Context, in io.Reader, again func() (io.ReadCloser, error), see func(Seen) error,
) (Preview, error) {
	r, summary, err := e.run(ctx, in, io.Discard, see)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{Summary: summary, Paid: paid(&summary), Rules: r.rules()}
	if again == nil {
		return p, nil
	}
	p.Overlaps = []Overlap{}
	for i := range p.Rules {
		p.Rules[i].Exceptions, p.Rules[i].EmptiedBy = []Exception{}, []Emptying{}
	}
	return p, e.study(ctx, again, &p)
}

func paid(s *Summary) Paid {
	cheaper, dearer := s.Effect.RowsLowered, s.Effect.RowsRaised
	return Paid{Cheaper: cheaper, Dearer: dearer, Unchanged: s.RowsTotal - cheaper - dearer}
}

// rules says what each operation did, and how many rows it left alone.
func (r *run) rules() []Rule {
	rules := make([]Rule, len(r.operations))
	for i := range rules {
		count := r.effect.Counts[i]
		rules[i].OperationCount = OperationCount{r.operations[i].id, count.Matched, count.Changed}
		rules[i].LeftAlone = r.leftAlone(i)
	}
	return rules
}

func (r *run) leftAlone(operation int) []LeftAlone {
	left := []LeftAlone{}
	for _, why := range leavesAlone {
		noted := &r.effect.Remarks[why]
		if operation >= len(noted.Each) || noted.Each[operation] == 0 {
			continue
		}
		code, rows := remarkCodes[why].code, noted.Each[operation]
		at := slices.IndexFunc(left, func(l LeftAlone) bool { return l.Code == code })
		if at < 0 {
			left = append(left, LeftAlone{Code: code})
			at = len(left) - 1
		}
		left[at].Rows += rows
	}
	return left
}

// study fills in what takes further looks, as many as there is no room for in one.
func (e *Engine) study(ctx context.Context, again func() (io.ReadCloser, error), p *Preview) error {
	for i, pass := range e.passes(p.Rules) {
		s, err := newStudy(e, pass, i == 0)
		if err != nil {
			return err
		}
		if err := s.read(ctx, again); err != nil {
			return err
		}
		for k, question := range pass {
			question.answer(&p.Rules[question.rule], s.counts[k])
		}
		if i == 0 {
			p.Overlaps = strictjson.NotNil(s.shared())
		}
	}
	return nil
}

// passes are the questions that the rules leave open, divided among as few looks as have
// room for them.
func (e *Engine) passes(rules []Rule) (passes [][]question) {
	room := table.MaxConditions - len(e.operations)
	var pass []question
	left := room
	for _, q := range e.questions(rules) {
		if needs := q.conditions(); needs > left {
			passes, pass, left = append(passes, pass), nil, room
		}
		pass, left = append(pass, q), left-q.conditions()
	}
	if len(pass) > 0 || len(e.operations) > 1 {
		passes = append(passes, pass)
	}
	return passes
}
