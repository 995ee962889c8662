package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	slugWords    = 5  // at most
	slugBytes    = 54 // room for _v and seven digits within 64
	slugWordSize = 16
)

// slugSkipped are words that say little about what a plan does.
const slugSkipped = ` a all an and any are as at be by can could do for from have i in is it item items kindly like me my not of on or our please
	product products so that the their them then these they this those to us want we will with would you your `

// Slug makes a readable execution id of an instruction, without the version:
// plan_ and two to five of its words, such as plan_increase_prices_10pct_fitness.
// With _v and up to seven digits it is always a valid execution id. The same
// instruction gives the same slug; different ones may share it.
func Slug(instruction string) string {
	slug, words := "plan", 0
	for _, word := range slugFields(instruction) {
		if words == slugWords || len(slug)+1+len(word) > slugBytes {
			break
		}
		slug += "_" + word
		words++
	}
	if words < 2 {
		sum := sha256.Sum256([]byte(instruction))
		slug += "_" + hex.EncodeToString(sum[:4])
	}
	if words == 0 {
		slug += "_instruction"
	}
	return slug
}

// slugFields returns the telling words of s in ASCII: 10% is 10pct, $19.99 is
// 19_99 in one word as 19-99.
func slugFields(s string) []string {
	s = strings.NewReplacer("%", "pct ", "'", "", "’", "").Replace(strings.ToLower(s))
	var words []string
	for _, word := range strings.FieldsFunc(s, notSlugRune) {
		word = strings.Trim(strings.ReplaceAll(word, ".", "-"), "-")
		if word == "" || strings.Contains(slugSkipped, " "+word+" ") {
			continue
		}
		words = append(words, word[:min(len(word), slugWordSize)])
	}
	return words
}

func notSlugRune(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.'
}
