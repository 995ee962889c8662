// Package plannerapi is what the planner answers over HTTP: the planner writes
// these types, the console and the commands read them. openapi.json of the
// planner describes them to everybody else.
package plannerapi

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/row"
)

// StoredPlan is a plan that is stored.
type StoredPlan struct {
	Plan        json.RawMessage `json:"plan"` // canonical
	PlanSHA256  string          `json:"plan_sha256"`
	Explanation []string        `json:"explanation"` // as plan.Explain says it
	Warnings    []plan.Warning  `json:"warnings"`
	// both, model, grammar, person; "" for a plan written by hand
	Agreement string `json:"agreement"`
	// Planner says what made the plan, without the agreement that stands above.
	Planner   plans.PlannedBy `json:"planner"`
	CreatedAt time.Time       `json:"created_at"` // when it was stored
	CreatedBy string          `json:"created_by"` // its author; "" where nobody knows
	Upload    Upload          `json:"upload"`
}

// applyAtSlack is how far past a time may be by which a person asks for something now.
const applyAtSlack = 5 * time.Minute

// IsPast reports whether a plan that a person makes now, by its terms, would be applied at
// once though it has a time: who mistypes the month does not mean that. A plan that was
// made before is stored all the same.
func IsPast(terms *plan.Terms, now time.Time) bool {
	at := terms.ApplyTime()
	return !at.IsZero() && at.Before(now.Add(-applyAtSlack))
}

// Upload says where to put the table that a plan is for.
type Upload struct {
	Bucket  string `json:"bucket"`
	Prefix  string `json:"prefix"`
	Command string `json:"command"`
}

// WarningOf is a warning of the engine's as it is answered.
func WarningOf(w pricing.Warning) plan.Warning {
	told := plan.Warning{
		Code:         w.Code,
		OperationIDs: w.OperationIDs,
		Rows:         w.Rows,
		FirstRows:    w.FirstRows,
		Arguments:    w.Arguments,
	}
	if told.OperationIDs == nil {
		told.OperationIDs = []string{}
	}
	if w.UnknownName != nil {
		told.Arguments = []string{w.UnknownName.Name}
	}
	if told.Message = w.Message; told.Message == "" { // stored by its code and arguments alone
		told.Message, _ = w.Sentence()
	}
	return told
}

// ValidPlan is what there is to say about a plan that is not stored.
type ValidPlan struct {
	Valid       bool           `json:"valid"`
	PlanSHA256  string         `json:"plan_sha256"`
	Explanation []string       `json:"explanation"`
	Warnings    []plan.Warning `json:"warnings"`
}

// MaxPreviewBytes is the largest table that is previewed.
const MaxPreviewBytes = 30 << 20

// Preview is what a plan, or rules that are not stored, would do to a table.
type Preview struct {
	PlanSHA256 string `json:"plan_sha256,omitempty"` // "" where there is no plan
	// PreviewSHA256 is of the rules, the table, how it is read, and all figures below. Whoever
	// sends it with :execute gets what was seen here or a refusal: see CodePreviewChanged.
	PreviewSHA256 string `json:"preview_sha256"`

	Table   table.Recognized `json:"table"` // what the table was found to be
	Summary PreviewSummary   `json:"summary"`
	Effect  pricing.Effect   `json:"effect"`
	RuleFigures
	Warnings []plan.Warning `json:"warnings"`
	// ChangedBefore are the executions that changed this very table and stand, the oldest
	// first: what comes of this plan is without them.
	ChangedBefore []ChangedBefore `json:"changed_before,omitempty"`

	Changes   []SeenChange `json:"changes"`    // the first 100, a sample, or those that were asked for
	RowsFound int64        `json:"rows_found"` // that are asked for, on all pages
	Truncated bool         `json:"changes_truncated"`
	// NextPageToken asks for the changes that follow; "" where none do.
	NextPageToken string `json:"next_page_token"`
}

// ChangedBefore is an execution that changed a table before.
type ChangedBefore struct {
	ExecutionID string    `json:"execution_id"`
	ExecutedAt  time.Time `json:"executed_at"`
}

// RuleFigures say what each rule does, and what two of them have in common.
type RuleFigures struct {
	Paid     pricing.Paid      `json:"paid"`
	Rules    []pricing.Rule    `json:"rules"`
	Overlaps []pricing.Overlap `json:"overlaps"`
}

