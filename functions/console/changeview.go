package console

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

// Title is what the page calls the change.
func (p changePage) Title() string {
	return cmp.Or(
		notices.Title(p.Plan.Plan.SourceInstruction), notices.Title(p.SourceInstruction), p.ExecutionID,
	)
}

// IsUndo reports whether it takes another change back, or brings one back that was.
func (p changePage) IsUndo() bool { return p.Plan.Plan.Undo != nil }

// TakesBack reports whether it takes a change back, and brings none back that was.
func (p changePage) TakesBack() bool { return notices.TakesBack(p.Plan.Plan.SourceInstruction) }

// Stands says in a few words where the change stands.
func (p changePage) Stands() string {
	switch p.stage() {
	case stageDraft:
		return "Draft, not applied"
	case stageStarting:
		return "Starting"
	case stagePlanless:
		return "Waiting for its rules"
	}
	return p.Execution.Stands()
}

// Mark is the mark of where it stands.
func (p changePage) Mark() string { return kindOf(p.Execution) }

// File is the name of the file that it is about; "" where there is none yet.
func (p changePage) File() string {
	switch {
	case p.Upload.Object != "":
		return path.Base(p.Upload.Object)
	case p.Draft != nil:
		return p.Draft.Table.File
	case p.Plan.Planner.Table != nil:
		return p.Plan.Planner.Table.File
	}
	return ""
}

// RequestedBy is who asked for the change; "" where nobody knows.
func (p changePage) RequestedBy() string {
	return cmp.Or(p.ProposedBy, p.UploadedBy, p.Author, p.Plan.CreatedBy)
}

// RequestedAt is when.
func (p changePage) RequestedAt() time.Time {
	if p.Waits {
		return p.Plan.CreatedAt
	}
	return p.CreatedAt
}

