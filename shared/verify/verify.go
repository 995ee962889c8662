// Package verify proves an execution after the fact: from the plan, the input
// and the records alone it computes again what must be there, and compares it
// with what is. One flipped byte in any of them is found.
//
// It reads through the same ports that the executor wrote through, whatever
// lies behind them, and changes nothing.
package verify

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/pricing"
)

// Verifier says where the records and files of executions lie.
type Verifier struct {
	Ledger ledger.Store
	execution.Buckets
	Engine execution.Engine
	// Indexed reports whether the changes of an execution are stored, where they are
	// stored late; nil: they are.
	Indexed func(ctx context.Context, executionID string) (bool, error)
	Now     func() time.Time
	// Tree checks the Merkle tree over all audit documents; nil: there is none in
	// TreeIn, where the one of Leaves would be.
	Tree   *tree.Checker
	TreeIn string
	Leaves merkle.LeafStore
	// Noted is a signed head that was kept elsewhere; "": none.
	Noted string
	// Records checks what a store keeps beside its documents.
	Records func(context.Context) error
	// Folder holds Outbox and Audit as people see them, where nothing else is to
	// be; nil: it is not looked at. Objects compare the objects of
	// each bucket there, by its name, with their descriptions, and name those that were
	// written.
	Folder  fs.FS
	Objects map[string]func(context.Context) (written map[string]bool, err error)
	// Log, where it is set, checks the audit logs of command lines, and Line that one of them
	// has the line of a document.
	Log  func(context.Context) error
	Line func(context.Context, ledger.AuditDocument) error
	// OwnFiles, where it is set, compares the files that command lines named for a completed
	// execution. It returns how many there are, and what is to be known of them.
	OwnFiles func(context.Context, ledger.Execution) (count int, notes []string, err error)
}

