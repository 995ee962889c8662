// Package reader understands plain-English instructions by a lexicon and a
// grammar, keeps every reading until the end, compares readings by what they do,
// and asks when they differ.
package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Costs of what is only read so where nothing cheaper makes sense of the whole.
const (
	costKnownWord = 1  // a word of the lexicon as part of a name
	costSlip      = 2  // a slip of the pen
	costReplaced  = 3  // one that may be another word, and a name that may be a slip
	costAsks      = 10 // a reading that can only be a question
)

// Model is the name under which plans of this package are recorded.
const Model = "grammar"

// Reader is the planner that needs no model. It has no state.
type Reader struct{}

// New returns a reader. It may be shared.
func New() Reader { return Reader{} }

var _ planning.Reader = Reader{}

// load reads the grammar and the lexicon. A test reads them too, so that it does
// not fail in use.
var load = sync.OnceValue(func() *lexicon {
	g, err := parseGrammar(grammarText)
	if err != nil {
		panic(fmt.Sprintf("grammar.txt: %v", err))
	}
	l, err := parseLexicon(lexiconText, g)
	if err != nil {
		panic(fmt.Sprintf("lexicon.txt: %v", err))
	}
	l.parseRefusals(refusalText)
	return l
})

// Plan implements planning.Planner. Its only error is a
// *planning.ClarificationError.
func (r Reader) Plan(_ context.Context, request planning.Request) (planning.Draft, error) {
	understood := r.Read(request)
	if understood.Asked != nil {
		return planning.Draft{}, understood.Asked
	}
	p := &plan.Plan{
		ExecutionID: request.ExecutionID, CreatedAt: request.CreatedAt.UTC().Format(time.RFC3339),
		SourceInstruction: request.Instruction, Operations: understood.Readings[0].Operations,
	}
	if err := p.Validate(); err != nil {
		return planning.Draft{}, &planning.ClarificationError{Class: "unsupported", Open: true, Questions: []string{err.Error()}}
	}
	return planning.Draft{Plan: p, Planner: ledger.Planner{Model: Model, Attempts: 1, Agreement: planning.AgreementGrammar}}, nil
}

// Read implements planning.Reader.
func (r Reader) Read(request planning.Request) planning.Understanding {
	lex := load()
	if n := utf8.RuneCountInString(request.Instruction); n > plan.MaxInstructionLength || !utf8.ValidString(request.Instruction) {
		return asked("too_many", nil)
	}
	t := newText(request.Instruction, lex, indexed(request.Categories))
	for _, e := range t.refused {
		if e.meaning.problem == "machine" {
			return asked("machine", nil)
		}
	}
	if t.currencies() > 1 {
		return asked("contradiction", nil)
	}
	c := newChart(lex.grammar, t.edges, t.skips)
	all := c.whole(lex.grammar.numbers["document"])
	if c.work > maxWork {
		return asked("too_long", nil)
	}
	return t.judge(all, c)
}

// whole returns the meanings of a symbol over the whole text.
func (c *chart) whole(symbol int) []*meaning {
	var set meaningSet
	for _, start := range c.after(nil, 0) {
		if start > len(c.edges) || !slices.Contains(c.ends(symbol, start), len(c.edges)) {
			continue
		}
		for _, m := range c.meanings(symbol, start, len(c.edges)) {
			set.add(m)
		}
	}
	return set.all
}

// judge compares what was read, cheapest first.
func (t *text) judge(all []*meaning, c *chart) planning.Understanding {
	slices.SortStableFunc(all, func(a, b *meaning) int { return cmp.Compare(a.cost, b.cost) })
	if len(all) == 0 {
		return t.unread(c)
	}
	var readings []planning.Reading
	var problems []string
	certain := true // what contradicts itself is no reading
	for _, m := range all {
		if m.cost > all[0].cost {
			break
		}
		ops, problem := compile(m.rules)
		if problem != "" {
			problems = append(problems, problem)
			certain = certain && dead[problem]
			continue
		}
		p := &plan.Plan{ExecutionID: "reading_1", CreatedAt: "2000-01-01T00:00:00Z", SourceInstruction: t.instruction, Operations: ops}
		if p.Validate() != nil {
			problems, certain = append(problems, "unsupported"), false
			continue
		}
		if slices.ContainsFunc(readings, func(other planning.Reading) bool { return alike(p, &plan.Plan{Operations: other.Operations}) }) {
			continue
		}
		readings = append(readings, planning.Reading{By: Model, Sentences: plan.Explain(p), Operations: ops, Derivation: t.derivation(m)})
	}
	switch {
	case len(readings) == 1 && certain:
		return planning.Understanding{Readings: readings}
	case len(readings) > 1 || problems == nil || len(readings) == 1:
		return asked("scope", readings)
	}
	return asked(problems[0], nil)
}

// maxTried is how many operations a plan may have to be tried on made-up tables.
const maxTried = 3

// alike reports whether two plans do the same to every table.
func alike(a, b *plan.Plan) bool {
	if planning.Same(a, b) {
		return true
	}
	if len(a.Operations) > maxTried || len(b.Operations) > maxTried {
		return false
	}
	same, err := planning.Equivalent(context.Background(), a, b)
	return same && err == nil
}

// dead are the reasons for which a reading is none where another is whole: it
// contradicts itself, or lacks what the other has.
var dead = map[string]bool{
	"contradiction": true, "overlap": true, "missing_amount": true, "missing_unit": true, "missing_direction": true, "missing_target": true, "unknown_category": true,
}

func asked(class string, readings []planning.Reading) planning.Understanding {
	return planning.Understanding{Readings: readings, Asked: &planning.ClarificationError{Class: class, Open: true, Questions: []string{class + "?"}, Readings: readings}}
}

// unread asks about an instruction that no rule covers.
func (t *text) unread(c *chart) planning.Understanding {
	for _, e := range t.refused {
		return asked(e.meaning.problem, nil)
	}
	u := asked("unknown_words", nil)
	u.Asked.Open = false
	if c.far < len(t.tokens) {
		u.Asked.Questions = []string{fmt.Sprintf("What does %q mean here?", t.source(c.far, min(len(t.tokens), c.far+3)))}
	}
	return u
}

// derivation is how a meaning was read, as a tree.
func (t *text) derivation(m *meaning) *planning.Derivation {
	d := &planning.Derivation{Symbol: m.symbol, Text: t.source(m.from, m.to)}
	for _, part := range m.parts {
		d.Parts = append(d.Parts, t.derivation(part))
	}
	return d
}
