package ledgertest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/test/expect"
)

const leaseTime = 2 * time.Minute

// delivery is a claimant for an upload, some time after noon, on a clock of
// whole microseconds: its lease ends when the test says so, to the instant.
func delivery(holder string, generation int64, after time.Duration) ledger.ClaimRequest {
	now := noon.Truncate(time.Microsecond).Add(after)
	return ledger.ClaimRequest{
		ExecutionID: executionID,
		Source:      source(generation),
		Holder:      holder,
		Now:         now,
		LeaseUntil:  now.Add(leaseTime),
	}
}

func ask(t *testing.T, store ledger.Store, c ledger.ClaimRequest) ledger.Claim {
	t.Helper()
	return expect.Result(ledger.Acquire(t.Context(), store, c))(t)
}

// decided asks and has to get that answer.
func decided(t *testing.T, store ledger.Store, c ledger.ClaimRequest, want ledger.Decision) ledger.Claim {
	t.Helper()
	claim := ask(t, store, c)
	if claim.Decision != want {
		t.Fatalf("the claim of %s was answered %q, want %q", c.Holder, claim.Decision, want)
	}
	return claim
}

// hold claims as the only delivery there is.
func hold(t *testing.T, store ledger.Store, c ledger.ClaimRequest) *ledger.Lease {
	t.Helper()
	claim := ask(t, store, c)
	if claim.Lease == nil {
		t.Fatalf("the claim of %s was answered %q", c.Holder, claim.Decision)
	}
	return claim.Lease
}

func finish(t *testing.T, lease *ledger.Lease) {
	t.Helper()
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	expect.NoError(t, lease.Complete(t.Context(), outcomeOf(lease, ledger.Completed), nil, nil))
}

func outcomeOf(lease *ledger.Lease, status ledger.Status) ledger.AuditDocument {
	return outcome(executionID, lease.Execution().Source.Generation, status, noon)
}

func fail(t *testing.T, lease *ledger.Lease) {
	t.Helper()
	expect.NoError(t, lease.Fail(t.Context(), noon, ledger.Failure{
		Code:    "bad_csv",
		Message: "row 5",
	}, outcomeOf(lease, ledger.Failed)))
}

// claimTests are the lines of the claim table, in its order.
var claimTests = []test{
	{"absent: granted", claimAbsent},
	{"this upload has its outcome: settled", claimSettled},
	{"completed: done", claimCompleted},
	{"running, lease live: busy", claimBusy},
	{"running, lease expired, sealed: finish the sealed upload", claimSealed},
	{"running, lease expired, not sealed: granted", claimExpired},
	{"running, lease released: granted at once", claimReleased},
	{"failed: granted to another upload", claimFailed},
	{"timeouts count per source", claimTimeouts},
}

func claimAbsent(t *testing.T, store ledger.Store) {
	c := delivery("first", 1, 0)
	claim := decided(t, store, c, ledger.Granted)
	want := ledger.Execution{
		ExecutionID: executionID,
		Status:      ledger.Running,
		Source:      c.Source,
		CreatedAt:   c.Now,
		DueAt:       c.LeaseUntil,
		Attempts:    ledger.Attempts{Attempt: 1, Holder: "first", LeaseUntil: c.LeaseUntil},
	}.Rounded()
	expect.Equal(t, "the record", want, read(t, store, executionID),
		cmpopts.IgnoreFields(ledger.Execution{}, "Revision"))
	expect.Equal(t, "the record lease", read(t, store, executionID), claim.Lease.Execution())
}

// wantRefused asks again and fails unless the answer is the decision and the
// record is left alone.
func wantRefused(t *testing.T, store ledger.Store, c ledger.ClaimRequest, want ledger.Decision) ledger.Claim {
	t.Helper()
	before := read(t, store, executionID)
	claim := ask(t, store, c)
	if claim.Decision != want || claim.Lease != nil {
		t.Errorf("the claim of %s was answered %q (lease: %t), want %q",
			c.Holder, claim.Decision, claim.Lease != nil, want)
	}
	expect.Equal(t, "the record", before, read(t, store, executionID))
	return claim
}

