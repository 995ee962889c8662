package planner

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
)

// Roles say who may do what, by the names of callers, beside ledger.Decisions, which
// say who may decide. The zero value lets everybody do everything.
type Roles struct {
	// Viewers (VIEWERS, callers separated by commas) may look, and what another
	// list names them for.
	Viewers []string
	// Planners (PLANNERS) may have plans made, carried out, proposed and undone;
	// where there are none, whoever is no viewer may.
	Planners []string
	// Operators (OPERATORS) may have an execution wait for an approval, and undone;
	// where there are none, whoever is no viewer may.
	Operators []string
}

// any reports whether some may do what others may not.
func (r Roles) any() bool { return len(r.Viewers)+len(r.Planners)+len(r.Operators) > 0 }

// ReadRoles reads who may do what.
func ReadRoles(r *config.Reader) Roles {
	return Roles{Viewers: r.List("VIEWERS"), Planners: r.List("PLANNERS"), Operators: r.List("OPERATORS")}
}

// allowed are the roles of which an action needs one. Looking needs none.
var allowed = map[plannerapi.Action][]plannerapi.Role{
	plannerapi.ActPlan:    {plannerapi.RolePlanner},
	plannerapi.ActExecute: {plannerapi.RolePlanner},
	plannerapi.ActPropose: {plannerapi.RolePlanner, plannerapi.RoleApprover, plannerapi.RoleOperator},
	plannerapi.ActUndo:    {plannerapi.RolePlanner, plannerapi.RoleOperator},
	plannerapi.ActApprove: {plannerapi.RoleApprover},
	plannerapi.ActReject:  {plannerapi.RoleApprover},

	plannerapi.ActWithdraw: {plannerapi.RolePlanner, plannerapi.RoleApprover, plannerapi.RoleOperator},
	plannerapi.ActRemind:   {plannerapi.RolePlanner, plannerapi.RoleApprover, plannerapi.RoleOperator},
	plannerapi.ActImported: {plannerapi.RolePlanner, plannerapi.RoleApprover, plannerapi.RoleOperator},
}

// person is who sends a request, or why that is not known.
type person struct {
	handler
	name    string
	unknown error
	// approver is unknown, for what is decided.
	approver error
}

func (h handler) person(r *http.Request) person {
	p := person{handler: h}
	p.name, p.unknown = h.Caller(r)
	_, p.approver = h.Approver(r)
	return p
}

// roles are those of the person, who is known.
func (p person) roles() []plannerapi.Role {
	lists := []struct {
		role  plannerapi.Role
		names []string
	}{
		{plannerapi.RolePlanner, p.Roles.Planners}, {plannerapi.RoleApprover, p.Decisions.Approvers},
		{plannerapi.RoleOperator, p.Roles.Operators},
	}
	roles := []plannerapi.Role{plannerapi.RoleViewer}
	for _, list := range lists {
		if named(list.names, p.name) || len(list.names) == 0 && !named(p.Roles.Viewers, p.name) {
			roles = append(roles, list.role)
		}
	}
	return roles
}

func named(names []string, name string) bool {
	return slices.ContainsFunc(names, func(named string) bool { return strings.EqualFold(named, name) })
}

// onRecord are the actions, beside decisions, that are put on record by name alone.
var onRecord = []plannerapi.Action{
	plannerapi.ActUndo, plannerapi.ActWithdraw, plannerapi.ActRemind, plannerapi.ActImported,
}

// refusal returns why the person may not do something; nil: they may. Its kind is
// errs.Denied. Plans of nobody's are stored where nobody's name matters.
func (p person) refusal(act plannerapi.Action) error {
	needed := allowed[act]
	decides := act == plannerapi.ActApprove || act == plannerapi.ActReject
	switch {
	case len(needed) == 0:
		return nil
	case decides && p.approver != nil:
		return p.approver
	case p.unknown != nil:
		if p.Decisions.ByAnother || p.Roles.any() || decides || slices.Contains(onRecord, act) {
			return p.unknown
		}
		return nil
	case slices.ContainsFunc(needed,
		func(role plannerapi.Role) bool { return slices.Contains(p.roles(), role) }):
		if act == plannerapi.ActExecute && p.Uploader != nil {
			return p.Uploader(p.name)
		}
		return nil
	case decides && !named(p.Roles.Viewers, p.name):
		return p.Decisions.CheckApprover(p.name)
	}
	return errs.New(errs.Denied,
		"%s may not %s: that takes the role %s, which whoever runs this installation gives.",
		p.name, inWords[act], needed[0])
}

