package simulation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// past is what has been seen and must not change.
type past struct {
	version  [4]int64
	inputs   int
	seals    map[string]ledger.Seal
	proposed map[string][]string  // hashes of what executions proposed, in their order
	standing map[string]string    // of an upload, what is proposed of it now
	due      map[string]bool      // uploads whose proposals said that an approval is due
	approved map[string]bool      // hashes of proposals that somebody was ever willing to approve of
	undone   map[string]string    // by whom
	owed     map[string]time.Time // posts that the webhook was ever owed, since when
	finished map[string]ledger.Execution
	outcomes map[string]ledger.AuditDocument
	plans    map[string]*plan.Plan
	hashes   map[string]string // of the plans
	evidence map[string]evidence
}

func newPast() past {
	return past{
		plans:    map[string]*plan.Plan{},
		hashes:   map[string]string{},
		evidence: map[string]evidence{},
		seals:    map[string]ledger.Seal{},
		proposed: map[string][]string{},
		standing: map[string]string{},
		due:      map[string]bool{},
		approved: map[string]bool{},
		undone:   map[string]string{},
		owed:     map[string]time.Time{},
		finished: map[string]ledger.Execution{},
		outcomes: map[string]ledger.AuditDocument{},
	}
}

// check holds the invariants against the state as it is now.
func (w *world) check() {
	version := [...]int64{w.store.puts, w.outbox.last, w.audit.last, w.inbox.last}
	if version == w.past.version {
		return
	}
	w.past.version = version
	for id, stored := range w.store.plans {
		w.checkPlan(id, stored)
	}
	for id, record := range w.store.records {
		w.checkInForce(id, record)
		evidence := w.evidence(id)
		if w.past.evidence[id] == evidence {
			continue
		}
		w.past.evidence[id] = evidence
		w.checkRecord(id, record)
		w.checkPosts(id, record)
		w.checkChain(id, record)
		w.checkFiles(id, record)
		if record.Status == ledger.Completed {
			w.checkCompleted(id, record)
		}
		w.checkPosting(id, record)
		for upload, d := range w.store.outcomes[id] {
			w.checkOutcome(id+"/"+upload, d)
		}
	}
	for _, d := range w.uploads {
		if d.acked {
			w.checkAccounted(d)
		}
	}
	if n := w.inputs(); n != w.past.inputs {
		w.fail("the inbox has %d generations where %d were uploaded", n, w.past.inputs)
	}
}

// evidence changes with whatever an execution is checked against, so that the
// same state is checked once. Of an undo that is also what is undone.
func (w *world) evidence(id string) (e evidence) {
	e.written, e.files = w.store.written[id], w.outbox.written[id]+w.audit.written[id]
	if stored := w.past.plans[id]; stored != nil && stored.Undo != nil {
		e.undone = w.store.written[stored.Undo.ExecutionID]
	}
	return e
}

type evidence struct{ written, undone, files int64 }

func (w *world) inputs() (n int) {
	for _, all := range w.inbox.generations {
		n += len(all)
	}
	return n
}

// checkPlan: a stored plan never changes.
func (w *world) checkPlan(id string, stored plans.Record) {
	if w.past.plans[id] == nil {
		p, err := plan.Decode(stored.Canonical)
		if err != nil {
			w.fail("the stored plan %s is invalid: %v", id, err)
		}
		w.past.plans[id], w.past.hashes[id] = p, p.SHA256()
	}
	if w.past.hashes[id] != stored.SHA256 {
		w.fail("the stored plan %s changed", id)
	}
}