func claimSettled(t *testing.T, store ledger.Store) {
	settled := func(generation int64, want ledger.Status) {
		t.Helper()
		claim := wantRefused(t, store, delivery("again", generation, time.Hour), ledger.Settled)
		expect.ErrorIf(t, claim.Outcome == nil || claim.Outcome.Status != want,
			"the %s upload's outcome: %+v", want, claim.Outcome)
	}
	fail(t, hold(t, store, delivery("first", 1, 0)))
	settled(1, ledger.Failed)
	lease := hold(t, store, delivery("second", 2, 0))
	settled(1, ledger.Failed) // also while another runs, or its lease has expired
	finish(t, lease)
	settled(2, ledger.Completed)
	expect.NoError(t, store.CreateOutcome(t.Context(), outcome(executionID, 3, ledger.Skipped, noon)))
	settled(3, ledger.Skipped)
}

func claimCompleted(t *testing.T, store ledger.Store) {
	finish(t, hold(t, store, delivery("first", 1, 0)))
	claim := wantRefused(t, store, delivery("second", 2, time.Hour), ledger.Done)
	if claim.Execution == nil || claim.Execution.Status != ledger.Completed || claim.Outcome != nil {
		t.Errorf("the answer holds %+v and %+v", claim.Execution, claim.Outcome)
	}
}

func claimBusy(t *testing.T, store ledger.Store) {
	lease := hold(t, store, delivery("first", 1, 0))
	justBefore := leaseTime - time.Microsecond
	for _, c := range []ledger.ClaimRequest{
		delivery("same upload", 1, 0), delivery("other upload", 2, justBefore),
	} {
		wantRefused(t, store, c, ledger.Busy)
	}
	expect.NoError(t, lease.Renew(t.Context(), noon.Add(2*leaseTime), 700))
	busy := wantRefused(t, store, delivery("another", 2, justBefore), ledger.Busy)
	expect.Equal(t, "the bytes read as of the renewal", int64(700), busy.Execution.BytesRead)
	wantRefused(t, store, delivery("after the renewal", 2, leaseTime+time.Second), ledger.Busy)
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	wantRefused(t, store, delivery("after the seal", 2, leaseTime+time.Second), ledger.Busy)
}

func claimSealed(t *testing.T, store ledger.Store) {
	first := hold(t, store, delivery("first", 1, 0))
	expect.NoError(t, first.Seal(t.Context(), *fullSeal(), nil))
	recorded := changelog.Recorded{Documents: 2, Bytes: 300, SHA256: "dd"}
	expect.NoError(t, first.NoteRecorded(t.Context(), recorded, noon.Add(leaseTime)))
	expect.Equal(t, "what is recorded", recorded, read(t, store, executionID).Recorded)
	claim := decided(t, store, delivery("second", 2, leaseTime), ledger.Finish)
	want := first.Execution()
	want.Attempt, want.Holder = 2, "second"
	want.LeaseUntil, want.DueAt = noon.Add(2*leaseTime), noon.Add(2*leaseTime)
	expect.Equal(t, "the record", want.Rounded(), read(t, store, executionID),
		cmpopts.IgnoreFields(ledger.Execution{}, "Revision"))
	expect.NoError(t, claim.Lease.Complete(t.Context(), outcomeOf(claim.Lease, ledger.Completed), nil, nil))
	wantRefused(t, store, delivery("second", 1, leaseTime), ledger.Settled)
	wantRefused(t, store, delivery("second", 2, leaseTime), ledger.Done)
}

