package console

import (
	"net/http"
	"slices"

	"github.com/planwright/planwright/shared/plannerapi"
)

// people shows who may do what, as the configuration says.
func (c *Console) people(w http.ResponseWriter, r *http.Request) error {
	var shown peoplePage
	if err := c.Planner.Get(r.Context(), "/v1/people", &shown.People); err != nil {
		return err
	}
	me := c.me(r)
	shown.Reader = me.Name
	c.render(w, r, http.StatusOK, "people", page{Title: "People", Here: "people", Me: me, Body: shown})
	return nil
}

// peoplePage is who may do what.
type peoplePage struct {
	plannerapi.People
	Reader string // the name of who looks; "" where nobody knows
}

// May are what people with some roles may do, in words.
func (p peoplePage) May(roles []plannerapi.Role) (all []string) {
	for _, one := range []struct {
		role  plannerapi.Role
		words string
	}{
		{plannerapi.RolePlanner, "make changes"},
		{plannerapi.RoleApprover, "approve"},
		{plannerapi.RoleOperator, "ask for an approval, and undo"},
	} {
		if slices.Contains(roles, one.role) {
			all = append(all, one.words)
		}
	}
	if len(all) == 0 {
		all = append(all, "look")
	}
	return all
}