// checkRecord: a seal is set once and for ever, a completed record is final,
// and what is sealed never fails.
func (w *world) checkRecord(id string, record ledger.Execution) {
	if before, sealed := w.past.seals[id]; sealed && (record.Seal == nil || !reflect.DeepEqual(before, *record.Seal)) {
		w.fail("the seal of %s changed from %s to %s", id, asJSON(before), asJSON(record.Seal))
	}
	if record.Seal != nil {
		w.past.seals[id] = *record.Seal
		if record.Status == ledger.Failed {
			w.fail("%s failed although it is sealed", id)
		}
	}
	w.checkLeave(id, record)
	if before, final := w.past.finished[id]; final && !reflect.DeepEqual(before, settled(record)) {
		w.fail("%s was completed and changed from %s to %s", id, asJSON(before), asJSON(record))
	}
	if record.Status == ledger.Completed {
		w.past.finished[id] = settled(record)
	}
}

// settled is what may not change of a completed record.
func settled(record ledger.Execution) ledger.Execution {
	record.Links, record.DueAt, record.Revision = ledger.Links{}, time.Time{}, ""
	record.Owed, record.SHA256 = nil, ""
	return record
}

// checkLeave: nothing is sealed without the approval that was due, given by
// somebody, of exactly its bytes, nor with another result than stands proposed,
// nor before its time, nor of an upload that was rejected, expired or
// superseded; after a rejection nothing is without an approval; and nothing is
// undone twice. What has a time is made of the shop as it is then.
func (w *world) checkLeave(id string, record ledger.Execution) {
	if before := w.past.undone[id]; before != "" && record.UndoneBy != before && w.stands(before) {
		w.fail("%s was undone by %s and then by %s", id, before, record.UndoneBy)
	}
	w.past.undone[id] = record.UndoneBy
	w.checkApprover(id, record.Approval)
	if proposal := record.Proposal; proposal != nil {
		if seen := w.past.proposed[id]; len(seen) == 0 || seen[len(seen)-1] != proposal.ProposalSHA256 {
			w.past.proposed[id] = append(seen, proposal.ProposalSHA256)
		}
		w.past.standing[id+record.Source.Upload.ID()] = proposal.ProposalSHA256
		if proposal.ApprovalDue {
			w.past.due[id+record.Source.Upload.ID()] = true
		}
	}
	if record.Seal == nil {
		return
	}
	stored, seal := w.past.plans[id], record.Seal
	if before := w.past.standing[id+record.Source.Upload.ID()]; before != "" && before != seal.Result.SHA256() {
		w.fail("%s was sealed with another result than it proposed", id)
	}
	if stored.ApplyTime().After(seal.ExecutedAt) {
		w.fail("%s was sealed before its time", id)
	}
	if record.Source.FetchedBefore(stored.ApplyTime()) {
		w.fail("%s was sealed of a table that was fetched before its time", id)
	}
	if stored.Approval == plan.ApprovalAlways || record.Source.ProposeOnly || w.past.due[id+record.Source.Upload.ID()] || w.rejected(id) {
		sha := seal.Result.SHA256()
		if record.Approval == nil || record.Approval.ProposalSHA256 != sha || !w.past.approved[sha] {
			w.fail("%s was sealed without an approval of its bytes", id)
		}
	}
	if d, ended := w.store.outcomes[id][record.Source.Upload.ID()]; ended && d.Status != ledger.Completed {
		w.fail("%s was sealed for an upload that is %s", id, d.Status)
	}
	if undo := stored.Undo; undo != nil && w.store.records[undo.ExecutionID].UndoneBy != id && w.stands(id) {
		w.fail("%s is sealed and %s is not undone by it", id, undo.ExecutionID)
	}
}

// stands reports whether an undo left no row.
func (w *world) stands(id string) bool {
	undo := w.store.records[id]
	undone := w.store.records[w.past.plans[id].Undo.ExecutionID]
	return undo.Seal.Summary.RowsChanged == undone.Seal.Summary.RowsChanged
}

// checkApprover: who approved may, and it is on record who might.
func (w *world) checkApprover(id string, given *ledger.Approval) {
	if given != nil && (w.decisions.CheckApprover(given.By) != nil || !reflect.DeepEqual(given.Policy, w.decisions)) {
		w.fail("%s was approved by %s, whom no policy lets, under %+v", id, given.By, given.Policy)
	}
}