func claimExpired(t *testing.T, store ledger.Store) {
	hold(t, store, delivery("first", 1, 0))
	decided(t, store, delivery("second", 2, leaseTime), ledger.Granted)
	want := ledger.Execution{
		ExecutionID: executionID,
		Status:      ledger.Running,
		DueAt:       noon.Add(2 * leaseTime),
		Source:      source(2),
		CreatedAt:   noon,
		Attempts:    ledger.Attempts{Attempt: 2, Holder: "second", LeaseUntil: noon.Add(2 * leaseTime)},
	}.Rounded()
	expect.Equal(t, "the record", want, read(t, store, executionID),
		cmpopts.IgnoreFields(ledger.Execution{}, "Revision"))
}

func claimReleased(t *testing.T, store ledger.Store) {
	expect.NoError(t, hold(t, store, delivery("first", 1, 0)).Release(t.Context(), noon, "the disk is full"))
	expect.Equal(t, "why nothing came of it", "the disk is full", read(t, store, executionID).Delay)
	expect.Equal(
		t, "the attempt", 2, decided(t, store, delivery("again", 1, 0), ledger.Granted).Execution.Attempt,
	)
}

func claimFailed(t *testing.T, store ledger.Store) {
	fail(t, hold(t, store, delivery("first", 1, 0)))
	failed := read(t, store, executionID)
	if failed.Status != ledger.Failed || failed.Error == nil ||
		failed.AuditHead != outcome(executionID, 1, ledger.Failed, noon).SHA256 {
		t.Errorf("the failed record: %+v", failed)
	}
	decided(t, store, delivery("second", 2, 0), ledger.Granted) // the lease ended with the failure
	got := read(t, store, executionID)
	if got.Status != ledger.Running || got.Attempt != 2 || got.Error != nil || got.Source.Generation != 2 ||
		got.AuditHead != failed.AuditHead {
		t.Errorf("the record of the second upload: %+v", got)
	}
}

func claimTimeouts(t *testing.T, store ledger.Store) {
	lease := hold(t, store, delivery("first", 1, 0))
	expect.NoError(t, lease.TimedOut(t.Context(), noon, 1000))
	lease = hold(t, store, delivery("second", 1, 0))
	expect.NoError(t, lease.TimedOut(t.Context(), noon, 2000))
	if got := hold(t, store, delivery("third", 1, 0)).Execution(); got.Timeouts != 2 ||
		got.BytesRead != 2000 {
		t.Errorf("the same upload: %d timeouts, %d bytes", got.Timeouts, got.BytesRead)
	}
	if got := hold(t, store, delivery("fourth", 2, leaseTime)).Execution(); got.Timeouts != 0 ||
		got.BytesRead != 0 {
		t.Errorf("another upload: %d timeouts, %d bytes", got.Timeouts, got.BytesRead)
	}
}

var leaseTests = []test{
	{"a holder that was replaced changes nothing", leaseStale},
	{"the steps keep their order", leaseOrder},
	{"an upload with an outcome gets no second one", leaseOneOutcome},
}

// attempts are the changes that a holder may try.
var attempts = map[string]func(*testing.T, *ledger.Lease) error{
	"renewal": func(t *testing.T, h *ledger.Lease) error {
		return h.Renew(t.Context(), noon.Add(time.Hour), 0)
	},
	"note": func(t *testing.T, h *ledger.Lease) error {
		return h.NoteRecorded(t.Context(), changelog.Recorded{
			Documents: 2,
			Bytes:     300,
			SHA256:    "dd",
		}, noon.Add(time.Hour))
	},
	"release": func(t *testing.T, h *ledger.Lease) error {
		return h.Release(t.Context(), noon, "the disk is full")
	},
	"proposal": func(t *testing.T, h *ledger.Lease) error {
		return h.Propose(t.Context(), noon, *fullProposal())
	},
	"timeout": func(t *testing.T, h *ledger.Lease) error { return h.TimedOut(t.Context(), noon, 1) },
	"seal":    func(t *testing.T, h *ledger.Lease) error { return h.Seal(t.Context(), *fullSeal(), nil) },
	"failure": func(t *testing.T, h *ledger.Lease) error {
		return h.Fail(t.Context(), noon, ledger.Failure{Code: "c", Message: "m"}, outcomeOf(h, ledger.Failed))
	},
}

