package english

import "strings"

// irregular gives the forms of verbs that do not take -ed.
var irregular = map[string][]string{
	"bring": {"brings", "bringing", "brought"},
	"cut":   {"cuts", "cutting"},
	"fall":  {"falls", "falling", "fallen"},
	"get":   {"gets", "getting"},
	"give":  {"gives", "giving", "given"},
	"go":    {"going"},
	"hold":  {"holds", "holding"},
	"keep":  {"keeps", "keeping"},
	"leave": {"leaves", "leaving"},
	"let":   {"lets", "letting"},
	"lose":  {"loses", "losing"},
	"make":  {"makes", "making", "made"},
	"put":   {"puts", "putting"},
	"reset": {"resets", "resetting"},
	"rise":  {"rises", "rising"},
	"run":   {"runs", "running"},
	"sell":  {"sells", "selling"},
	"set":   {"sets", "setting"},
	"stick": {"sticks", "sticking"},
	"take":  {"takes", "taking", "taken"},
}

// doubled verbs double their last letter before -ed and -ing.
var doubled = set("slap pop drop trim cap flag tag chop omit skip step lop swap")

// inflect returns the forms of a verb: raise, raises, raised, raising.
func inflect(verb string) []string {
	if forms, ok := irregular[verb]; ok {
		return append([]string{verb}, forms...)
	}
	stem, s := verb, "s"
	last := verb[len(verb)-1]
	switch {
	case doubled[verb]:
		stem += string(last)
	case last == 'e':
		stem = verb[:len(verb)-1]
	case last == 'h' || last == 's' || last == 'x':
		s = "es"
	case last == 'y' && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return []string{verb, verb[:len(verb)-1] + "ies", verb[:len(verb)-1] + "ied", verb + "ing"}
	}
	return []string{verb, verb + s, stem + "ed", stem + "ing"}
}

// expand gives every phrase that one phrase of the vocabulary stands for.
func expand(phrase string) []string {
	before, rest, braced := strings.Cut(phrase, "{")
	if !braced {
		return []string{phrase}
	}
	verb, after, _ := strings.Cut(rest, "}")
	var all []string
	for _, form := range inflect(verb) {
		all = append(all, before+form+after)
	}
	return all
}
