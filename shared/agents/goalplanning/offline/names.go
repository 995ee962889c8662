package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

var (
	// nameless are words around a name that are none of it.
	nameless = fillers.with(polite).
			with(negatives).
			with(dues).
			with(wordsOf(`new another extra more whole entire called named titled`))
	articles = wordsOf("the a an my our your this that these those both please of all whole entire")
	// endings cannot end a name.
	endings = articles.with(
		wordsOf(
			`to on at for from by in into before after with and or as until till up down back is are was has
				have
		should must`,
		),
	)
	pronouns = wordsOf("it that this them one")
	wholes   = wordsOf("everything all it plan goal work project rest whole thing tasks start working")
)

// nameIn returns the words of tokens that may name something, as they were typed.
func nameIn(tokens []token) string {
	var list []string
	for _, k := range tokens {
		switch {
		case k.is(quoted):
			return k.part.title
		case k.is(vague), k.part == nil && !nameless[k.word]:
			list = append(list, k.text)
		}
	}
	return strings.Join(list, " ")
}

// things takes the things of the plan that tokens begin with, by their names or places,
// several where "and" or a comma is between them. Where there is none, it returns what to ask.
func (t *turn) things(tokens []token) (found []goal.Thing, rest []token, question string) {
	tokens = withoutArticles(tokens)
	if pronoun := len(tokens) > 0 && pronouns[tokens[0].word]; pronoun &&
		(len(tokens) == 1 || endings[tokens[1].word] || nameIn(untilPart(tokens[1:], nil)) == "") {
		if things := t.spokenOf(); len(things) > 0 {
			return things, tokens[1:], ""
		}
	}
	found, n := t.longest(tokens)
	if n == 0 {
		region := untilPart(tokens, endings)
		words := nameIn(region)
		thing, near := t.nearest(words)
		if is, _ := goal.IsPlace(text(region)); is || !near || titled(region) {
			return nil, tokens, t.which(text(region))
		}
		found, n = t.family(thing), len(region)
	}
	rest = tokens[n:]
	listed := tokens[n-1].pause || len(rest) > 0 && (rest[0].word == "and" || rest[0].word == "&")
	if !listed || len(rest) == 0 {
		return found, rest, ""
	}
	next := rest
	if next[0].word == "and" || next[0].word == "&" {
		next = next[1:]
	}
	if nameIn(untilPart(next, endings)) == "" {
		return found, rest, ""
	}
	more, after, question := t.things(next)
	if question != "" && rest[0].word != "and" {
		return found, rest, "" // a comma, and then something else
	}
	return append(found, more...), after, question
}

func withoutArticles(tokens []token) []token {
	for len(tokens) > 1 && articles[tokens[0].word] && (tokens[1].part == nil || tokens[1].is(quoted)) &&
		!endings[tokens[1].word] {
		tokens = tokens[1:]
	}
	return tokens
}

// untilPart cuts tokens before the first part that may not be in a name, and before the first word
// of a set after the first.
func untilPart(tokens []token, stops words) []token {
	for i, k := range tokens {
		if k.part != nil && !k.is(quoted) && !k.is(vague) || i > 0 && stops[k.word] {
			return tokens[:i]
		}
	}
	return tokens
}

// longest returns what the longest beginning of tokens names, and of how many tokens that is.
func (t *turn) longest(tokens []token) ([]goal.Thing, int) {
	if len(tokens) > 0 && tokens[0].is(quoted) {
		if thing, found := t.thing(tokens[0].part.title); found {
			return t.family(thing), 1
		}
		return nil, 0
	}
	region := untilPart(tokens, endings)
	if is, _ := goal.IsPlace(text(region)); is {
		if thing, found := t.thing(text(region)); found {
			return t.family(thing), len(region)
		}
		return nil, 0
	}
	for n := len(untilPart(tokens, nil)); n > 0; n-- {
		if endings[tokens[n-1].word] {
			continue
		}
		words := text(tokens[:n])
		if row := t.row(words); row != nil {
			return row, n
		}
		if thing, found := t.thing(words); found {
			return t.family(thing), n
		}
	}
	return nil, 0
}

// which asks what words name.
func (t *turn) which(words string) string {
	var list []string
	for _, m := range t.draft.Milestones {
		list = append(list, strconv.Quote(m.Title))
	}
	return fmt.Sprintf(
		"%q is not the name of just one thing in the plan, so nothing was changed. The milestones are: %s. Which do you mean?",
		words,
		cmp.Or(strings.Join(list, ", "), "none"),
	)
}

// inRow is how people name several by their place: "first two milestones".
var inRow = goal.Pattern(`(?i)^(first|last) (two|three|four|2|3|4) (milestones|phases|stages|tasks)$`)

func (t *turn) row(words string) []goal.Thing {
	m := inRow().FindStringSubmatch(words)
	if m == nil {
		return nil
	}
	all := slices.DeleteFunc(
		t.draft.Things(),
		func(n goal.Thing) bool { return (n.Task >= 0) != strings.EqualFold(m[3], "tasks") },
	)
	count := int(number(strings.ToLower(m[2])))
	if count > len(all) {
		return nil
	}
	if strings.EqualFold(m[1], "last") {
		return all[len(all)-count:]
	}
	return all[:count]
}

