package names

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// UnknownName is a category, a SKU or the like that a plan names and no row has, or that
// the table writes in several ways that look the same.
type UnknownName struct {
	Column   recognize.Role `json:"column"` // a column of names
	Name     string         `json:"name"`
	Excluded bool           `json:"excluded,omitempty"` // the plan leaves it out
	// Confirm are the words that let go of what is left out and no row has: see Reprice.
	Confirm      string   `json:"confirm,omitempty"`
	OperationIDs []string `json:"operation_ids"`
	Nearest      []string `json:"nearest"` // names that the table has, the likeliest first
	// Elsewhere are names of other columns that look the same: at most one of each role.
	Elsewhere []NameElsewhere `json:"elsewhere,omitempty"`
	// Alike are the names of the table that look the same, with that of the plan
	// where it has it: the most frequent first, at most maxAlike.
	Alike []Spelling `json:"alike,omitempty"`
}

// NameElsewhere is a name that the table has in another column than the plan says.
type NameElsewhere struct {
	Column recognize.Role `json:"column"`
	Name   string         `json:"name"` // as the table writes it
}

func (n NameElsewhere) String() string { return UnknownName{Column: n.Column, Name: n.Name}.Subject() }

// Spelling is a name as the table writes it.
type Spelling struct {
	Name string `json:"name"`
	// Rows have it, and their stock may matter to the plan. For another name than
	// the plan's they have none of the plan's that looks the same.
	Rows int64 `json:"rows"`
}

// MaxAlike is how many names are listed that look the same.
const MaxAlike = 10

// CodeUnknownNames is the code of a run that failed with an UnknownNamesError.
const CodeUnknownNames = "unknown_names"

// UnknownNamesError refuses a plan that names what no row has: a name that is
// written in another way would leave out, or take in, the wrong rows. More
// counts the names beyond those listed. It is errs.Invalid, and its text is
// what errs.Message shows.
type UnknownNamesError struct {
	Names []UnknownName
	More  int
	// GuessedEncoding: nobody said the table's encoding, which is neither UTF-8 nor
	// UTF-16, and one of the names has letters that are written otherwise in another.
	GuessedEncoding bool
	// Holding asks about a column in which a name stands, and which is not taken for that
	// of its role; "": there is none.
	Holding string

	surface setting.Surface
}

// On returns the refusal in the terms of a surface.
func (e *UnknownNamesError) On(s setting.Surface) *UnknownNamesError {
	shown := *e
	shown.surface = s
	return &shown
}

// Error lists the names, each with the nearest that the table has, and says what
// to do.
func (e *UnknownNamesError) Error() string {
	var text strings.Builder
	alike := slices.ContainsFunc(e.Names, func(n UnknownName) bool { return len(n.Alike) > 0 })
	unknown := slices.ContainsFunc(e.Names, func(n UnknownName) bool { return len(n.Alike) == 0 })
	disguised := slices.ContainsFunc(e.Names, UnknownName.isDisguised)
	if unknown || disguised {
		text.WriteString("The plan names what no row of this table has, and nothing was changed.")
	} else {
		text.WriteString(
			"This table has several names " + e.like() + " where the plan has one, and nothing was changed.",
		)
	}
	for _, name := range e.Names {
		text.WriteString("\n  " + name.String())
	}
	if e.More > 0 {
		fmt.Fprintf(&text, "\n  and %d more", e.More)
	}
	if unknown {
		text.WriteString(
			"\nA name must be written exactly as in the table. Make a new plan with the table's names" +
				e.wayOn() + ".",
		)
	}
	if e.Holding != "" {
		text.WriteString(e.surface.Write("\n" + e.Holding))
	}
	if e.GuessedEncoding {
		text.WriteString(e.surface.Write("\nThe table is not UTF-8 and was read as Windows-1252: if its letters are others, say its encoding with {encoding}."))
	}
	if alike {
		way := e.surface.Write("{near_names=exact}")
		if disguised { // then no row has the name
			way += " and " + e.surface.Says("unmatched", setting.JoinList(e.letGo(UnknownName.isDisguised)))
		}
		text.WriteString("\nOf names " + e.like() + ", only the one that is written exactly as in the plan is meant by it. Write them alike in the table, or make a new plan that has all that are meant; or, where they are different things, let it pass with " + way + ".")
	}
	return text.String()
}

// like says in what the table's names are like the plan's.
func (e *UnknownNamesError) like() string {
	if slices.ContainsFunc(e.Names, UnknownName.isAmongOthers) {
		return "that look the same or have it among others"
	}
	return "that look the same"
}

