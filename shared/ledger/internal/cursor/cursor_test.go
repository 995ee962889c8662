package cursor_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/cursor"
	"github.com/planwright/planwright/shared/ledger/paging"
)

type place struct {
	At  string `json:"at"`
	Row int64  `json:"row"`
}

func TestRoundTrip(t *testing.T) {
	want := place{At: "2026-01-02T03:04:05.000006Z", Row: 7}
	list := "skus/" + strings.Repeat("\x01é", 500)
	got, err := cursor.Place(list, cursor.Token(list, want), place{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	start := place{At: "~"}
	if got, err := cursor.Place(list, "", start); got != start || err != nil {
		t.Errorf("no token: got %v, %v", got, err)
	}
}

func TestWrongTokens(t *testing.T) {
	ours := cursor.Token("executions", place{Row: 1})
	raw, _ := base64.RawURLEncoding.DecodeString(ours)
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, token := range map[string]string{
		"of another list":    cursor.Token("executions/failed", place{Row: 1}),
		"not base64":         "%%%",
		"padded":             ours + "=",
		"not JSON":           encode("hello"),
		"cut short":          ours[:len(ours)-4],
		"another field":      encode(strings.Replace(string(raw), `"row"`, `"col"`, 1)),
		"another type":       encode(strings.Replace(string(raw), `1}`, `"1"}`, 1)),
		"followed by more":   encode(string(raw) + "{}"),
		"longer than any":    strings.Repeat("A", 10_000),
		"an empty structure": encode("{}"),
	} {
		if got, err := cursor.Place("executions", token, place{}); errs.KindOf(err) != errs.Invalid {
			t.Errorf("a token %s: got %v, %v; want Invalid", name, got, err)
		}
	}
}

func TestCut(t *testing.T) {
	at := func(row int64) place { return place{Row: row} }
	for name, c := range map[string]struct {
		found, want []int64
		more        bool
	}{
		"fewer":         {[]int64{1}, []int64{1}, false},
		"just as many":  {[]int64{1, 2}, []int64{1, 2}, false},
		"one too many":  {[]int64{1, 2, 3}, []int64{1, 2}, true},
		"nothing found": {[]int64{}, []int64{}, false},
	} {
		page, err := cursor.Page("rows", paging.Page{Size: 2}, place{}, func(_ place, limit int) ([]int64, error) {
			return c.found[:min(limit, len(c.found))], nil
		}, at)
		token := page.NextPageToken
		if diff := cmp.Diff(c.want, page.Items); err != nil || diff != "" || (token != "") != c.more {
			t.Errorf("%s: token %q, %s", name, token, diff)
		}
		if next, err := cursor.Place("rows", token, place{}); c.more && (err != nil || next != at(2)) {
			t.Errorf("%s: the next page starts after %v, %v", name, next, err)
		}
	}
}
