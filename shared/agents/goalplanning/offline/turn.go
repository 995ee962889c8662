package offline

import (
	"slices"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// turn is what a message comes to.
type turn struct {
	before goal.Situation
	fresh  bool           // there is no plan yet, or another one is wanted
	s      goal.Situation // with what was said of time
	draft  goal.Draft     // with what was changed
	last   string         // what the user said before

	said goal.Context // of time
	schedule

	added string   // the title of what was added last
	topic string   // the title of what was named last
	must  clause   // what is told last of something that has to be done
	items []string // the names that the message lists

	undo bool
	reply
}

// schedule is when the user can work, and when tasks are to be done.
type schedule struct {
	lastDays []part  // that the message named last
	workdays [7]bool // that the user works on
	only     bool    // and on no others

	window window            // when what has no day may be placed
	wanted map[string]window // when some tasks may be placed, by their titles
	moved  map[string]bool   // the titles of what was moved by itself
	pinned map[string]bool   // the titles of tasks whose hours were said
	fills  bool              // the plan is to take as many hours as were said
}

// reply is what the user is told.
type reply struct {
	heard     bool // something was understood
	answers   []string
	questions []string
	rest      []string // wishes that were not understood
	unused    []string // what a first message tells beside the goal
}

// follow does what the clauses ask for, and returns what to ask where one cannot be done.
func (t *turn) follow(clauses []clause) (question string) {
	var aside []string
	for _, c := range clauses {
		if items := c.items(); len(items) > 0 {
			t.items = append(t.items, items...)
		}
		if goal.Approves(text(c.tokens)) && !c.asks {
			continue // the reply says how to make it final
		}
		done, question := t.do(c)
		if question != "" {
			return question
		}
		rest := c.rest()
		t.heard = t.heard || done && rest == ""
		requested, _ := c.request()
		if thing, found := t.named(c.telling()); found && (!done || requested == nil) {
			t.topic = t.draft.TitleOf(thing)
		}
		switch {
		case rest == "", c.tellsOnly() && !c.any(obligations):
		case c.any(obligations) && len(c.parts(days)) == 0 && !done:
			t.must = c
			aside = append(aside, rest)
		case c.wishes(), done && !c.tellsOnly():
			t.rest = append(t.rest, rest)
		default:
			aside = append(aside, rest)
		}
	}
	if about := t.must.tokens; len(about) > 0 &&
		slices.Contains([]string{"it", "that", "this", "the"}, about[0].word) &&
		t.heard {
		t.rest = append(t.rest, text(about))
	} else if !t.heard {
		t.rest = append(t.rest, aside...)
	}
	return ""
}
