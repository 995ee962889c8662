package execution

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/pricing"
)

// The first value beyond each limit is refused, and the limit itself is not.
func TestLimitsToTheByte(t *testing.T) {
	limits := Limits{TableBytes: 3 << 30}
	if limits.tooLarge(3<<30) || !limits.tooLarge(3<<30+1) || (Limits{}).tooLarge(1<<62) {
		t.Error("the largest table is another")
	}
	if got := gibibytes(3 << 29); got != "1.5 GiB" {
		t.Errorf("1.5 GiB are %s", got)
	}
	const rows, bytes = int64(changelog.MaxDocumentChanges), int64(changelog.MaxDocumentBytes)
	for _, c := range []struct {
		rows, bytes int64
		fits        bool
	}{
		{rows*changelog.MaxDocuments - 1, 0, true},
		{rows * changelog.MaxDocuments, 0, false},
		{1, bytes*changelog.MaxDocuments/2 - 1, true},
		{1, bytes * changelog.MaxDocuments / 2, false},
		{rows * changelog.MaxDocuments / 2, bytes * changelog.MaxDocuments / 4, false},
	} {
		seal := ledger.Seal{Result: ledger.Result{Summary: pricing.Counts{RowsChanged: c.rows}, Changes: ledger.File{Size: c.bytes}}}
		if err := checkChanges(seal); (err == nil) != c.fits {
			t.Errorf("%d rows in %d bytes: %v", c.rows, c.bytes, err)
		}
	}
}

func TestWhatFitsOneDocument(t *testing.T) {
	for _, c := range []struct {
		rows, bytes int64
		fits        bool
	}{
		{0, 0, false},
		{1, 2 * changelog.MaxDocumentBytes, true},
		{2, changelog.MaxDocumentBytes + 2, true},
		{2, changelog.MaxDocumentBytes + 3, false},
		{changelog.MaxDocumentChanges, changelog.MaxDocumentBytes + changelog.MaxDocumentChanges, true},
		{changelog.MaxDocumentChanges + 1, 1, false},
	} {
		seal := &ledger.Seal{Result: ledger.Result{Summary: pricing.Counts{RowsChanged: c.rows}, Changes: ledger.File{Size: c.bytes}}}
		if isOneDocument(seal) != c.fits {
			t.Errorf("%d changes in %d bytes fit one document: %t", c.rows, c.bytes, !c.fits)
		}
	}
}

func TestAgesToTheMoment(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	x := &Executor{Limits: DefaultLimits, Now: func() time.Time { return now }}
	for after, want := range map[time.Duration]time.Duration{-time.Minute: time.Minute, clockSkew: -clockSkew, clockSkew + time.Microsecond: math.MaxInt64} {
		if got := x.age(now.Add(after)); got != want {
			t.Errorf("uploaded %v from now: age %v, want %v", after, got, want)
		}
	}
	unknown := errors.New("unheard of")
	if failure := x.permanent(unknown, DefaultLimits.UnknownFor-1); failure != nil {
		t.Errorf("given up early: %+v", failure)
	}
	if failure := x.permanent(unknown, DefaultLimits.UnknownFor); failure == nil || failure.Code != "internal" {
		t.Errorf("not given up: %+v", failure)
	}
}

func TestReadConfig(t *testing.T) {
	good := map[string]string{"GOOGLE_CLOUD_PROJECT": "shop", "INBOX_BUCKET": "in", "OUTBOX_BUCKET": "out", "AUDIT_BUCKET": "audit", "AUDIT_KEY": "key", "APPROVAL": "over", "APPROVAL_OVER_ROWS": "500", "APPROVAL_OVER_PERCENT": "12.5", "TABLE_LIMIT_GIB": "3"}
	for name, test := range map[string]struct {
		set    map[string]string
		says   string // "" is no error
		silent string // what it does not say
	}{
		"good":                 {},
		"inbox as outbox":      {map[string]string{"INBOX_BUCKET": "out"}, "would come back as an upload", "must be two"},
		"inbox as audit":       {map[string]string{"INBOX_BUCKET": "audit"}, "would come back as an upload", "must be two"},
		"outbox as audit":      {map[string]string{"OUTBOX_BUCKET": "audit"}, "must be two buckets", "come back"},
		"no inbox or outbox":   {map[string]string{"INBOX_BUCKET": "", "OUTBOX_BUCKET": ""}, "INBOX_BUCKET", "come back"},
		"no outbox or audit":   {map[string]string{"OUTBOX_BUCKET": "", "AUDIT_BUCKET": ""}, "OUTBOX_BUCKET", "must be two"},
		"no table":             {map[string]string{"TABLE_LIMIT_GIB": "0"}, "TABLE_LIMIT_GIB", "come back"},
		"no policy":            {map[string]string{"APPROVAL": "perhaps"}, "APPROVAL", "come back"},
		"no number of percent": {map[string]string{"APPROVAL_OVER_PERCENT": "many"}, "not a number such as", "come back"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := ReadConfig(func(name string) (string, bool) {
				if text, ok := test.set[name]; ok {
					return text, true
				}
				text, ok := good[name]
				return text, ok
			})
			switch {
			case test.says == "" && (err != nil || c.Database != "(default)" || c.Policy != ledger.Policy{Approval: ledger.ApproveOver, OverRows: 500, OverPercent: "12.5"} || New(nil, Buckets{}, c, nil).Limits.TableBytes != 3<<30):
				t.Errorf("%+v, %v", c, err)
			case test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), test.silent)):
				t.Errorf("got %v, want one with %q and not %q", err, test.says, test.silent)
			}
		})
	}
}