func leaseStale(t *testing.T, store ledger.Store) {
	sealed := hold(t, store, delivery("sealed", 1, 0)) // of a first execution of its own
	expect.NoError(t, sealed.Seal(t.Context(), *fullSeal(), nil))
	heir := ask(t, store, delivery("heir", 1, leaseTime)).Lease
	wantKind(t, sealed.Complete(t.Context(), outcomeOf(sealed, ledger.Completed), nil, nil), errs.Stale)
	found := expect.Result(store.Snapshot(t.Context(), executionID, source(1).ID()))(t)
	expect.Equal(t, "what the replaced holder's completion changed", heir.Execution(), *found.Execution)
	expect.ErrorIf(t, found.Outcome != nil, "it left an outcome")

	other := func(holder string, after time.Duration) ledger.ClaimRequest {
		c := delivery(holder, 1, after)
		c.ExecutionID = otherID
		return c
	}
	replaced := map[string]*ledger.Lease{}
	after := time.Duration(0)
	for name := range attempts { // each takes over from the one before
		replaced[name] = hold(t, store, other(name, after))
		after += leaseTime
	}
	last := hold(t, store, other("last", after)).Execution()
	for name, attempt := range attempts {
		err := attempt(t, replaced[name])
		expect.ErrorIf(t, errs.KindOf(err) != errs.Stale, "%s by a replaced holder: got %v, want Stale",
			name, err)
		found := expect.Result(store.Snapshot(t.Context(), otherID, source(1).ID()))(t)
		expect.Equal(t, "what a replaced holder's "+name+" changed", ledger.Snapshot{Execution: &last}, found)
	}
}

func leaseOrder(t *testing.T, store ledger.Store) {
	lease := hold(t, store, delivery("first", 1, 0))
	wantKind(t, lease.Complete(t.Context(), outcomeOf(lease, ledger.Completed), nil, nil), errs.Internal)
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	wantKind(t, lease.Seal(t.Context(), *fullSeal(), nil), errs.Conflict)
	wantKind(t, attempts["failure"](t, lease), errs.Internal)
	wantKind(t, attempts["proposal"](t, lease), errs.Internal)
	expect.NoError(t, lease.Renew(t.Context(), noon.Add(time.Hour), 0))
	expect.NoError(t, lease.Release(t.Context(), noon, "the disk is full"))
	finisher := decided(t, store, delivery("second", 1, 0), ledger.Finish)
	document := outcomeOf(finisher.Lease, ledger.Completed)
	expect.NoError(t, finisher.Lease.Complete(
		t.Context(), document, []changelog.Document{documentOf(executionID, 0, noon, change(2, "A101"))}, nil,
	))
	got := read(t, store, executionID)
	if got.Status != ledger.Completed || got.AuditHead != document.SHA256 || got.Seal == nil ||
		got.Error != nil {
		t.Errorf("the completed record: %+v", got)
	}
	changes := expect.Result(store.Changes(t.Context(), executionID, paging.Page{}))(t)
	expect.Equal(t, "the changes that rode along", []pricing.Change{change(2, "A101")}, changes.Items)
}

func leaseOneOutcome(t *testing.T, store ledger.Store) {
	lease := hold(t, store, delivery("first", 1, 0))
	expect.NoError(t, store.CreateOutcome(t.Context(), outcome(executionID, 1, ledger.Skipped, noon)))
	before := read(t, store, executionID)
	wantKind(t, attempts["failure"](t, lease), errs.Conflict)
	expect.Equal(t, "the record", before, read(t, store, executionID))
	expect.NoError(t, lease.Seal(t.Context(), *fullSeal(), nil))
	wantKind(t, lease.Complete(t.Context(), outcomeOf(lease, ledger.Completed), nil, nil), errs.Conflict)
	documents := expect.Result(store.Audit(t.Context(), executionID, 0))(t)
	expect.ErrorIf(t, len(documents) != 1 || documents[0].Status != ledger.Skipped,
		"the upload has the outcomes %+v", documents)
}