// rejected reports whether somebody ever rejected what an execution proposed.
func (w *world) rejected(id string) bool {
	for _, d := range w.store.outcomes[id] {
		if d.Code() == ledger.CodeRejected {
			return true
		}
	}
	return false
}

// asJSON is a record as it reads the same each time a seed is replayed.
func asJSON(record any) string {
	text, err := json.Marshal(record)
	if err != nil {
		panic(err) // a record always encodes
	}
	return string(text)
}

// checkFiles: at most one output, none unless sealed, and each file has the
// bytes that plan, settings and input make.
func (w *world) checkFiles(id string, record ledger.Execution) {
	var outputs []stored
	for name, all := range w.outbox.generations {
		if strings.HasPrefix(name, id+"/") && strings.HasSuffix(name, ".csv") {
			outputs = append(outputs, all...)
		}
	}
	changes := w.audit.generations["changes/"+id+".jsonl"]
	audits := w.audit.generations["executions/"+id+".jsonl"]
	if len(outputs) > 1 || len(changes) > 1 || len(audits) > 1 {
		w.fail("%s has %d outputs, %d changes files, %d audit files", id, len(outputs), len(changes), len(audits))
	}
	if len(outputs)+len(changes)+len(audits) == 0 {
		return
	}
	if record.Seal == nil {
		w.fail("%s has files although nothing is sealed", id)
	}
	output, lines, err := pure(record.Seal.EngineBuild, w.past.plans[id], record.Source.Settings, w.input(record.Source), w.undone(id))
	if err != nil {
		w.fail("%s sealed an input that cannot be applied", id)
	}
	if len(outputs) == 1 && !bytes.Equal(outputs[0].data, output) {
		w.fail("the output of %s is %q, want %q", id, outputs[0].data, output)
	}
	if len(changes) == 1 && !bytes.Equal(changes[0].data, lines) {
		w.fail("the changes file of %s is %q, want %q", id, changes[0].data, lines)
	}
}

// undone is the changes file of the execution that another undoes.
func (w *world) undone(id string) []byte {
	undo := w.past.plans[id].Undo
	if undo == nil {
		return nil
	}
	changes, _ := w.audit.live("changes/" + undo.ExecutionID + ".jsonl")
	return changes.data
}

func (w *world) input(source ledger.Source) []byte {
	from := w.inbox
	if source.OutputOf != "" {
		from = w.outbox
	}
	for _, s := range from.generations[source.Object] {
		if s.object.Generation == source.Generation {
			return s.data
		}
	}
	return nil
}

// checkCompleted: all that a completed execution promises exists and agrees.
func (w *world) checkCompleted(id string, record ledger.Execution) {
	seal := record.Seal
	if _, exists := w.outbox.live(strings.TrimPrefix(seal.Output.Object, "outbox/")); !exists {
		w.fail("%s completed without its output", id)
	}
	changes, exists := w.audit.live(seal.Changes.Object)
	if !exists {
		w.fail("%s completed without its changes file", id)
	}
	document, settled := w.store.outcomes[id][record.Source.Upload.ID()]
	if !settled || document.Status != ledger.Completed || document.SHA256 != record.AuditHead {
		w.fail("%s completed without its audit document", id)
	}
	audit, exists := w.audit.live("executions/" + id + ".jsonl")
	if !exists || !bytes.Equal(audit.data, document.Line()) {
		w.fail("the audit file of %s is not its audit document", id)
	}
	if undone, isUndo := w.store.records[record.Source.OutputOf]; isUndo && w.past.plans[undone.ExecutionID].Undo == nil {
		output, _ := w.outbox.live(seal.Output.Object)
		if !bytes.Equal(output.data, w.input(undone.Source)) {
			w.fail("%s undid the output of %s, and it is not what was uploaded", id, undone.ExecutionID)
		}
	}
	var lines []byte
	for _, change := range w.store.allChanges(id) {
		line, err := json.Marshal(change)
		if err != nil {
			w.fail("a change of %s is not JSON: %v", id, err)
		}
		lines = append(append(lines, line...), '\n')
	}
	if !bytes.Equal(lines, changes.data) {
		w.fail("the change documents of %s are not its changes file", id)
	}
}

