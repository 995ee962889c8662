package planner

import (
	"errors"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
)

// unknownNames is a refusal for names that no row has, with what may have been meant
// by each and the plan that each choice makes. None of them drops an exclusion.
type unknownNames struct {
	*names.UnknownNamesError
	choices []plannerapi.UnknownName
}

// Details implements web.Detailed.
func (u *unknownNames) Details() any { return u.choices }

// withChoices adds the choices to a refusal of a plan for its names.
func withChoices(err error, p *plan.Plan) error {
	var refused *names.UnknownNamesError
	if !errors.As(err, &refused) {
		return err
	}
	offered := &unknownNames{UnknownNamesError: refused}
	for _, name := range refused.Names {
		offered.choices = append(offered.choices, plannerapi.UnknownName{
			UnknownName: name,
			Choices:     choicesOf(name, p),
		})
	}
	return offered
}

func choicesOf(name table.UnknownName, p *plan.Plan) []plannerapi.Choice {
	offered := append([]names.NameElsewhere(nil), name.Elsewhere...)
	for _, near := range name.Nearest {
		offered = append(offered, names.NameElsewhere{Column: name.Column, Name: near})
	}
	choices := []plannerapi.Choice{}
	for _, elsewhere := range offered {
		if operations, same := meant(p, name, elsewhere); same {
			choices = append(choices, plannerapi.Choice{
				NameElsewhere: elsewhere,
				Operations:    strictjson.Line(operations),
			})
		}
	}
	return choices
}

// meant returns the plan's operations with a name meant as another, and false where
// that cannot be said by the same operations.
func meant(p *plan.Plan, name table.UnknownName, as names.NameElsewhere) ([]plan.Operation, bool) {
	var operations []plan.Operation
	for _, operation := range p.Operations {
		var same bool
		if operation.Filter, same = operation.Filter.Meant(plan.Column(name.Column), name.Name,
			plan.Column(as.Column), as.Name); !same {
			return nil, false
		}
		operations = append(operations, operation)
	}
	return operations, len(operations) > 0
}
