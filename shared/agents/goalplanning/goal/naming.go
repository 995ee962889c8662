package goal

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Names reports whether what a user said names the thing of that title: each
// word of it that tells something is one of the title's. A message that has
// such words in it speaks of the thing.
func Names(said, title string) bool {
	words := telling(said)
	return len(words) > 0 &&
		!slices.ContainsFunc(words, func(word string) bool { return !has(telling(title), word) })
}

// Shared returns how many of the words that tell something are in a title too, of how many.
func Shared(said, title string) (shared, of int) {
	words, titled := telling(said), telling(title)
	for _, word := range words {
		if has(titled, word) {
			shared++
		}
	}
	return shared, len(words)
}

// speaksOf reports whether a message speaks of the thing of that title: one of
// the title's words that tell something is in it.
func speaksOf(message, title string) bool {
	said := spoken(message)
	return slices.ContainsFunc(telling(title), func(word string) bool { return has(said, word) })
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth"

// byPlace is how people name a thing by where it stands: "second task", "task 2 of the launch".
var byPlace = Pattern(
	`(?i)\b(?:(` + strings.ReplaceAll(
		ordinals,
		" ",
		"|",
	) + `|last|\d{1,3}(?:st|nd|rd|th))(?: (milestone|phase|stage|task|one))?|(milestone|phase|stage|task) (?:number |no\.? ?|#)?(\d{1,3}))\b(?: (?:of|in|from) (?:the |my )?([^,.;!?]+))?`,
)

// Thing is a milestone of a draft by its place, or a task of it; Task is -1 for a milestone.
type Thing struct{ Milestone, Task int }

// Things returns all milestones and tasks of a draft.
func (d Draft) Things() (all []Thing) {
	for i, m := range d.Milestones {
		all = append(all, Thing{i, -1})
		for j := range m.Tasks {
			all = append(all, Thing{i, j})
		}
	}
	return all
}

// TitleOf returns the title of a thing.
func (d Draft) TitleOf(n Thing) string {
	if n.Task < 0 {
		return d.Milestones[n.Milestone].Title
	}
	return d.Milestones[n.Milestone].Tasks[n.Task].Title
}

// IsPlace reports whether words name a thing by its place alone, which they do by a
// number where it is no ordinal.
func IsPlace(words string) (is, numbered bool) {
	found := byPlace().FindStringSubmatch(words)
	return found != nil && found[0] == words, found != nil && found[4] != ""
}

// Placed returns the things that a text names by their places. Tasks are counted
// through the whole draft where it does not say in which milestone.
func (d Draft) Placed(text string) (things []Thing) {
	for _, found := range byPlace().FindAllStringSubmatch(text, -1) {
		kind, number := cmp.Or(found[2], found[3]), cmp.Or(found[1], found[4])
		var of []Thing
		for i, m := range d.Milestones {
			switch strings.ToLower(kind) {
			case "task":
				for j := range m.Tasks {
					if found[5] == "" || Names(found[5], m.Title) {
						of = append(of, Thing{i, j})
					}
				}
			case "milestone", "phase", "stage":
				of = append(of, Thing{i, -1})
			}
		}
		at := slices.Index(strings.Fields(ordinals), strings.ToLower(number))
		if at < 0 {
			n, _ := strconv.Atoi(strings.TrimRight(strings.ToLower(number), "stndrh"))
			at = n - 1
		}
		if strings.EqualFold(number, "last") {
			at = len(of) - 1
		}
		if at >= 0 && at < len(of) {
			things = append(things, of[at])
		}
	}
	return things
}

// telling returns the words of a text that tell one title from another; all of
// them where none does.
func telling(text string) []string {
	all := spoken(text)
	words := slices.DeleteFunc(
		slices.Clone(all),
		func(word string) bool { return slices.Contains(smallWords, word) },
	)
	if len(words) == 0 {
		return all
	}
	return words
}

var smallWords = strings.Fields(`phase milestone task step stage plan
	a an the this that these those my your our you i we it and or but not no to of for with in on at by from as
	is be do so if up
	der die das den dem ein eine und zu im am le la les l de du des un une et en el los las una y del al il lo gli e di
	da o os as um uma het een van`)

// has reports whether a word is among words, inflected or not.
func has(words []string, word string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return akin(stem(w), stem(word)) })
}

// akin reports whether one stem is the other or begins it, as "colour" begins "colourful".
func akin(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) > 3 && strings.HasPrefix(b, a)
}

// stem cuts common English endings, so that "tests" and "testing" are one.
func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if cut, ok := strings.CutSuffix(word, ending); ok && len(cut) >= 3 {
			return cut
		}
	}
	return word
}
