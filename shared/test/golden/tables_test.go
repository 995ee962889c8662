package golden_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/test/golden"
)

const depth = 3 // of this package in the module

// tableInput is a table with the names that plans use of it.
type tableInput struct {
	Name     string            `json:"name"`
	File     string            `json:"file"` // from the module's folder
	Rewrite  *rewrite          `json:"rewrite"`
	Settings map[string]string `json:"settings"` // as people give them
	Category string            `json:"category"`
	SKU      string            `json:"sku"`
	Brand    string            `json:"brand"`
	Tag      string            `json:"tag"`
	Word     string            `json:"word"`
}

// rewrite is how a table of UTF-8, commas and LF is written before it is read.
type rewrite struct {
	Words     map[string]string `json:"words"` // each replaced by another
	Delimiter string            `json:"delimiter"`
	LineEnd   string            `json:"line_end"`
	Encoding  string            `json:"encoding"` // a name of the WHATWG's
	Sep       bool              `json:"sep"`      // with a first line that names the delimiter
	BOM       bool              `json:"bom"`
}

// planTemplate is a plan with {category}, {sku}, {brand}, {tag} and {word} in it.
type planTemplate struct {
	Name       string          `json:"name"`
	Operations json.RawMessage `json:"operations"`
}

// TestGoldenTables carries each plan out over each table, and then undoes the first
// plan that went well.
func TestGoldenTables(t *testing.T) {
	var tables []tableInput
	var plans []planTemplate
	readInput(t, "tables.json", &tables)
	readInput(t, "plans.json", &plans)
	folder := filepath.Join(golden.Folder(depth), "tables")
	var names []string
	for _, in := range tables {
		names = append(names, in.Name+".txt")
		t.Run(in.Name, func(t *testing.T) {
			golden.Check(t, filepath.Join(folder, in.Name+".txt"), carryOutAll(t, in, plans))
		})
	}
	golden.Only(t, folder, names)
}

// TestEveryExportIsGolden: tables.json names each of testdata/exports.
func TestEveryExportIsGolden(t *testing.T) {
	var tables []tableInput
	readInput(t, "tables.json", &tables)
	folders, err := filepath.Glob(filepath.Join(golden.Folder(depth), "..", "exports", "*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d exports: %v", len(folders), err)
	}
	for _, folder := range folders {
		prefix := "testdata/exports/" + filepath.Base(folder) + "/"
		if !slices.ContainsFunc(tables, func(in tableInput) bool { return strings.HasPrefix(in.File, prefix) }) {
			t.Errorf("input/tables.json has no table of %s: give it a line", prefix)
		}
	}
}

func readInput(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(golden.Folder(depth), "input", name))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// carryOutAll returns a line about the table and one for each plan.
func carryOutAll(t *testing.T, in tableInput, plans []planTemplate) string {
	t.Helper()
	input := in.bytes(t)
	settings, err := table.Settings{}.With(in.Settings)
	if err != nil {
		return "the settings are refused: " + refusal(err) + "\n"
	}
	var lines strings.Builder
	read, undo := "", ""
	for _, template := range plans {
		p := in.plan(t, template)
		out, changes, summary, err := carryOut(t, p, settings, input)
		if err != nil {
			fmt.Fprintf(&lines, "%s: error %s\n", template.Name, refusal(err))
			continue
		}
		fmt.Fprintf(&lines, "%s: %s\n", template.Name, did(out, changes, summary))
		if undo == "" && summary.RowsChanged > 0 {
			undo = fmt.Sprintf("undo of %s: %s\n", template.Name, undone(t, p, settings, out, changes))
		}
		if read == "" {
			read = fmt.Sprintf(", profile %s, %s", summary.Table.Profile, summary.Table.Dialect)
		}
	}
	return fmt.Sprintf("input %s, %d bytes%s\n", short(input), len(input), read) + lines.String() + undo
}

// plan fills the table's names into a plan.
func (in tableInput) plan(t *testing.T, template planTemplate) *plan.Plan {
	t.Helper()
	operations := string(template.Operations)
	for _, name := range [][2]string{{"category", in.Category}, {"sku", in.SKU}, {"brand", in.Brand}, {"tag", in.Tag}, {"word", in.Word}} {
		quoted, err := json.Marshal(name[1])
		if err != nil {
			t.Fatal(err)
		}
		operations = strings.ReplaceAll(operations, `"{`+name[0]+`}"`, string(quoted))
	}
	p, err := plan.Decode([]byte(`{"execution_id": "plan_golden_v1", "created_at": "2026-01-05T09:00:00Z", "source_instruction": "Change the table.", "operations": ` + operations + `}`))
	if err != nil {
		t.Fatalf("%s: %v", template.Name, err)
	}
	return p
}

func carryOut(t *testing.T, p *plan.Plan, s table.Settings, input []byte) (out, changes []byte, _ pricing.Summary, _ error) {
	t.Helper()
	engine, err := pricing.Compile(p, s)
	if err != nil {
		return nil, nil, pricing.Summary{}, err
	}
	var output, changed bytes.Buffer
	summary, err := engine.Run(t.Context(), bytes.NewReader(input), &output, &changed)
	return output.Bytes(), changed.Bytes(), summary, err
}

