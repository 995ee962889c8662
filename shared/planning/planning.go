// Package planning turns a plain-English instruction into a plan, or into the
// questions a person must answer first. A wrong plan reprices a shop, so a
// planner that is not sure asks.
//
// Planner is the port. Two planners implement it: the reader of package reader,
// by a grammar, and the model of package model. Judge asks both, and a plan of the
// model's that the reader does not vouch for is never carried out unseen.
package planning

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// Values of ledger.PlannedBy.Agreement.
const (
	AgreementBoth    = "both" // the model's plan is the reader's only candidate
	AgreementModel   = plans.AgreementModel
	AgreementGrammar = "grammar" // no model, or it did not answer
	AgreementPerson  = "person"  // a person wrote its rules
)

// Request asks for a plan. The caller has chosen the execution id.
type Request struct {
	Instruction string // plan.MinInstructionLength to plan.MaxInstructionLength characters
	ExecutionID string // becomes the plan's
	Names              // what the shop's products are told by
	CreatedAt   time.Time
	Zone        *time.Location // of the times in the instruction; nil: UTC
	Terms       plan.Terms     // that the request gives beside the instruction
}

// Names are closed lists of a shop's names, by what they are names of. A list that is
// empty is not known, unless they are whole.
type Names struct {
	Categories []string
	Brands     []string
	Tags       []string
	SKUs       []string
	Products   []string // titles; each counts only where no other list has the words
	// Whole says that these are all names of a table: an empty list has none, and a
	// word that no list has is no name of the shop's.
	Whole        bool
	DecimalComma bool   // its prices have decimals after a comma
	Currency     string // as its first prices have it; "": none
	// the least and the greatest, as decimals; "": there are none
	Prices      [2]string
	WholePrices bool // nobody pays fractions of them
	// the roles that its columns are known for, such as sale_price; nil: not known
	Columns []string
	Titles  []string                         // of the same columns
	Rows    map[plan.Column]map[string]int64 // of the table that have each name; nil: not counted
	// of the table that have both of two names that the instruction has; nil: not counted
	Both   map[[2]Name]int64
	Values []ColumnValue // of other columns, that the instruction has
	// SameHere reports whether two lists of operations do the same to the table; nil: there is
	// none. Names are equal whatever it is.
	SameHere func(a, b []plan.Operation) bool
	// CountRows returns how many rows of the table each filter matches; nil: there is none, or
	// not known. Names are equal whatever it is.
	CountRows func(filters []plan.Filter) []int64
}

// ColumnValue is a value of a column that plans look at by its title.
type ColumnValue struct{ Title, Value string }

// Name is a name in its column.
type Name struct {
	Column plan.Column
	Name   string
}

// Equal reports whether two have the same names in the same order.
func (n *Names) Equal(other *Names) bool {
	return n.Whole == other.Whole && n.DecimalComma == other.DecimalComma && n.Currency == other.Currency &&
		n.Prices == other.Prices && n.WholePrices == other.WholePrices &&
		slices.Equal(n.Columns, other.Columns) && slices.Equal(n.Titles, other.Titles) &&
		slices.Equal(n.Categories, other.Categories) && slices.Equal(n.Brands, other.Brands) &&
		slices.Equal(n.Tags, other.Tags) && slices.Equal(n.SKUs, other.SKUs) &&
		slices.Equal(n.Products, other.Products) &&
		maps.EqualFunc(n.Rows, other.Rows, maps.Equal) &&
		maps.Equal(n.Both, other.Both) &&
		slices.Equal(n.Values, other.Values)
}

// Planned is a valid plan with the record of how it came about.
type Planned struct {
	Plan    *plan.Plan
	Planner plans.PlannedBy
}

// ByPerson is a plan of a person's own rules. Its plan has no id yet.
func ByPerson(instruction string, rules []plan.Operation, now time.Time) Planned {
	return Planned{Planner: plans.PlannedBy{Agreement: AgreementPerson}, Plan: &plan.Plan{
		CreatedAt: now.UTC().Format(time.RFC3339), SourceInstruction: instruction, Operations: rules,
	}}
}

// Planner makes a plan of an instruction. It returns a *ClarificationError
// where the instruction has no one meaning that a plan can express. Another error
// says that it gave no plan; one with a method Reason says why in one term, and its
// Planned what it has cost.
type Planner interface {
	Plan(ctx context.Context, r Request) (Planned, error)
}

// ClarificationError says that the instruction needs an answer from a person
// before it can be a plan. Its kind is errs.Invalid.
type ClarificationError struct {
	// Class names the reason in one term, such as missing_unit.
	Class string
	// Questions can each be answered by the person who wrote the instruction.
	Questions []string
	// Draft has all that was understood as rules, and what is open; nil: nobody made one.
	Draft *Draft
}

// Candidate is one way to understand an instruction. Of several the likeliest is the first.
type Candidate struct {
	Sentences []string // in plain English, one for each operation
	// what it supposes that was not said, a sentence each: Read "tires" as "Tyres".
	Assumes    []string
	Operations []plan.Operation // what it does
	Derivation *Derivation      // how it was read
}

func (e *ClarificationError) Error() string {
	return "the instruction needs clarification: " + strings.Join(e.Questions, " ")
}

// Unwrap gives the error its kind and a message that may be shown.
func (e *ClarificationError) Unwrap() error {
	return errs.New(errs.Invalid, "%s", e.Error())
}

// Understanding is all that an instruction can mean. Exactly one candidate and no
// question is a plan; anything else is a question.
type Understanding struct {
	// Candidates differ in what they do to some table. Candidates that do the same are
	// one.
	Candidates []Candidate
	// Asked says why there is no plan. It is nil where there is exactly one
	// candidate.
	Asked *ClarificationError
}

// Derivation is how the words of an instruction became a meaning, as a tree: a
// rule of the grammar with what it was made of, or a phrase of the lexicon.
type Derivation struct {
	Symbol string        // of the grammar or the lexicon
	Text   string        // the words that it covers
	Parts  []*Derivation // empty for a phrase of the lexicon
}
