package reference

import (
	"slices"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/table/profile"
)

// stockWords are the words of a column of stock that has no quantities.
type stockWords struct {
	means   map[string]bool // in small letters
	in, out string          // what is written; "": it is not known
	usual   bool            // true and false, 1 and 0, yes and no are words too
	foreign bool            // the first rows have other words
}

// spaced is a word in small letters, with blanks for underscores and hyphens.
func spaced(word string) string {
	return strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(word))
}

func (w stockWords) of(text string) (in, known bool) {
	if in, known = w.means[strings.ToLower(text)]; !known {
		in, known = w.means[spaced(text)]
	}
	if usually, is := usual[strings.ToLower(text)]; !known && is && w.usual {
		return usually, true
	}
	return in, known
}

// findStock finds the form of the stock's cells.
func (t *run) findStock(cells []string) error {
	as, said := &t.columns.stockAs, t.settings.StockWords
	w := stockWords{means: map[string]bool{}, usual: true}
	var pairs [][2]string
	if t.columns.stockSought || t.columns.profile.Name == profile.Plain {
		pairs = profile.StockPairs
	}
	form := len(as.Words) == 0
	if said == (profile.StockWords{}) {
		for _, pair := range pairs {
			w.means[pair[0]], w.means[pair[1]] = true, false
		}
		for word, in := range as.Words {
			w.means[word], w.means[spaced(word)] = in, in
		}
		w.in, w.out = as.In, as.Out
	} else {
		w.means = map[string]bool{strings.ToLower(said.In): true, strings.ToLower(said.Out): false}
		w.in, w.out = said.In, said.Out
		for word, in := range w.means {
			if usually, is := usual[word]; is && usually != in {
				w.usual = false
			}
		}
		if in, is := as.Words[""]; is {
			w.means[""] = in
		}
	}
	own := func(c string) bool {
		return w.in != "" && strings.EqualFold(c, w.in) || w.out != "" && strings.EqualFold(c, w.out)
	}
	if form {
		as.Quantity = as.Quantity || isQuantity(slices.DeleteFunc(slices.Clone(cells), own), as.Counts)
	}
	as.Words = w.means
	fault := w.learn(
		cells,
		pairs,
		as,
		said == profile.StockWords{} && !as.Quantity && (form || as.In != ""),
		t.settings.OddRows == "leave",
	)
	t.words = w
	if fault >= 0 && !as.Quantity {
		return &Fault{t.numberInOrder(fault), "unknown words of stock"}
	}
	if blank := t.settings.BlankStock; blank != "" {
		delete(w.means, "")
		if blank != profile.BlankStockError {
			w.means[""] = blank == profile.BlankStockIn
		}
	}
	return nil
}

// learn takes what is written from the first cells, and returns the first that has an
// unknown word where not both states are shown; -1: there is none.
func (w *stockWords) learn(
	cells []string, pairs [][2]string, as *profile.StockColumn, writes, leaves bool,
) (unknown int) {
	unknown = -1
	shown, states, met := map[bool][]string{}, map[bool]bool{}, map[string]bool{}
	for i, c := range cells {
		if c == "" || met[strings.ToLower(c)] {
			continue
		}
		met[strings.ToLower(c)] = true
		in, known := w.of(c)
		if _, is := usual[strings.ToLower(c)]; known && !(is && w.usual) {
			w.foreign = true
		}
		switch {
		case known:
			states[in] = true
			if as.In == "" || spaced(c) == spaced(as.In) || spaced(c) == spaced(as.Out) {
				shown[in] = append(shown[in], c)
			}
		case unknown < 0:
			unknown = i
		}
	}
	if len(states) == 2 || leaves && len(states) == 1 {
		unknown = -1
	}
	if !writes {
		return unknown
	}
	if as.In != "" {
		pairs = [][2]string{{spaced(as.In), spaced(as.Out)}}
	}
	in, out := shown[true], shown[false]
	switch {
	case len(in) == 1 && len(out) == 1:
		w.in, w.out = in[0], out[0]
	case len(in) == 1 && len(out) == 0:
		w.in, w.out = in[0], other(in[0], pairs, 0)
	case len(out) == 1 && len(in) == 0:
		w.in, w.out = other(out[0], pairs, 1), out[0]
	}
	if !w.foreign && as.In == "" {
		w.in, w.out = "", ""
	}
	return unknown
}

// other is the one word that pairs have beside another, as that is written.
func other(text string, pairs [][2]string, at int) string {
	var found []string
	for _, pair := range pairs {
		if pair[at] == spaced(text) && !slices.Contains(found, pair[1-at]) {
			found = append(found, pair[1-at])
		}
	}
	if len(found) != 1 {
		return ""
	}
	word := found[0]
	for _, sign := range "_-" {
		if strings.ContainsRune(text, sign) && !strings.Contains(text, " ") {
			word = strings.ReplaceAll(word, " ", string(sign))
		}
	}
	switch letters := []rune(word); {
	case text == strings.ToUpper(text):
		return strings.ToUpper(word)
	case unicode.IsUpper([]rune(text)[0]):
		return string(unicode.ToUpper(letters[0])) + string(letters[1:])
	}
	return word
}

// writeStock writes a state in the place of a cell that had the other one.
func (t *run) writeStock(old string, in bool) (text string, ok bool) {
	w, as := t.words, t.columns.stockAs
	word := w.out
	if in {
		word = w.in
	}
	_, lower := w.means[strings.ToLower(old)]
	_, plain := w.means[spaced(old)]
	switch known := lower || plain; {
	case known && word != "":
		return word, true
	case as.Quantity:
		as.In, as.Out = "", ""
		return stockLike(old, in, as, t.settings.InStockQuantity)
	case known && w.foreign || !w.usual:
		return "", false
	}
	return usualLike(old, in)
}
