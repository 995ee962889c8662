package offline

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// command is one thing that is done here. A clause calls it with one of its verbs and
// what fills its slot, or by saying what it is about. Words that no command takes are
// named in the reply.
type command struct {
	help  string // how it is said, in the reply to what was not understood
	verbs words
	// reports whether the clause has what the verb needs
	slot func(t *turn, c clause, at int) bool
	// reports whether the clause says so without the verb
	says func(t *turn, c clause) bool
	// does it; the verb is at that place, -1 without one
	run func(t *turn, c clause, at int) (question string)
}

// commands are all that is done to a plan, in the order in which a clause is held against
// them.
var commands []*command

func init() {
	commands = []*command{
		{
			help:  `undo the last change ("undo that")`,
			verbs: wordsOf("undo revert restore"), slot: always,
			says: putBack,
			run:  (*turn).undoLast,
		},
		{
			help: `show the plan ("show me the plan")`,
			verbs: wordsOf(
				"show list display see print tell remind summarize summarise summary overview status",
			),
			slot: hasPlan,
			run:  (*turn).answer,
		},
		{
			help:  `say what is left ("what is left?")`,
			verbs: wordsOf("left remain remains remaining"),
			slot:  hasPlan,
			run:   (*turn).answer,
		},
		{
			help: `keep the hours within a limit ("I have 20 hours", "at most 5 hours a week")`,
			says: liftsLimit,
			run:  (*turn).unlimit,
		},
		{
			help: `keep a deadline ("done by March")`,
			says: deadlineNamed,
			run:  (*turn).deadline,
		},
		{
			help: `keep meetings clear ("my team meets on Tuesdays 10 to 11")`,
			says: asksNoOverlap,
			run:  (*turn).keepClear,
		},
		{
			help: `move a meeting ("the dentist has moved to Friday")`,
			says: meetingMoves,
			run:  (*turn).moveMeeting,
		},
		{
			help: `set the stages ("the stages are booking, volunteers and the day")`,
			says: tellsStages,
			run:  (*turn).stages,
		},
		{
			help:  `remove one ("remove the launch party")`,
			verbs: wordsOf("remove delete drop scrap skip cancel cut rid lose ditch axe erase"),
			slot:  hasName,
			run:   (*turn).remove,
		},
		{
			help:  `rename one or the goal ("rename Launch to Go live")`,
			verbs: wordsOf("rename retitle call name change"), slot: always,
			run: (*turn).rename,
		},
		{
			help:  `split one ("split the sketch into two")`,
			verbs: wordsOf("split divide break"),
			slot:  hasName,
			run:   (*turn).split,
		},
		{
			help:  `swap two ("swap Design and Build")`,
			verbs: wordsOf("swap switch"), slot: always,
			run: (*turn).swap,
		},
		{
			help: `add a task or milestone ("add a testing milestone next week")`,
			verbs: wordsOf(`add include insert create put extra another throw squeeze stick pop forgot
				forgotten
				missed`),
			slot: hasTitle,
			says: wantsThing,
			run:  (*turn).add,
		},
		{
			help: `set hours ("make the sketch 3 hours")`,
			verbs: wordsOf(`make set give reduce shorten extend double halve increase raise lower limit cap
				trim spend
				takes take allow say`),
			slot: hasHours,
			run:  (*turn).setHours,
		},
		{
			help: `move one or all ("move the launch to Friday")`,
			verbs: wordsOf(`move shift push postpone delay reschedule bring pull start begin schedule moved
				come comes
				goes happen`),
			slot: hasWhen,
			run:  (*turn).move,
		},
		{
			help: `keep to some days ("only weekends", "2 hours on weekdays")`,
			says: ofAvailability,
			run:  (*turn).available,
		},
		{
			help: `keep meetings clear ("my team meets on Tuesdays 10 to 11")`,
			says: ofMeeting,
			run:  (*turn).busy,
		},
		{
			help: `keep a deadline ("done by March")`,
			says: ofDeadline,
			run:  (*turn).deadline,
		},
		{
			help: `keep days off ("not on Mondays")`,
			says: ofDaysOff,
			run:  (*turn).daysOff,
		},
		{
			help: `move one or all ("move the launch to Friday")`,
			says: movesByStatement,
			run:  (*turn).moveNamed,
		},
		{
			help: `set hours ("make the sketch 3 hours")`,
			says: ofHours,
			run:  (*turn).hoursNamed,
		},
	}
}

// approval is the command that the reply ends every plan with.
const approval = `make it final ("looks good, save it")`

// called reports whether a word calls one of the commands that have those verbs.
func called(word string, verbs ...string) bool {
	return slices.ContainsFunc(commands, func(cmd *command) bool {
		return cmd.verbs[word] &&
			slices.ContainsFunc(verbs, func(verb string) bool { return cmd.verbs[verb] })
	})
}