// An approval of something else is none, whatever the record proposes.
func TestHasLeave(t *testing.T) {
	result := ledger.Proposal{ProposalSHA256: "this", ApprovalDue: true}
	for sha, leave := range map[string]bool{"this": true, "that": false} {
		if got := hasLeave(ledger.Execution{Approval: &ledger.Approval{ProposalSHA256: sha}}, result); got != leave {
			t.Errorf("with an approval of %s: %t", sha, got)
		}
	}
}

// until is a context that ends at a time of a clock of its own.
type until struct {
	context.Context
	at time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.at, true }

func TestASweepBeginsWhatItHasTimeFor(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	x := &Executor{Now: func() time.Time { return now }}
	for left, want := range map[time.Duration]bool{time.Minute: false, longestDelivery: false, longestDelivery + 1: true, time.Hour: true} {
		if got := x.hasTime(until{t.Context(), now.Add(left)}); got != want {
			t.Errorf("with %v left it has time: %t", left, got)
		}
	}
	if !x.hasTime(t.Context()) {
		t.Error("it has no time where nothing limits it")
	}
	if DefaultLimits.UnknownFor+time.Hour > 16*time.Hour || DefaultLimits.UnknownFor < 6*time.Hour || proposalLife < 7*24*time.Hour || min(loggedEvery, notedEvery) < time.Second || longestDelivery < 5*time.Minute {
		t.Error("a time is far from what it is for")
	}
}

func TestANoticeWithoutReasonsOrPlan(t *testing.T) {
	if got := waitsFor("plan_yoga_v1", ledger.Proposal{}); !strings.Contains(got, "Nothing") {
		t.Errorf("it waits for %q", got)
	}
	got := waitsFor("plan_yoga_v1", ledger.Proposal{ApprovalDue: true, Reasons: []string{"Why."}, ProposalSHA256: "9f86"})
	if strings.Contains(got, "Nothing") || !strings.HasSuffix(got, "\nWhy.") || !strings.Contains(got, "\n  planwright approve plan_yoga_v1 --proposal 9f86 --url ADDRESS\n") {
		t.Errorf("it waits for %q", got)
	}
	why := "Why."
	for instruction, want := range map[string]string{"": "(there is no plan)", "Up.": "Up."} {
		if got := (ledger.AuditDocument{Status: ledger.Failed, Error: &why, SourceInstruction: instruction}).Notice().Text(); !strings.Contains(got, "\nInstruction:\n  "+want+"\n") {
			t.Error(got)
		}
	}
}

// A lease ends with the delivery, or before.
func TestALeaseEndsWithItsDelivery(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	x := &Executor{Now: func() time.Time { return now }, Limits: Limits{Lease: time.Minute}}
	for left, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Minute: time.Minute, time.Hour: time.Minute} {
		if got := x.leaseUntil(delivery{deadline: now.Add(left)}); !got.Equal(now.Add(want)) {
			t.Errorf("with %v left it ends at %v, want %v later than %v", left, got, want, now)
		}
	}
	if got := x.leaseUntil(delivery{}); !got.Equal(now.Add(time.Minute)) {
		t.Errorf("without a deadline it ends at %v", got)
	}
}

func TestALeaseIsRenewedInTime(t *testing.T) {
	for lease, want := range map[time.Duration]time.Duration{3 * time.Second: time.Second, DefaultLimits.Lease: notedEvery} {
		a := &attempt{Executor: &Executor{Limits: Limits{Lease: lease}}}
		if got := a.renewEvery(); got != want {
			t.Errorf("a lease of %v is renewed every %v", lease, got)
		}
	}
}
