package pricing

import (
	"context"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

const (
	// maxExceptionNames of one list are counted each by itself.
	maxExceptionNames = 20
	// maxSamples are shown of the rows that two rules have in common.
	maxSamples = 5
)

// question is about one rule: which rows it would match with another filter.
type question struct {
	rule    int
	asks    plan.Condition
	filters []plan.Filter // that the rule is tried with in its turn, each by itself
	// names are those of an exception: of the rows of the first filter those are counted
	// that have one of them, list by list.
	names []plan.Filter
	lists []Exception // what is told of each of them
}

func (q *question) conditions() int { return len(q.filters) + len(q.names) }

// answer puts the counts of a question into its rule: those of the names, or else those of
// the filters.
func (q *question) answer(to *Rule, counts []int64) {
	if q.names == nil {
		to.EmptiedBy = append(to.EmptiedBy, Emptying{
			Condition:   q.asks.Name,
			Column:      q.asks.Title,
			RowsWithout: counts[0],
			RowsAlone:   counts[1],
		})
		return
	}
	for i, exception := range q.lists {
		exception.Rows = counts[len(q.filters)+i]
		to.Exceptions = append(to.Exceptions, exception)
	}
}

// questions are what is to be found out of rules: which rows their exceptions take out,
// and which condition empties one that matches nothing. An undo has none.
func (e *Engine) questions(rules []Rule) (all []question) {
	for i, rule := range e.rules {
		conditions := rule.Filter.Conditions()
		for _, condition := range conditions {
			if condition.Excludes {
				all = append(all, aboutException(i, &rule.Filter, condition))
			}
		}
		for _, condition := range conditions {
			if rules[i].RowsMatched == 0 {
				all = append(all, aboutEmptying(i, &rule.Filter, condition))
			}
		}
	}
	return all
}

// aboutException asks which rows one list of names takes out of a rule, of those that the
// rule's other lists leave in.
func aboutException(rule int, f *plan.Filter, list plan.Condition) question {
	q := question{rule: rule, asks: list, filters: []plan.Filter{
		f.Having(func(c plan.Condition) bool { return !c.Is(list) }),
	}}
	groups := [][]string{list.Names}
	if len(list.Names) <= maxExceptionNames {
		groups = slices.Collect(slices.Chunk(list.Names, 1))
	}
	for _, names := range groups {
		shown := names[:min(len(names), maxExceptionNames)]
		of := list
		of.Names = names
		q.names = append(q.names, of.Having())
		q.lists = append(q.lists, Exception{
			Condition: list.Name,
			Column:    list.Title,
			Names:     shown,
			More:      len(names) - len(shown),
		})
	}
	return q
}

// aboutEmptying asks what a rule would match without one of its conditions, and by it alone.
func aboutEmptying(rule int, f *plan.Filter, about plan.Condition) question {
	return question{rule: rule, asks: about, filters: []plan.Filter{
		f.Having(func(c plan.Condition) bool { return !c.Is(about) }), f.Having(about.Is),
	}}
}

// study is one more look at a table: it tries the rules with other filters, and each by
// itself. It changes nothing.
type study struct {
	*Engine // the rules' operations, and behind them one for each filter of the questions
	own     table.Set
	placed  []placedQuestion
	pairs   bool // it looks for rows that two rules have in common

	run    *run
	counts [][]int64 // by question
	common map[[2]int]*common
}

// placedQuestion is a question in places of the query: those of its filters are operations, and
// those of its names conditions behind all operations.
type placedQuestion struct {
	before  table.Set // the rules whose turn comes before
	filters []int
	names   []int
}

// common are the rows that two rules have in common.
type common struct {
	rows    int64
	samples []Sample
}

func newStudy(e *Engine, questions []question, pairs bool) (*study, error) {
	s := &study{pairs: pairs && len(e.rules) > 1, common: map[[2]int]*common{}}
	operations := slices.Clone(e.rules)
	for i := range e.rules {
		s.own = s.own.With(i)
	}
	var names []plan.Filter
	for _, q := range questions {
		a := placedQuestion{}
		for i := range q.rule {
			a.before = a.before.With(i)
		}
		for _, filter := range q.filters {
			tried := e.rules[q.rule]
			tried.Filter = filter
			a.filters = append(a.filters, len(operations))
			operations = append(operations, tried)
		}
		for _, filter := range q.names {
			a.names = append(a.names, len(names)) // behind all operations, which are not known yet
			names = append(names, filter)
		}
		s.placed = append(s.placed, a)
		s.counts = append(s.counts, make([]int64, q.conditions()))
	}
	compiled, query, err := compileOperations(operations, e.settings)
	if err != nil {
		return nil, err
	}
	for _, filter := range names {
		c := condition(filter)
		addWheres(c, &query, "", filter.Where)
		query.Conditions = append(query.Conditions, c)
	}
	for i := range s.placed {
		for k := range s.placed[i].names {
			s.placed[i].names[k] += len(operations)
		}
	}
	compiled.load, compiled.query = e.load, table.NewQuery(query)
	s.Engine = compiled
	return s, nil
}

// read looks at the table.
func (s *study) read(ctx context.Context, open func() (io.ReadCloser, error)) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	opened, err := table.Open(untilDone{ctx, in}, s.settings, s.query.Needs, s.load.ReadBytes)
	if err != nil {
		return err
	}
	s.run = s.newRun(opened)
	_, err = opened.Scan(ctx, s.query, io.Discard, s.load, s.newVisitor)
	return err
}

// studied is what a visitor found in its block.
type studied struct {
	counts [][]int64
	common map[[2]int]*common
}

