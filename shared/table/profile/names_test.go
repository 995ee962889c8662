package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormsOfCategories(t *testing.T) {
	for want, c := range map[string]NameColumn{
		"name": {}, "list (|)": {List: "|"}, "path (>)": {Path: ">"}, "list (|) of paths (>)": {List: "|", Path: ">"},
	} {
		if got := c.Form(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNamesOfACell(t *testing.T) {
	for _, test := range []struct {
		column NameColumn
		cell   string
		want   []string
	}{
		{NameColumn{}, "a, b", []string{"a, b"}},
		{NameColumn{List: ","}, "a, b", []string{"a, b", "a", "a", "b", "b"}},
		{NameColumn{List: ",", Escape: "\\"}, `a\, b,c`, []string{`a\, b,c`, "a, b", "a, b", "c", "c"}},
		{NameColumn{List: ","}, `a\, b`, []string{`a\, b`, `a\`, `a\`, "b", "b"}},
		{NameColumn{List: ",", Path: "/", Escape: "\\"}, `a/b\/c,`, []string{`a/b\/c,`, "a/b/c", "a", "b/c"}},
		{NameColumn{Path: ">"}, "a > b", []string{"a > b", "a > b", "a", "b"}},
	} {
		var got []string
		test.column.Names(test.cell, func(name string) { got = append(got, name) })
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v, %s (-want +got):\n%s", test.column, test.cell, diff)
		}
	}
}
