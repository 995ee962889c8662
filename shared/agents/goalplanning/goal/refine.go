package goal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/strictjson"
)

// A message that wants another plan altogether, one that does so unless it speaks of what
// stands in this one, one that shortens, and one that renames the goal.
var (
	startsOver = Pattern(
		`(?i)\b(start(?:ing)? over|from scratch|new plan|another plan|different (?:plan|goal)|replace (?:it|everything|the plan|all)|scrap (?:it|everything|the plan)|forget (?:it|the plan))\b`,
	)
	another   = Pattern(`(?i)\binstead\b`)
	ofThePlan = Pattern(
		`(?i)\d|\b(?:it|its|this|that|them|these|those|hours?|days?|weeks?|weekends?|months?|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|milestones?|phases?|stages?|tasks?|steps?|an?other (?:one|name|day)|first|last|before|after|earlier|later|one|two|three|four|five|six|seven|eight|nine|ten)\b`,
	)
	regroups = Pattern(
		`(?i)\b(?:(?:split|divide|break|structure) (?:up )?(?:the |my |this )?(?:whole )?(?:work|plan|project|it|everything)|(?:stages|phases|steps|milestones|parts) (?:are|should be)|as (?:the )?(?:stages|phases|steps|milestones)|first\b.*\bthen)\b`,
	)
	shortens = Pattern(
		`(?i)\b(remove|drop|delete|cut|skip|without|fewer|less|shorter|shorten|reduce|simplif\w*|trim|merge|combine|total|hours?)\b`,
	)
	renames = Pattern(
		`(?i)\b(rename|call (?:it|that|this|them|the plan|the goal)|title|retitle|name (?:it|the plan|the goal))\b`,
	)
)

// wantsAnother reports whether a message wants another plan than the preview: "learn
// Spanish instead" does, "make it 10 hours instead" and "launch on Friday instead" do not.
func wantsAnother(message string) bool {
	return startsOver().MatchString(message) ||
		another().MatchString(message) && !ofThePlan().MatchString(message)
}

// Regroups reports whether the message tells the stages of the whole plan anew.
func (s Situation) Regroups() bool { return regroups().MatchString(s.Message) }

// checkRemoved finds milestones and tasks of the preview that are gone although
// the message does not ask for it: a preview is refined, not replaced.
func (s Situation) checkRemoved(d Draft) []Violation {
	if s.Preview == nil || s.StartsOver || s.Regroups() {
		return nil
	}
	var found []Violation
	gone := func(path, what, title string) {
		found = append(found, Violation{Path: path, Kind: dropped,
			Message: fmt.Sprintf(
				"the %s %s of the preview is missing, and the message does not ask to drop it",
				what,
				strictjson.Quote(title),
			)})
	}
	for i, milestone := range s.Preview.Milestones {
		kept, there := d.milestone(milestone.Title)
		missing := !there ||
			slices.ContainsFunc(milestone.Tasks, func(task Task) bool { return !kept.has(task.Title) })
		if !missing || speaksOf(s.Message, milestone.Title) ||
			slices.Contains(s.Preview.Placed(s.Message), Thing{i, -1}) {
			continue
		}
		if _, renamed := s.Preview.at(i, d); renamed && renames().MatchString(s.Message) {
			continue
		}
		if !there {
			gone("milestones", "milestone", milestone.Title)
			continue
		}
		if shortens().MatchString(s.Message) {
			continue
		}
		renamed := renames().MatchString(s.Message) && len(kept.Tasks) == len(milestone.Tasks)
		for _, task := range milestone.Tasks {
			if !kept.has(task.Title) && !renamed && !speaksOf(s.Message, task.Title) {
				gone("milestones", "task", task.Title)
			}
		}
	}
	return found
}