// undone undoes what was carried out.
func undone(t *testing.T, p *plan.Plan, s table.Settings, output, changes []byte) string {
	t.Helper()
	sum := sha256.Sum256(changes)
	undo := &plan.Plan{
		ExecutionID: p.ExecutionID + "_undo", CreatedAt: p.CreatedAt, SourceInstruction: "Undo it.",
		Undo: &plan.Undo{ExecutionID: p.ExecutionID, ChangesSHA256: hex.EncodeToString(sum[:])},
	}
	engine, err := pricing.CompileUndo(undo, s, bytes.NewReader(changes))
	if err != nil {
		return "error " + refusal(err)
	}
	var out, changed bytes.Buffer
	summary, err := engine.Run(t.Context(), bytes.NewReader(output), &out, &changed)
	if err != nil {
		return "error " + refusal(err)
	}
	return did(out.Bytes(), changed.Bytes(), summary)
}

// did is what a run did: its figures, the hashes of what it wrote, and its warnings
// by code, number of rows and first rows.
func did(output, changes []byte, s pricing.Summary) string {
	var text strings.Builder
	fmt.Fprintf(&text, "rows %d, changed %d", s.RowsTotal, s.RowsChanged)
	for _, op := range s.Operations {
		fmt.Fprintf(&text, ", %s %d/%d", op.OperationID, op.RowsMatched, op.RowsChanged)
	}
	if s.RowsStale > 0 {
		fmt.Fprintf(&text, ", stale %d", s.RowsStale)
	}
	fmt.Fprintf(&text, ", output %s, changes %s", short(output), short(changes))
	for _, w := range s.AllWarnings() {
		if w.Code == pricing.UnmatchedOperation {
			continue // its counts say so
		}
		fmt.Fprintf(&text, ", %s", w.Code)
		if w.UnknownName != nil {
			fmt.Fprintf(&text, " %s", nameOf(*w.UnknownName))
		}
		if w.Rows > 0 {
			fmt.Fprintf(&text, " %d %v", w.Rows, w.FirstRows)
		}
	}
	return text.String()
}

// refusal is an error by its code and its places, without its sentences.
func refusal(err error) string {
	var input *table.InputError
	var unknown *names.UnknownNamesError
	var stale *pricing.StaleError
	var setting *setting.Error
	switch {
	case errors.As(err, &input) && input.Code() == row.CodeDatedSales:
		var first []int64
		for _, fault := range input.Faults {
			first = append(first, fault.Row)
		}
		return fmt.Sprintf("dated_sales, %d %v", input.More+int64(len(first)), first)
	case errors.As(err, &input):
		text := "invalid_csv"
		for _, fault := range input.Faults {
			text += fmt.Sprintf(", row %d", fault.Row)
			if fault.Column != "" {
				text += fmt.Sprintf(" %q", fault.Column)
			}
		}
		return text
	case errors.As(err, &unknown):
		text := unknown.Code()
		for _, name := range unknown.Names {
			text += ", " + nameOf(name)
		}
		return text
	case errors.As(err, &stale):
		return fmt.Sprintf("stale, %d", stale.RowsStale)
	case errors.As(err, &setting):
		return fmt.Sprintf("setting %s", setting.Name)
	default:
		return string(errs.KindOf(err))
	}
}

// nameOf is a name that no row has, or that looks like others, with those.
func nameOf(name table.UnknownName) string {
	text := fmt.Sprintf("%s %q", name.Column, name.Name)
	if len(name.Nearest) > 0 {
		text += fmt.Sprintf(" near %q", name.Nearest)
	}
	for _, spelling := range name.Alike {
		text += fmt.Sprintf(" alike %q %d", spelling.Name, spelling.Rows)
	}
	return text
}

// short begins the hash of what was written: enough to see that it is another.
func short(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// bytes reads the table as it lies there, or rewrites it.
func (in tableInput) bytes(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(golden.Folder(depth), "../..", filepath.FromSlash(in.File)))
	if err != nil {
		t.Fatal(err)
	}
	if in.Rewrite == nil {
		return text
	}
	text, err = in.Rewrite.write(string(text))
	if err != nil {
		t.Fatalf("%s: %v", in.Name, err)
	}
	return text
}

func (r *rewrite) write(text string) ([]byte, error) {
	for from, to := range r.Words {
		text = strings.ReplaceAll(text, from, to)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	w := csv.NewWriter(&lines)
	if r.Delimiter != "" {
		w.Comma = []rune(r.Delimiter)[0]
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	text = lines.String()
	if r.Sep {
		text = "sep=" + string(w.Comma) + "\n" + text
	}
	if r.LineEnd != "" {
		text = strings.ReplaceAll(text, "\n", r.LineEnd)
	}
	if r.BOM {
		text = "\ufeff" + text
	}
	if r.Encoding == "" {
		return []byte(text), nil
	}
	encoding, err := htmlindex.Get(r.Encoding)
	if err != nil {
		return nil, err
	}
	return encoding.NewEncoder().Bytes([]byte(text))
}
