package offline

import (
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// tellsOfThePast reports whether a clause is about days that are over.
func (c clause) tellsOfThePast(today time.Time) bool {
	when := c.parts(days)
	return len(when) > 0 && !c.negated() && !c.any(dues) && !c.has("by", "before", "until") &&
		!slices.ContainsFunc(when, func(p part) bool { return p.weekly || !p.last.Before(today) })
}

// remarks reports whether a clause greets, or says what somebody thinks of it: "an hour is
// too much", "I know that is early".
func (c clause) remarks() bool {
	knows := len(c.tokens) > 1 && c.tokens[0].word == "i" && c.tokens[1].word == "know"
	return knows || c.has("happy", "merry") && len(c.parts(days)) > 0 ||
		c.has("too") && len(c.parts(hours)) > 0
}

// courtesies follow an "if" that puts no condition: "if you like", "if that's possible".
var courtesies = wordsOf("its thats you youd youve possible i not so")

// conditional reports whether a clause may or may not ask for something.
func (c clause) conditional() bool {
	at := c.find(conditions)
	courtesy := at >= 0 && at+1 < len(c.tokens) && courtesies[c.tokens[at+1].word] ||
		c.has("isnt", "possible")
	or := c.at("or")
	listed := or < 0 || or+1 < len(c.tokens) && c.tokens[or+1].part != nil ||
		c.has("anything", "similar", "something")
	return at >= 0 && !courtesy || !listed && at < 0 && c.find(kinds) < 0
}

// Slots of commands: what a verb needs beside it.

func always(*turn, clause, int) bool { return true }

func hasPlan(t *turn, c clause, _ int) bool { return !t.fresh && len(c.parts(hours)) == 0 }

func hasName(t *turn, c clause, at int) bool {
	_, _, question := t.things(c.tokens[at+1:])
	return question == "" && len(c.tokens) > at+1 && !t.fresh
}

func hasTitle(t *turn, c clause, at int) bool {
	if t.fresh || at+1 >= len(c.tokens) || c.has("back") {
		return false
	}
	return nameIn(c.tokens[at+1:]) != "" || len(c.parts(quoted)) > 0 || c.any(kinds) || c.any(pronouns)
}

func hasHours(t *turn, c clause, at int) bool {
	scaled := c.tokens[at].word == "double" || c.tokens[at].word == "halve"
	return (len(c.parts(hours)) > 0 || scaled) && !weekly(c.parts(days)) && !t.fresh
}

func hasWhen(t *turn, c clause, at int) bool {
	if t.fresh || len(c.clocks()) > 0 && !c.any(kinds) {
		return false
	}
	return len(c.parts(days))+len(c.parts(shift)) > 0 ||
		c.has("before", "after", "into", "to", "end", "start", "later", "earlier")
}

// Statements that call a command without a verb.

func putBack(t *turn, c clause) bool {
	moves := c.has("by") || len(c.parts(days))+len(c.parts(shift)) > 0
	wanted := c.has("put", "take", "go", "bring", "change", "switch") || c.has("add") && c.any(pronouns)
	return c.has("back") && wanted && !moves
}

func liftsLimit(t *turn, c clause) bool {
	lifts := c.negated() || c.has("lift", "remove", "drop", "forget", "unlimited")
	return lifts && c.has("limit", "unlimited", "cap") && len(c.parts(hours)) == 0
}

func deadlineNamed(t *turn, c clause) bool { return c.has("deadline") && len(c.parts(days)) > 0 }

var overlaps = wordsOf(
	"overlap overlaps overlapping clash clashes clashing conflict conflicts conflicting collide",
)

func asksNoOverlap(t *turn, c clause) bool {
	return c.any(overlaps) && len(c.parts(days))+len(c.clocks()) == 0
}

// wantsThing reports whether a clause wants something new: "we need a trial run", "then
// \"Fix defects\", 8 hours".
func wantsThing(t *turn, c clause) bool {
	if t.fresh || c.negated() {
		return false
	}
	if cmd, _ := c.request(); cmd != nil && !cmd.verbs["add"] {
		return false
	}
	if titles := c.parts(quoted); len(titles) == 1 {
		_, known := t.thing(titles[0].title)
		return !known && (len(c.parts(hours)) > 0 || c.any(kinds) || t.added != "")
	}
	if t.wantsItems(c) {
		return true
	}
	if t.listsMore(c) || c.any(kinds) && c.has("own", "separate") {
		return true
	}
	first := slices.IndexFunc(
		c.tokens,
		func(k token) bool {
			return !slices.Contains([]string{"new", "another", "extra", "one", "a"}, k.word)
		},
	)
	if kinds[c.tokens[max(0, first)].word] && len(c.parts(days))+len(c.parts(hours)) > 0 &&
		nameIn(c.tokens[1:]) != "" {
		return true // "task van rental 2h"
	}
	at := c.wishAt()
	if at < 0 || at+1 >= len(c.tokens) || c.has("day", "break") || nameIn(c.tokens[at+1:]) == "" {
		return false
	}
	if article := articles[c.tokens[at+1].word]; at == 0 && t.addedBefore() && len(c.parts(days)) == 0 {
		return article || len(nameIn(c.tokens[1:])) > 0
	}
	article := slices.Contains([]string{"a", "an", "another", "one"}, c.tokens[at+1].word)
	wants := c.has("want", "need", "needs", "like")
	return article && (wants || t.added != "" || at == 0) || c.any(kinds) && wants
}

// wishAt returns where a clause begins to say what it wants.
func (c clause) wishAt() int {
	if at := c.at("want", "need", "needs"); at >= 0 {
		return at
	}
	if at := c.at("like"); at > 0 && (c.tokens[at-1].word == "id" || c.tokens[at-1].word == "would") {
		return at
	}
	return c.at("also", "plus", "and")
}

func weekly(when []part) bool { return len(when) > 0 && when[0].weekly }

// ofAvailability reports whether a clause says when there is time for the plan: it names
// days with words of availability, or with nothing that is to be done on them.
func ofAvailability(t *turn, c clause) bool {
	when, clocks := c.parts(days), c.clocks()
	if len(when)+len(clocks) == 0 && len(t.lastDays) > 0 && c.has("those", "that", "these") &&
		c.has("day", "days", "week", "weekend", "dates") {
		return !c.negated() && c.any(availability)
	}
	if len(when)+len(c.parts(times)) == 0 || c.any(meetings) || c.has("he", "she", "they") ||
		c.has("deadline") {
		return false
	}
	if parts := c.parts(times); len(when)+len(clocks) == 0 && len(parts) > 0 {
		return parts[0].weekly && c.has("only", "just")
	}
	if len(clocks) > 0 {
		return !c.negated() && c.has("only", "just", "free", "available", "can", "prefer", "best") &&
			t.ours(c)
	}
	repeated := t.repeats(when, c)
	switch {
	case repeated && len(c.parts(hours)) > 0:
		return true
	case c.negated() && !(c.has("only", "just") && !c.any(denials)):
		return false
	case c.tellsOfAJob():
		return false
	case c.has("only") || repeated && c.any(availability):
		return t.ours(c)
	case c.has("want") && c.has("after", "again"):
		return true
	}
	return repeated && len(t.strange(c)) == 0
}

// tellsOfAJob reports whether a clause says when the user is at work: "I work Fridays". With
// "can work" and the like it says when there is time for the plan.
func (c clause) tellsOfAJob() bool {
	return c.before(days, "work") && c.has("i", "we") &&
		!c.has("can", "could", "will", "ill", "only", "just", "able", "want", "prefer", "on")
}

// ours reports whether a clause is about the user's own time.
func (t *turn) ours(c clause) bool {
	return len(t.strange(c)) == 0 ||
		c.has("i", "we", "me", "us", "im", "ill", "free", "available") && !c.has("he", "she", "they", "see")
}

// strange returns the words of a clause that tell of something else than the plan's work.
func (t *turn) strange(c clause) []token {
	return slices.DeleteFunc(c.telling(), func(k token) bool {
		shared, _ := goal.Shared(k.text, t.draft.Title)
		return shared > 0 ||
			slices.Contains(
				strings.Fields(
					"say run train study practise practice max maximum at-most up best free available prefer",
				),
				k.word,
			)
	})
}

func ofMeeting(t *turn, c clause) bool { return len(c.clocks()) > 0 }

func ofDeadline(t *turn, c clause) bool {
	when := c.parts(days)
	if len(when) == 0 || weekly(when) || c.any(meetings) || c.has("cant", "cannot", "dont", "off", "away") {
		return false
	}
	if t.before.Told.Deadline != "" && !c.any(dues) && c.before(days, "until", "till", "til") {
		return false // a remark moves no deadline
	}
	_, named := t.named(c.telling())
	first := slices.IndexFunc(c.tokens, func(k token) bool { return !polite[k.word] })
	whole := named || t.fresh || first >= 0 && c.tokens[first].word == "by" || len(c.telling()) == 0 ||
		c.has("it", "everything", "all", "plan", "whole", "need", "want")
	return c.any(dues) ||
		whole && c.before(days, "by", "before", "until", "till", "til", "due", "latest", "than")
}

func ofDaysOff(t *turn, c clause) bool {
	when := c.parts(days)
	if len(when) == 0 {
		denied := (c.tokens[0].word == "no" || c.tokens[0].word == "nothing") && len(c.tokens) <= 4 &&
			len(c.parts(hours)) == 0
		whole := c.has("day", "altogether", "week", "weekend") || len(c.parts(times)) > 0
		return len(t.lastDays) > 0 && (denied || whole && c.has("nothing", "no", "else", "out", "off"))
	}
	if c.before(days, "by", "before") || !c.negated() && c.before(days, "until", "till", "til") {
		return false
	}
	if c.any(negatives) || c.negated() || t.fresh {
		return c.negated() || t.repeats(when, c)
	}
	if _, named := t.named(c.telling()); named || movesByStatement(t, c) || c.has("only") {
		return false
	}
	for _, p := range when {
		if now := !p.weekly && !p.first.After(t.tomorrow()) && p.last.After(p.first); now ||
			p.last.Sub(p.first) > 62*24*time.Hour {
			return false // "this year" is no holiday
		}
	}
	return true
}

// movesByStatement reports whether a clause says when something of the plan is to be.
func movesByStatement(t *turn, c clause) bool {
	if t.fresh {
		return false
	}
	_, named := t.named(c.telling())
	strange := slices.ContainsFunc(c.telling(), func(k token) bool { return k.word != "better" })
	about := named ||
		!strange && (t.added != "" || t.topic != "") && c.has("better", "instead", "fine", "rather", "then")
	if when := c.parts(days); len(when) > 0 {
		return about && !weekly(when)
	}
	if at := c.at("before", "after"); at > 0 && !named {
		_, named = t.named((clause{tokens: c.tokens[:at]}).telling())
	}
	return (named || t.added != "" && c.any(pronouns)) && c.has("before", "after") &&
		c.has("should", "must", "has", "have", "needs", "need", "comes", "goes")
}

func ofHours(t *turn, c clause) bool { return len(c.parts(hours)) > 0 }
