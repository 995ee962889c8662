package executor

import (
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/table"
)

// Config is everything the executor is told by its environment.
type Config struct {
	Project  string // GOOGLE_CLOUD_PROJECT
	Database string // FIRESTORE_DATABASE, default "(default)"
	Inbox    string // INBOX_BUCKET: tables and hand-written plans are dropped here
	Outbox   string // OUTBOX_BUCKET: results and notices are written here
	Audit    string // AUDIT_BUCKET: audit and changes files are written here
	// AuditKey signs the tree of audit documents: AUDIT_KEY, as planwright key
	// makes it. Without it no tree is kept.
	AuditKey config.Secret
	// Settings are for uploads that bring none of their own in their metadata.
	Settings table.Settings
}

// ReadConfig reads the configuration and reports every problem at once.
func ReadConfig(lookup config.Lookup) (Config, error) {
	r := config.Read(lookup)
	c := Config{
		Project:  r.Required("GOOGLE_CLOUD_PROJECT"),
		Database: r.String("FIRESTORE_DATABASE", "(default)"),
		Inbox:    r.Required("INBOX_BUCKET"),
		Outbox:   r.Required("OUTBOX_BUCKET"),
		Audit:    r.Required("AUDIT_BUCKET"),
		AuditKey: r.Secret("AUDIT_KEY"),
		Settings: table.ReadSettings(r),
	}
	if c.Inbox != "" && (c.Inbox == c.Outbox || c.Inbox == c.Audit) {
		r.Problem("INBOX_BUCKET is also the outbox or the audit bucket; what is written there would come back as an upload")
	}
	if c.Outbox != "" && c.Outbox == c.Audit {
		r.Problem("OUTBOX_BUCKET and AUDIT_BUCKET are the same; they must be two buckets")
	}
	return c, r.Err()
}
