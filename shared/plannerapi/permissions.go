package plannerapi

import (
	"slices"
)

// Role is what somebody is here.
type Role string

// The roles. Whoever is let in is a viewer.
const (
	RoleViewer   Role = "viewer"
	RolePlanner  Role = "planner"
	RoleApprover Role = "approver"
	RoleOperator Role = "operator"
)

// Action is something that somebody may do.
type Action string

// The actions: each is that of the call of its name, look of all that read and
// plan of those that store a plan.
const (
	ActLook    Action = "look"
	ActPlan    Action = "plan"
	ActExecute Action = "execute"
	ActPropose Action = "propose"
	ActApprove Action = "approve"
	ActReject  Action = "reject"
	ActUndo    Action = "undo"
	// Of what the caller asked for themselves.
	ActWithdraw Action = "withdraw"
	ActRemind   Action = "remind"
	// ActImported is saying that a result was imported into the shop.
	ActImported Action = "imported"
)

// Actions are all of them.
var Actions = []Action{
	ActLook, ActPlan, ActExecute, ActPropose, ActApprove, ActReject, ActUndo, ActWithdraw, ActRemind,
	ActImported,
}

// Permissions are what the caller may do, and what not.
type Permissions struct {
	May    []Action `json:"may"`
	MayNot []Denial `json:"may_not"`
}

// Denial is why the caller may not do something, in a sentence for them.
type Denial struct {
	Action Action `json:"action"`
	Why    string `json:"why"`
}

// Allows reports whether the caller may do something.
func (p Permissions) Allows(act Action) bool { return slices.Contains(p.May, act) }

// WhyNot is why the caller may not do something; "" where they may, or where it is
// not lawful whoever asks.
func (p Permissions) WhyNot(act Action) string {
	for _, denied := range p.MayNot {
		if denied.Action == act {
			return denied.Why
		}
	}
	return ""
}

// Me is who asks.
type Me struct {
	Name  string `json:"name"`  // as it is put on record; "" where nobody is known
	Roles []Role `json:"roles"` // none where nobody is known
	// ByAnother says that nobody approves of what a plan of their own does.
	ByAnother bool   `json:"approval_by_another"`
	Planner   string `json:"planner"` // PlannerGrammar or PlannerGemini
	// Several says that the configuration gives people different roles: see GET /v1/people.
	Several bool `json:"several_people"`
	// ApprovalAlways says that every change here needs an approval.
	ApprovalAlways bool `json:"approval_always"`
	Permissions
	// Shop is the kind of shop that is connected; "" where none is.
	Shop string `json:"shop,omitempty"`
}

// People are who may do what, as the configuration says.
type People struct {
	People    []Person `json:"people"` // whom it names
	Others    []Role   `json:"others"` // the roles of everybody else who signs in
	ByAnother bool     `json:"approval_by_another"`
}

// Person is somebody whom the configuration names.
type Person struct {
	Name  string `json:"name"`
	Roles []Role `json:"roles"`
}

// Who makes the plans of an installation.
const (
	PlannerGrammar = "grammar" // the grammar alone: there is no model, or it has no credentials
	PlannerGemini  = "gemini"  // Gemini, checked by the grammar
)
