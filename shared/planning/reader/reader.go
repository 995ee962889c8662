// Package reader plans plain-English instructions without a model. It keeps every
// candidate of an instruction to the end, compares what the candidates do, and asks
// where they differ. It stores nothing, and it never guesses in a plan: what it guesses
// stands in a draft, marked.
//
// It reads by data: lexicon.txt has the words, grammar.txt the rules by which they
// combine, refusals.txt the phrases that no plan can express. An instruction passes
// through these steps:
//
//	tokens    token.go           text to words, numbers, codes, marks
//	edges     text.go            each span to all that the lexicon says it can be
//	          index.go           or a name of the shop's lists as people type it:
//	          listed_names.go    categories, brands and tags; titles.go: products;
//	          names.go           names that no list has; other_columns.go: other columns
//	chart     grammar.go         all ways in which rules cover the text,
//	          chart.go build.go  and their meanings (meaning.go, build_amounts.go)
//	compile   compile.go         rules to operations, by algebra on sets of products
//	          references.go      (target.go): "them", "the rest"; exceptions.go
//	          operations.go
//	judge     reader.go          distinct plans: one is the plan, several are a question
//	          lost_words.go      the only plan must not have lost a word beside a name,
//	          ambiguities.go     nor be ambiguous
//	ask       questions.go       what was not understood
//	draft     draft.go cover.go  where there is no plan: the rules as far as they are
//	          combine.go         understood, and what is open (open_parts.go, choices.go);
//	          guesses.go         times.go: when
//
// A rule uses every word, or the word is filler of the lexicon, a greeting, a signature
// or a reason. A meaning is a bag of features; parts that contradict each other make
// none. Preferences are costs, and few: words are read as the lexicon has them rather
// than as parts of names (costKnownWord) or slips of the pen (costSlip, costReplaced).
// A list of bare names is one group of products. What follows a comma after several
// rules holds for the last or for all at the same cost, so it is asked.
package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Costs of what is only read so where nothing cheaper makes sense of the whole.
const (
	costKnownWord = 1  // a word of the lexicon as part of a name
	costSlip      = 2  // a slip of the pen
	costReplaced  = 3  // one that may be another word, and a name that may be a slip
	costUnlikely  = 5  // a slip that would be a short word, or have a letter too many: shell lamps
	costGuess     = 4  // a name that words may be meant for
	costAsks      = 10 // a candidate that can only be a question
)

// Bounds of what is looked at.
const (
	maxWork      = 20_000      // steps of one instruction, of which ordinary ones take some thousands
	maxCovered   = 3 * maxWork // of a sentence, or of a short text, of which parts make a draft
	maxMeanings  = 80          // of one span
	maxNameWords = 5           // of a name that no list has
	maxTurned    = 4           // parts of a name that may stand in any order
	maxTitle     = 12          // words of a product's title, and tokens of a SKU
	maxCuts      = 40          // places of a sentence at which parts of it may begin or end
	maxGreeted   = 4           // words of a greeting
	maxSignature = 12          // of who signs
	maxPhrases   = 5           // spellings of titles that words are supposed to be meant for
	maxGuesses   = 3           // names, for the same
	maxKinds     = 20          // kinds, for the same
	maxProducts  = 1_000       // titles that a table gives
	maxStrange   = 12          // words that may be slips of the pen
	maxGuessing  = 200         // tokens of an instruction that is read so
	maxQuoted    = 80          // characters of the instruction that a question repeats
	sureLength   = 7           // letters of a word that a slip of the pen is surely meant for: prodcuts
)

// Model is the name under which plans of this package are recorded.
const Model = "grammar"

// Reader keeps every candidate of an instruction until the end. It asks no model, and may be
// shared.
type Reader struct {
	latest *atomic.Pointer[index] // the names that were indexed last: a shop sends the same each time
}

// New returns a reader.
func New() Reader { return Reader{latest: &atomic.Pointer[index]{}} }

// load reads the grammar and the lexicon. A test reads them too, so that it does not fail in use.
var load = sync.OnceValue(func() *lexicon {
	l := parseLexicon(lexiconText, parseGrammar(grammarText))
	l.parseRefusals(refusalText)
	return l
})

// Plan implements planning.Planner. Its only error is a
// *planning.ClarificationError.
func (r Reader) Plan(_ context.Context, request planning.Request) (planning.Planned, error) {
	draft, understood := r.understood(planning.DraftRequest{Request: request})
	if understood.Asked != nil {
		understood.Asked.Draft = &draft
		return planning.Planned{}, understood.Asked
	}
	p := &plan.Plan{
		ExecutionID: request.ExecutionID, CreatedAt: request.CreatedAt.UTC().Format(time.RFC3339),
		SourceInstruction: request.Instruction, Operations: understood.Candidates[0].Operations,
	}
	if err := p.Validate(); err != nil {
		return planning.Planned{}, fmt.Errorf("the reader made an invalid plan: %w", err)
	}
	return planning.Planned{
		Plan: p,
		Planner: plans.PlannedBy{
			Model:     Model,
			Attempts:  1,
			Agreement: planning.AgreementGrammar,
			Assumes:   understood.Candidates[0].Assumes,
		},
	}, nil
}

