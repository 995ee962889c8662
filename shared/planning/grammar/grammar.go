// Package grammar plans without a model: it reads the English of merchants by
// rule. Every word of an instruction is consumed by a rule, or the instruction
// is refused with a question that names the words. It never guesses.
//
// An instruction passes through five steps, each a table or a pure function:
//
//	tokens    english.NewText    text to words, numbers, codes and marks
//	symbols   english.Scan       words to the classes of the vocabulary
//	clauses   parser.parse       symbols to rules as they were said
//	compile   parser.compile     clauses to operations, filters and options
//	arrange   parser.arrange     operations in an order that means what was said
//
// To widen it, add a phrase to the vocabulary of package english, or a class of
// phrases there and its rule to the table in parser.go.
package grammar

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// Model is the name under which plans of this package are recorded.
const Model = "grammar"

// Planner is the grammar as a planning.Planner. It has no state and asks
// nobody; the same request gives the same draft.
type Planner struct{}

var _ planning.Planner = Planner{}

// Plan implements planning.Planner. Its only error is a
// *planning.ClarificationError.
func (Planner) Plan(_ context.Context, r planning.Request) (planning.Draft, error) {
	categories := r.Known()
	p, failed := planned(r, categories)
	if failed != nil {
		failed.readings = readings(r, categories, failed)
		return planning.Draft{}, failed.error()
	}
	if err := p.Validate(); err != nil {
		return planning.Draft{}, fmt.Errorf("the grammar made an invalid plan: %w", err)
	}
	return planning.Draft{Plan: p, Planner: ledger.Planner{Model: Model, Attempts: 1, Agreement: planning.AgreementGrammar}}, nil
}

// planned reads an instruction, and has the plan traced back to it by a second
// reader, which shares only the symbols.
func planned(r planning.Request, categories *english.Categories) (*plan.Plan, *failure) {
	text, failed := readable(r.Instruction)
	if failed != nil {
		return nil, failed
	}
	scanned, operations, failed := read(english.Scan(text, categories))
	if failed != nil {
		return nil, failed
	}
	p := &plan.Plan{
		ExecutionID: r.ExecutionID, CreatedAt: r.CreatedAt.UTC().Format(time.RFC3339),
		SourceInstruction: r.Instruction, Operations: operations,
	}
	if err := planning.GroundText(scanned, p); err != nil {
		return nil, &failure{class: planning.ClassUngrounded, questions: []string{
			"Can you say it in other words, one rule a sentence? It was read in two ways. " + errs.Message(err)}}
	}
	return p, nil
}

// readable cuts an instruction into tokens, if it is text of a length to read.
func readable(instruction string) (*english.Text, *failure) {
	if n := utf8.RuneCountInString(instruction); n < plan.MinInstructionLength || n > plan.MaxInstructionLength {
		return nil, &failure{class: tooMany, questions: []string{fmt.Sprintf("What should be done, in %d to %d characters?", plan.MinInstructionLength, plan.MaxInstructionLength)}}
	}
	if !utf8.ValidString(instruction) {
		return nil, &failure{class: unread, questions: []string{"Can you send the instruction again, as UTF-8 text? Some of its letters cannot be read."}}
	}
	return english.NewText(instruction), nil
}

// read makes the operations of an instruction, and says what to trace them back
// to. Words that look misspelt are read both ways: where only one way gives a
// plan, that is the plan.
func read(text *english.Scanned) (*english.Scanned, []plan.Operation, *failure) {
	asWritten, failed := readText(text)
	corrections := text.Corrections(text.Categories)
	if corrections == nil {
		return text, asWritten, failed
	}
	right := english.Scan(text.With(corrections), text.Categories)
	meant, failedMeant := readText(right)
	switch {
	case failedMeant != nil || failed != nil && !spellingMayHelp[failed.class]:
		return text, asWritten, failed
	case failed != nil && plain(corrections) || failed == nil && certain(corrections) || sameOperations(asWritten, meant):
		return right, meant, nil
	}
	doubtful := corrections[max(0, slices.IndexFunc(corrections, func(c english.Correction) bool { return c.Named }))]
	return nil, nil, &failure{class: misspelt, questions: []string{fmt.Sprintf(
		"Is %s a category, or is %s meant? A category's name can stand in quotation marks.", quoted(doubtful.From), quoted(doubtful.To))}}
}

// spellingMayHelp are the reasons to ask that a misspelt word can cause.
var spellingMayHelp = map[string]bool{
	unread: true, missingAmount: true, missingUnit: true, missingDirection: true, missingTarget: true, unknownCategory: true,
	contradiction: true, negation: true, rounding: true, scope: true, nothingToDo: true,
}

// sameOperations reports whether two readings are one plan.
func sameOperations(a, b []plan.Operation) bool {
	return planning.Same(&plan.Plan{Operations: a}, &plan.Plan{Operations: b})
}

// certain reports whether all corrections are of letters swapped, doubled or
// left out. A letter in another's place often makes another word.
func certain(corrections []english.Correction) bool {
	for _, c := range corrections {
		if c.Replaced {
			return false
		}
	}
	return true
}

// plain reports whether no correction can be of a name: "mugs and chips by 5%"
// does not chop mugs.
func plain(corrections []english.Correction) bool {
	return !slices.ContainsFunc(corrections, func(c english.Correction) bool { return c.Named })
}

func readText(text *english.Scanned) ([]plan.Operation, *failure) {
	p := &parser{text: text.Source, tokens: text.Tokens, known: text.Categories, symbols: text.Symbols, noise: noiseRuns(text.Symbols)}
	for i := range p.symbols {
		p.said[p.symbols[i].Class] = true
	}
	p.priceList, p.capitals = sync.OnceValue(p.readPriceList), sync.OnceValue(p.readCapitals)
	if p.checkSymbols(); p.failed != nil {
		return nil, p.failed
	}
	clauses, failed := p.parse()
	if failed != nil {
		return nil, failed
	}
	ops := p.compile(clauses)
	if p.failed == nil {
		ops = p.arrange(ops)
	}
	if p.failed == nil && len(ops) > plan.MaxOperations {
		p.fail(tooMany, 0, len(p.symbols), "More than 100 rules are needed for %s. Which come first?")
	}
	if p.failed != nil {
		return nil, p.failed
	}
	return written(ops), nil
}

// operationID is op_01 for the first operation, and so on.
func operationID(n int) string {
	digits := strconv.Itoa(n)
	return "op_" + strings.Repeat("0", max(0, 2-len(digits))) + digits
}

// written is the operations as a plan has them.
func written(ops []operation) []plan.Operation {
	all := make([]plan.Operation, len(ops))
	for i, op := range ops {
		all[i] = plan.Operation{OperationID: operationID(i + 1), Filter: op.filter(), Action: op.action}
		if op.prices() {
			digits := op.options.digits()
			all[i].Options = plan.Options{RoundTo: &digits, PriceEnding: op.options.ending, MinPrice: op.options.min, MaxPrice: op.options.max}
		}
	}
	return all
}