// changed tells what of the preview is gone from a draft, what is new in it, what has
// another name, and which tasks have another day.
func (s Situation) changed(d Draft) (text string) {
	if s.Preview == nil || s.StartsOver {
		return ""
	}
	found := map[string][]string{}
	note := func(what, title string) { found[what] = append(found[what], strictjson.Quote(title)) }
	for i, m := range s.Preview.Milestones {
		kept, there := d.milestone(m.Title)
		if !there {
			was, renamed := s.Preview.at(i, d)
			if !renamed {
				note("Removed", was.Title)
				continue
			}
			kept = d.Milestones[i]
			note("Renamed", kept.Title)
		}
		for j, task := range m.Tasks {
			at := slices.IndexFunc(kept.Tasks, func(t Task) bool { return same(t.Title, task.Title) })
			switch {
			case at >= 0 && day(kept.Tasks[at].Date) != day(task.Date):
				note("Moved", task.Title)
			case at >= 0 && kept.Tasks[at].EstimatedHours != task.EstimatedHours:
				note("Other hours", task.Title)
			case at < 0 && !d.has(task.Title) && len(kept.Tasks) == len(m.Tasks):
				note("Renamed", kept.Tasks[j].Title)
			case at < 0 && !d.has(task.Title):
				note("Removed", task.Title)
			}
		}
	}
	for i, m := range d.Milestones {
		_, there := s.Preview.milestone(m.Title)
		if _, renamed := s.Preview.at(i, d); !there && !renamed {
			note("Added", m.Title)
			continue
		}
		if was, there := s.Preview.milestone(m.Title); there && len(m.Tasks) > len(was.Tasks) {
			for _, task := range m.Tasks {
				if !s.Preview.has(task.Title) {
					note("Added", task.Title)
				}
			}
		}
	}
	for _, what := range []string{"Added", "Removed", "Renamed", "Moved", "Other hours"} {
		if len(found[what]) > 0 {
			text += what + ": " + sentenceOf(found[what], func(title string) string { return title }) + ". "
		}
	}
	return text
}

func (d Draft) milestone(title string) (Milestone, bool) {
	i := slices.IndexFunc(d.Milestones, func(m Milestone) bool { return same(m.Title, title) })
	if i < 0 {
		return Milestone{}, false
	}
	return d.Milestones[i], true
}

func (m Milestone) has(title string) bool {
	return slices.ContainsFunc(m.Tasks, func(t Task) bool { return same(t.Title, title) })
}

func same(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// Restore returns the draft with what a model does not carry from one preview
// to the next: the goal's title unless the message renames it, descriptions
// that were left out, and the fields that the client's preview has beyond the schema.
func (s Situation) Restore(d Draft) Draft {
	if s.Preview == nil || s.StartsOver {
		return d
	}
	d = d.Clone()
	if !renames().MatchString(s.Message) {
		d.Title = s.Preview.Title
	}
	d.Description = cmp.Or(d.Description, s.Preview.Description)
	d.Extra = maps.Clone(s.Preview.Extra)
	for i := range d.Milestones {
		milestone := &d.Milestones[i]
		old, there := s.Preview.milestone(milestone.Title)
		if there {
			milestone.Title = old.Title
		} else if was, renamed := s.Preview.at(i, d); renamed {
			old, there = was, true
		}
		if there {
			milestone.Description = cmp.Or(milestone.Description, old.Description)
			milestone.Extra = maps.Clone(old.Extra)
		}
	}
	s.Preview.restoreTasks(d)
	return d
}

// at returns the milestone that stands where the draft has one of another name: it was
// renamed.
func (preview Draft) at(i int, d Draft) (Milestone, bool) {
	if i >= len(preview.Milestones) {
		return Milestone{}, false
	}
	was := preview.Milestones[i]
	_, kept := d.milestone(was.Title)
	return was, !kept && len(preview.Milestones) == len(d.Milestones)
}

// restoreTasks gives the tasks of a draft what they had in the preview: first
// those that stayed in their milestone, then those that moved to another.
func (preview Draft) restoreTasks(d Draft) {
	type previous struct {
		milestone string
		task      Task
	}
	var left []previous
	for _, milestone := range preview.Milestones {
		for _, task := range milestone.Tasks {
			left = append(left, previous{milestone.Title, task})
		}
	}
	restored := map[*Task]bool{}
	for _, moved := range []bool{false, true} {
		for _, milestone := range d.Milestones {
			for j := range milestone.Tasks {
				task := &milestone.Tasks[j]
				i := slices.IndexFunc(left, func(p previous) bool {
					return same(p.task.Title, task.Title) && (moved || same(p.milestone, milestone.Title))
				})
				if i < 0 || restored[task] {
					continue
				}
				task.Title, task.Description = left[i].task.Title, cmp.Or(
					task.Description,
					left[i].task.Description,
				)
				task.Extra = maps.Clone(left[i].task.Extra)
				restored[task] = true
				left = slices.Delete(left, i, i+1)
			}
		}
	}
	// the others, where they stand in the place of one: it was renamed
	for i, milestone := range d.Milestones {
		if i >= len(preview.Milestones) || len(milestone.Tasks) != len(preview.Milestones[i].Tasks) {
			continue
		}
		for j := range milestone.Tasks {
			was := preview.Milestones[i].Tasks[j]
			if !restored[&milestone.Tasks[j]] && !d.has(was.Title) {
				milestone.Tasks[j].Extra = maps.Clone(was.Extra)
			}
		}
	}
}