var kindWord = goal.Pattern(`(?i) (?:milestone|phase|stage|task|step)s?$`)

// thing returns the one thing that words name: by its place, its whole title, as the only
// milestone or as the only task. What is one thing by place and another by name is none.
func (t *turn) thing(words string) (thing goal.Thing, found bool) {
	byPlace := t.placed(words)
	is, numbered := goal.IsPlace(words)
	if is && !numbered {
		if len(byPlace) == 1 {
			return byPlace[0], true
		}
		return thing, false
	}
	bare := kindWord().ReplaceAllString(words, "")
	label := func(title string) string { before, _, _ := strings.Cut(title, ":"); return before }
	for _, fits := range []func(n goal.Thing) bool{
		func(n goal.Thing) bool { return strings.EqualFold(label(t.draft.TitleOf(n)), bare) },
		func(n goal.Thing) bool { return strings.EqualFold(t.draft.TitleOf(n), words) },
		func(n goal.Thing) bool { return n.Task < 0 && goal.Names(words, t.draft.TitleOf(n)) },
		func(n goal.Thing) bool { return n.Task >= 0 && goal.Names(words, t.draft.TitleOf(n)) },
	} {
		meant := slices.DeleteFunc(t.titles(), func(n goal.Thing) bool { return !fits(n) })
		if len(meant) > 1 && !is {
			return thing, false
		}
		if len(meant) == 1 {
			return meant[0], !is || len(byPlace) == 1 && byPlace[0] == meant[0]
		}
	}
	if is && len(byPlace) == 1 {
		return byPlace[0], true
	}
	return thing, false
}

// nearest returns the one thing whose title shares the most words with what was said, and
// more than half of those.
func (t *turn) nearest(words string) (thing goal.Thing, found bool) {
	best := 0
	for _, n := range t.titles() {
		shared, of := goal.Shared(words, t.draft.TitleOf(n))
		if 2*shared > of && shared > best {
			best, thing, found = shared, n, true
		} else if shared == best {
			found = false
		}
	}
	return thing, found
}

// placed returns the things that stand, in the preview, at the places that words name.
func (t *turn) placed(words string) (things []goal.Thing) {
	if t.fresh {
		return nil
	}
	for _, at := range t.before.Preview.Placed(words) {
		milestone, title := t.before.Preview.Milestones[at.Milestone].Title, t.before.Preview.TitleOf(at)
		i := slices.IndexFunc(t.draft.Things(), func(n goal.Thing) bool {
			return (n.Task < 0) == (at.Task < 0) && t.draft.TitleOf(n) == title &&
				t.draft.Milestones[n.Milestone].Title == milestone
		})
		if i >= 0 {
			things = append(things, t.draft.Things()[i])
		}
	}
	return things
}

// spokenOf returns what "it" stands for: what was added or named last in the message, or
// what the message before spoke of.
func (t *turn) spokenOf() []goal.Thing {
	for _, title := range []string{t.added, t.topic} {
		for _, n := range t.draft.Things() {
			if title != "" && t.draft.TitleOf(n) == title {
				return t.family(n)
			}
		}
	}
	if t.before.Iteration <= 1 {
		return nil // that was the goal
	}
	var thing goal.Thing
	best, found := 0, false
	for _, n := range t.titles() {
		shared, of := goal.Shared(t.draft.TitleOf(n), t.last)
		if shared < 2 && shared < of {
			continue
		}
		if shared > best {
			best, thing, found = shared, n, true
		} else if shared == best {
			found = false
		}
	}
	if !found {
		return nil
	}
	return t.family(thing)
}

// titles returns the things of the draft. Of a task that was divided it has the first part.
func (t *turn) titles() []goal.Thing {
	return slices.DeleteFunc(t.draft.Things(), func(n goal.Thing) bool { return t.family(n)[0] != n })
}

// family returns a thing, and with the part of a task its other parts.
func (t *turn) family(n goal.Thing) []goal.Thing {
	base, _, part := strings.Cut(t.draft.TitleOf(n), partOf)
	if n.Task < 0 || !part {
		return []goal.Thing{n}
	}
	return slices.DeleteFunc(t.draft.Things(), func(other goal.Thing) bool {
		return other.Milestone != n.Milestone || other.Task < 0 ||
			!strings.HasPrefix(t.draft.TitleOf(other), base+partOf)
	})
}

// partOf stands between the title of a task that was divided and the number of its part.
const partOf = ", part "

// named returns the thing that a statement is about: the only one of which its words tell.
func (t *turn) named(tokens []token) (goal.Thing, bool) {
	words := nameIn(tokens)
	if words == "" {
		return goal.Thing{}, false
	}
	if thing, found := t.thing(words); found {
		return thing, true
	}
	if things, n := t.longest(withoutArticles(tokens)); n > 0 && len(things) == 1 {
		return things[0], true
	}
	return t.nearest(words)
}
