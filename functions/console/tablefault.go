package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/web"
)

// inPlan is a path in the operations of a plan.
var inPlan = regexp.MustCompile(`^operations\[(\d+)\]\.(?:filter|action|options)\.(\w+)`)

// inWhere is the number of a condition on another column.
var inWhere = regexp.MustCompile(`(?:where\[)(\d+)`)

// refused puts what is wrong with rules beside their fields, or says why the table cannot
// be used.
func (f *result) refused(err error) {
	back, ok := errors.AsType[*web.Refused](err)
	var problems []struct{ Path, Message string }
	if ok && json.Unmarshal(back.Details, &problems) == nil {
		for _, problem := range problems {
			at := inPlan.FindStringSubmatch(problem.Path)
			if at == nil {
				continue
			}
			n, _ := strconv.Atoi(at[1])
			name := at[2]
			switch name {
			case "where":
				name = f.whereAt(n, problem.Path)
			case "type":
				name = "action"
			}
			f.Wrong[fmt.Sprintf("r%d.%s", n, conditionOf(name).Name)] = strings.ToUpper(problem.Message[:1]) +
				problem.Message[1:] + "."
		}
	}
	if len(f.Wrong) == 0 {
		f.Fault = faultOf(err)
	}
}

// whereAt is the condition on another column that a path in a plan leads to.
func (f *result) whereAt(n int, path string) string {
	number := 0
	if found := inWhere.FindStringSubmatch(path); found != nil {
		number, _ = strconv.Atoi(found[1])
	}
	if n < len(f.rules) {
		if all := f.rules[n].wheres(); number < len(all) {
			return all[number].Name
		}
	}
	return whereOf(0).Name
}

// Swaps are what can be done about a name that no row has: its nearest ones, all that look
// the same, and going without it.
func (f tableFault) Swaps() (all []swapOf) {
	for _, name := range f.Names {
		one := swapOf{Name: name}
		for _, near := range name.Nearest {
			one.Buttons = append(
				one.Buttons, choice{"swap:" + swapText(name, near), "Use “" + shown(near) + "”"},
			)
		}
		for _, elsewhere := range name.Choices {
			one.Buttons = append(one.Buttons, choice{
				"elsewhere:" + string(elsewhere.Operations), "Use " + shown(elsewhere.NameElsewhere.String()),
			})
		}
		if len(name.Alike) > 0 {
			var to []string
			for _, alike := range name.Alike {
				to = append(to, alike.Name)
			}
			one.Buttons = append(
				one.Buttons,
				choice{"swap:" + swapText(name, to...), "They are the same: take all of them"},
				choice{"set:near_names=exact", "They are different things"},
			)
		} else {
			one.Buttons = append(
				one.Buttons, choice{"swap:" + swapText(name), "Remove “" + shown(name.Name) + "”"},
			)
		}
		all = append(all, one)
	}
	return all
}

// swapOf is a name that no row has, with what to do about it.
type swapOf struct {
	Name    plannerapi.UnknownName
	Buttons []choice
}

func swapText(name plannerapi.UnknownName, to ...string) string {
	text, err := json.Marshal(swapped{From: name.Name, To: to, Excluded: name.Excluded})
	if err != nil {
		panic(err) // of strings
	}
	return string(text)
}

// OddCells reports whether it is cells that cannot be read, so that their rows can be left
// alone.
func (f tableFault) OddCells() bool {
	return len(f.Faults) > 0 && len(f.Roles) == 0 &&
		!slices.ContainsFunc(f.Faults, func(t faults.Fault) bool { return t.Row <= 1 })
}

// tableFault is why a table cannot be used.
type tableFault struct {
	Message string
	Faults  []faults.Fault
	Names   []plannerapi.UnknownName
	Roles   []faults.Fault // of roles that no column is known to have, or several
}

// Text says what is wrong where nothing below it does.
func (f tableFault) Text() string {
	switch {
	case len(f.Names) > 0:
		return ""
	case f.OddCells():
		return "Cells of the file cannot be read."
	}
	first, _, _ := strings.Cut(f.Message, "\n")
	return first
}

// faultOf reads the rows at fault, or the names that no row has, where the
// refusal lists them.
func faultOf(err error) *tableFault {
	shown := &tableFault{Message: errs.Message(err)}
	back, ok := errors.AsType[*web.Refused](err)
	switch {
	case !ok:
	case back.Code == table.CodeUnknownNames:
		_ = json.Unmarshal(back.Details, &shown.Names) // the message says it too
	default:
		_ = json.Unmarshal(back.Details, &shown.Faults)
		for _, fault := range shown.Faults {
			if fault.Row == 1 && recognize.Mapped(recognize.Role(fault.Column)) {
				shown.Roles = append(shown.Roles, fault)
			}
		}
	}
	return shown
}
