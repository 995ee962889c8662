package reference

import (
	"regexp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// phrasesIn returns the phrases of the plan that stand in a product's name.
func (t *run) phrasesIn(name string) (found []string) {
	all := wordsIn(name)
	for _, op := range t.plan.Operations {
		only, except := op.Filter.Names(plan.ColumnName)
		for _, phrase := range slices.Concat(only, except) {
			if wanted := wordsIn(phrase); len(wanted) > 0 && standIn(all, wanted) {
				found = append(found, phrase)
			}
		}
	}
	return found
}

// spelled returns the first of the phrases that the plan leaves out with the same words as one.
func (t *run) spelled(phrase string) string {
	for _, op := range t.plan.Operations {
		_, except := op.Filter.Names(plan.ColumnName)
		for _, other := range except {
			if slices.Equal(wordsIn(other), wordsIn(phrase)) {
				return other
			}
		}
	}
	return phrase
}

func standIn(all, wanted []string) bool {
	for i := 0; i+len(wanted) <= len(all); i++ {
		if slices.Equal(all[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

var word = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+|[%&+#]`)

// wordsIn returns the words of a text as they are compared. A number with a
// decimal mark is one.
func wordsIn(text string) (words []string) {
	text = foldCase(visible(strings.NewReplacer("™", " ", "℠", " ").Replace(text)))
	end := -2
	for _, at := range word.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		glued := at[0] == end+1 && strings.Contains(".,", text[end:at[0]]) && isDigit(text[end-1]) &&
			isDigit(text[at[0]])
		if end = at[1]; glued {
			words[len(words)-1] += text[at[0]-1:at[0]] + word
			continue
		}
		words = append(words, word)
	}
	return words
}

func isDigit(b byte) bool { return strings.IndexByte("0123456789", b) >= 0 }
