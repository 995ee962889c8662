package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
)

// Result is what a plan makes of a table: all that a person judges it by, and the hashes of
// all that it depends on. A proposal, a seal and an audit document hold the same one.
//
// It says nothing of when it was computed, or by which attempt: the same plan makes the
// same of the same table. It has no sentences, so new words make no other hash.
type Result struct {
	PlanSHA256 string `json:"plan_sha256"`
	// PlanRecordSHA256 is of all that is stored with the plan: who made it, when, and of
	// which words.
	PlanRecordSHA256 string `json:"plan_record_sha256"`
	UploadedBy       string `json:"uploaded_by,omitempty"` // who may not be the one who approves
	// whose address it is, where the table was fetched for this
	Shop     string         `json:"shop,omitempty"`
	Settings table.Settings `json:"settings,omitzero"` // by which the table was read
	Input    File           `json:"input,omitzero"`    // as it was read
	Output   File           `json:"output,omitzero"`
	Changes  File           `json:"changes,omitzero"`

	Summary  pricing.Counts    `json:"summary,omitzero"`
	Effect   pricing.Effect    `json:"effect,omitzero"`
	Warnings []pricing.Warning `json:"warnings,omitempty"`
}

// SHA256 is the hash of the result's canonical form (RFC 8785): the proposal_sha256 that
// somebody approves of. Of a table that was fetched from a shop it is of what would be written
// to the shop, without input and output: the same prices of the same rows are the same
// proposal, whatever else the shop has changed since.
func (r Result) SHA256() string {
	if r.Shop != "" {
		r.Input, r.Output = File{}, File{}
	}
	return stored.SHA256(strictjson.Canonical(json.RawMessage(strictjson.Line(r))))
}

// Did sets what the engine did. A warning of which a sentence can be made at any time is
// kept as its code and arguments alone.
func (r *Result) Did(did pricing.Summary) {
	r.Summary, r.Effect, r.Warnings = did.Counts, did.Effect, slices.Clone(did.Warnings)
	for i := range r.Warnings {
		if _, made := r.Warnings[i].Sentence(); made {
			r.Warnings[i].Message = ""
		}
	}
}

// Line says in one line, without any row, what a result does to a table.
func (r *Result) Line() string {
	changed, total := r.Summary.RowsChanged, r.Summary.RowsTotal
	line := fmt.Sprintf("%d of %d %s %s",
		changed, total, choose(total, "row", "rows"), choose(changed, "changes", "change"))
	var parts []string
	for _, part := range []struct {
		rows      int64
		one, many string
	}{
		{r.Effect.RowsRaised, "price rises", "prices rise"},
		{r.Effect.RowsLowered, "price falls", "prices fall"},
		{r.Effect.RowsRegular, "regular price changes during a sale", "regular prices change during a sale"},
		{r.Effect.RowsIntoStock, "comes into stock", "come into stock"},
		{r.Effect.RowsOutOfStock, "goes out of stock", "go out of stock"},
	} {
		if part.rows > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.rows, choose(part.rows, part.one, part.many)))
		}
	}
	if len(parts) == 0 {
		return line
	}
	return line + ": " + strings.Join(parts, ", ")
}

// choose is the word for one, or that for another number.
func choose(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ReadBy are the settings by which the table of a source is read; s is nil where nothing
// is sealed.
func (s *Seal) ReadBy(source Source) table.Settings {
	if s != nil {
		return s.Settings
	}
	return source.Settings
}

// Sentences say to people what the engine warns of, and the figures.
func (r *Result) Sentences() (all []string) {
	for _, told := range slices.Concat(r.Warnings, r.Summary.Figures.All()) {
		sentence, _ := told.Sentence()
		all = append(all, sentence)
	}
	return all
}
