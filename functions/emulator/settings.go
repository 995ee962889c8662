package emulator

import (
	"net/netip"
	"net/url"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/shop/kinds"
	"github.com/planwright/planwright/shared/table/setting"
)

// Settings are what the environment says. Each of the cloud's parts is used
// where its variable is set, and its local twin where it is not.
type Settings struct {
	lookup config.Lookup
	places
	executor  execution.Config
	decisions ledger.Decisions
	roles     planner.Roles
	notify    messages.Config
	uploaders planner.Uploaders // UPLOADERS; none: whoever may execute may hand tables in
	backends  []string          // SESSION_BACKENDS: callers that use the sessions of all users
	shop      *kinds.Config     // SHOP_KIND and the others; nil: no shop is connected
	publicURL string            // PUBLIC_URL: the server's address for others; "" where it has no other
	// userHeader is where a proxy names who sends a request; "": there is no such proxy,
	// and it is the machine's user.
	userHeader string
}

// places are where records and files lie: in the data folder, or in Google's emulators.
type places struct {
	firestore bool   // FIRESTORE_EMULATOR_HOST is set
	storage   bool   // STORAGE_EMULATOR_HOST is set
	project   string // GOOGLE_CLOUD_PROJECT
	database  string // FIRESTORE_DATABASE
	inbox     string // INBOX_BUCKET, OUTBOX_BUCKET, AUDIT_BUCKET, with the storage emulator
	outbox    string
	audit     string
	tables    string // TABLES_BUCKET, likewise; "": no tables are held
}

// ReadSettings reads the settings of a server on one machine.
func ReadSettings(lookup config.Lookup) (Settings, error) {
	r := config.Read(lookup)
	s := Settings{
		lookup: lookup,
		places: places{
			firestore: r.String("FIRESTORE_EMULATOR_HOST", "") != "",
			storage:   r.String("STORAGE_EMULATOR_HOST", "") != "",
			project:   r.String("GOOGLE_CLOUD_PROJECT", "demo-planwright"),
			database:  r.String("FIRESTORE_DATABASE", "(default)"),
			inbox:     InboxName,
			outbox:    OutboxName,
			audit:     AuditName,
		},
	}
	if s.storage {
		s.inbox = r.Required("INBOX_BUCKET")
		s.outbox = r.Required("OUTBOX_BUCKET")
		s.audit = r.Required("AUDIT_BUCKET")
		s.tables = r.String("TABLES_BUCKET", "")
	}
	s.executor.Settings, s.executor.Policy = setting.Read(r), execution.ReadPolicy(r)
	s.executor.TableBytes = int64(r.Int("TABLE_LIMIT_GIB", 0, 1, 5<<10)) << 30
	s.publicURL = messages.ReadPublicURL(r)
	s.decisions, s.roles, s.notify = planner.ReadDecisions(r), planner.ReadRoles(r), messages.ReadConfig(r)
	s.uploaders, s.backends = r.List("UPLOADERS"), r.List("SESSION_BACKENDS")
	s.shop = kinds.ReadConfig(r)
	return s, r.Err()
}

// BehindProxy returns the settings of a server before which a proxy signs people in and
// names them in a header. Invalid: the header cannot be one, or nobody could reach the proxy.
func (s Settings) BehindProxy(header string) (Settings, error) {
	if err := checkUserHeader(header); err != nil {
		return s, err
	}
	if s.publicURL == "" {
		return s, errs.New(errs.Invalid,
			"it needs the address of the proxy that signs people in: set --public-url or PUBLIC_URL.")
	}
	s.userHeader = header
	return s, nil
}

// Proxy is the address of the proxy that says who somebody is; "": there is none.
func (s Settings) Proxy() string {
	if s.userHeader == "" {
		return ""
	}
	return s.publicURL
}

// namesNobody reports whether others may reach the server of whom nothing is known.
func (s Settings) namesNobody() bool {
	if s.publicURL == "" || s.userHeader != "" {
		return false
	}
	parsed, err := url.Parse(s.publicURL)
	if err != nil {
		return true
	}
	address, err := netip.ParseAddr(parsed.Hostname())
	return parsed.Hostname() != "localhost" && (err != nil || !address.IsLoopback())
}

// uploader refuses who may not hand tables in; nil: everybody may who may execute.
func (s Settings) uploader() func(by string) error {
	if len(s.uploaders) == 0 {
		return nil
	}
	return s.uploaders.Check
}
