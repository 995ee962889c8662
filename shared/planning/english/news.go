package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// People tell why beside what they ask for: "it's just sitting there", "the cents
// are driving the cashiers mad", "like the big shops do". Such a clause is known
// by its own subject and verb. It is filler only where it holds nothing that a
// rule is made of: what could be a target, an amount, a condition, a date or a
// correction leads to a question as before.

// Subjects with their verb in one word, by what may follow, and subjects alone.
var (
	being     = set("it's they're we're he's she's")
	having    = set("they've we've")
	persons   = set("it they we he she nobody everybody everyone somebody both people folks customers shoppers")
	thirds    = set("it he she nobody everybody everyone somebody")
	verbs     = set("went gone has have are is got become became keep those these this that") // of facts without a subject of their own
	pastVerbs = set("was were had did does seem seems seemed came went gave got")
)

// additions are words that a clause adds to a rule by or takes it back: hats are
// joining them, it's hats I meant.
var additions = set("too also likewise same similarly join joins joined joining follow follows followed following include includes included including plus both either neither instead rather actually sorry mean meant oops wait correction " +
	"should must need needs want wants wanted would could may might ought supposed next count counts part pick picked choose chose chosen no none nor like")

// retractions say of what was asked for that it is not, or not yet, to be done, or
// only where something else is so.
var retractions = set("once assuming supposing providing lest whether maybe perhaps possibly hopefully done handled cancelled canceled joking kidding joke jokes wrong mistake mistaken error errors testing test tests wondering pending waiting finished sorted settled scrapped withdrawn dropped thinking thought considering deciding decided undecided depends differs varies applies refers against regret regretted " +
	"discussing debating planning reviewing checking unsure mind hoping guessing pretending over off")

// fillers are the articles and adverbs of a clause that tells something.
var fillers = set("the a an our my your just simply now currently so basically already existing current anywhere")

// doing is a word that says what goes on and participle what went, manner words that can say nothing else,
// and toldIn a subject with its verb in one name: fuel's killing us.
var (
	doing      = lazyregexp.New(`(?i)^[a-z]+ing\b`)
	participle = lazyregexp.New(`(?i)^[a-z]+ed\b`)
	manner     = lazyregexp.New(`(?i)^(?:[a-z]+(?:ing|ed|ly)|already|lately|well|fast|wrong)(?: (?:[a-z]+(?:ing|ed|ly)|already|lately|well|fast|wrong))*$`)
	toldIn     = lazyregexp.New(`(?i)^[a-z]+'s [a-z]+ing$`)
)

// news makes filler of clauses that only tell something. Where no list of
// categories is known, any noun may be the name of one.
func news(symbols []Symbol, tokens []Token, listed bool) []Symbol {
	var kept []Symbol
	begins := true // nothing but filler stands since the last pause
	for i := 0; i < len(symbols); i++ {
		end := newsEnd(symbols, i, begins, listed)
		if end > i && inertClause(symbols[i:end], tokens) && namesProducts(symbols, i, end) && !takenUp(symbols, i, end) {
			if kept == nil {
				kept = append(make([]Symbol, 0, len(symbols)), symbols[:i]...)
			}
			kept = append(kept, Symbol{Class: Noise, From: symbols[i].From, To: symbols[end-1].To, Text: "news"})
			begins = beginsAfter(symbols[i:end], begins)
			i = end - 1
			continue
		}
		if kept != nil {
			kept = append(kept, symbols[i])
		}
		begins = beginsAfter(symbols[i:i+1], begins)
	}
	if kept == nil {
		return symbols
	}
	return kept
}

// newsEnd is the end of the clause at symbol i where it tells something and asks
// for nothing, or i. One that begins no clause only compares.
func newsEnd(symbols []Symbol, i int, begins, listed bool) int {
	at := i
	switch {
	case symbols[i].Class == Refused && strings.EqualFold(symbols[i].Text, "like"):
		return comparisonEnd(symbols, i)
	case symbols[i].Class == As:
		at++
	case !begins:
		return i
	}
	k := predicateAt(symbols, at, listed)
	if k == at {
		return i
	}
	if preferring().MatchString(symbols[k-1].Text) {
		return likedEnd(symbols, i, k)
	}
	for ; inert(&symbols[k]) && (listed || !nounAt(symbols, k)) || season(symbols, k); k++ {
	}
	k = sinceLong(symbols, k)
	if endsClause(&symbols[k]) {
		return k
	}
	return i
}

// preferring are facts of what people like, which may be how prices are.
var preferring = lazyregexp.New(`(?i) (?:like|love|prefer|enjoy|appreciate|hate|dislike)s?$`)

// likedEnd is the end of the clause at symbol i that tells what people like, from k
// on: that, or one simple price, of which no number is said.
func likedEnd(symbols []Symbol, i, k int) int {
	for ; ; k++ {
		s := &symbols[k]
		switch text := strings.ToLower(s.Text); {
		case endsClause(s):
			return k
		case s.Class == Pronoun, text == "that", text == "this", text == "one", text == "round", plainly[text]:
		case s.Class == Price && symbols[k-1].Class != Fact && !article(&symbols[k-1]) && symbols[k-1].Class != Pronoun:
		case !article(s):
			return i
		}
	}
}

