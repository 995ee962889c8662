package english

import (
	"strings"
)

// What compares or praises tells products of a kind from one another as only a
// person can: the nicer cushions, our finest teas, slow-selling rugs. Where no list
// says that it is the name of a category, it is none.

// judging are the words that do: degrees of adjectives, and what is said of products
// in no other way. Comparatives that name goods as well, as cooler and lighter do, are
// none.
var judging = degreesOf(
	"nice fancy pretty ugly heavy dark bright thick wide narrow broad long short tall deep soft hard strong weak sweet tasty fine fresh bulky dusty cute trendy flashy classy warm smart simple plain rare posh odd strange weird sturdy sleek fat loud quiet quick slow fast tiny young rough smooth shiny juicy spicy healthy handy rich poor great mild bold cosy cozy comfy roomy scruffy shabby tacky tatty silly funny safe tough gentle grand huge lovely big small large old new",
	"cool light clean thin slim crisp sharp hot cold steep dry good bad cheap dear costly pricey low high",
	"bulky dusty boring dull beautiful gorgeous stylish fashionable unfashionable trendy tacky shabby scruffy tatty unloved unwanted desirable undesirable underperforming overrated underrated lesser")

// standings follow a hyphen in a judgement: slow-selling, cheap-looking, hard-to-find.
// Those of them in apartToo need none: well reviewed.
var (
	standings = set("looking selling moving performing rated reviewed ranked loved liked known quality value margin priced earning sell shift find")
	apartToo  = set("looking selling performing reviewed loved known")
)

// degreesOf are the comparatives and superlatives of adjectives, the superlatives of
// those of which a comparative is something else, and further words.
func degreesOf(adjectives, superlative, further string) map[string]bool {
	all := set(further)
	for _, adjective := range strings.Fields(adjectives) {
		all[degree(adjective, "er")], all[degree(adjective, "est")] = true, true
	}
	for _, adjective := range strings.Fields(superlative) {
		all[degree(adjective, "est")] = true
	}
	return all
}

// degree is an adjective with the ending of a comparative or superlative.
func degree(adjective, ending string) string {
	last := adjective[len(adjective)-1]
	switch {
	case last == 'e':
		adjective = adjective[:len(adjective)-1]
	case last == 'y':
		adjective = adjective[:len(adjective)-1] + "i"
	case strings.Contains(" big fat slim hot thin ", " "+adjective+" "):
		adjective += string(last)
	}
	return adjective + ending
}

// groups are those whose products a shop keeps apart. Anna's are known to Anna.
var groups = set("men's women's children's child's kid's baby's boy's girl's lady's mother's father's valentine's")

// outlets are no goods: the harbour street shop.
var outlets = set("shop shops store stores branch branches outlet outlets location locations street road town")

// judges reports whether the name up to end says by a judgement which products are
// meant, or by whose or where they are: the nicer cushions, the ugly ones, Anna's
// items, the harbour shop. One that is written with capitals is a title, as in
// "Finest Teas".
func (s *scan) judges(end int) bool {
	if s.categories != nil || s.entitled(end) {
		return false
	}
	last := s.tokens[end-1].Norm
	next, _ := s.phraseAt(end)
	owned := strings.HasSuffix(last, "'s") && !groups[last] && (next == nil || next.Class != Price) // and not tea's prices
	place := outlets[last] && (next == nil || next.Class != Product)
	if owned || place || end < len(s.tokens) && s.tokens[end].Norm == "ones" {
		return true
	}
	for i := s.pos; i < end; i++ {
		word := s.tokens[i].Norm
		if judging[word] || i > s.pos && (apartToo[word] || standings[word] && joins(s.tokens, i-1)) {
			return true
		}
	}
	return false
}

// entitled reports whether the words up to end are several, and have capitals in a
// text that does not write all its words so.
func (s *scan) entitled(end int) bool {
	return end > s.pos+1 && s.uncapital && !uncapital(s.tokens[s.pos:end])
}
