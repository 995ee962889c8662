package ledgertest

import (
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/test/expect"
)

var importTests = []test{
	{"the first note of an import stands", firstImport},
	{"the notes of several executions are read at once", severalImports},
	{"the settings of a header are those that were said last", lastLayout},
	{"what is no id is refused", importIDs},
}

func importOf(id, by string, after time.Duration) ledger.Import {
	return ledger.Import{ExecutionID: id, By: by, At: noon.Add(after)}
}

func firstImport(t *testing.T, store ledger.Store) {
	first := importOf(executionID, "<ann>", 0)
	for _, note := range []ledger.Import{first, importOf(executionID, "bob", time.Hour), first} {
		expect.Equal(t, "the note", first.Rounded(), expect.Result(store.NoteImport(t.Context(), note))(t))
	}
}

func severalImports(t *testing.T, store ledger.Store) {
	expect.Equal(t, "of none", 0, len(expect.Result(store.Imports(t.Context()))(t)))
	note := expect.Result(store.NoteImport(t.Context(), importOf(executionID, "", 0)))(t)
	found := expect.Result(store.Imports(t.Context(), otherID, executionID))(t)
	expect.Equal(t, "the notes", map[string]ledger.Import{executionID: note}, found)
}

func lastLayout(t *testing.T, store ledger.Store) {
	const header = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	_, err := store.Layout(t.Context(), header)
	wantKind(t, err, errs.NotFound)
	layout := ledger.Layout{
		Header:   header,
		Settings: map[string]string{"columns": "price=Preis <€>", "encoding": ""},
		By:       "ann",
		At:       noon,
		File:     "p.csv",
	}
	for _, said := range []map[string]string{layout.Settings, {"odd_rows": "leave"}, {}} {
		layout.Settings = said
		expect.NoError(t, store.PutLayout(t.Context(), layout))
		expect.Equal(t, "the settings", layout.Rounded(), expect.Result(store.Layout(t.Context(), header))(t))
	}
}

func importIDs(t *testing.T, store ledger.Store) {
	wantKind(t, expect.ErrorOf(store.NoteImport(t.Context(), importOf("../x", "ann", 0))), errs.Invalid)
	wantKind(t, expect.ErrorOf(store.Imports(t.Context(), executionID, "a/b")), errs.Invalid)
	wantKind(t, store.PutLayout(t.Context(), ledger.Layout{Header: ""}), errs.Invalid)
	wantKind(t, expect.ErrorOf(store.Layout(t.Context(), "..")), errs.Invalid)
}
