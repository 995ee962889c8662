package row

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/recognize"
)

func TestRefusalSaysWhere(t *testing.T) {
	refusal := &InputError{
		Faults: []faults.Fault{
			{Row: 1, Column: "price", Message: "there is none"},
			{Row: 2, Column: "price", Message: "it is empty"},
			{Row: 3, Message: "it is empty"},
			{Row: 4, Column: "price", Value: "x", Message: "it is empty"},
		},
		Table: &Recognized{Dialect: dialect.Dialect{Delimiter: dialect.Comma, LineEnd: dialect.LF, Encoding: dialect.UTF8, BOM: true, SepLine: true}, Profile: "plain", Header: []string{"sku", "", " price"},
			Findings: []recognize.Finding{{Title: "sku", Samples: []string{"A1", "A2"}, WhyNot: "may be sku"}, {WhyNot: "not known"}, {Title: " price", Role: string(recognize.RolePrice), Found: recognize.ByTitle, Samples: []string{"9.50"}}}},
	}
	want := `The table was refused and nothing was changed. It has 4 faults.
There is none:
  row 1, column price
It is empty:
  row 2, column price, an empty cell
  row 3
  row 4, column price, value x
The header was read as profile plain (comma, LF, UTF-8 with a byte-order mark, a sep= line):
  sku (A1, A2): may be sku
  (no title): not known
  " price": price`
	if diff := cmp.Diff(want, refusal.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	refusal.More, refusal.Table = 1, nil
	if text := refusal.Error(); !strings.HasSuffix(text, "value x\nand 1 more.") {
		t.Error(text)
	}
	for titles, last := range map[int]string{maxTitles: "x: sku", maxTitles + 1: "and 1 more"} {
		lines := (&Recognized{Header: make([]string, titles), Findings: slices.Repeat([]recognize.Finding{{Title: "x", Role: string(recognize.RoleSKU)}}, titles)}).lines()
		if lines[len(lines)-1] != last {
			t.Errorf("a header of %d ends in %q, want %q", titles, lines[len(lines)-1], last)
		}
	}
}
