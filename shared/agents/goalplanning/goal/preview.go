package goal

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/planwright/planwright/shared/strictjson"
)

// previewShapes are what DecodePreview reads.
const previewShapes = `a draft {"title", "description", "milestones"}, the payload of an answer {"goalDraft", "iteration"}, or {"goal": {"title", "description"}, "milestones"}`

// DecodePreview reads a client's goal preview in each of the shapes that a
// client may have it in: the draft itself, the payload that it came in, or with
// title and description under "goal". Fields beyond these become Extra of the
// part that they are in; an iteration is the session's to count and passed over.
func DecodePreview(field strictjson.Field) Draft {
	problems := &strictjson.List{}
	draft := decodePreview(strictjson.FieldOf(field.Value(), field.Path(), problems))
	if problems.Problems() != nil {
		decodePreview(field)
		field.Problem("cannot be read as a plan, which may be %s", previewShapes)
	}
	return draft
}

func decodePreview(field strictjson.Field) Draft {
	has := func(name string) bool { _, there := field.Value().Member(name); return there }
	switch {
	case has("goalDraft") && (has("goal") || !has("milestones")):
		return decodePayload(field)
	case has("goal") && !has("title"):
		return decodeGoal(field)
	default:
		return DecodeDraft(field)
	}
}

// decodePayload reads a payload, in which the plan stands more than once. With
// fields of the client's own, goalDraft counts; two plans are none.
func decodePayload(field strictjson.Field) Draft {
	var draft Draft
	field.Object(func(o *strictjson.Object) {
		draft = DecodeDraft(o.Required("goalDraft"))
		o.Optional("iteration").Int(0, maxIteration)
		draft.keep(extra(o, field, "goalDraft", "goalPreview", "goal", "milestones", "iteration"))
		if preview := o.Optional("goalPreview"); preview.Given() && !draft.samePlan(decodePreview(preview)) {
			preview.Problem("is another plan than goalDraft: send one of them")
		}
		if goal := o.Optional("goal"); goal.Given() && !draft.samePlan(decodeGoal(field)) {
			goal.Problem("has milestones that differ from goalDraft: send one of them")
		}
	})
	return draft
}

// samePlan reports whether two drafts differ in nothing but extra fields.
func (d Draft) samePlan(other Draft) bool { return reflect.DeepEqual(d.Bare(), other.Bare()) }

func decodeGoal(field strictjson.Field) Draft {
	var draft Draft
	field.Object(func(o *strictjson.Object) {
		goal := o.Required("goal")
		goal.Object(func(o *strictjson.Object) {
			draft.Title, draft.Description = head(o)
			if inside := o.Optional("milestones"); inside.Given() {
				inside.Problem("belong beside the goal")
			}
			draft.keep(extra(o, goal, draftFields...))
		})
		draft.decodeMilestones(o.Required("milestones"))
		draft.Description = cmp.Or(draft.Description, text(o.Optional("description"), maxDescription, false))
		o.Optional("iteration").Int(0, maxIteration)
		draft.keep(extra(o, field, "goal", "milestones", "description", "iteration"))
	})
	draft.checkSize(field)
	return draft
}

// keep adds fields from around the draft to its own, which stand where both have one.
func (d *Draft) keep(around map[string]any) {
	if around == nil {
		return
	}
	maps.DeleteFunc(around, func(name string, _ any) bool { return slices.Contains(draftFields, name) })
	maps.Copy(around, d.Extra)
	d.Extra = around
}