// Read returns all that an instruction can mean.
func (r Reader) Read(request planning.Request) planning.Understanding {
	_, u := r.understood(planning.DraftRequest{Request: request})
	return u
}

const classGuess = "unknown_category" // the class of the question about a candidate that supposes a name

// carefully understands an instruction, and asks where its only candidate may have lost a
// word beside a name. It may suppose what words are meant for that are no name.
func carefully(instruction string, known *index, supposes bool) (*text, []*meaning, planning.Understanding) {
	t, all, u := understand(instruction, known, supposes)
	if u.Asked == nil || u.Asked.Class == classGuess && len(u.Candidates) > 0 {
		if lost, found := t.swallowed(all[0]); found && lost.class == "order" {
			return t, all, t.ask(lost, t.withoutOrder(lost, u.Candidates))
		} else if found {
			return t, all, t.ask(lost, nil)
		}
	}
	return t, all, u
}

// understand reads an instruction by the grammar alone. It returns its text and meanings, too.
func understand(instruction string, known *index, supposes bool) (*text, []*meaning, planning.Understanding) {
	lex := load()
	t := &text{instruction: instruction, lex: lex}
	if class := unreadable(instruction); class != "" {
		return t, nil, t.ask(problem{class: class}, nil)
	}
	t = newText(instruction, lex, known, supposes)
	if t.currencies() > 1 {
		return t, nil, t.ask(problem{class: "currencies"}, nil)
	}
	if i := slices.IndexFunc(t.refused,
		func(e edge) bool { return e.meaning.problem == "machine" && !t.inName(e.end) }); i >= 0 {
		return t, nil, t.ask(problem{"machine", t.refused[i].end, t.refused[i].end + 1}, nil)
	}
	c := newChart(lex.grammar, t.edges, t.skips)
	defer c.release()
	all := c.whole(lex.grammar.numbers["document"])
	if t.crowded = c.work > maxWork; t.crowded {
		return t, nil, t.ask(problem{class: "too_long"}, nil)
	}
	return t, all, t.judge(all, c)
}

// unreadable is the class of the question about a text that cannot be read at all.
func unreadable(instruction string) string {
	n := utf8.RuneCountInString(instruction)
	switch {
	case n < plan.MinInstructionLength || n > plan.MaxInstructionLength:
		return "length"
	case !utf8.ValidString(instruction):
		return "encoding"
	case strings.ContainsFunc(instruction, invisible):
		return "invisible"
	}
	return ""
}

// invisible reports whether a character has no form of its own, so that a reader
// would not see it.
func invisible(char rune) bool {
	return unicode.In(char, unicode.Cf, unicode.Cc, unicode.Co) && char != '\n' && char != '\t' &&
		char != '\r'
}

