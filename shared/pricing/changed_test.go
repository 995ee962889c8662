package pricing_test

import (
	"reflect"
	"testing"

	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/test/expect"
)

// Each text of a state is the cell of one role: a new field has to be told, too.
func TestTheRolesOfWhatChanged(t *testing.T) {
	seen := map[table.Role]bool{}
	fields := reflect.TypeFor[pricing.State]()
	for i := range fields.NumField() {
		var before, after pricing.State
		field, is := reflect.ValueOf(&after).Elem().Field(i).Addr().Interface().(**string)
		if !is {
			continue
		}
		*field = new("x")
		var roles []table.Role
		before.EachOther(after, func(role table.Role) { roles = append(roles, role) })
		expect.Equal(t, "the roles of "+fields.Field(i).Name, 1, len(roles))
		expect.ErrorIf(t, seen[roles[0]], "%s has the role of another", fields.Field(i).Name)
		seen[roles[0]] = true
		after.EachOther(after, func(role table.Role) { t.Errorf("%s differs from itself", role) })
	}
}