// inWords are what people call the actions that take a role.
var inWords = map[plannerapi.Action]string{
	plannerapi.ActPlan:     "ask for changes here",
	plannerapi.ActExecute:  "hand in tables here",
	plannerapi.ActPropose:  "have something wait for an approval here",
	plannerapi.ActUndo:     "take anything back here",
	plannerapi.ActApprove:  "approve or reject here",
	plannerapi.ActReject:   "approve or reject here",
	plannerapi.ActWithdraw: "take anything back here",
	plannerapi.ActRemind:   "remind anybody here",
	plannerapi.ActImported: "say here what was imported",
}

// may are the actions of a list that the person may do, and why not the others.
func (p person) may(
	refusal func(plannerapi.Action) error, actions ...plannerapi.Action,
) plannerapi.Permissions {
	all := plannerapi.Permissions{May: []plannerapi.Action{}, MayNot: []plannerapi.Denial{}}
	for _, act := range actions {
		if err := refusal(act); err != nil {
			all.MayNot = append(all.MayNot, plannerapi.Denial{Action: act, Why: errs.Message(err)})
		} else {
			all.May = append(all.May, act)
		}
	}
	return all
}

// mayWith are the actions that are lawful on an execution as it stands, of a plan
// that the author made: those that the person may do, and why not the others.
func (p person) mayWith(e ledger.Execution, author string) plannerapi.Permissions {
	var lawful []plannerapi.Action
	for _, decision := range []struct {
		act    plannerapi.Action
		lawful bool
	}{
		{plannerapi.ActApprove, e.Status == ledger.Proposed && e.NeedsApproval()},
		{plannerapi.ActReject, e.Seal == nil && e.Proposal != nil},
		{plannerapi.ActExecute, e.Seal == nil && e.Proposal != nil}, // for another time
		{plannerapi.ActPropose, e.Seal == nil && e.Status != ledger.Failed && !e.Source.ProposeOnly &&
			!e.NeedsApproval()},
		{plannerapi.ActUndo, e.RefuseUndo("") == nil},
		{plannerapi.ActWithdraw, e.Seal == nil && e.Proposal != nil},
		{plannerapi.ActRemind, p.Notifies && e.Status == ledger.Proposed && e.NeedsApproval()},
		{plannerapi.ActImported, e.Status == ledger.Completed},
	} {
		if decision.lawful {
			lawful = append(lawful, decision.act)
		}
	}
	return p.may(func(act plannerapi.Action) error {
		if err := p.refusal(act); err != nil {
			return err
		}
		switch act {
		case plannerapi.ActApprove:
			return p.Decisions.CheckAnother(p.name, e, author)
		case plannerapi.ActWithdraw:
			return e.CheckAsker(p.name, author)
		case plannerapi.ActRemind:
			return cmp.Or(e.CheckAsker(p.name, author), e.Proposal.TooSoon(p.now()))
		}
		return nil
	}, lawful...)
}

// approvers are those who may approve of what an execution proposes, of a plan that the
// author made.
func (h handler) approvers(e ledger.Execution, author string) []string {
	names := []string{}
	for _, name := range h.Decisions.Approvers {
		if h.Decisions.CheckAnother(name, e, author) == nil {
			names = append(names, name)
		}
	}
	return names
}

// me answers GET /v1/me.
func (h handler) me(_ http.ResponseWriter, r *http.Request) (any, error) {
	p := h.person(r)
	answer := plannerapi.Me{
		Name:        p.name,
		Roles:       []plannerapi.Role{},
		ByAnother:   h.Decisions.ByAnother,
		Planner:     plannerapi.PlannerGrammar,
		Permissions: p.may(p.refusal, plannerapi.Actions...),
	}
	if h.AsksGemini {
		answer.Planner = plannerapi.PlannerGemini
	}
	if h.Fetch != nil {
		answer.Shop = h.ShopKind
	}
	if p.unknown == nil {
		answer.Roles = p.roles()
	}
	answer.Several, answer.ApprovalAlways = len(h.namedPeople()) > 0, h.ApprovalAlways
	return answer, nil
}
