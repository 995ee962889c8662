package recognize

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/currency"
	"golang.org/x/text/unicode/norm"
)

// Meaning is what the words of a title say of its column.
type Meaning struct {
	// Role is by its setting's word, such as "price"; "": the words are not known,
	// or are of what is never guessed at.
	Role string
	// Rank tells the titles of one role apart: the lower says it more plainly.
	Rank int
	// Counts: the column of stock is one of quantities.
	Counts bool
	// Several: a cell may have several names, as the title says.
	Several bool
	// Mark is what a column is that is never guessed at: "cost", "sale_price",
	// "compare_at" or "other". "": it has no such word.
	Mark string
}

// Language is what people of one language call the columns of their tables.
type Language struct {
	Source  []string `json:"source"`
	Fillers []string `json:"fillers"` // words that say nothing of what a column is
	Lists   []string `json:"lists"`   // titles of columns whose cells may have several names
	// what is sold: a name alone, and nothing beside other words
	Nouns   []string            `json:"nouns"`
	Options []string            `json:"options"` // by what variants of one product differ
	Marks   map[string][]string `json:"marks"`   // words by which a column is never guessed at
	// titles, by rank; "in_stock_count" has those of quantities
	Roles map[string][][]string `json:"roles"`
}

//go:embed titles.json
var titlesFile []byte

// Languages are the languages of titles that are known, by their ISO 639 codes.
var Languages = sync.OnceValue(func() map[string]Language {
	var file struct {
		Notes     string
		Languages map[string]Language
	}
	if err := json.Unmarshal(titlesFile, &file); err != nil {
		panic(fmt.Sprintf("table: titles.json: %v", err)) // a test reads it
	}
	return file.Languages
})

// CountedStock is the role of quantities in a Language.
const CountedStock = "in_stock_count"

// vocabulary is what is known in all languages, by words written as one.
type vocabulary struct {
	titles                  map[string]Meaning
	fillers, nouns, options map[string]bool
	marks                   map[string]string
	longest                 int // words of a mark
}

var known = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		titles:  map[string]Meaning{},
		fillers: map[string]bool{},
		nouns:   map[string]bool{},
		options: map[string]bool{},
		marks:   map[string]string{},
	}
	for _, language := range Languages() {
		for _, list := range []struct {
			words []string
			of    map[string]bool
		}{{language.Fillers, v.fillers}, {language.Nouns, v.nouns}, {language.Options, v.options}} {
			for _, word := range list.words {
				list.of[joined(titleWords(word))] = true
			}
		}
		for mark, phrases := range language.Marks {
			for _, phrase := range phrases {
				words := titleWords(phrase)
				v.marks[joined(words)], v.longest = mark, max(v.longest, len(words))
			}
		}
		for role, ranks := range language.Roles {
			base, counts := strings.CutSuffix(role, strings.TrimPrefix(CountedStock, "in_stock"))
			for rank, titles := range ranks {
				for _, title := range titles {
					v.titles[joined(titleWords(title))] = Meaning{
						Role:    base,
						Rank:    rank,
						Counts:  counts,
						Several: slices.Contains(language.Lists, title),
					}
				}
			}
		}
	}
	return v
})

// meaningOf returns what the words of a title say: all of them, or those that are
// left once what is in brackets, currencies and what says nothing is left out.
func meaningOf(title string) Meaning {
	v := known()
	outside, within := parted(title)
	words := titleWords(outside)
	if m, found := v.titles[joined(words)]; found && v.marked(titleWords(within)) == "" {
		return m
	}
	if mark := v.marked(append(words, titleWords(within)...)); mark != "" {
		return Meaning{Mark: mark}
	}
	for _, left := range []func(string) bool{
		v.filler,
		func(word string) bool { return v.nouns[word] },
	} {
		var kept []string
		for _, word := range words {
			if !left(word) {
				kept = append(kept, word)
			}
		}
		if words = kept; len(words) == 0 {
			break
		}
		if m, found := v.titles[joined(words)]; found {
			return m
		}
	}
	return Meaning{}
}

// mayMean reports whether one of a title's words alone says a role, whatever the
// others say, but for words that say more than that: a person may mean it.
func mayMean(title, role string, but ...string) bool {
	v := known()
	return slices.ContainsFunc(titleWords(title), func(word string) bool {
		return v.titles[word].Role == role && !slices.Contains(but, word)
	})
}

// marked returns the mark among words, which may be of several.
func (v *vocabulary) marked(words []string) string {
	for first := range words {
		for n := 1; n <= v.longest && first+n <= len(words); n++ {
			if mark := v.marks[joined(words[first:first+n])]; mark != "" {
				return mark
			}
		}
	}
	return ""
}

// filler reports whether a word says nothing of what a column is.
func (v *vocabulary) filler(word string) bool { return v.fillers[word] || isCode(word) }

// differInFiller reports whether two titles are alike but for one word that was left out
// of the first; a currency beside it does not count.
func differInFiller(title, other string) bool {
	title, _ = parted(title)
	other, _ = parted(other)
	a, b := titleWords(title), titleWords(other)
	return fillsOneOf(a, b) || fillsOneOf(slices.DeleteFunc(a, isCode), slices.DeleteFunc(b, isCode))
}

// fillsOneOf reports whether two lists are alike but for one word, a filler in the first.
func fillsOneOf(words, others []string) bool {
	at := 0
	for at < len(words) && at < len(others) && words[at] == others[at] {
		at++
	}
	return at < len(words) && at < len(others) && known().filler(words[at]) &&
		slices.Equal(words[at+1:], others[at+1:])
}

// isCode reports whether a word is the code of a currency.
func isCode(word string) bool {
	_, err := currency.ParseISO(word)
	return err == nil && len(word) == 3
}

// inBrackets is a pair of brackets without others in it. What stands in square ones
// is a store's name.
var inBrackets = regexp.MustCompile(`\([^()\[\]]*\)|\[[^()\[\]]*\]`)

// parted returns a title's text outside brackets, and that within round ones.
func parted(title string) (outside, within string) {
	outside = norm.NFKC.String(title)
	for inBrackets.MatchString(outside) {
		outside = inBrackets.ReplaceAllStringFunc(outside, func(text string) string {
			if text[0] == '(' {
				within += " " + text
			}
			return " "
		})
	}
	return outside, within
}

// titleWords returns the words of a title, without case and accents. A capital
// behind a small letter begins one, and so does a digit behind a letter.
func titleWords(title string) (words []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	last := ' '
	for _, r := range norm.NFKD.String(title) {
		switch {
		case r >= 0x300 && r <= 0x36f: // an accent
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end()
		default:
			if unicode.IsLower(last) && unicode.IsUpper(r) || unicode.IsLetter(last) && unicode.IsDigit(r) {
				end()
			}
			if r == 'ı' { // the Turkish letter, of which I is the capital
				r = 'i'
			}
			word.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	end()
	return words
}

func joined(words []string) string { return strings.Join(words, "") }