// FiguresOf are those of a preview.
func FiguresOf(p *pricing.Preview) RuleFigures {
	return RuleFigures{Paid: p.Paid, Rules: p.Rules, Overlaps: p.Overlaps}
}

// CodePreviewChanged is the code of the refusal to carry out a plan that would now do
// something else than its preview showed, and PreviewChanged is what it says.
const (
	CodePreviewChanged = "preview_changed"
	PreviewChanged     = "This would now do something else than the preview showed: somebody has changed how the table is read, or the engine was replaced. Nothing was done. Look at the preview again."
)

// SeenChange is a change that a plan would make, with what people know its row by.
type SeenChange struct {
	pricing.Change
	Name    string `json:"name,omitempty"`    // its product's
	Picture string `json:"picture,omitempty"` // what its column says
	// Own tells the row apart where its SKU is blank; nil where it has one.
	Own *overview.OwnCell `json:"own,omitempty"`
	// MovedPercent is how far the price moves that customers pay, below 0 where it
	// falls; null where it stays, or was 0.
	MovedPercent *string `json:"moved_percent"`
}

// ProposedChanges is a page of the changes that an execution proposes.
type ProposedChanges struct {
	Changes[SeenChange]
	RuleFigures
	RowsFound int64 `json:"rows_found"` // that are asked for, on all pages
}

// DoneChanges is a page of the changes that an execution made, with figures of all of them.
type DoneChanges struct {
	Changes[SeenChange]
	Effect    pricing.Effect `json:"effect"`     // without the largest moves
	RowsFound int64          `json:"rows_found"` // that are asked for, on all pages
}

// PreviewSummary counts the rows of a preview.
type PreviewSummary struct {
	RowsTotal   int64                    `json:"rows_total"`
	RowsChanged int64                    `json:"rows_changed"`
	Operations  []pricing.OperationCount `json:"operations"`
	Figures     pricing.Figures          `json:"figures,omitzero"`
}

// PreviewSummaryOf are the rows that a run of the engine counted.
func PreviewSummaryOf(c pricing.Counts) PreviewSummary {
	return PreviewSummary{
		RowsTotal:   c.RowsTotal,
		RowsChanged: c.RowsChanged,
		Operations:  c.Operations,
		Figures:     c.Figures,
	}
}

// AllWarnings are the warnings of a preview, and its figures in the form of warnings.
func (p *Preview) AllWarnings() []plan.Warning {
	told := slices.Clone(p.Warnings)
	for _, figure := range p.Summary.Figures.All() {
		told = append(told, WarningOf(figure))
	}
	return told
}

// SKUChange is what an execution did to a SKU.
type SKUChange struct {
	changelog.SKUChange
	SourceInstruction string `json:"source_instruction"` // of the execution's plan
}

// Execution is an execution as a list shows it.
type Execution struct {
	ExecutionID string           `json:"execution_id"`
	Status      ledger.Status    `json:"status"`
	Attempt     int              `json:"attempt"`
	CreatedAt   time.Time        `json:"created_at"`
	ExecutedAt  *time.Time       `json:"executed_at"` // null until its result is fixed
	Upload      ledger.Upload    `json:"upload"`
	Summary     *Summary         `json:"summary"`      // null unless completed
	Outputs     []ledger.File    `json:"outputs"`      // what can be fetched
	Error       *ledger.Failure  `json:"error"`        // null unless failed
	UndoneBy    string           `json:"undone_by"`    // "" unless undone
	UndoneStale int64            `json:"undone_stale"` // rows that this left as they were
	UndoDue     []ledger.UndoDue `json:"undo_due"`     // undos that its output is to be delivered to
	// Undos say what became of it, where what undid it was undone itself.
	Undos *lineage.Undos `json:"undos,omitempty"`
	DueAt *time.Time     `json:"due_at"` // null: nothing will happen by itself
	// ApprovalDue says that a proposal waits for an approval.
	ApprovalDue bool `json:"approval_due"`
	// Delay says why the newest attempt of one that runs had no outcome: it is made again.
	Delay string `json:"delay"`
	// BytesRead is how far the newest attempt has read the table, as of its
	// last sign of life.
	BytesRead int64 `json:"bytes_read"`
	// SourceInstruction is the plan's; "" where there is no plan yet.
	SourceInstruction string     `json:"source_instruction"`
	UploadedAt        time.Time  `json:"uploaded_at"` // when its table was handed in
	ApplyAt           *time.Time `json:"apply_at"`    // null unless what it proposes waits for a time
	// StartsAt and EndsAt are the plan's times; null where it has none.
	StartsAt *time.Time `json:"starts_at,omitempty"`
	EndsAt   *time.Time `json:"ends_at,omitempty"`
	// Author made the plan; "" where nobody knows.
	Author string `json:"author"`
	// UploadedBy handed the table in, and ProposedBy asked that it wait for an
	// approval; each is "" where nobody knows, or nobody did.
	UploadedBy string `json:"uploaded_by"`
	// Shop is the shop that its table was fetched from, to which its result is written; it
	// is not there where the table was handed in.
	Shop string `json:"shop,omitempty"`
	// PreparedBy are those beside UploadedBy who sent the table or said how it is read.
	PreparedBy []string `json:"prepared_by"`
	ProposedBy string   `json:"proposed_by"`
	// Imported says who imported the result into the shop, and when; null where nobody has
	// said so.
	Imported *Imported `json:"imported"`
	// Permissions are about what is lawful as the execution stands, and no more.
	Permissions
}

