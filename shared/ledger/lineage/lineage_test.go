package lineage

import (
	"context"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// records are read by their ids.
type records map[string]ledger.Links

func (r records) Execution(_ context.Context, id string) (ledger.Execution, error) {
	links, exists := r[id]
	if !exists {
		return ledger.Execution{}, errs.New(errs.NotFound, "there is no execution %s", id)
	}
	return ledger.Execution{ExecutionID: id, Links: links}, nil
}

func TestFollow(t *testing.T) {
	by := func(id string) ledger.Links { return ledger.Links{UndoneBy: id} }
	for _, test := range []struct {
		name    string
		records records
		force   Force
		text    string
	}{
		{"never undone", records{"e": {}}, All, ""},
		{"undone", records{"e": by("u"), "u": {}}, None, "It was undone by u. Nothing that it changed is in force."},
		{"undone in part", records{"e": {UndoneBy: "u", RowsLeft: 2}, "u": {}}, Some,
			"It was undone in part by u. Some of what it changed is in force."},
		{"the undo is undone", records{"e": by("u"), "u": by("v"), "v": {}}, All,
			"It was undone by u, which was undone by v. All that it changed is in force again."},
		{"and that, too", records{"e": by("u"), "u": by("v"), "v": by("w"), "w": {}}, None,
			"It was undone by u, which was undone by v, which was undone by w. Nothing that it changed is in force."},
		{"the undo is undone in part", records{"e": by("u"), "u": {UndoneBy: "v", RowsLeft: 1}, "v": {}}, Some,
			"It was undone by u, which was undone in part by v. Some of what it changed is in force."},
		{"an undo in part is undone", records{"e": {UndoneBy: "u", RowsLeft: 2}, "u": by("v"), "v": {}}, All,
			"It was undone in part by u, which was undone by v. All that it changed is in force again."},
		{"the first of two undos is undone", records{"e": {UndoneBy: "u2", UndoneBefore: []string{"u1"}}, "u1": by("v"), "u2": {}, "v": {}}, Some,
			"It was undone by u2; before that it was undone in part by u1, which was undone by v. Some of what it changed is in force."},
		{"both of two undos are undone", records{"e": {UndoneBy: "u2", UndoneBefore: []string{"u1"}}, "u1": by("v"), "u2": by("w"), "v": {}, "w": {}}, All,
			"It was undone by u2, which was undone by w; before that it was undone in part by u1, which was undone by v. All that it changed is in force again."},
		{"both of two undos stand", records{"e": {UndoneBy: "u2", UndoneBefore: []string{"u1"}}, "u1": {}, "u2": {}}, None,
			"It was undone by u2; before that it was undone in part by u1. Nothing that it changed is in force."},
		{"an edited record leads in a circle", records{"e": by("u"), "u": by("e")}, All,
			"It was undone by u, which was undone by e. All that it changed is in force again."},
		{"a record was removed", records{"e": by("u")}, None, "It was undone by u. Nothing that it changed is in force."},
	} {
		e, err := test.records.Execution(t.Context(), "e")
		if err != nil {
			t.Fatal(err)
		}
		got, err := Follow(t.Context(), test.records, e)
		if err != nil || got.Force != test.force || got.String() != test.text {
			t.Errorf("%s: %s, %v, %v\n%s\nwant\n%s", test.name, got.Force, got.Again(), err, got, test.text)
		}
	}
}
