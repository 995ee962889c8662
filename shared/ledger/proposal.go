package ledger

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// ProposalSHA256 is the hash of what would be sealed of an upload, and of what a
// person judges it by: two proposals have the same one where the same plan makes
// the same of the same table. It says nothing of when they were computed, or by
// which attempt.
//
// Of a table that was fetched from a shop it is the hash of what would be written to the
// shop: the same prices of the same rows are the same proposal, whatever else the shop
// has changed since.
func ProposalSHA256(source Source, seal Seal) string {
	if source.isFetched() {
		source.Upload, seal.Input, seal.Output = Upload{}, File{}, File{}
	}
	return hashJSON(struct {
		PlanSHA256    string         `json:"plan_sha256"`
		Upload        Upload         `json:"upload"`
		UploadedBy    string         `json:"uploaded_by,omitempty"` // who may not be the one who approves
		InputSize     int64          `json:"input_size"`
		InputCRC32C   uint32         `json:"input_crc32c"`
		BLAKE3        string         `json:"input_blake3"`
		Settings      table.Settings `json:"settings"`
		OutputSize    int64          `json:"output_size"`
		OutputCRC32C  uint32         `json:"output_crc32c"`
		ChangesSHA256 string         `json:"changes_sha256"`
		FiguresSHA256 string         `json:"figures_sha256,omitempty"`
		Distinct      bool           `json:"distinct,omitempty"`
	}{
		seal.PlanSHA256, source.Upload, source.UploadedBy, seal.Input.Size, seal.Input.CRC32C, seal.Input.BLAKE3, seal.ReadBy(source),
		seal.Output.Size, seal.Output.CRC32C, seal.ChangesSHA256, seal.FiguresSHA256, seal.Distinct,
	})
}

// FiguresSHA256 is the hash of what a person judges a result by: who made the
// plan, and the summary, the effect and the warnings as codes, arguments and
// numbers. A sentence that is worded anew makes no other hash.
func FiguresSHA256(planRecordSHA256 string, summary Summary, effect pricing.Effect, warnings []pricing.Warning) string {
	summary.Warnings, summary.Told = nil, nil // sentences, and what is said of the warnings here
	coded := slices.Clone(warnings)
	for i := range coded {
		if _, made := coded[i].Sentence(); made {
			coded[i].Message = ""
		}
	}
	return hashJSON(struct {
		PlanRecordSHA256 string            `json:"plan_record_sha256"`
		Summary          Summary           `json:"summary"`
		Effect           pricing.Effect    `json:"effect"`
		Warnings         []pricing.Warning `json:"warnings"`
	}{planRecordSHA256, summary, effect, coded})
}

func hashJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("ledger: a value that is not JSON: " + err.Error()) // all of it is read from JSON
	}
	return hexSHA256(text)
}

// NewProposal is what a seal of a source would do, with its hashes.
func NewProposal(source Source, seal Seal, stored StoredPlan, did pricing.Summary) Proposal {
	p := Proposal{Seal: seal, Effect: did.Effect, Warnings: did.Warnings, PlanRecordSHA256: stored.RecordSHA256()}
	p.FiguresSHA256 = FiguresSHA256(p.PlanRecordSHA256, p.Summary, p.Effect, p.Warnings)
	p.ProposalSHA256 = ProposalSHA256(source, p.Seal)
	return p
}

// ShownProposal is what a record proposes as people are to see it: figures that
// have the hash, and sentences that are made of them and of the plan. Nil where
// it proposes nothing. Internal: one of them was edited since it was computed.
func (e Execution) ShownProposal(stored StoredPlan) (*Proposal, error) {
	if e.Proposal == nil {
		return nil, nil
	}
	p := *e.Proposal
	switch {
	case e.CheckWritten() != nil,
		p.ProposalSHA256 != ProposalSHA256(e.Source, p.Seal),
		p.FiguresSHA256 != FiguresSHA256(p.PlanRecordSHA256, p.Summary, p.Effect, p.Warnings),
		p.PlanSHA256 != stored.SHA256,
		p.PlanRecordSHA256 != stored.RecordSHA256():
		return nil, e.edited()
	}
	p.Explanation, p.ApplyAt = stored.Explanation(), stored.Plan.ApplyTime()
	p.Summary.Warnings = sentences(p.Warnings, &p.Summary)
	if reasons := e.Reasons(p.Seal, stored, &p.Effect); reasons != nil {
		p.Reasons = reasons
	}
	return &p, nil
}

// hash is the SHA-256 of the record without what marks the work on it, which stores change
// by themselves.
func (e Execution) hash() string {
	e.SHA256, e.LeaseUntil, e.DueAt = "", time.Time{}, time.Time{}
	text, err := json.Marshal(e)
	if err != nil {
		panic("ledger: a record that is not JSON: " + err.Error()) // all of it is read from JSON
	}
	// Bytes that are no UTF-8 are escaped here, and are read back as the character that stands for them.
	return hexSHA256(bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd")))
}

// CheckWritten returns nil where the record is as Planwright wrote it. Internal: somebody
// edited a field in the database.
func (e Execution) CheckWritten() error {
	if e.SHA256 == e.hash() {
		return nil
	}
	return errs.New(errs.Internal, "the record of %s is not as it was written: somebody edited it in the database", e.ExecutionID)
}

func (e Execution) edited() error {
	return errs.New(errs.Internal, "What execution %s proposes is not what was computed: somebody changed it, or its plan, in the database since. Nothing of it is shown or can be approved. Reject the proposal %s, and drop the table again to have it computed anew.",
		e.ExecutionID, e.Proposal.ProposalSHA256)
}