// letGo are the words that let go of some names that no row has.
func (e *UnknownNamesError) letGo(some func(UnknownName) bool) (words []string) {
	for _, name := range e.Names {
		if word := cmp.Or(name.Confirm, string(setting.UnmatchedAllow)); some(name) &&
			!slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// isDisguised reports whether the table has names that look the same as the plan's, and not
// the plan's own.
func (n UnknownName) isDisguised() bool {
	return len(n.Alike) > 0 &&
		!slices.ContainsFunc(n.Alike, func(s Spelling) bool { return s.Name == n.Name })
}

// isAmongOthers reports whether one of the table's names has the plan's among others.
func (n UnknownName) isAmongOthers() bool {
	kind := fold.Names
	if n.Column == recognize.RoleSKU {
		kind = fold.SKUs
	}
	return slices.ContainsFunc(n.Alike, func(s Spelling) bool {
		return kind.Fold(s.Name) != kind.Fold(n.Name)
	})
}

// wayOn says how names that no row has are let go. What the plan leaves out is let go
// by its own words alone: its product may stand in the table under another name.
func (e *UnknownNamesError) wayOn() string {
	allowed := e.letGo(func(n UnknownName) bool { return len(n.Alike) == 0 })
	excluded := slices.ContainsFunc(e.Names, func(n UnknownName) bool { return n.Excluded })
	way := "; or, where this table is only a part of the catalogue, let it pass with " +
		e.surface.Says("unmatched", setting.JoinList(allowed))
	if excluded {
		way += ", in these very words: what the plan leaves out would be repriced if the table has it under another name"
	}
	return way
}

// Unwrap makes the error errs.Invalid and its text errs.Message's.
func (e *UnknownNamesError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// Code is the error's code for programs.
func (e *UnknownNamesError) Code() string { return CodeUnknownNames }

// Details lists the names, for an answer over HTTP.
func (e *UnknownNamesError) Details() any { return e.Names }

// Subject is the name with what it is: category "Fitness".
func (n UnknownName) Subject() string {
	kind, other := kindsOfName[n.Column]
	if !other {
		kind = string(n.Column)
	}
	return fmt.Sprintf("%s %q", kind, faults.Excerpt(n.Name))
}

// kindsOfName are what people call names whose role has another name.
var kindsOfName = map[recognize.Role]string{
	recognize.RoleSKU:  "SKU",
	recognize.RoleTags: "tag",
	recognize.RoleName: "product with the words",
}

// String says it to a person: category "Fitness", left out by op_01: this table
// has "fitness".
func (n UnknownName) String() string {
	role := "asked for"
	if n.Excluded {
		role = "left out"
	}
	found := "nothing like it was found"
	if len(n.Nearest) > 0 {
		found = "this table has " + faults.QuotedList(n.Nearest)
	}
	if len(n.Alike) > 0 {
		found = "this table has " + n.Spellings()
	}
	for i, other := range n.Elsewhere {
		switch {
		case i > 0:
			found += ", and as " + other.String()
		case len(n.Nearest) > 0:
			found += ", and the same as " + other.String()
		default:
			found = "this table has it as " + other.String()
		}
	}
	if slices.ContainsFunc(n.Nearest,
		func(near string) bool { return norm.NFC.String(near) == norm.NFC.String(n.Name) }) {
		found += ", in another Unicode form of the same letters"
	}
	return fmt.Sprintf("%s%s, %s by %s: %s",
		n.Subject(), n.letters(), role, strings.Join(n.OperationIDs, ", "), found)
}

// letters says which letters of the plan's name the table has in another way; "": none.
func (n UnknownName) letters() string {
	mine := fold.Disguised(n.Name)
	if mine == "" ||
		!slices.ContainsFunc(n.Alike, func(s Spelling) bool { return fold.Disguised(s.Name) != mine }) {
		return ""
	}
	return " (" + mine + ")"
}

// Spellings lists the names that look the same, with the rows that have each.
func (n UnknownName) Spellings() string { return ListSpellings(n.Alike, fold.Disguised(n.Name)) }

// ListSpellings lists names that look the same. Where two of them differ in their
// Unicode form alone, all that is not ASCII is written out; letters that are taken for
// others are named, but for those that all of them have.
func ListSpellings(alike []Spelling, common string) string {
	form, texts, shown := "%q%s in %d %s", []string{}, map[string]bool{}
	oneWay := !slices.ContainsFunc(alike, func(s Spelling) bool { return fold.Disguised(s.Name) != common })
	for _, s := range alike {
		if shown[norm.NFC.String(s.Name)] {
			form = "%+q%s in %d %s"
		}
		shown[norm.NFC.String(s.Name)] = true
	}
	for _, s := range alike {
		rows := "rows"
		if s.Rows == 1 {
			rows = "row"
		}
		letters := ""
		if disguised := fold.Disguised(s.Name); disguised != "" && !oneWay {
			letters = " (" + disguised + ")"
		}
		texts = append(texts, fmt.Sprintf(form, faults.Excerpt(s.Name), letters, s.Rows, rows))
	}
	list := strings.Join(texts, ", ")
	if len(alike) == MaxAlike {
		list += "; if there are more, they are not listed"
	}
	return list
}
