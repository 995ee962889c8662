package emulator

import (
	"net/url"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/table"
)

// Settings are what the environment says. Each of the cloud's parts is used
// where its variable is set, and its local twin where it is not.
type Settings struct {
	// User is who the server's own token is for; "": the machine's user, where a
	// token is asked for at all.
	User string
	// Hosts are the names that the server answers to, beside addresses and localhost.
	Hosts []string

	lookup    config.Lookup
	firestore bool   // FIRESTORE_EMULATOR_HOST is set
	storage   bool   // STORAGE_EMULATOR_HOST is set
	project   string // GOOGLE_CLOUD_PROJECT
	database  string // FIRESTORE_DATABASE
	inbox     string // INBOX_BUCKET, OUTBOX_BUCKET, AUDIT_BUCKET, with the storage emulator
	outbox    string
	audit     string
	tables    string // TABLES_BUCKET, likewise; "": no tables are held
	executor  execution.Config
	decisions ledger.Decisions
	roles     planner.Roles
	notify    messages.Config
	publicURL string // PUBLIC_URL: the server's address for others; "" where it has no other
}

// ReadSettings reads the settings of a server on one machine.
func ReadSettings(lookup config.Lookup) (Settings, error) {
	r := config.Read(lookup)
	s := Settings{
		lookup:    lookup,
		firestore: r.String("FIRESTORE_EMULATOR_HOST", "") != "",
		storage:   r.String("STORAGE_EMULATOR_HOST", "") != "",
		project:   r.String("GOOGLE_CLOUD_PROJECT", "demo-planwright"),
		database:  r.String("FIRESTORE_DATABASE", "(default)"),
		inbox:     InboxName,
		outbox:    OutboxName,
		audit:     AuditName,
	}
	if s.storage {
		s.inbox, s.outbox, s.audit = r.Required("INBOX_BUCKET"), r.Required("OUTBOX_BUCKET"), r.Required("AUDIT_BUCKET")
		s.tables = r.String("TABLES_BUCKET", "")
	}
	s.executor.Settings, s.executor.Policy = table.ReadSettings(r), execution.ReadPolicy(r)
	s.publicURL = messages.ReadPublicURL(r)
	if s.publicURL != "" {
		s.Hosts = []string{hostOf(s.publicURL)}
	}
	s.decisions, s.roles, s.notify = planner.ReadDecisions(r), planner.ReadRoles(r), messages.ReadConfig(r)
	return s, r.Err()
}

// hostOf is the name in an address, without its port.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Hostname()
}
