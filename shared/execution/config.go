package execution

import (
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// Config is what the functions that carry plans out are told by their environment.
type Config struct {
	Project  string // GOOGLE_CLOUD_PROJECT
	Database string // FIRESTORE_DATABASE, default "(default)"
	Inbox    string // INBOX_BUCKET: tables and hand-written plans are dropped here
	Outbox   string // OUTBOX_BUCKET: results and notices are written here
	Audit    string // AUDIT_BUCKET: audit and changes files are written here
	// AuditKey signs the tree of audit documents: AUDIT_KEY, as planwright key
	// makes it. Without it no tree is kept.
	AuditKey config.Secret
	// AuditEpoch (AUDIT_EPOCH, default 0) is how often the database was put back to
	// an earlier state, which begins a new tree of audit documents each time.
	AuditEpoch int64
	// TableBytes is the size of the largest table that one delivery is to read
	// and write: TABLE_LIMIT_GIB, by default 16, as README.md tells, and at most
	// Cloud Storage's 5 TiB. 0 is any.
	TableBytes int64
	// Settings are for uploads that bring none of their own in their metadata.
	Settings table.Settings
	// Policy (APPROVAL, APPROVAL_OVER_ROWS, APPROVAL_OVER_PERCENT) says what needs an approval.
	Policy ledger.Policy
}

// ReadConfig reads the configuration and reports every problem at once.
func ReadConfig(lookup config.Lookup) (Config, error) {
	r := config.Read(lookup)
	c := Config{
		Project:    r.Required("GOOGLE_CLOUD_PROJECT"),
		Database:   r.String("FIRESTORE_DATABASE", "(default)"),
		Inbox:      r.Required("INBOX_BUCKET"),
		Outbox:     r.Required("OUTBOX_BUCKET"),
		Audit:      r.Required("AUDIT_BUCKET"),
		AuditKey:   r.Secret("AUDIT_KEY"),
		AuditEpoch: int64(r.Int("AUDIT_EPOCH", 0, 0, 999_999)),
		TableBytes: int64(r.Int("TABLE_LIMIT_GIB", 16, 1, 5<<10)) << 30,
		Settings:   setting.Read(r),
		Policy:     ReadPolicy(r),
	}
	if c.Inbox != "" && (c.Inbox == c.Outbox || c.Inbox == c.Audit) {
		r.Problem("INBOX_BUCKET is also the outbox or the audit bucket; what is written there would come back as an upload")
	}
	if c.Outbox != "" && c.Outbox == c.Audit {
		r.Problem("OUTBOX_BUCKET and AUDIT_BUCKET are the same; they must be two buckets")
	}
	return c, r.Err()
}

// maxRows is more rows than a table has.
const maxRows = 1_000_000_000

// ReadPolicy reads which results need an approval.
func ReadPolicy(r *config.Reader) ledger.Policy {
	p := ledger.Policy{
		Approval: ledger.Approvals(r.OneOf(
			"APPROVAL", string(ledger.ApproveNever), string(ledger.ApproveAlways), string(ledger.ApproveOver),
		)),
		OverRows:    int64(r.Int("APPROVAL_OVER_ROWS", 0, 0, maxRows)),
		OverPercent: r.String("APPROVAL_OVER_PERCENT", ""),
	}
	if _, err := plan.ParseDecimal(p.OverPercent); p.OverPercent != "" && err != nil {
		r.Problem("APPROVAL_OVER_PERCENT is %q, which is not a number such as 20 or 12.5", p.OverPercent)
	}
	return p
}

// New returns an executor with real time and random holders.
func New(records ledger.Store, buckets Buckets, c Config, log *slog.Logger) *Executor {
	limits := DefaultLimits
	limits.TableBytes = c.TableBytes
	return &Executor{
		Ledger: records, Buckets: buckets,
		Engine:    Pricing{},
		Settings:  c.Settings,
		Surface:   setting.Metadata,
		Limits:    limits,
		Policy:    c.Policy,
		Now:       time.Now,
		NewHolder: rand.Text,
		Log:       log,
	}
}
