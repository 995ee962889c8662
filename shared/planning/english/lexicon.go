package english

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// joins reports whether token i is a hyphen or underscore inside a word, as in
// out-of-stock and in_stock.
func joins(tokens []Token, i int) bool {
	if i == 0 || i+1 >= len(tokens) || tokens[i].Kind != Mark {
		return false
	}
	switch tokens[i].Text {
	case "-", "_", "‑": // U+2011 is the non-breaking hyphen
	default:
		return false
	}
	return !tokens[i].Spaced && !tokens[i+1].Spaced && tokens[i-1].Kind == Word && tokens[i+1].Kind == Word
}

// phrases is the whole vocabulary: the phrases that are symbols wherever they
// stand, and those that a rule of the scan looks for in one place. Each kind has a
// root of its own in one tree, so that a word has the same number in all of them.
type phrases struct {
	node
	being, headings, closings, openers, tags, correctors, askings, forMe, unlikes node

	starts []start // by the number of a word, 0 for those that have none
}

// start is what can begin with a word beside a phrase, as with few it does.
type start uint8

const (
	anAmount start = 1 << iota
	aFrame
)

// start notes what can begin with words.
func (p *phrases) start(what start, words iter.Seq[string]) {
	for word := range words {
		p.starts[p.words[word]] |= what
	}
}

// lexicon is built when first asked for: a program that reads no sentence starts
// without it.
var lexicon = sync.OnceValue(mustLexicon)

func mustLexicon() *phrases {
	lexicon, err := buildLexicon()
	if err != nil {
		panic(err)
	}
	return lexicon
}

func buildLexicon() (*phrases, error) {
	root := newTree(56_000).root()
	var faults []error
	for _, e := range vocabulary {
		faults = append(faults, root.insertAll(e.phrases, Symbol{Class: e.class, Sense: e.sense}))
	}
	for _, r := range refusedVocabulary {
		faults = append(faults, root.insertAll(r.phrases, Symbol{Class: Refused, Refusal: r.reason}))
	}
	root.insertLimits()
	root.insertCopulas()
	root.insertPortions()
	root.insertNots()
	root.insertThanNow()
	root.insertFrames()
	root.insertRegardless()
	root.insertPlaces()
	root.insertHeld()
	root.insertPriceLess()
	root.insertJudgements()
	root.insertWhys()
	root.insertLasts()
	root.insertAims()
	root.insertHasty()
	root.insertNumbers()
	lexicon := &phrases{
		node: root, being: root.end("be"), headings: root.list(headings), closings: root.list(closings), openers: root.list(openers), tags: root.list(tags),
		correctors: root.list(correctors), askings: root.list(askings), forMe: root.list(forMe), unlikes: root.list(unlikes),
	}
	lexicon.tags.insertNew(slices.Collect(maps.Keys(vocatives)), &Symbol{Class: Noise})
	lexicon.starts = make([]start, len(root.words)+1)
	lexicon.start(anAmount, maps.Keys(amountWords()))
	for _, frames := range frameLists {
		lexicon.start(aFrame, maps.Keys(frames()))
	}
	return lexicon, errors.Join(faults...)
}

// list is the root of phrases of their own.
func (t *tree) list(phrases string) node {
	root := t.newRoot()
	_ = root.insertAll(phrases, Symbol{Class: Noise}) // a phrase twice is one phrase
	return root
}

// insertHasty adds the phrases with an apostrophe without it, as they are typed
// in haste: "id like to". "Were out of" and its like are other words.
func (n node) insertHasty() {
	for _, e := range vocabulary {
		for _, pattern := range strings.Split(e.phrases, ",") {
			phrase := strings.TrimSpace(pattern)
			first, rest, several := strings.Cut(phrase, " ")
			if plain := strings.ReplaceAll(phrase, "'", ""); several && plain != phrase && !strings.Contains(phrase, "{") && !otherWords[first] && !strings.Contains(rest, "'re") {
				n.insertNew([]string{plain}, &Symbol{Class: e.class, Sense: e.sense})
			}
		}
	}
	n.insertNew([]string{"id like", "wed like"}, &Symbol{Class: Noise})
}

// otherWords are contractions that without their apostrophe are words.
var otherWords = set("we're we'll i'll it's he'll she'll")

func (n node) insertAll(phrases string, symbol Symbol) error {
	var faults []error
	for _, pattern := range strings.Split(strings.ReplaceAll(phrases, `\,`, "\x00"), ",") {
		pattern = strings.ReplaceAll(strings.TrimSpace(pattern), "\x00", ",")
		for _, phrase := range expand(pattern) {
			faults = append(faults, n.insert(phrase, &symbol))
		}
	}
	return errors.Join(faults...)
}
