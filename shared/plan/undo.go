package plan

import "github.com/planwright/planwright/shared/strictjson"

// Undo is what a plan does that has no operations: it takes back what an execution changed.
type Undo struct {
	ExecutionID   string `json:"execution_id"`   // of the execution that is undone
	ChangesSHA256 string `json:"changes_sha256"` // of its changes file, in lower-case hex
	Stale         Stale  `json:"stale,omitempty"`
}

// UndoOperationID stands in records where another plan has the ids of its operations.
const UndoOperationID = "undo"

// Stale says what becomes of rows that were changed after the execution that is undone.
type Stale string

// What becomes of stale rows; none said is StaleReport.
const (
	StaleReport Stale = "report" // they are left as they are, and reported
	StaleFail   Stale = "fail"   // nothing is undone
	// StaleOverwrite gives them back what they had all the same, where their cells can hold it.
	StaleOverwrite Stale = "overwrite"
)

func readUndo(f strictjson.Field) *Undo {
	if !f.Given() {
		return nil
	}
	undo := &Undo{}
	f.Object(func(o *strictjson.Object) {
		undo.ExecutionID, _ = o.Required("execution_id").String()
		undo.ChangesSHA256, _ = o.Required("changes_sha256").String()
		undo.Stale = Stale(optionalWord(o.Optional("stale")))
	})
	return undo
}

func (v *validator) undo(p *Plan) {
	undo, path := p.Undo, v.root.Name("undo")
	if p.Operations != nil {
		v.list.Add(path, "is given beside operations: a plan has one of the two")
	}
	if !ValidExecutionID(undo.ExecutionID) {
		v.list.Add(
			path.Name("execution_id"),
			"%s, but is %s",
			ExecutionIDRule(undo.ExecutionID),
			strictjson.Quote(undo.ExecutionID),
		)
	} else if undo.ExecutionID == p.ExecutionID {
		v.list.Add(path.Name("execution_id"), "is the plan's own: it must be that of another execution")
	}
	if len(undo.ChangesSHA256) != 64 || !only(undo.ChangesSHA256, "0123456789abcdef") {
		v.list.Add(
			path.Name("changes_sha256"),
			"must be a SHA-256 of 64 hex digits in lower case, but is %s",
			strictjson.Quote(undo.ChangesSHA256),
		)
	}
	switch undo.Stale {
	case "", StaleReport, StaleFail, StaleOverwrite:
	default:
		v.list.Add(
			path.Name("stale"),
			"must be %s, %s or %s, but is %s",
			StaleReport,
			StaleFail,
			StaleOverwrite,
			strictjson.Quote(string(undo.Stale)),
		)
	}
}

func explainUndo(u *Undo) string {
	sentence := "Undo " + u.ExecutionID +
		": give every product that it changed the price, sale and stock from before; "
	switch u.Stale {
	case StaleFail:
		return sentence + "if one was changed since, change nothing."
	case StaleOverwrite:
		return sentence + "also those that were changed since."
	}
	return sentence + "leave those that were changed since, and list them."
}
