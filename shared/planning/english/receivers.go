package english

import "strings"

// Who gets a price says nothing of which products have it, as long as it is
// everybody: "give our customers 10% off mugs", "5% off tea for everyone". Some of
// them are no part of any plan: "customers in Berlin", "VIP customers".

// receivers are all who buy, and whose are the words before them.
var (
	receivers = set("customers shoppers people folks everyone everybody buyers clients patrons")
	whose     = set("all our my your the of")
)

// handing are verbs that receivers stand behind, before what they get.
var handing = set("give gives giving offer offers offering charge charges charging let letting allow allowing")

// receiversEnd is the end of all who buy at token i, or i.
func (s *scan) receiversEnd(i int) int {
	end := i
	for end < len(s.tokens) && whose[s.tokens[end].Norm] {
		end++
	}
	if end == len(s.tokens) || !receivers[s.tokens[end].Norm] || s.categoryAt(end) {
		return i
	}
	return end + 1
}

// receiver takes who gets what is asked for, and reports whether they are named
// here.
func (s *scan) receiver() bool {
	switch word := s.tokens[s.pos].Norm; {
	case word == "for" || word == "to": // 10% off mugs for everyone
		end := s.receiversEnd(s.pos + 1)
		return end > s.pos+1 && s.endsSaying(end) && s.saidAmount() && s.take(Symbol{Class: Noise}, end)
	case word == "treat" || word == "treating": // treat customers to 10% off mugs
		to := s.receiversEnd(s.pos + 1)
		return to > s.pos+1 && to < len(s.tokens) && s.tokens[to].Norm == "to" && s.handsOver(to+1) && s.take(Symbol{Class: Do, Text: "give"}, to+1)
	case !s.begins && !s.follows(Do), !whose[word] && !receivers[word]:
		return false
	}
	end := s.receiversEnd(s.pos)
	switch {
	case end == s.pos || end == len(s.tokens):
		return false
	case s.follows(Do) && handing[strings.ToLower(s.symbols[len(s.symbols)-1].Text)]:
		return (s.handsOver(end) || s.tokens[end].Norm == "have" && s.handsOver(end+1)) && s.take(Symbol{Class: Noise}, end)
	case !s.begins:
		return false
	}
	verb := end
	for verb < len(s.tokens) && obligations[s.tokens[verb].Norm] {
		verb++
	}
	if verb == end || verb == len(s.tokens) || !s.handsOver(verb+1) {
		return false
	}
	switch s.tokens[verb].Norm {
	case "get", "receive", "have":
		return s.take(Symbol{Class: Noise}, verb)
	case "pay":
		return s.take(Symbol{Class: Do, Text: "charge"}, verb+1)
	}
	return false
}

// obligations say that receivers are to get or pay something, and do not already.
var obligations = set("should must shall will")

// handsOver reports whether an amount with its unit stands at token i, maybe after
// an article.
func (s *scan) handsOver(i int) bool {
	for ; i < len(s.tokens); i++ {
		if amount, end := s.amountAt(i); end > i {
			return amount.Unit != NoUnit
		}
		switch phrase, _ := s.phraseAt(i); {
		case phrase == nil:
			return false
		case phrase.Class != Noise:
			return phrase.Class == Times
		}
	}
	return false
}

// saidAmount reports whether the sentence has an amount so far. Before it, a thank-you
// to customers is why something is asked for.
func (s *scan) saidAmount() bool {
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if s.symbols[i].Class == Amount || s.symbols[i].Class == Times {
			return true
		}
	}
	return false
}

// take pushes a symbol and reports that something was read.
func (s *scan) take(symbol Symbol, end int) bool {
	s.push(symbol, end)
	return true
}
