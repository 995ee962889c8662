package verify_test

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/verify"
)

// unfound are the fields that may be edited without verify --all finding it, each with why
// nobody is misled.
var unfound = []struct {
	why  string
	what *regexp.Regexp
}{
	{"marks of the work: who holds a record and when it is looked at again; the sweep sets them anew",
		regexp.MustCompile(`^execution_records\.(revision|due_at|post_at|document\.(attempts\.lease_until|due_at))$`)},
	{"of which change document a change is: all are compared, in their order", regexp.MustCompile(`^changes\.number$`)},
	{"the store's mark of a version", regexp.MustCompile(`^tree\.revision$`)},
	{"the schema's own notes: a file whose notes differ is not opened", regexp.MustCompile(`^schemas\.`)},
}

// TestEveryFieldIsVerified edits every field of everything that is stored of a life of plans,
// one after the other, and each time verify --all must find it.
func TestEveryFieldIsVerified(t *testing.T) {
	t.Parallel()
	s := newLife(t)
	if faults := s.faults(); faults != 0 {
		t.Fatalf("nothing was edited, and %d things differ", faults)
	}
	edited := 0
	for _, table := range s.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name") {
		name := table[0].(string)
		columns := s.rows("SELECT name FROM pragma_table_info('" + name + "')")
		seen := map[string]bool{}
		for _, row := range s.rows("SELECT * FROM " + name) {
			for i, column := range columns {
				for inside, changed := range everyEdit(row[i]) {
					what := name + "." + column[0].(string) + inside
					kind := withoutPlaces.ReplaceAllString(what, "") + statusOf(columns, row)
					if seen[kind] { // one of each kind
						continue
					}
					seen[kind] = true
					edited++
					if !s.findsEdit(name, columns, row, i, changed) && !slices.ContainsFunc(unfound, func(u struct {
						why  string
						what *regexp.Regexp
					}) bool {
						return u.what.MatchString(withoutPlaces.ReplaceAllString(what, ""))
					}) {
						t.Errorf("%s of %v was edited to %.80v, and nothing was found", what, row[0], changed)
					}
				}
			}
		}
	}
	t.Logf("%d fields were edited", edited)
	if faults := s.faults(); faults != 0 {
		t.Errorf("all is as it was, and %d things differ", faults)
	}
}

// statusOf is the status of a row; "" where it has none.
func statusOf(columns [][]any, row []any) string {
	for i, column := range columns {
		if column[0] == "status" {
			return row[i].(string)
		}
	}
	return ""
}

// withoutPlaces are the places in lists.
var withoutPlaces = regexp.MustCompile(`\.\d+\b`)

// findsEdit edits a column of a row, asks whether that is found, and puts it back. What the
// tables refuse is found.
func (s *shop) findsEdit(table string, columns [][]any, row []any, at int, changed any) bool {
	s.t.Helper()
	var where []string
	for i, column := range columns {
		where = append(where, column[0].(string)+" IS ?"+strconv.Itoa(i+1))
	}
	update := "UPDATE " + table + " SET " + columns[at][0].(string) + " = ?" + strconv.Itoa(len(columns)+1) + " WHERE " + strings.Join(where, " AND ")
	if _, err := s.db.ExecContext(s.t.Context(), update, append(slices.Clone(row), changed)...); err != nil {
		return true
	}
	found := s.faults() > 0
	now := slices.Clone(row)
	now[at] = changed
	if _, err := s.db.ExecContext(s.t.Context(), update, append(now, row[at])...); err != nil {
		s.t.Fatal(err)
	}
	return found
}

// faults counts what verify --all finds.
func (s *shop) faults() (faults int) {
	s.t.Helper()
	err := s.All(s.t.Context(), func(subject verify.Subject) {
		for _, finding := range subject.Findings {
			if finding.Fault != "" {
				faults++
			}
		}
	})
	if err != nil {
		return 1
	}
	return faults
}

// rows are those of a query.
func (s *shop) rows(query string) (all [][]any) {
	s.t.Helper()
	found, err := s.db.QueryContext(context.Background(), query)
	if err != nil {
		s.t.Fatal(err)
	}
	defer found.Close()
	columns, err := found.Columns()
	for err == nil && found.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		err = found.Scan(into...)
		all = append(all, row)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// everyEdit are the edits of a value: of JSON one of each field in it, by its path.
func everyEdit(value any) map[string]any {
	switch value := value.(type) {
	case int64:
		return map[string]any{"": value + 1}
	case nil:
		return map[string]any{"": "x"}
	}
	text := value.(string)
	var document any
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &document) == nil {
		edits := map[string]any{}
		editsInside(document, "", func(path string) {
			edited, err := json.Marshal(document)
			if err != nil {
				panic(err)
			}
			edits[path] = string(edited)
		})
		return edits
	}
	return map[string]any{"": text + "1"}
}

// editsInside edits each field in a document, calls seen, and puts it back.
func editsInside(node any, path string, seen func(path string)) {
	edit := func(name string, value any, set func(any)) {
		switch value := value.(type) {
		case map[string]any, []any:
			editsInside(value, path+"."+name, seen)
		default:
			set(edited(value))
			seen(path + "." + name)
			set(value)
		}
	}
	switch node := node.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(node)) {
			edit(name, node[name], func(value any) { node[name] = value })
		}
	case []any:
		for i, value := range node {
			edit(strconv.Itoa(i), value, func(value any) { node[i] = value })
		}
	}
}

func edited(value any) any {
	switch value := value.(type) {
	case float64:
		return value + 1
	case bool:
		return !value
	case string:
		return otherText(value)
	}
	return map[string]any{} // of null
}

// otherText is another text of the same kind, so that it can be read.
func otherText(text string) string {
	if text == "" {
		return "x"
	}
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '8' {
			return r + 1
		}
		return r
	}, text[len(text)/2:])
	if other := text[:len(text)/2] + digits; other != text && !strings.Contains(text, "T") {
		return other
	}
	if strings.HasPrefix(text, "20") { // a time
		return "2019" + text[4:]
	}
	return text + "1"
}