func isVerb(word string) bool {
	return word != "" && slices.ContainsFunc(commands, func(cmd *command) bool { return cmd.verbs[word] })
}

// request returns the command whose verb a clause begins with, after polite words alone.
func (c clause) request() (cmd *command, at int) {
	for i, k := range c.tokens {
		if k.is(quoted) {
			return nil, -1
		}
		for _, cmd := range commands {
			if k.part == nil && cmd.verbs[c.verbAt(i)] {
				return cmd, i
			}
		}
		if k.part == nil && !polite[k.word] {
			return nil, -1
		}
	}
	return nil, -1
}

// verbAt returns the verb that a word is, "" where it is none in this clause.
func (c clause) verbAt(i int) string {
	switch word := c.tokens[i].word; {
	case word == "break" && !c.has("into", "up", "down"),
		word == "forgot" && i+1 < len(c.tokens) && c.tokens[i+1].word == "to":
		return ""
	case word == "put" && i+2 < len(c.tokens) && pronouns[c.tokens[i+1].word] && c.tokens[i+2].word != "in" &&
		len(c.parts(days)) > 0:
		return "move"
	case word == "take" && c.has("out", "off", "away") && len(c.parts(hours)) == 0:
		return "remove"
	default:
		return word
	}
}

// wishes reports whether a clause that was not understood asks for something.
func (c clause) wishes() bool {
	cmd, _ := c.request()
	return cmd != nil || slices.ContainsFunc(c.tokens, token.open) || !c.tellsOnly() && c.any(wishes)
}

// tellsOnly reports whether a clause tells something that no plan needs: it begins with
// whoever does it.
func (c clause) tellsOnly() bool {
	if len(c.tokens) > 2 && slices.Contains([]string{"can", "could", "would"}, c.tokens[0].word) &&
		(c.tokens[1].word == "we" || c.tokens[1].word == "you") {
		return false
	}
	if cmd, _ := c.request(); cmd != nil {
		return false
	}
	if slices.ContainsFunc(c.tokens, token.open) || c.has("each") {
		return false
	}
	for _, k := range c.tokens {
		switch {
		case subjects[k.word]:
			return !c.has("want", "need", "please", "must", "instead") &&
				!(c.has("like") && c.has("id", "would"))
		case !fillers[k.word]:
			return false
		}
	}
	return true
}

// do holds a clause against the commands, and reports whether one was for it.
func (t *turn) do(c clause) (done bool, question string) {
	requested, at := c.request()
	switch {
	case c.question():
		return true, t.answer(c, -1)
	case c.conditional():
		return false, "" // named as what was not understood
	case requested == nil && c.tellsOfThePast(t.today()):
		c.use()
		return false, ""
	case c.remarks():
		c.use()
		return false, ""
	case t.added != "" && requested == nil && len(c.telling()) == 0 && t.detail(c):
		return true, ""
	case len(t.said.Upcoming) > 0 && requested == nil && len(c.parts(hours)) == 1 &&
		len(t.strangeHours(c)) == 0:
		// "it will last two hours"
		t.said.Upcoming[len(t.said.Upcoming)-1].EstimatedHours = c.parts(hours)[0].hours
		t.hear(c, t.lastDays, hours)
		return true, ""
	}
	for _, cmd := range commands {
		switch {
		case cmd == requested && cmd.slot(t, c, at):
			return true, cmd.run(t, c, at)
		case cmd.says != nil && cmd.says(t, c):
			return true, cmd.run(t, c, -1)
		}
	}
	if requested != nil && !t.fresh && !requested.verbs["make"] {
		return true, requested.run(t, c, at)
	}
	return false, ""
}

// tellsStages reports whether a clause lists the stages of the whole plan. What the plan
// has already is no new stage.
func tellsStages(t *turn, c clause) bool {
	if t.fresh {
		return false
	}
	names := t.stagesIn(c)
	return len(names) > 1 &&
		!slices.ContainsFunc(names, func(name string) bool { _, found := t.thing(name); return found })
}

// stagesIn returns the stages that a clause lists: "split the work into A, B and C", "the
// phases are A and B", or "use those as the milestones" of a list before.
func (t *turn) stagesIn(c clause) []string {
	cmd, at := c.request()
	if cmd != nil && cmd.verbs["split"] {
		into := (clause{tokens: c.tokens[at:]}).at("into", "in")
		ofAll := func(k token) bool { return articles[k.word] || wholes[k.word] || k.word == "up" }
		if into > 0 && !slices.ContainsFunc(c.tokens[at+1:at+into], func(k token) bool { return !ofAll(k) }) {
			return namesIn(c.tokens[at+into+1:])
		}
	}
	if are := c.at("are", "be"); are > 0 && (clause{tokens: c.tokens[:are]}).any(plurals) && cmd == nil {
		return namesIn(c.tokens[are+1:])
	}
	if names := namesIn(c.tokens); cmd == nil && t.before.Iteration == 1 && len(names) > 2 && short(names) &&
		!c.tellsOnly() &&
		!c.any(wishes) {
		return names // nothing but a list, after the first plan
	}
	if len(t.items) > 1 && c.has("milestones", "phases", "stages") && c.has("those", "these", "them", "as") {
		return t.items
	}
	return nil
}

