package planner

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/web"
)

// search is what is looked for in a list of plans or executions.
type search struct {
	words         []string
	changed       map[string]bool // executions that changed the SKU that the words are
	person, brand string          // folded; "" for any
	from, until   time.Time       // when it was begun: from, and before; zero for any
}

func newSearch(text string) *search { return &search{words: strings.Fields(fold.Letters(text))} }

// readSearch reads what a list is asked for.
func readSearch(q *web.Query) (sought *search, text string) {
	text, _ = q.Text("search")
	sought = newSearch(text)
	person, _ := q.Text("person")
	brand, _ := q.Text("brand")
	sought.person = fold.Letters(strings.TrimSpace(person))
	sought.brand = fold.Letters(strings.TrimSpace(brand))
	sought.from = readDay(q, "from")
	if until := readDay(q, "until"); !until.IsZero() {
		sought.until = until.AddDate(0, 0, 1)
	}
	return sought, text
}

// readDay reads a day of a query; zero where there is none.
func readDay(q *web.Query, name string) time.Time {
	text, given := q.Text(name)
	if !given || text == "" {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		q.Problem(name, "must be a day such as 2026-05-04")
	}
	return day
}

// findChanged finds the executions that changed the SKU of exactly this text, the newest
// maxLooked.
func (s *search) findChanged(ctx context.Context, store ledger.Store, text string) error {
	sku := strings.TrimSpace(text)
	if sku == "" || len(sku) > cell.MaxNameBytes || !utf8.ValidString(sku) {
		return nil
	}
	s.changed = map[string]bool{}
	_, err := searchPages(paging.Page{Size: paging.MaxSize}, func(of paging.Page) (bool, string, error) {
		list, err := store.SKUChanges(ctx, sku, of)
		for _, change := range list.Items {
			s.changed[change.ExecutionID] = true
		}
		return false, list.NextPageToken, err
	})
	return err
}

// inExecution reports whether an execution of a plan, which is zero where there is none, is
// looked for.
func (s *search) inExecution(e ledger.Execution, stored plans.Stored) bool {
	people := []string{stored.CreatedBy, e.Source.UploadedBy, e.Source.ProposedBy}
	if e.Approval != nil {
		people = append(people, e.Approval.By)
	}
	switch {
	case !s.from.IsZero() && e.CreatedAt.Before(s.from), !s.until.IsZero() && !e.CreatedAt.Before(s.until):
		return false
	case s.person != "" && !strings.Contains(fold.Letters(strings.Join(people, "\n")), s.person):
		return false
	case s.brand != "" && !strings.Contains(fold.Letters(strings.Join(brandsOf(stored), "\n")), s.brand):
		return false
	}
	return s.changed[e.ExecutionID] ||
		s.in(append(append(wordsOf(stored), people...), e.ExecutionID, e.Source.Object))
}

// slipsFrom is how long a word is that may be mistyped, by one letter.
const slipsFrom = 5

// in reports whether all words are found, each as it is or, a longer one, mistyped.
func (s *search) in(text []string) bool {
	all := fold.Letters(strings.Join(text, "\n"))
	var apart []string
	return !slices.ContainsFunc(s.words, func(word string) bool {
		if strings.Contains(all, word) {
			return false
		}
		if apart == nil {
			apart = strings.FieldsFunc(all, isBetweenWords)
		}
		return utf8.RuneCountInString(word) < slipsFrom ||
			!slices.ContainsFunc(apart, func(other string) bool { return fold.Slips(word, other) <= 1 })
	})
}

// isBetweenWords reports whether a letter stands between words.
func isBetweenWords(r rune) bool { return strings.ContainsRune(" \n\t.,;:/-_()\"'", r) }

func wordsOf(stored plans.Stored) []string {
	if stored.Plan == nil {
		return nil
	}
	text := []string{stored.Plan.SourceInstruction, stored.ExecutionID, stored.CreatedBy}
	if stored.Planner.Table != nil {
		text = append(text, stored.Planner.Table.File)
	}
	for _, operation := range stored.Plan.Operations {
		of := operation.Filter
		text = slices.Concat(text, of.SKUs, of.ExcludeSKUs, of.Categories, of.Tags, of.NameContains)
	}
	return append(text, brandsOf(stored)...)
}

// brandsOf are the brands that a plan's rules are for.
func brandsOf(stored plans.Stored) (brands []string) {
	if stored.Plan == nil {
		return nil
	}
	for _, operation := range stored.Plan.Operations {
		brands = append(brands, operation.Filter.Brands...)
	}
	return brands
}
