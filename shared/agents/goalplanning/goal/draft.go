// Package goal is what goal planning knows without a model: what a plan is, whether it
// fits the hours and the calendar, whether it refines the plan before it, and whether a
// message approves it. It computes values and stores nothing.
package goal

import (
	"maps"
	"slices"

	"github.com/planwright/planwright/shared/strictjson"
)

// Draft is a plan for a goal: {"title", "description"?, "milestones": [...]}.
// Extra holds the fields that a client's preview carried beyond the schema.
type Draft struct {
	Title       string
	Description string
	Milestones  []Milestone
	Extra       map[string]any
}

// Milestone is a part of a plan: {"title", "description"?, "tasks": [...]}.
type Milestone struct {
	Title       string
	Description string
	Tasks       []Task
	Extra       map[string]any
}

// Task is one piece of work: {"title", "description"?, "date",
// "estimatedHours"}. Date is an RFC 3339 timestamp, when it starts, or
// YYYY-MM-DD, some time on that day.
type Task struct {
	Title          string
	Description    string
	Date           string
	EstimatedHours float64
	Extra          map[string]any
}

// Busy is a task that is in the calendar already.
type Busy struct {
	Title          string  `json:"title"`
	Date           string  `json:"date"`
	EstimatedHours float64 `json:"estimatedHours"`
}

// Bounds of a draft. With its copies in state it must fit into a session.
const (
	maxTitle       = 200
	maxDescription = 2_000
	maxMilestones  = 50
	maxTasks       = 200
	maxDraftBytes  = 64 << 10
	maxTaskHours   = 24 // a task lies on one day
)

// Object returns the draft as JSON's own types, with its extra fields, as it is kept in state.
func (d Draft) Object() map[string]any {
	return object(
		d.Extra,
		d.Title,
		d.Description,
		map[string]any{"milestones": list(d.Milestones, Milestone.object)},
	)
}

func (m Milestone) object() map[string]any {
	return object(m.Extra, m.Title, m.Description, map[string]any{"tasks": list(m.Tasks, Task.object)})
}

func (t Task) object() map[string]any {
	return object(
		t.Extra,
		t.Title,
		t.Description,
		map[string]any{"date": t.Date, "estimatedHours": t.EstimatedHours},
	)
}

func object(extra map[string]any, title, description string, rest map[string]any) map[string]any {
	all := make(map[string]any, len(extra)+len(rest)+2)
	maps.Copy(all, extra)
	maps.Copy(all, rest)
	all["title"] = title
	if description != "" {
		all["description"] = description
	}
	return all
}

func list[T any](from []T, object func(T) map[string]any) []any {
	all := make([]any, len(from))
	for i, element := range from {
		all[i] = object(element)
	}
	return all
}

// Tasks returns all tasks in order.
func (d Draft) Tasks() []Task {
	var all []Task
	for _, milestone := range d.Milestones {
		all = append(all, milestone.Tasks...)
	}
	return all
}

// Hours returns the sum of the tasks' hours.
func (d Draft) Hours() float64 {
	sum := 0.0
	for _, task := range d.Tasks() {
		sum += task.EstimatedHours
	}
	return sum
}

// Pending are tasks of a draft that are still to be done.
type Pending []*Task

// Hours returns the sum of the tasks' hours.
func (p Pending) Hours() float64 {
	sum := 0.0
	for _, task := range p {
		sum += task.EstimatedHours
	}
	return sum
}

// Within reports whether the tasks take at most so many hours.
func (p Pending) Within(hours float64) bool { return p.Hours() <= hours+tolerance }

// Clone returns a draft that shares no list with d.
func (d Draft) Clone() Draft {
	d.Milestones = slices.Clone(d.Milestones)
	for i := range d.Milestones {
		d.Milestones[i].Tasks = slices.Clone(d.Milestones[i].Tasks)
	}
	return d
}

// Bare returns the draft without extra fields.
func (d Draft) Bare() Draft {
	d = d.Clone()
	d.Extra = nil
	for i := range d.Milestones {
		d.Milestones[i].Extra = nil
		for j := range d.Milestones[i].Tasks {
			d.Milestones[i].Tasks[j].Extra = nil
		}
	}
	return d
}

// DecodeDraft reads a draft. Fields beyond the schema become Extra.
func DecodeDraft(field strictjson.Field) Draft {
	var draft Draft
	field.Object(func(o *strictjson.Object) {
		draft.Title, draft.Description = head(o)
		draft.decodeMilestones(o.Required("milestones"))
		draft.Extra = extra(o, field, draftFields...)
	})
	draft.checkSize(field)
	return draft
}

// DraftOf reads a draft as it is stored.
func DraftOf(object map[string]any) Draft { return DecodeDraft(field(object, &strictjson.List{})) }

var draftFields = []string{"title", "description", "milestones"}

// head reads what a draft, a milestone and a task have.
func head(o *strictjson.Object) (title, description string) {
	return text(o.Required("title"), maxTitle, true), text(o.Optional("description"), maxDescription, false)
}

func (d *Draft) decodeMilestones(field strictjson.Field) {
	field.Array(func(_ int, item strictjson.Field) {
		d.Milestones = append(d.Milestones, decodeMilestone(item))
	})
	if len(d.Milestones) > maxMilestones {
		field.Problem("has more than %d milestones", maxMilestones)
	}
	if len(d.Tasks()) > maxTasks {
		field.Problem("have more than %d tasks in all", maxTasks)
	}
}

func (d *Draft) checkSize(field strictjson.Field) {
	if field.Value().Size() > maxDraftBytes {
		field.Problem("is larger than %d KiB", maxDraftBytes>>10)
	}
}

func decodeMilestone(field strictjson.Field) Milestone {
	var milestone Milestone
	field.Object(func(o *strictjson.Object) {
		milestone.Title, milestone.Description = head(o)
		o.Required("tasks").Array(func(_ int, item strictjson.Field) {
			milestone.Tasks = append(milestone.Tasks, decodeTask(item))
		})
		milestone.Extra = extra(o, field, "title", "description", "tasks")
	})
	return milestone
}

func decodeTask(field strictjson.Field) Task {
	var task Task
	field.Object(func(o *strictjson.Object) {
		task.Title, task.Description = head(o)
		task.Date = date(o.Required("date"))
		task.EstimatedHours = hours(o.Required("estimatedHours"), 0, maxTaskHours)
		task.Extra = extra(o, field, "title", "description", "date", "estimatedHours")
	})
	return task
}

// extra returns the members beyond the known ones, nil for none.
func extra(o *strictjson.Object, field strictjson.Field, known ...string) map[string]any {
	o.AllowUnknown()
	extra := map[string]any{}
	for _, member := range field.Value().Members() {
		if !slices.Contains(known, member.Name) {
			extra[member.Name] = member.Value.Plain()
		}
	}
	if len(extra) == 0 {
		return nil
	}
	return extra
}