// WaitsFor are those who may approve it: "Ana or Ben".
func (p changePage) WaitsFor() string {
	names := make([]string, len(p.Approvers))
	for i, name := range p.Approvers {
		names[i] = shown(name)
	}
	switch last := len(names) - 1; last {
	case -1:
		return "somebody to approve it"
	case 0:
		return names[0]
	default:
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
}

// Starts is when it is applied; zero: as soon as it may be.
func (p changePage) Starts() time.Time {
	at := p.Plan.planned().Apply.At
	if p.Proposal != nil && !p.Proposal.ApplyAt.IsZero() {
		at = p.Proposal.ApplyAt
	}
	return at
}

// Ends is when the old prices come back; zero: never by itself.
func (p changePage) Ends() time.Time { return p.Plan.planned().Revert.At }

// EndToCome is the undo that comes by itself; nil where there is none.
func (p changePage) EndToCome() *ledger.UndoDue {
	for i, due := range p.UndoDue {
		if p.UndoneBy == "" && due.At.After(time.Now()) {
			return &p.UndoDue[i]
		}
	}
	return nil
}

// EndWaits is the undo whose time has come, and that waits for an approval; nil: none does.
func (p changePage) EndWaits() *ledger.UndoDue {
	at := slices.IndexFunc(p.UndoDue, func(due ledger.UndoDue) bool { return due.Waits })
	if at < 0 {
		return nil
	}
	return &p.UndoDue[at]
}

// Undoable reports whether Undo can be pressed: something was changed, is not undone, and
// no undo is under way.
func (p changePage) Undoable() bool {
	underWay := func(due ledger.UndoDue) bool { return !due.Waits && !due.At.After(time.Now()) }
	left := p.UndoneBy == "" || p.UndoneStale > 0
	return p.Is(stageDone) && left && p.Changed() > 0 && !slices.ContainsFunc(p.UndoDue, underWay)
}

// Changed counts the products that change, or did.
func (p changePage) Changed() int64 {
	if p.Result.Preview == nil {
		return 0
	}
	return p.Result.Preview.Summary.RowsChanged
}

// Total counts the products of the file.
func (p changePage) Total() int64 { return p.Result.Preview.Summary.RowsTotal }

// Counted is what changed, counted: prices, or products where it is about stock.
func (p changePage) Counted() string {
	n, one, several := p.Changed(), "price", "prices"
	if effect := p.Result.Preview.Effect; effect.RowsRaised+effect.RowsLowered+effect.RowsRegular == 0 &&
		!p.Result.uncounted {
		one, several = "product", "products"
	}
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + several
}

// MayEdit reports whether the reader may open the rules in New change.
func (p changePage) MayEdit() bool { return !p.IsUndo() && p.Me.Allows(plannerapi.ActPlan) }

// MayReschedule reports whether the reader may give it other times.
func (p changePage) MayReschedule() bool {
	return !p.IsUndo() && p.Allows(plannerapi.ActReject) && (p.Own || p.Allows(plannerapi.ActExecute))
}

// Edit is the address of New change with the rules.
func (p changePage) Edit() string {
	address := "/new?plan=" + p.ExecutionID
	if p.TableID != "" {
		address += "&table=" + p.TableID
	}
	return address
}

// Rules say what the change does, a sentence each.
func (p changePage) Rules() []string {
	steps := len(p.Plan.Plan.Operations)
	return p.Plan.Explanation[:min(steps, len(p.Plan.Explanation))]
}

// Blocks are what to look at before anybody decides, or what to know of what was done.
func (p changePage) Blocks() []block {
	return slices.Concat(p.Result.fixedBlocks(p.Plan.ruleIDs()), p.blocks())
}

// blocks are those that are not of the rules.
func (p changePage) blocks() (all []block) {
	for _, warning := range p.Warnings {
		if warning.Code == lineage.WarnOutputUsed && !p.Is(stageDone) {
			continue // it is said where it can be undone
		}
		text, _ := warningOf(warning, p.Plan.ruleIDs())
		b := block{Text: strings.TrimSuffix(text, ".") + "."}
		if warning.Code == lineage.WarnSameTable || warning.Code == lineage.WarnOutputUsed {
			b.Links = warning.Arguments
		}
		all = append(all, b)
	}
	return all
}

// Tabs are the products that change, those that exceptions leave out, and all others.
func (p changePage) Tabs() []link {
	leftOut := int64(0)
	for _, rule := range p.Result.Preview.Rules {
		for _, exception := range rule.Exceptions {
			leftOut += exception.Rows
		}
	}
	unmatched := "Not matched"
	if p.Result.UnmatchedKnown() && leftOut == 0 {
		unmatched += " " + count(p.Result.RowsUnmatched())
	}
	names := []choice{
		{"", "Changes " + count(p.Changed())}, {"left", "Left out " + count(leftOut)},
		{"unmatched", unmatched},
	}
	var all []link
	for _, one := range names {
		l := listing{Tab: one.Value, path: p.List.path}
		all = append(all, link{one.Value, one.Name, l.with("tab", one.Value), p.List.Tab == one.Value})
	}
	return all
}

// StaleRows are the products that an undo leaves, or left, as they are.
func (p changePage) StaleRows() []staleRow {
	switch {
	case p.Is(stageDone) && len(p.Audit) > 0:
		for _, document := range p.Audit {
			if document.Status == ledger.Completed {
				return staleRowsOf(document.Summary.Stale)
			}
		}
	case p.Proposal != nil:
		return staleRowsOf(p.Proposal.Summary.Stale)
	}
	return nil
}

// staleRow is a product that was changed since what is undone.
type staleRow struct{ pricing.StaleRow }

func staleRowsOf(rows []pricing.StaleRow) (all []staleRow) {
	for _, row := range rows {
		all = append(all, staleRow{row})
	}
	return all
}

// Was, Given and Is are what the product had before, was given, and has now.
func (s staleRow) Was() string  { return stateText(s.Before) }
func (s staleRow) Gave() string { return stateText(s.StaleRow.Given) }
func (s staleRow) IsNow() string {
	if s.Found == nil {
		return "not in the file"
	}
	return stateText(*s.Found)
}

// Short reports whether there are so few products that they need no search.
func (p changePage) Short() bool { return p.List.All() && p.Result.Preview.RowsFound <= 10 }

// Imports says how the files are imported where they come from, in two lines.
func (p changePage) Imports() [2]string {
	profile := ""
	if p.Result.Preview != nil {
		profile = p.Result.Preview.Table.Profile
	}
	return importLines(profile)
}

// Reasons say why the result needs an approval.
func (p changePage) Reasons() []string {
	if p.Proposal == nil || !p.ApprovalDue {
		return nil
	}
	return p.Proposal.Reasons
}

// Recognized is what the file was found to be; nil where that is not known.
func (p changePage) Recognized() any {
	switch {
	case p.Summary != nil:
		return &p.Summary.Table
	case p.Proposal != nil:
		return &p.Proposal.Summary.Table
	}
	return nil
}
