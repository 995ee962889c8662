package planning

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// Objections returns a check of a model's plan for the model to put right: what
// the plan has that the instruction does not say, and what the instruction says
// that the plan does not use, by the reader's only candidate. Where the reader
// asks, it has nothing to say against a plan.
func Objections(reader Planner) func(ctx context.Context, r Request, made *plan.Plan) []strictjson.Problem {
	return func(ctx context.Context, r Request, made *plan.Plan) []strictjson.Problem {
		read, err := reader.Plan(ctx, r)
		if err != nil {
			return nil
		}
		settled := *made
		settled.Operations = slices.Clone(made.Operations)
		settleModels(&settled, r)
		if Same(&settled, read.Plan) {
			return nil
		}
		return differences(&settled, read.Plan)
	}
}

// part is a value in an operation, such as 10 at action.value.
type part struct{ path, value string }

// differences compares the parts of two plans, wherever in them they are.
func differences(made, read *plan.Plan) []strictjson.Problem {
	unused := map[part]int{}
	for _, parts := range partsOf(read) {
		for _, p := range parts {
			unused[p]++
		}
	}
	var problems []strictjson.Problem
	for i, parts := range partsOf(made) {
		for _, p := range parts {
			if unused[p]--; unused[p] < 0 {
				problems = append(
					problems,
					strictjson.Problem{
						Path:    fmt.Sprintf("operations[%d].%s", i, p.path),
						Message: p.value + " is not said in the instruction",
					},
				)
			}
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(unused),
		func(a, b part) int { return strings.Compare(a.path+a.value, b.path+b.value) }) {
		if unused[p] > 0 {
			problems = append(
				problems,
				strictjson.Problem{
					Path: "operations",
					Message: fmt.Sprintf("the instruction says %s %s, which the plan does not use",
						p.path, p.value),
				},
			)
		}
	}
	if problems == nil {
		problems = append(
			problems,
			strictjson.Problem{
				Path:    "operations",
				Message: "their parts are all said in the instruction, but not together or not in this order",
			},
		)
	}
	return problems
}

// partsOf returns the parts of each operation, without defaults and what a
// reviewer reads.
func partsOf(p *plan.Plan) [][]part {
	var all [][]part
	for _, normal := range normalized(p) {
		op := normal.op
		if op.Options.Digits() == plan.DefaultRoundTo {
			op.Options.RoundTo = nil
		}
		var fields struct{ Action, Filter, Options map[string]any }
		decoder := json.NewDecoder(bytes.NewReader(op.Canonical()))
		decoder.UseNumber()
		if err := decoder.Decode(&fields); err != nil {
			panic("planning: an operation that is not JSON: " + err.Error())
		}
		all = append(
			all,
			slices.Concat(
				partsIn("action", fields.Action),
				partsIn("filter", fields.Filter),
				partsIn("options", fields.Options),
			),
		)
	}
	return all
}

func partsIn(group string, fields map[string]any) []part {
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		values, many := fields[name].([]any)
		if !many {
			values = []any{fields[name]}
		}
		for _, value := range values {
			parts = append(parts, part{group + "." + name, fmt.Sprint(value)})
		}
	}
	return parts
}
