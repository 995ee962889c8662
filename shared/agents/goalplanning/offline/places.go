package offline

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// places lead to where something is added.
var places = wordsOf("to in into under within at as near before after between")

// target reads to which milestone, or beside which thing, something is added, and returns
// the tokens without that.
func (t *turn) target(order *addition, tokens []token) (around []token, question string) {
	for i := len(tokens) - 1; i >= 0; i-- {
		if !places[tokens[i].word] {
			continue
		}
		named := placeNamed(tokens[i+1:])
		found, question := t.placeOf(order, tokens[:i], tokens[i].word, named)
		if question != "" {
			return nil, question
		}
		if found {
			return slices.Concat(tokens[:i], tokens[i+1+len(named):]), ""
		}
	}
	if n := len(tokens); n > 1 && tokens[n-1].word == "first" {
		order.first = true
		return tokens[:n-1], ""
	}
	return tokens, ""
}

// placeNamed returns the tokens that name a place: up to a part, a pause or a title.
func placeNamed(tokens []token) []token {
	tokens = untilPart(tokens, wordsOf("on by"))
	if pause := slices.IndexFunc(tokens, func(k token) bool { return k.pause }); pause >= 0 {
		tokens = tokens[:pause+1]
	}
	if title := slices.IndexFunc(tokens, func(k token) bool { return k.is(quoted) }); title > 0 {
		tokens = tokens[:title] // what is added
	}
	return tokens
}

// placeOf notes the place that tokens name after a word such as "before". It reports
// whether they name one.
func (t *turn) placeOf(
	order *addition,
	said []token,
	word string,
	named []token,
) (found bool, question string) {
	beside := word == "before" || word == "after" || word == "between"
	place, words := clause{tokens: named}, nameIn(named)
	itself := t.spokenOf()
	switch {
	case beside && place.any(pronouns) && len(itself) > 0:
		order.beside, order.behind = &itself[len(itself)-1], word == "after"
		return true, ""
	case place.has("start", "beginning", "front", "top"),
		beside && (words == "" || place.has("i", "we", "anything", "everything")):
		order.first = true
		return true, ""
	case words == "" || place.has("plan", "list", "end", "somewhere"):
		return true, ""
	}
	things, question := t.placeNamedBy(named, (clause{tokens: said}).any(milestoneWords))
	switch {
	case question == "" && beside:
		order.beside, order.behind = &things[0], word != "before"
	case question == "":
		order.into = things[0].Milestone
	case beside && order.title == "" && !place.any(auxiliaries) && len(named) < 5:
		return false, question
	case beside:
		order.first = true // of what the plan does not name
	case len(said) > 0 && articles[named[0].word] && place.any(kinds):
		return false, question
	default:
		return false, ""
	}
	return true, ""
}

// placeNamedBy is things, but "the first one" is of the kind that is added.
func (t *turn) placeNamedBy(named []token, milestone bool) ([]goal.Thing, string) {
	things, _, question := t.things(named)
	words := strings.TrimPrefix(text(named), "the ")
	if is, _ := goal.IsPlace(words); !is || question == "" {
		return things, question
	}
	kind := " task"
	if milestone {
		kind = " milestone"
	}
	if thing, found := t.thing(strings.TrimSuffix(words, " one") + kind); found {
		return []goal.Thing{thing}, ""
	}
	return nil, question
}