// checkChain: from the head, the chain goes through every failed and completed
// document, and through no other.
func (w *world) checkChain(id string, record ledger.Execution) {
	linked := map[string]ledger.AuditDocument{}
	heads := map[string]bool{"": true}
	var skipped []ledger.AuditDocument
	for _, d := range w.store.outcomes[id] {
		if d.Status == ledger.Skipped {
			skipped = append(skipped, d)
			continue
		}
		linked[d.SHA256] = d
	}
	for head := record.AuditHead; head != ""; {
		d, exists := linked[head]
		if !exists {
			w.fail("the chain of %s breaks at %s", id, head)
		}
		delete(linked, head)
		heads[head] = true
		head = d.PreviousSHA256
	}
	if len(linked) > 0 {
		w.fail("%d documents of %s are not in its chain", len(linked), id)
	}
	for _, d := range skipped {
		if !heads[d.PreviousSHA256] {
			w.fail("a skipped document of %s does not point into its chain", id)
		}
	}
}

// checkOutcome: an outcome is final and has the hash of its content.
func (w *world) checkOutcome(key string, d ledger.AuditDocument) {
	if before, known := w.past.outcomes[key]; known {
		if !reflect.DeepEqual(before, d) {
			w.fail("the outcome of %s changed from %s to %s", key, before.Status, d.Status)
		}
		return
	}
	if d.Code() == ledger.CodeRejected && w.decisions.Any() && strings.Contains(*d.Error, "bob") {
		w.fail("%s: %s And bob may not", key, *d.Error)
	}
	if !d.Intact() {
		w.fail("the outcome of %s does not have its hash", key)
	}
	w.past.outcomes[key] = d
}

// checkAccounted: an upload that was acknowledged has its outcome, or is the
// one that the record is about, proposed or sealed.
func (w *world) checkAccounted(d *delivery) {
	if _, settled := w.store.outcomes[d.id][d.upload]; settled || isPlanFile(d) {
		return
	}
	record, event := w.store.records[d.id], d.event
	if source := record.Source.Upload; source.Generation != event.Generation || source.Object != event.Object || record.Proposal == nil && record.Seal == nil {
		w.fail("%s %d was acknowledged, and nothing will come of it", event.Object, event.Generation)
	}
}

// checkAcknowledged: an event is acknowledged only when its upload has its
// outcome, and the person who dropped it has been told.
func (w *world) checkAcknowledged(d *delivery) {
	event := d.event
	if isPlanFile(d) {
		_, stored := w.store.plans[d.id]
		_, noticed := w.outbox.live(fmt.Sprintf("%s.failed-%d.txt", event.Object, event.Generation))
		if !stored && !noticed {
			w.fail("plan %s was acknowledged and neither stored nor refused", event.Object)
		}
		return
	}
	w.checkAccounted(d)
	outcome, settled := w.store.outcomes[d.id][d.upload]
	if !settled {
		return
	}
	record := w.store.records[d.id]
	upload := ledger.Upload{Bucket: event.Bucket, Object: event.Object, Generation: event.Generation}
	if slices.ContainsFunc(record.Unwritten(), func(owed ledger.Owed) bool { return *owed.Upload == upload }) {
		return // it was ended from outside while it was acknowledged
	}
	_, noticed := w.outbox.live(fmt.Sprintf("%s/%s.%s-%d.txt", d.id, path.Base(event.Object), outcome.Status, event.Generation))
	if outcome.Status != ledger.Completed && !noticed {
		w.fail("%s %d was %s without a notice", event.Object, event.Generation, outcome.Status)
	}
}
