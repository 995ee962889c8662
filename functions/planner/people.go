package planner

import (
	"net/http"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plannerapi"
)

// people answers GET /v1/people: who may do what, as the configuration says.
func (h handler) people(_ http.ResponseWriter, _ *http.Request) (any, error) {
	answer := plannerapi.People{People: []plannerapi.Person{}, ByAnother: h.Decisions.ByAnother}
	for _, name := range h.namedPeople() {
		answer.People = append(answer.People,
			plannerapi.Person{Name: name, Roles: person{handler: h, name: name}.roles()})
	}
	answer.Others = person{handler: h}.roles()
	return answer, nil
}

// namedPeople are all that the configuration names, in the order of the alphabet, each once.
func (h handler) namedPeople() []string {
	all := slices.Concat(h.Roles.Planners, h.Decisions.Approvers, h.Roles.Operators, h.Roles.Viewers)
	slices.SortFunc(all,
		func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return slices.CompactFunc(all, strings.EqualFold)
}
