package grammar

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// supposition is what an instruction leaves out, supposed to see what it would
// mean. The zero value supposes nothing.
type supposition struct {
	unit     english.Unit // of changes whose number has none
	up, down bool         // of changes that say neither
}

// suppositions are the ways to complete an instruction, for each class of
// question that they answer.
var suppositions = map[string][]supposition{
	missingUnit:      {{unit: english.Percent}, {unit: english.Money}},
	missingDirection: {{up: true}, {down: true}},
}

// direction supposes one where the clause changes prices and says none.
func (s supposition) direction(c *clause, up, down bool) (bool, bool) {
	if up || down || c.sets() || c.role == english.For || c.role == english.With || c.amount.Unit == english.NoUnit {
		return up, down
	}
	return s.up, s.down
}

// readings are the plans that an instruction would be with what it leaves out,
// in plain English: "increase prices by 10" as 10% and as 10. There are none
// where fewer than two ways give a plan.
func readings(instruction string, categories *english.Categories, failed *failure) []planning.Reading {
	var all []planning.Reading
	for _, supposed := range suppositions[failed.class] {
		operations, stillFailed := readTokens(instruction, english.Tokenize(instruction), categories, supposed)
		if stillFailed == nil {
			all = append(all, planning.Reading{By: Model, Sentences: plan.Explain(&plan.Plan{Operations: operations})})
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}