// whole returns the meanings of a symbol over the whole text, the cheapest first.
func (c *chart) whole(symbol int) []*meaning {
	var all []*meaning
	for _, start := range c.skips.after(nil, 0) {
		if start > len(c.edges) || !slices.Contains(c.ends(symbol, start), len(c.edges)) {
			continue
		}
		passing, _ := c.skips.passing(0, start)
		for _, m := range c.meanings(symbol, start, len(c.edges)) {
			if passing > 0 {
				dearer := *m
				dearer.cost += passing
				m = &dearer
			}
			all = cheaperOf(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b *meaning) int { return cmp.Compare(a.cost, b.cost) })
	return all
}

// judge compares what was read, cheapest first.
func (t *text) judge(all []*meaning, c *chart) planning.Understanding {
	if len(all) == 0 {
		return t.unread(c)
	}
	var candidates []planning.Candidate
	var problems []problem
	var unknown *problem // a name that a candidate supposes
	several := problem{class: "scope"}
	certain, cheapest := true, all[0].cost // what contradicts itself is no candidate
	for _, m := range all {
		if m.cost > cheapest && (len(candidates) > 0 || !contradicted(problems) && !t.guesses) {
			break
		} else if m.cost > cheapest && !contradicted(problems) && unknownName(m) == nil {
			continue
		}
		cheapest = m.cost
		ops, failed := t.planned(m)
		switch {
		case failed.class == "no_cost": // whatever else the words may say
			return t.ask(failed, nil)
		case failed.class == "excepted":
			more := []planning.Candidate{t.candidate(t.known.exceptionsByTitle(ops), m), t.candidate(ops, m)}
			several, certain, candidates = failed, false, append(
				more,
				slices.DeleteFunc(candidates, func(r planning.Candidate) bool {
					return among(more, r.Operations)
				})...)
		case failed.class != "":
			problems = append(problems, failed)
			if certain = certain && dead[failed.class]; telling[failed.class] {
				several = failed // the price, or what the shop pays?
			}
		case !among(candidates, ops):
			candidates, unknown = append(candidates, t.candidate(ops, m)), cmp.Or(unknown, unknownName(m))
		}
	}
	// no product is of several categories
	if len(candidates) == 2 && t.sameHere(candidates[0], candidates[1]) {
		candidates = []planning.Candidate{
			slices.MaxFunc(
				candidates,
				func(a, b planning.Candidate) int { return cmp.Compare(excluded(a), excluded(b)) },
			),
		}
	}
	switch {
	case unknown != nil:
		return t.ask(*unknown, candidates)
	case len(candidates) == 1 && certain:
		return planning.Understanding{Candidates: candidates}
	case len(candidates) > 0:
		return t.ask(several, candidates)
	}
	if problems[0].class == "unknown_category" && t.known.closed[category] {
		problems[0] = *unknownName(all[0])
	}
	return t.ask(problems[0], nil)
}

// planned is what the rules of a meaning do, or why no plan can.
func (t *text) planned(m *meaning) ([]plan.Operation, problem) {
	ops, failed := compile(t.promoted(m), t.known)
	p := &plan.Plan{
		ExecutionID:       "reading_1",
		CreatedAt:         "2000-01-01T00:00:00Z",
		SourceInstruction: t.instruction,
		Operations:        ops,
	}
	switch {
	case failed.class == "" && p.Validate() != nil:
		failed.class = "invalid"
	case failed.class == "" && !t.known.closed[category] && namedTwice(ops):
		failed.class = "scope"
	case failed.class == "" && t.known.exceptionsByTitle(ops) != nil:
		failed = problem{"excepted", m.from, m.to}
	}
	return ops, failed
}

// among reports whether one of some candidates does the same.
func among(candidates []planning.Candidate, ops []plan.Operation) bool {
	return slices.ContainsFunc(
		candidates,
		func(other planning.Candidate) bool {
			return planning.Same(&plan.Plan{Operations: ops}, planOf(other))
		},
	)
}

// contradicted reports whether candidates say what cannot hold at once, so that what is
// dearer was meant.
func contradicted(problems []problem) bool {
	return !slices.ContainsFunc(
		problems,
		func(p problem) bool { return p.class != "contradiction" && p.class != "overlap" },
	)
}

// namedTwice reports whether operations name a category in the singular and in the
// plural, of which without a list nobody knows which one there is.
func namedTwice(ops []plan.Operation) bool {
	as := map[string]string{}
	for _, op := range ops {
		for _, name := range slices.Concat(op.Filter.Categories, op.Filter.ExcludeCategories) {
			simple := singular(strings.ToLower(name))
			if other, seen := as[simple]; seen && other != name {
				return true
			}
			as[simple] = name
		}
	}
	return false
}

// excluded is how many categories the operations of a candidate leave out.
func excluded(r planning.Candidate) (n int) {
	for _, op := range r.Operations {
		n += len(op.Filter.ExcludeCategories)
	}
	return n
}

// sameHere reports whether two candidates do the same to the table that the instruction is for.
func (t *text) sameHere(a, b planning.Candidate) bool {
	return t.known.given.SameHere != nil && t.known.given.SameHere(a.Operations, b.Operations)
}

func planOf(r planning.Candidate) *plan.Plan { return &plan.Plan{Operations: r.Operations} }

// dead are the reasons for which a candidate is none where another is whole: it
// contradicts itself, or lacks what the other has.
var dead = map[string]bool{
	"contradiction": true, "overlap": true, "missing_amount": true, "missing_unit": true,
	"missing_direction": true, "missing_target": true, "unknown_category": true, "invalid": true,
}

// telling are the reasons for which a candidate is none that say what is asked where another
// candidate is whole: is it the price, or what the shop pays?
var telling = map[string]bool{
	"missing_verb": true, "heading": true, "several": true, "anytag": true, "limit": true, "cost_price": true,
	"paid":       true,
	"sale_price": true, "verb": true, "promo": true,
}

// unread asks about an instruction that no rule covers.
func (t *text) unread(c *chart) planning.Understanding {
	slices.SortStableFunc(t.refused, func(a, b edge) int { // of those that begin at a word, the longest
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(b.meaning.to, a.meaning.to))
	})
	for _, e := range t.refused {
		if !t.isListed(e.end) &&
			!slices.ContainsFunc(
				slices.Concat(t.edges[max(0, e.end-1):e.end+1]...),
				func(other edge) bool { return other.end > e.end+1 },
			) {
			return t.ask(problem{e.meaning.problem, e.end, max(e.end+1, e.meaning.to)}, nil)
		}
	}
	return t.ask(t.notUnderstood(c.far), nil)
}

// derivation is how a meaning was read, as a tree.
func (t *text) derivation(m *meaning) *planning.Derivation {
	d := &planning.Derivation{Symbol: m.symbol, Text: t.source(m.from, m.to)}
	for _, part := range m.parts {
		d.Parts = append(d.Parts, t.derivation(part))
	}
	return d
}
