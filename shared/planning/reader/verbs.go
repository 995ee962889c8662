package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning"
)

// Many verbs are a part of a product's name, too: push bikes, touch lamps, set tables.

// idle reports whether a verb right before a name may be a part of the name: push bikes. It may be
// where the shop's names have both words, and where the rule says as much without the verb: push
// bikes 10% off, but not push bikes up 10%, and no prices of bikes.
func (t *text) idle(m *meaning, used []*meaning, at int) bool {
	verb, name := used[at], used[at+1]
	if verb == nil || verb.from != at || verb.to != at+1 || !t.lex.base[t.norm(at)] ||
		!t.may("ordering", verb) ||
		t.phrase(name.to, "PRICE") {
		return false
	}
	within := slices.IndexFunc(m.rules, func(r clause) bool { return r.from <= at && at < r.to })
	if within >= 0 && (m.rules[within].act == keep || m.rules[within].act == unsale) {
		return false
	}
	if verb.symbol == "MULTIPLY" { // double beds
		return strings.HasSuffix(t.norm(at), "ble") || strings.HasSuffix(t.norm(at), "ple")
	}
	end := len(used)
	if within >= 0 {
		end = m.rules[within].to
	}
	return t.titledSo(at, name.to) || !t.governs(used, at, end) && t.plansWithout(at)
}

// withoutOrder are candidates that pass over a verb beside a name, where no product has both words in
// its name.
func (t *text) withoutOrder(lost problem, candidates []planning.Candidate) []planning.Candidate {
	if t.titledSo(lost.from, lost.to) {
		return nil
	}
	return candidates
}

// titledSo reports whether a name of the shop has some words, one after another.
func (t *text) titledSo(from, to int) bool {
	said := strings.Fields(asTitle(t.source(from, to)))
	return slices.ContainsFunc(
		t.known.titles,
		func(of title) bool { return of.find(said, strings.EqualFold) >= 0 },
	)
}

// light are verbs that are put with any amount, and are part of no name.
var light = strings.Fields("put make give have let get take bring do offer sell")

// governs reports whether something up to a token is put with a verb before a name: to and by an
// amount, up behind a verb that goes with it, as out of stock; or the verb says where prices go.
func (t *text) governs(used []*meaning, at, end int) bool {
	if slices.Contains(light, t.norm(at)) {
		return true
	}
	signed := false
	for i := used[at+1].to; i < end; i++ {
		switch leaf := used[i]; {
		case leaf == nil || leaf.from != i:
		case leaf.symbol == "HIGHER" || leaf.symbol == "LOWER":
			if t.norm(i) != "off" && t.goesWith(at, i) {
				return true
			}
		case leaf.symbol == "PLUS" || leaf.symbol == "MINUS":
			signed = t.lex.listed["PLURAL"][t.norm(at)+"s"] &&
				!t.lex.listed["PUT"][t.norm(at)] // drop earrings -10%, but not raise boots +10%
		case t.norm(i) == "at" || t.norm(i) == "for": // price, sell and cap at
			if slices.ContainsFunc(
				[]string{"SET", "PRICEAT", "SELL", "CAPVERB"},
				func(class string) bool { return t.lex.listed[class][t.norm(at)] },
			) {
				return true
			}
		case leaf.symbol == "BY" || slices.Contains([]string{"to", "as", "back"}, t.norm(i)):
			return true
		case slices.Contains([]string{"INSTOCK", "OUTSTOCK", "BACKINSTOCK"}, leaf.symbol) &&
			(t.lex.listed["SET"][t.norm(at)] || t.norm(at) == "mark"):
			return true
		}
	}
	return !signed && (used[at].symbol == "UP" || used[at].symbol == "DOWN")
}

// goesWith reports whether a verb moves prices by itself, or with a particle: push up, mark down.
func (t *text) goesWith(at, particle int) bool {
	moves := func(node *trie) bool {
		return node != nil && slices.ContainsFunc(node.entries, func(e entry) bool {
			return e.meaning.symbol == "UP" || e.meaning.symbol == "DOWN" || e.meaning.symbol == "MULTIPLY"
		})
	}
	alone := t.lex.phrases.next[t.norm(at)]
	return moves(alone) || alone != nil && moves(alone.next[t.norm(particle)])
}