// Imported says who imported a result into the shop, and when.
type Imported struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// Record is one execution with all that is recorded of it.
type Record struct {
	Execution
	PlanSHA256 string           `json:"plan_sha256"` // "" until its result is fixed
	Proposal   *Proposal        `json:"proposal"`    // null unless something is proposed
	Approval   *ledger.Approval `json:"approval"`    // null unless it was given
	// Approvers are those who may approve what waits, by their names; none where everybody
	// may who is no viewer.
	Approvers []string `json:"approvers"`
	// of what is proposed or was carried out, beside those in it
	Warnings []plan.Warning         `json:"warnings"`
	Audit    []ledger.AuditDocument `json:"audit"` // the newest first, at most MaxAudit
	// SHA-256 of the newest of their chain; "" before there is one
	AuditHead string `json:"audit_head"`
}

// MaxAudit is how many audit documents of an execution are shown.
const MaxAudit = 100

// Executions is a page of executions.
type Executions struct {
	Executions    []Execution `json:"executions"`
	NextPageToken string      `json:"next_page_token"` // "" on the last page
}

// Changes is a page of changes, of an execution or of a SKU.
type Changes[T any] struct {
	Changes       []T    `json:"changes"`
	NextPageToken string `json:"next_page_token"` // "" on the last page
}

// StoredTable is a table that is held for a day, and what is in it.
type StoredTable struct {
	Table     string    `json:"table"` // its id
	File      string    `json:"file"`  // its name
	Bytes     int64     `json:"bytes"`
	SentBy    string    `json:"sent_by"`
	ExpiresAt time.Time `json:"expires_at"`
	Read      TableRead `json:"read"`
	// Settings are how it was said to be read, by their names: for every call that
	// names it.
	Settings map[string]string `json:"settings"`
	Rows     int64             `json:"rows"`
	// Names are those of a role that some row has, the most frequent first.
	Names    TableNames     `json:"names"`
	Price    *PriceRange    `json:"price"`    // null where no price can be read
	InStock  *int64         `json:"in_stock"` // rows; null where the table does not say
	OnSale   *int64         `json:"on_sale"`  // rows; null where the table does not say
	Warnings []TableWarning `json:"warnings"`
	// Shop is the address of the shop that it was fetched from; "" where somebody sent it.
	Shop string `json:"shop,omitempty"`
}

// TableRead is how a table is read.
type TableRead struct {
	Profile string          `json:"profile"`
	Dialect dialect.Dialect `json:"dialect"`
	Columns []TableColumn   `json:"columns"` // all of the header's
	// Remembered says that the settings are those that somebody said of an earlier table with
	// the same header; null where they are not.
	Remembered *RememberedLayout `json:"remembered"`
	// Readings are what a cell that is not ASCII says in each encoding, where nobody said
	// which one the table has.
	Readings []dialect.Reading `json:"readings,omitempty"`
}

// RememberedLayout says whose settings a table is read by, and of which table they were said.
type RememberedLayout struct {
	By   string    `json:"by"`
	At   time.Time `json:"at"`
	File string    `json:"file"` // the earlier table's name
}