// studier tries rules on rows. What its visitor tallies is of no use.
type studier struct {
	*visitor
	study *study
	block studied
}

func (s *study) newVisitor() table.Visitor {
	v := s.run.newVisitor().(*visitor)
	found := studied{counts: make([][]int64, len(s.counts)), common: map[[2]int]*common{}}
	for i, counts := range s.counts {
		found.counts[i] = make([]int64, len(counts))
	}
	return &studier{visitor: v, study: s, block: found}
}

// Begin begins a block.
func (s *studier) Begin() {
	s.visitor.Begin()
	clear(s.block.common)
	for _, counts := range s.block.counts {
		clear(counts)
	}
}

// Row tries the rules on a row. A row that is at fault was found to be so by the first look.
func (s *studier) Row(r *table.Row) table.Problem {
	for i := range s.study.placed {
		s.ask(r, &s.study.placed[i], s.block.counts[i])
	}
	if s.study.pairs {
		s.pair(r)
	}
	return table.Problem{}
}

// ask counts the row where the question's filters match it.
func (s *studier) ask(r *table.Row, a *placedQuestion, counts []int64) {
	for i, filter := range a.filters {
		tried := table.Set{}.With(filter)
		if r.Meets.And(tried).Empty() {
			continue
		}
		if s.try(r, a.before.Or(tried)).And(tried).Empty() {
			continue
		}
		counts[i]++
		for k, name := range a.names {
			if !r.Meets.And(table.Set{}.With(name)).Empty() {
				counts[len(a.filters)+k]++
			}
		}
	}
}

// pair notes the row for each two rules that have it in common.
func (s *studier) pair(r *table.Row) {
	own := r.Meets.And(s.study.own)
	if own.Empty() {
		return
	}
	if _, rest := own.Next(); rest.Empty() {
		return
	}
	alone := table.Set{}
	for i, left := 0, own; !left.Empty(); {
		i, left = left.Next()
		alone = alone.Or(s.try(r, table.Set{}.With(i)))
	}
	inTurn := s.try(r, own)
	for i, left := 0, own; !left.Empty(); {
		i, left = left.Next()
		for k, behind := i, left; !behind.Empty(); {
			k, behind = behind.Next()
			both := table.Set{}.With(i).With(k)
			if alone.And(both) == both || inTurn.And(both) == both {
				s.note(r, i, k)
			}
		}
	}
}

// note counts a row that two rules have in common, and keeps it as a sample where there
// are few.
func (s *studier) note(r *table.Row, i, k int) {
	rules, first, second := [2]int{i, k}, table.Set{}.With(i), table.Set{}.With(k)
	found := s.block.common[rules]
	if found == nil {
		found = &common{}
		s.block.common[rules] = found
	}
	found.rows++
	if len(found.samples) == maxSamples {
		return
	}
	found.samples = append(found.samples, Sample{
		Row: r.Index, SKU: clipped(r.Key()), Before: s.outcome(r, table.Set{}),
		First: s.outcome(r, first), Second: s.outcome(r, second), Both: s.outcome(r, first.Or(second)),
	})
}

// try carries some of the operations out on a row that stays as it is, and returns those
// that match it.
func (s *studier) try(r *table.Row, among table.Set) (matched table.Set) {
	meeting := r.Meets.And(among)
	for i, left := 0, meeting; !left.Empty(); {
		i, left = left.Next()
		s.tally.Counts[i].Matched = 0
	}
	_, _ = s.decide(r, among) // a result that would be refused changes no match
	for i, left := 0, meeting; !left.Empty(); {
		i, left = left.Next()
		if s.tally.Counts[i].Matched > 0 {
			matched = matched.With(i)
		}
	}
	return matched
}

// outcome is what some of the operations make of a row; nil where that is refused.
func (s *studier) outcome(r *table.Row, among table.Set) *Outcome {
	if _, found := s.decide(r, among); found.Kind != table.Fine {
		return nil
	}
	o := &Outcome{}
	if r.Money[table.Price].Has {
		price := r.Money[table.Price].Amount
		if s.table.HasSales() {
			_, now := s.prices(r)
			price = now.Paid()
		} else if edit := &s.edit.Money[table.Price]; edit.Sets {
			price = edit.Amount
		}
		o.Price = new(text(price))
	}
	if !s.stocked.Empty() {
		inStock := r.Stock.In
		if s.edit.SetsStock {
			inStock = s.edit.InStock
		}
		o.InStock = &inStock
	}
	return o
}

func text(a amount.Amount) string { return string(a.Append(nil, '.')) }

// Done adds what was found in the block.
func (s *studier) Done(first int64) error {
	to := s.study
	for i, counts := range s.block.counts {
		for k, rows := range counts {
			to.counts[i][k] += rows
		}
	}
	for rules, found := range s.block.common {
		all := to.common[rules]
		if all == nil {
			all = &common{}
			to.common[rules] = all
		}
		all.rows += found.rows
		for _, sample := range found.samples[:min(len(found.samples), maxSamples-len(all.samples))] {
			sample.Row += first
			all.samples = append(all.samples, sample)
		}
	}
	return nil
}

// shared are the rows that two rules have in common, in the order of the rules.
func (s *study) shared() (overlaps []Overlap) {
	for i := range s.operations {
		for k := i + 1; k < len(s.operations); k++ {
			if found := s.common[[2]int{i, k}]; found != nil {
				ids := [2]string{s.operations[i].id, s.operations[k].id}
				overlaps = append(overlaps, Overlap{
					OperationIDs: ids,
					Rows:         found.rows,
					Samples:      found.samples,
				})
			}
		}
	}
	return overlaps
}