// Finding is one thing that was compared. Fault is "" where it is as it must
// be, and says what differs otherwise; Notes say what is to be known beside it.
type Finding struct {
	What  string   `json:"what"`
	Fault string   `json:"fault,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// Verify compares everything that belongs to a completed execution. NotFound:
// there is no such execution. Invalid: it has not completed.
func (v Verifier) Verify(ctx context.Context, executionID string) ([]Finding, error) {
	record, err := v.Ledger.Execution(ctx, executionID)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return nil, errs.New(errs.NotFound, "There is no execution %s here.", executionID)
	case err != nil:
		return nil, err
	case record.Status != ledger.Completed || record.Seal == nil:
		return nil, errs.New(errs.Invalid, "The execution %s is %s, so there is no finished result to verify. --all verifies what there is of it.", executionID, record.Status)
	}
	c, err := v.execution(ctx, record)
	return c.findings, err
}

// execution compares what belongs to one execution: all of it where it has
// completed, and its documents otherwise.
func (v Verifier) execution(ctx context.Context, record ledger.Execution) (*comparison, error) {
	c := &comparison{Verifier: v, record: record}
	steps := []step{
		{"the audit documents and their hash chain", c.chain},
		{"the audit documents in the signed tree", c.inTree},
		{"the record as it was written", func(context.Context) error { return c.record.CheckWritten() }},
		{"what the record shows", c.shown},
		{"the plan as it was stored", c.storedAs},
		{"the notices of refused and skipped uploads", c.notices},
		{"what is proposed", c.proposal},
	}
	if record.Status == ledger.Completed && record.Seal != nil {
		c.seal = *record.Seal
		c.outputFile = c.published(ctx, c.Outbox, c.seal.Output)
		c.changesFile = c.published(ctx, c.Audit, c.seal.Changes)
		defer c.outputFile.close()
		defer c.changesFile.close()
		steps = append(steps,
			step{"the audit document against the sealed record", c.document},
			step{"the stored plan", c.plan},
			step{"what it undid, and what undid it", c.undos},
			step{"the input", c.input},
			step{"the output, computed again from plan and input", c.recompute},
			step{"its approval and its time", c.leave},
			step{"the output file", c.output},
			step{"the changes file", c.changes},
			step{"the change documents", c.changeDocuments},
			step{"the audit file", c.auditFile},
			step{"the files of the command line", c.ownFiles})
	}
	for _, step := range steps {
		c.check(ctx, step.what, step.compare)
		if err := ctx.Err(); err != nil {
			return c, err
		}
	}
	return c, nil
}

type step struct {
	what    string
	compare func(context.Context) error
}

// comparison is one execution being verified.
type comparison struct {
	Verifier
	record    ledger.Execution
	seal      ledger.Seal
	documents []ledger.AuditDocument // of the execution
	head      *ledger.AuditDocument  // of the chain; nil: it is broken
	removed   bool                   // the input was kept for its time and is gone
	computed  bool                   // what plan and input make is what was sealed
	findings  []Finding
	notes     []string        // of the comparison that is under way
	leaves    []merkle.Leaf   // of the whole tree
	missing   []string        // executions that leaves are of and no record was found of
	unknown   map[string]bool // files that no execution was found of
	written   map[string]bool // objects that have a description

	outputFile, changesFile *published
}

// errNotKept is returned by a comparison of what this ledger does not keep.
var errNotKept = errs.New(errs.NotFound, "not kept here")

func (c *comparison) check(ctx context.Context, what string, compare func(context.Context) error) {
	err := compare(ctx)
	if err == errNotKept {
		return
	}
	finding := Finding{What: what, Notes: c.notes}
	c.notes = nil
	if err != nil {
		finding.Fault = errs.Message(err)
	}
	c.findings = append(c.findings, finding)
}

// note adds what is to be known of what is being compared.
func (c *comparison) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// ofBuild names the build of the engine that made what is compared, where this one is
// another and computes something else.
func (c *comparison) ofBuild(build string, err error) error {
	if errs.KindOf(err) != errs.Internal || build == c.Engine.Build() {
		return err
	}
	return errs.Wrap(errs.Internal, err, "engine build %s computes something else than build %s, which made it: only that build can prove it (%s)", c.Engine.Build(), build, errs.Message(err))
}

// sameResult compares what plan and table make with what was sealed of them, or is proposed.
func (c *comparison) sameResult(
	stored plans.Stored, did pricing.Summary, changes hash.Hash, of ledger.Result,
) error {
	made := of
	made.PlanSHA256, made.PlanRecordSHA256 = stored.SHA256, stored.RecordSHA256()
	made.UploadedBy = c.record.Source.UploadedBy
	made.Shop = c.record.Source.FetchedFrom()
	made.Input.Generation = c.record.Source.Generation
	made.Changes.SHA256 = hex.EncodeToString(changes.Sum(nil))
	made.Did(did)
	if !slices.Equal(made.Sentences(), of.Sentences()) {
		c.note("the warnings were written by an older wording")
	}
	for _, result := range []*ledger.Result{&made, &of} {
		result.Warnings = slices.Clone(result.Warnings)
		for i := range result.Warnings {
			result.Warnings[i].Message = ""
		}
	}
	return sameJSON("result", of, made)
}

// differs is a fault.
func differs(format string, args ...any) error {
	return errs.New(errs.Internal, "%s", fmt.Sprintf(format, args...))
}

// sameSize compares what was read with what was sealed.
func sameSize(read bucket.Digest, sealed ledger.File) error {
	if read.Size == sealed.Size && read.CRC32C == sealed.CRC32C {
		return nil
	}
	return differs("it has %d bytes with CRC32C %08x; sealed were %d bytes with %08x (%s)",
		read.Size, read.CRC32C, sealed.Size, sealed.CRC32C, sealed.Object)
}

// sameJSON compares two things by what is stored of them.
func sameJSON(what string, got, want any) error {
	gotText, err := json.Marshal(got)
	if err != nil {
		return err
	}
	wantText, err := json.Marshal(want)
	if err != nil || bytes.Equal(gotText, wantText) {
		return err
	}
	at := 0 // where they differ
	for at < min(len(gotText), len(wantText)) && gotText[at] == wantText[at] {
		at++
	}
	return differs("its %s is %s; it should be %s", what, around(gotText, at), around(wantText, at))
}

// around is a long text about a place in it.
func around(text []byte, at int) string {
	const before, after = 80, 160 // bytes
	from, to := max(at-before, 0), min(at+after, len(text))
	said := strings.ToValidUTF8(string(text[from:to]), "")
	if from > 0 {
		said = "..." + said
	}
	if to < len(text) {
		said += "..."
	}
	return said
}
