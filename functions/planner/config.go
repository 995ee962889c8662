package planner

import (
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/shop/kinds"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// Config is what the deployed function reads from its environment.
type Config struct {
	// Project (GOOGLE_CLOUD_PROJECT) is the project of Firestore and Vertex AI.
	Project string
	// Database (FIRESTORE_DATABASE, default "(default)") is the database of
	// plans and executions.
	Database string
	// InboxBucket (INBOX_BUCKET) is where tables are uploaded. It is shown to
	// people; the planner itself has a part in one folder of it.
	InboxBucket string
	// TablesBucket (TABLES_BUCKET) is where tables are held for a day before
	// anything is done with them; "": none are.
	TablesBucket string
	// OutboxBucket and AuditBucket (OUTBOX_BUCKET, AUDIT_BUCKET) are where what an undo
	// takes back is read, to show all that is proposed; "": the first rows are shown.
	OutboxBucket, AuditBucket string
	// Uploaders (UPLOADERS) may hand held tables in.
	Uploaders Uploaders
	// Settings (those of setting.All) are those of a preview that asks for no
	// others. They should be the executor's.
	Settings table.Settings
	// Decisions (APPROVERS, APPROVAL_BY_ANOTHER) say who may approve.
	Decisions ledger.Decisions
	// ApprovalAlways (APPROVAL=always) tells people that every change needs an approval. The
	// executor has the same variable, and sees to it.
	ApprovalAlways bool
	// Roles (VIEWERS, PLANNERS, OPERATORS) say who may do what else.
	Roles Roles
	// Audiences (TOKEN_AUDIENCES, separated by commas) are those of the identity
	// tokens that are taken, beside gcloud's of people: the planner's addresses.
	Audiences []string
	// GcloudTokens (APPROVAL_GCLOUD_TOKENS, default true) takes gcloud's tokens
	// from those who decide about proposals too.
	GcloudTokens bool
	// Notifies (NOTIFICATIONS, default false) says that the sweeper tells a webhook what
	// waits for an approval, so that somebody can be reminded.
	Notifies bool
	// Pages ask for whom Identity-Aware Proxy has signed in.
	Pages identity.Pages
	// ShopsURL (SHOPS_URL) is where the function is called that reaches the shop; "": no
	// shop is connected.
	ShopsURL string
	ShopKind string // SHOP_KIND: the kind of that shop
	// Gemini is how the model is reached; nil: the grammar plans alone.
	Gemini *gemini.Config
}

// ReadConfig reads the variables named at each field of Config. Its error
// lists every problem.
func ReadConfig(lookup config.Lookup) (Config, error) {
	r := config.Read(lookup)
	never := string(ledger.ApproveNever)
	always := string(ledger.ApproveAlways)
	over := string(ledger.ApproveOver)
	c := Config{
		Project:      r.Required("GOOGLE_CLOUD_PROJECT"),
		Database:     r.String("FIRESTORE_DATABASE", "(default)"),
		InboxBucket:  r.Required("INBOX_BUCKET"),
		TablesBucket: r.String("TABLES_BUCKET", ""),
		OutboxBucket: r.String("OUTBOX_BUCKET", ""),
		AuditBucket:  r.String("AUDIT_BUCKET", ""),
		Uploaders:    r.List("UPLOADERS"),
		Settings:     setting.Read(r),
		Decisions:    ReadDecisions(r),

		ApprovalAlways: r.OneOf("APPROVAL", never, always, over) == always,

		Roles:     ReadRoles(r),
		Audiences: r.List("TOKEN_AUDIENCES"),
		Gemini:    gemini.ReadOptionalConfig(r),

		GcloudTokens: r.Bool("APPROVAL_GCLOUD_TOKENS", true),
		ShopsURL:     r.String("SHOPS_URL", ""),
		ShopKind:     kinds.ReadKind(r),
		Notifies:     r.Bool("NOTIFICATIONS", false),
		Pages:        identity.ReadPages(r),
	}
	if !c.GcloudTokens && len(c.Audiences) == 0 {
		r.Problem("APPROVAL_GCLOUD_TOKENS is false and TOKEN_AUDIENCES is not set: nobody could approve")
	}
	if c.ShopsURL != "" && c.ShopKind == "" {
		r.Problem("SHOPS_URL is set and SHOP_KIND is not: set it to what the function shops has")
	}
	if (c.OutboxBucket == "") != (c.AuditBucket == "") {
		r.Problem("OUTBOX_BUCKET and AUDIT_BUCKET go together: set both, or neither")
	}
	return c, r.Err()
}

// ReadDecisions reads who may decide about proposals.
func ReadDecisions(r *config.Reader) ledger.Decisions {
	return ledger.Decisions{Approvers: r.List("APPROVERS"), ByAnother: r.Bool("APPROVAL_BY_ANOTHER", false)}
}