// TableColumn is a column of a table. Its role is "" where it has none.
type TableColumn struct {
	row.Column
	Samples []string `json:"samples"` // at most 3 that differ
	// WhyNot says, of one without a role, why that is.
	WhyNot string `json:"why_not,omitempty"`
}

// TableNames are at most 2,000 names of each role.
type TableNames struct {
	Categories []names.Spelling `json:"categories"`
	Brands     []names.Spelling `json:"brands"`
	Tags       []names.Spelling `json:"tags"`
	// Total counts all of them, as far as they were counted: where a
	// question about many names stands, there are more.
	Total NameTotals `json:"total"`
}

// NameTotals count names by role.
type NameTotals struct {
	Categories int `json:"categories"`
	Brands     int `json:"brands"`
	Tags       int `json:"tags"`
}

// ProductList is a page of the rows of a held table.
type ProductList struct {
	Products      []Product `json:"products"`
	NextPageToken string    `json:"next_page_token"` // "" on the last page
}

// Product is a row of a held table as the shop's people know it. What the table does not
// say is "".
type Product struct {
	Row   int64  `json:"row"` // the header being row 1
	SKU   string `json:"sku"` // or what the platform has where that is blank
	Name  string `json:"name"`
	Brand string `json:"brand"`
	// Price is what customers pay now, as it stands in the table. RegularPrice is the price
	// without the sale; "" where the row is on no sale.
	Price        string `json:"price"`
	RegularPrice string `json:"regular_price"`
	// SaleFrom and SaleUntil are the dates of the sale as the table has them; one cell that
	// has both is SaleFrom.
	SaleFrom  string `json:"sale_from"`
	SaleUntil string `json:"sale_until"`
	Picture   string `json:"picture,omitempty"`
}

// PriceRange is where prices lie, as decimals.
type PriceRange struct {
	Least    string `json:"least"`
	Greatest string `json:"greatest"`
	Currency string `json:"currency"` // of the first rows, as written there; "": none
}

// TableWarning is something that a person should know of a table.
type TableWarning struct {
	Code      string  `json:"code"`
	Rows      int64   `json:"rows,omitempty"`       // that it concerns
	FirstRows []int64 `json:"first_rows,omitempty"` // at most 20 of them
	Message   string  `json:"message"`
	// Arguments are what else the message names: a role, and the names that look the same.
	Arguments []string `json:"arguments,omitempty"`
}

// UnknownName is a name of a plan that no row of a table has, in the details of the
// error unknown_names.
type UnknownName struct {
	table.UnknownName
	Choices []Choice `json:"choices"`
}

// Choice is what may have been meant by a name, and the operations of the plan that
// means it, as they are sent: what the plan leaves out, they leave out.
type Choice struct {
	names.NameElsewhere
	Operations json.RawMessage `json:"operations"`
}

// HandedIn is a held table that was put into the inbox.
type HandedIn struct {
	Upload   ledger.Upload  `json:"upload"`
	Warnings []plan.Warning `json:"warnings"` // about the table
}

// PlanList is a page of plans, the newest first.
type PlanList struct {
	Plans         []ListedPlan `json:"plans"`
	NextPageToken string       `json:"next_page_token"` // "" on the last page
}

// ListedPlan is a plan as a list shows it.
type ListedPlan struct {
	ExecutionID       string    `json:"execution_id"`
	SourceInstruction string    `json:"source_instruction"`
	CreatedAt         time.Time `json:"created_at"`
	CreatedBy         string    `json:"created_by"` // "" where nobody knows
	Agreement         string    `json:"agreement"`
	// Table is the held table in whose words it was made; null where there was none.
	// It may be held no more.
	Table *plans.PlannedOver `json:"table"`
	// Status is draft where nothing was ever carried out of it, else the execution's.
	Status ledger.Status `json:"status"`
}

// StatusDraft is the status of a listed plan of which nothing was ever carried out.
const StatusDraft ledger.Status = "draft"

// TableUpload says where a table is sent that is held once it is there.
type TableUpload struct {
	Table     string    `json:"table"` // its id, for GET /v1/tables/{table} once all bytes were sent
	ExpiresAt time.Time `json:"expires_at"`
	// UploadURL takes the bytes by PUT, in one piece or in several, each with its
	// Content-Range, as Cloud Storage's resumable uploads do. Who has it needs no other right.
	UploadURL string `json:"upload_url"`
}