var plainly = set("simple plain clear tidy neat stable steady honest")

// beginsAfter reports whether nothing but filler stands between a pause and what
// follows these symbols, given that for what they follow.
func beginsAfter(symbols []Symbol, begins bool) bool {
	for k := range symbols {
		switch symbols[k].Class {
		case Stop, Comma:
			begins = true
		case Noise:
		default:
			begins = false
		}
	}
	return begins
}

func endsClause(s *Symbol) bool {
	return s.Class == Stop || s.Class == Comma || s.Class == Noise && endsReason(s)
}

// predicateAt is where the clause at symbol i goes on after its subject and verb,
// or i where it has none.
func predicateAt(symbols []Symbol, i int, listed bool) int {
	text := strings.ToLower(symbols[i].Text)
	if being[text] || having[text] || persons[text] {
		if next := verbAt(symbols, i, text, listed); next != i {
			return next
		}
	}
	switch {
	case symbols[i].Class == Fact && !verbs[firstWord(text)]:
		return i + 1
	case symbols[i].Class == Name && strings.HasSuffix(text, "ing") && toldIn().MatchString(plainApostrophe.Replace(symbols[i].Text)):
		return i + 1
	case seasonAt(symbols, i) > i:
		return seasonAt(symbols, i)
	case text == "the" || text == "our" || text == "my":
		return nounPredicateAt(symbols, i, listed)
	}
	return i
}

// verbAt is predicateAt for "it's just sitting", "they've gone" and "she came".
func verbAt(symbols []Symbol, i int, text string, listed bool) int {
	next := i + 1
	for article(&symbols[next]) {
		next++
	}
	after := &symbols[next]
	told := tells(after)
	switch {
	case persons[text] && after.Class == Fact && !verbs[firstWord(after.Text)]: // customers won't mind
		return next + 1
	case persons[text] && after.Class == Copula && copulas[strings.ToLower(after.Text)] && (tells(&symbols[next+1]) || symbols[next+1].Class == Arrived): // they are sitting
		return next + 1
	case persons[text] && perfect[strings.ToLower(after.Text)] && strings.EqualFold(symbols[next+1].Text, "been") && tells(&symbols[next+2]): // both have been sitting
		return next + 2
	case persons[text] && keptUp(symbols, next):
		return next + 2
	case persons[text] && (listed || looking[firstWord(after.Text)]) && after.Class == Name && Describes(after.Text, true):
		return next + 1
	case being[text] && season(symbols, next):
		return next
	case being[text] && season(symbols, next+1): // it's nearly winter
		return next + 1
	case being[text] && (told || after.Class == Arrived || listed && after.Class == Name && article(&symbols[next-1]) && !strings.EqualFold(symbols[next-1].Text, "the")): // it's my birthday
		return next
	case having[text] && (told || after.Class == Name && participle().MatchString(after.Text)):
		return next
	case persons[text] && (symbols[i].Class == Pronoun || symbols[i].Class == Refused):
		if after.Class == Refused && pastVerbs[strings.ToLower(after.Text)] && !didThem(symbols, next) && !weighs(after, &symbols[next+1]) || after.Class == Name && thirds[text] && strings.HasSuffix(firstWord(after.Text), "s") && (listed || !strings.Contains(after.Text, " ")) {
			return next + 1
		}
	}
	return i
}

// weighs reports whether it seems high, which may be what was asked for.
func weighs(verb, how *Symbol) bool {
	return strings.HasPrefix(strings.ToLower(verb.Text), "seem") && how.Class == Name && !states[strings.ToLower(how.Text)] && !doing().MatchString(how.Text)
}

// didThem reports whether "did" stands at k before what may be products, which need
// no change then: we did the mugs already.
func didThem(symbols []Symbol, k int) bool {
	if !strings.EqualFold(symbols[k].Text, "did") {
		return false
	}
	for k++; article(&symbols[k]); k++ {
	}
	return symbols[k].Class == Name && !manner().MatchString(symbols[k].Text)
}

var perfect = set("have has had")

// tells reports whether a symbol can only say how something is.
func tells(s *Symbol) bool {
	return s.Class == Name && (doing().MatchString(s.Text) || states[strings.ToLower(s.Text)]) || s.Class == Refused && (s.Refusal == Unclear || s.Refusal == Vague)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.ToLower(text), " ")
	return word
}

// nounAt reports whether a noun stands at k that could be a category's name, and
// is not what is done to somebody: driving the cashiers mad.
func nounAt(symbols []Symbol, k int) bool {
	return symbols[k].Class == Name && !manner().MatchString(symbols[k].Text) && !article(&symbols[k-1])
}

func article(s *Symbol) bool {
	return s.Class == Noise && fillers[strings.ToLower(s.Text)]
}

