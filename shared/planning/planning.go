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
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

// Values of ledger.PlannedBy.Agreement.
const (
	AgreementBoth    = "both" // the model's plan is the reader's only reading
	AgreementModel   = ledger.AgreementModel
	AgreementGrammar = "grammar" // no model, or it did not answer
	AgreementPerson  = "person"  // a person wrote its rules
)

// Request asks for a plan. The caller has chosen the execution id.
type Request struct {
	Instruction string // plan.MinInstructionLength to plan.MaxInstructionLength characters
	ExecutionID string // becomes the plan's
	Names              // what the shop's products are told by
	CreatedAt   time.Time
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
	DecimalComma bool                             // its prices have decimals after a comma
	Currency     string                           // as its first prices have it; "": none
	Prices       [2]string                        // the least and the greatest, as decimals; "": there are none
	WholePrices  bool                             // nobody pays fractions of them
	Columns      []string                         // the roles that its columns are known for, such as sale_price; nil: not known
	Titles       []string                         // of the same columns
	Rows         map[plan.Column]map[string]int64 // of the table that have each name; nil: not counted
	Both         map[[2]Name]int64                // of the table that have both of two names that the instruction has; nil: not counted
	// SameHere reports whether two lists of operations do the same to the table; nil: there is
	// none. Names are equal whatever it is.
	SameHere func(a, b []plan.Operation) bool
}

// Name is a name in its column.
type Name struct {
	Column plan.Column
	Name   string
}

// Equal reports whether two have the same names in the same order.
func (n *Names) Equal(other *Names) bool {
	return n.Whole == other.Whole && n.DecimalComma == other.DecimalComma && n.Currency == other.Currency && n.Prices == other.Prices && n.WholePrices == other.WholePrices && slices.Equal(n.Columns, other.Columns) && slices.Equal(n.Titles, other.Titles) && slices.Equal(n.Categories, other.Categories) && slices.Equal(n.Brands, other.Brands) &&
		slices.Equal(n.Tags, other.Tags) && slices.Equal(n.SKUs, other.SKUs) && slices.Equal(n.Products, other.Products) && maps.EqualFunc(n.Rows, other.Rows, maps.Equal) && maps.Equal(n.Both, other.Both)
}

// Planned is a valid plan with the record of how it came about.
type Planned struct {
	Plan    *plan.Plan
	Planner ledger.PlannedBy
}

// ByPerson is a plan of a person's own rules. Its plan has no id yet.
func ByPerson(instruction string, rules []plan.Operation, now time.Time) Planned {
	return Planned{Planner: ledger.PlannedBy{Agreement: AgreementPerson}, Plan: &plan.Plan{
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
	// Readings are what the instruction may mean.
	Readings []Reading
}

// Reading is one way to understand an instruction, in plain English. Of several the
// likeliest is the first.
type Reading struct {
	By          string   `json:"by"`                    // ByModel, ByReader or ByBoth
	Instruction string   `json:"instruction,omitempty"` // asks for just this, where one is known
	Sentences   []string `json:"sentences"`             // one for each operation
	LeavesOut   []string `json:"leaves_out,omitempty"`  // words of the instruction that it does not use, as they were typed
	Assumes     []string `json:"assumes,omitempty"`     // what it supposes that was not said, a sentence each: Read "tires" as "Tyres".

	Operations []plan.Operation `json:"operations,omitempty"` // what it does; none where it is not whole
	Derivation *Derivation      `json:"-"`                    // how it was read; nil where no grammar read it
}

// ConfirmedBy is how the plan of the reading comes about where a person chooses it.
// A model's has no words of ours to vouch for: it is the person's own plan.
func (r Reading) ConfirmedBy(person string) ledger.PlannedBy {
	by := ledger.PlannedBy{Assumes: r.Assumes, Confirmed: &ledger.Confirmation{By: person, LeavesOut: r.LeavesOut}}
	if r.By != ByModel {
		by.Model, by.Attempts, by.Agreement = ByReader, 1, AgreementGrammar
	}
	return by
}

// Confirmed is how a plan came about that a person sent: by the choice of one of
// several readings of its instruction, where it does what that one does. The
// instruction is read again, with the names that it was asked about with, so that nobody
// can claim another reading than there is; where they may have been one of several, with
// each until it has such a reading. A plan that is none of the reader's is the person's
// own, and so is what the words say by themselves.
func Confirmed(read func(Request) Understanding, p *plan.Plan, person string, names ...Names) ledger.PlannedBy {
	for _, known := range names {
		u := read(Request{Instruction: p.SourceInstruction, Names: known})
		for _, r := range u.Readings {
			if same := r.Operations != nil && Same(p, &plan.Plan{Operations: r.Operations}); same && u.Asked != nil {
				return r.ConfirmedBy(person)
			} else if same {
				return ledger.PlannedBy{}
			}
		}
	}
	return ledger.PlannedBy{}
}

// NamesOf are the names that a plan has, in their roles.
func NamesOf(p *plan.Plan) Names {
	of := func(column plan.Column) (all []string) {
		for _, op := range p.Operations {
			only, except := op.Filter.Names(column)
			all = slices.Concat(all, only, except)
		}
		return SortedOnce(all)
	}
	return Names{
		Categories: of(plan.ColumnCategory), Brands: of(plan.ColumnBrand), Tags: of(plan.ColumnTags),
		SKUs: of(plan.ColumnSKU), Products: of(plan.ColumnName),
	}
}

func (e *ClarificationError) Error() string {
	return "the instruction needs clarification: " + strings.Join(e.Questions, " ")
}

// Unwrap gives the error its kind and a message that may be shown.
func (e *ClarificationError) Unwrap() error {
	return errs.New(errs.Invalid, "%s", e.Error())
}

// Understanding is all that an instruction can mean. Exactly one reading and no
// question is a plan; anything else is a question.
type Understanding struct {
	// Readings differ in what they do to some table. Readings that do the same are
	// one.
	Readings []Reading
	// Asked says why there is no plan. It is nil where there is exactly one
	// reading.
	Asked *ClarificationError
}

// Derivation is how the words of an instruction became a meaning, as a tree: a
// rule of the grammar with what it was made of, or a phrase of the lexicon.
type Derivation struct {
	Symbol string        // of the grammar or the lexicon
	Text   string        // the words that it covers
	Parts  []*Derivation // empty for a phrase of the lexicon
}
