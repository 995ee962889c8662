package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// lateReply carries a write out, but its caller's time is up by then.
type lateReply struct {
	ledger.Store
	timeUp context.CancelFunc
}

func (l lateReply) late() error {
	l.timeUp()
	return errs.New(errs.Deadline, "too late")
}

func (l lateReply) CreateExecution(ctx context.Context, first ledger.Execution) (ledger.Execution, error) {
	if _, err := l.Store.CreateExecution(ctx, first); err != nil {
		return ledger.Execution{}, err
	}
	return ledger.Execution{}, l.late()
}

func (l lateReply) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	if _, err := l.Store.UpdateExecution(ctx, next, with); err != nil {
		return ledger.Execution{}, err
	}
	return ledger.Execution{}, l.late()
}

// What became of a write is looked up although the time of its caller is up.
func TestAWriteIsReadBackThoughTheTimeIsUp(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "state.db"))
	ctx, cancel := context.WithCancel(t.Context())
	claim, err := ledger.Acquire(ctx, lateReply{store, cancel}, ledger.ClaimRequest{
		ExecutionID: "plan_one_v1", Source: upload(1), Holder: "holder", Now: noon, LeaseUntil: noon.Add(time.Minute),
	})
	if err != nil || claim.Decision != ledger.Granted {
		t.Fatalf("the claim is there, and %+v, %v is said", claim, err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	again, err := ledger.Acquire(ctx, lateReply{store, cancel}, ledger.ClaimRequest{
		ExecutionID: "plan_one_v1", Source: upload(1), Holder: "another", Now: noon.Add(time.Hour), LeaseUntil: noon.Add(2 * time.Hour),
	})
	if err != nil || again.Decision != ledger.Granted {
		t.Fatalf("the execution was taken over, and %+v, %v is said", again, err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if err := again.Lease.Renew(ctx, noon.Add(3*time.Hour), 0); err != nil {
		t.Errorf("the lease is renewed, and %v is said", err)
	}
}