// short reports whether names have at most three words each, none of them a sentence's.
func short(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		words := strings.Fields(strings.ToLower(name))
		return len(words) > 3 ||
			slices.ContainsFunc(words, func(word string) bool { return subjects[word] || auxiliaries[word] })
	})
}

// wantsItems reports whether a clause wants what the message lists to be in the plan.
func (t *turn) wantsItems(c clause) bool {
	return len(t.items) > 1 && c.any(kinds) && c.has("each", "those", "these", "them", "following")
}

// listsMore reports whether a clause lists nothing but names, after an addition.
func (t *turn) listsMore(c clause) bool {
	cmd, _ := c.request()
	return cmd == nil && len(namesIn(c.tokens)) > 1 && !c.tellsOnly() && !c.any(wishes) && t.addedBefore()
}

// addedBefore reports whether the message before asked to add something, or this one did.
func (t *turn) addedBefore() bool {
	for _, c := range read(t.last, t.s.Now) {
		if cmd, _ := c.request(); cmd != nil && cmd.verbs["add"] {
			return true
		}
	}
	return t.added != ""
}

// repeats reports whether days are those of each week.
func (t *turn) repeats(when []part, c clause) bool {
	weekly := func(p part) bool { return p.partly && p.weekly } // "evenings"
	often := slices.ContainsFunc(c.parts(times), weekly)
	if len(when) == 0 || len(when[0].weekdays) == 0 || when[0].weekly || often {
		return len(when) > 0 && len(when[0].weekdays) > 0
	}
	listed := len(when) > 1 || c.any(denials) || c.any(availability) ||
		len(c.parts(hours)) > 0 // "mon wed", "not fri"
	return when[0].bare && listed && len(c.clocks()) == 0
}

// asides stand before a question.
var asides = wordsOf("and so but ok okay hmm anyway oh also now wait remind me tell right nice cool")

// question reports whether a clause asks to know something, and for no change.
func (c clause) question() bool {
	first := 0
	for first < len(c.tokens)-1 && asides[c.tokens[first].word] {
		first++
	}
	cmd, _ := c.request()
	asks := cmd != nil && cmd.slot != nil && cmd.help != "" && !cmd.verbs["show"] && !cmd.verbs["left"]
	word := c.tokens[first].word
	next := ""
	if first+1 < len(c.tokens) {
		next = c.tokens[first+1].word
	}
	asker := slices.Contains([]string{"i", "we", "you", "they"}, next)
	wants := slices.Contains([]string{"can", "could", "would", "will"}, word) &&
		(next == "you" || next == "we")
	aux := auxiliaries[word] && subjects[next] && (word != "do" || asker)
	return questions[word] || !asks && !wants && word != "please" && (c.asks || aux)
}

// notUnderstood names what was not understood, with the two commands that are nearest.
func notUnderstood(rest []string, message string) string {
	const most = 10
	cut := strings.Fields(strings.Join(rest, "; "))
	if len(cut) > most {
		cut = append(cut[:most], "…")
	}
	near := nearestCommands(message)
	return fmt.Sprintf("I did not understand: %q. I can %s, or %s.", strings.Join(cut, " "), near[0], near[1])
}

// nearestCommands returns the two whose words a message shares most with.
func nearestCommands(message string) []string {
	said := strings.Fields(strings.ToLower(message))
	score := func(known []string) (n int) {
		for _, word := range said {
			if slices.ContainsFunc(known, func(w string) bool {
				return len(word) > 2 && (strings.HasPrefix(word, w) || strings.HasPrefix(w, word))
			}) {
				n++
			}
		}
		return n
	}
	scores := map[string]int{approval: score(strings.Fields(approval))}
	list := []string{}
	for _, cmd := range commands {
		verbs := []string{}
		for verb := range cmd.verbs {
			verbs = append(verbs, verb)
		}
		if _, there := scores[cmd.help]; !there {
			list = append(list, cmd.help)
		}
		scores[cmd.help] = max(scores[cmd.help], 2*score(verbs)+score(strings.Fields(cmd.help)))
	}
	list = append(list, approval)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(scores[b], scores[a]) })
	return list
}

// changed reports whether the draft is another than the preview.
func (t *turn) changed() bool {
	return t.fresh || !reflect.DeepEqual(t.draft, *t.before.Preview)
}