// nounPredicateAt is predicateAt for "the cents are driving". That something is
// here is told of what no rule can be about alone: the new bags. What could be a
// category has to do something to somebody, for "the hats are done" may leave
// them out.
func nounPredicateAt(symbols []Symbol, i int, listed bool) int {
	described := false
	k := i + 1
	for ; symbols[k].Class == Name || symbols[k].Class == Refused && asideRefusals[symbols[k].Refusal]; k++ {
		described = described || symbols[k].Class == Refused
	}
	switch {
	case symbols[k].Class == Fact && !verbs[firstWord(symbols[k].Text)]: // our premium customers are
		return k + 1
	case k == i+1 || k >= len(symbols):
	case symbols[k].Class == Arrived && described:
		return k + 1
	case listed && describedIn(symbols[i+1:k]):
		return k
	case listed && keptUp(symbols, k):
		return k + 2
	case symbols[k].Class == Copula && tells(&symbols[k+1]) && (listed || affects(symbols, k+2)):
		return k + 1
	}
	return i
}

// affects reports whether somebody stands at k after a verb: the cashiers, us.
func affects(symbols []Symbol, k int) bool {
	text := strings.ToLower(symbols[k].Text)
	return symbols[k].Class == Noise && (text == "the" || text == "our" || text == "my") || symbols[k].Class == Refused && (text == "us" || text == "me")
}

// comparisonEnd is the end of "like the big shops do" at symbol i, or i.
func comparisonEnd(symbols []Symbol, i int) int {
	k := i + 1
	for ; inert(&symbols[k]); k++ {
	}
	if k > i+1 && doers[strings.ToLower(symbols[k].Text)] && (endsClause(&symbols[k+1]) || symbols[k+1].Class == Noise) {
		return k + 1
	}
	return i
}

var doers = set("do does did")

// inert reports whether a symbol can be part of no rule.
func inert(s *Symbol) bool {
	switch s.Class {
	case Name, Arrived, Pronoun, Fact, At, Of, With:
		return true
	case In:
		return strings.EqualFold(s.Text, "in")
	case Copula:
		return copulas[strings.ToLower(s.Text)]
	case Noise:
		text := strings.ToLower(s.Text)
		return fillers[text] || text == "any more" || text == "anymore" || text == "any longer"
	case Refused:
		return s.Refusal == Unclear || s.Refusal == Vague || s.Refusal == OutsideData
	}
	return false
}

var copulas = set("is are be being become becomes")

// inertClause is inertWords of a clause, but for phrases that are known to tell
// something as a whole: flying off the shelves.
func inertClause(symbols []Symbol, tokens []Token) bool {
	if end := seasonAt(symbols, 0); end > 0 {
		symbols = symbols[end:]
	}
	if len(symbols) == 0 {
		return true
	}
	from := symbols[0].From
	for k := range symbols {
		if symbols[k].Class != Fact && symbols[k].Class != Arrived {
			continue
		}
		if !inertWords(tokens[from:symbols[k].From]) {
			return false
		}
		from = symbols[k].To
	}
	return inertWords(tokens[from:symbols[len(symbols)-1].To])
}

// inertWords reports whether no word of a clause adds to a rule or takes one back,
// in whole or in part.
// The "like" of a comparison is its first, and so is who "both" have been.
func inertWords(tokens []Token) bool {
	for k := range tokens {
		switch word := tokens[k].Norm; {
		case word == "wrong" && k > 0 && participle().MatchString(tokens[k-1].Text): // entered wrong
		case retractions[word], additions[word] && (k > 0 || word != "like" && word != "both"):
			return false
		}
	}
	return true
}

// retracts reports whether a word outside the vocabulary says that what was asked
// for is not to be done.
func retracts(s *Symbol) bool {
	return (s.Class == Name || s.Class == Refused) && slices.ContainsFunc(strings.Fields(strings.ToLower(s.Text)), func(word string) bool { return retractions[word] })
}

// takenUp reports whether what the symbols from i to end name may be what a later
// "them" stands for.
func takenUp(symbols []Symbol, i, end int) bool {
	named := false
	for k := i; k < end; k++ {
		named = named || symbols[k].Class == Noise || symbols[k].Class == Name && k > i+1
	}
	again := false // named in the sentence of the pronoun
	for k := end; k < len(symbols) && named; k++ {
		again = symbols[k].Class != Stop && (again || isName(&symbols[k]))
		if !again && (symbols[k].Class == Pronoun || OneThing(symbols, k)) || symbols[k].Class == Rest {
			return true
		}
	}
	return false
}

// season reports whether it is nearly winter at k, which is no date.
func season(symbols []Symbol, k int) bool {
	if k >= len(symbols) {
		return false
	}
	before := strings.ToLower(symbols[max(k-1, 0)].Text)
	return symbols[k].Class == Refused && seasons[strings.ToLower(symbols[k].Text)] && (before == "nearly" || before == "almost" || before == "it's")
}
