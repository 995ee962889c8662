package english

// What follows is announced before a colon: "New shelf plan, new prices:", "Prices
// from the rep:", "House rules for the price file:". Words before a colon may as
// well say which products are meant, or that the prices are those of somebody
// else or of another time, so each word of an announcement is one of those here.

// announcing are nouns for what is asked for, one of which an announcement has.
var announcing = set("price prices pricing change changes update updates review list plan structure request requests note adjustment adjustments bands tiers rules rule thing things passing decision decisions outcome result results summary recap minutes")

// The words beside them: announcedAs say how it comes, framing join them, and
// whence names where it comes from or holds, after a word of framing.
var (
	announcedAs = set("easy simple week's new newest latest fresh updated revised final agreed approved planned house quick small annual yearly quarterly monthly weekly usual regular shelf")
	framing     = set("what we i me us you these on decided need head the a an our my this here here's it's is are of from by at for in and , as promised agreed discussed requested planned")
	whence      = set("whole entire shop store file catalogue catalog meeting board office back team owner boss manager rep accountant management price today morning")
)

// concluded are words that announce after who did it: what we agreed.
var concluded = set("agreed decided discussed need planned")

// maxAnnouncement bounds the tokens of an announcement.
const maxAnnouncement = 10

// announcementEnd is the end of an announcement with its mark.
func (s *scan) announcementEnd() int {
	announces := false
	end := s.pos
	for ; end < len(s.tokens) && end < s.pos+maxAnnouncement; end++ {
		token := &s.tokens[end]
		if token.Text == ":" {
			break
		}
		_, amountEnd := s.amountAt(end)
		phrase, phraseEnd := s.phraseAt(end)
		if phrase != nil && phrase.Refusal == Schedule && phraseEnd > end+1 { // from March
			return s.pos
		}
		if s.categoryAt(end) || amountEnd > end || phrase != nil && actsClass(phrase) || !s.announced(end) {
			return s.pos
		}
		announces = announces || announcing[token.Norm] || concluded[token.Norm] && end > s.pos && (s.tokens[end-1].Norm == "we" || s.tokens[end-1].Norm == "i")
	}
	if !announces || end >= len(s.tokens) || s.tokens[end].Text != ":" || !s.productsFrom(end+1) {
		return s.pos
	}
	return end + 1
}

// announced reports whether the word at i can be of an announcement.
func (s *scan) announced(i int) bool {
	word := s.tokens[i].Norm
	switch {
	case announcing[word], framing[word]:
		return true
	case s.categories == nil && s.nameable(i): // it may be a category's
		return s.sent(i)
	case announcedAs[word]:
		return true
	case i > s.pos && whence[word]:
		before := s.tokens[i-1].Norm
		return whence[before] || announcedAs[before] || framing[before] && before != "," && before != "and"
	}
	return s.sent(i)
}

// standing reports whether "current prices:" begins here, of which no list says what
// prices should be.
func (s *scan) standing() bool {
	return s.pos+2 < len(s.tokens) && lasting[s.tokens[s.pos].Norm] && announcing[s.tokens[s.pos+1].Norm] && s.tokens[s.pos+2].Text == ":"
}

var lasting = set("current existing currently now")

// sent reports whether the unknown word at i is who something comes from: prices
// from the rep.
func (s *scan) sent(i int) bool {
	if !s.nameable(i) {
		return false
	}
	for i--; i > s.pos && determiners[s.tokens[i].Norm]; i-- {
	}
	return i > s.pos && s.tokens[i].Norm == "from"
}

// productsFrom reports whether products or prices that bound them are named from
// token i on, in the first line that says something.
func (s *scan) productsFrom(i int) bool {
	for i < len(s.tokens) && s.tokens[i].Text == "\n" {
		i++
	}
	for ; i < len(s.tokens) && s.tokens[i].Text != "\n" && s.tokens[i].Text != "."; i++ {
		if s.categoryAt(i) || s.tokens[i].Kind == Code {
			return true
		}
		if phrase, _ := s.phraseAt(i); phrase != nil && bounding[phrase.Class] {
			return true
		}
		if amount, end := s.amountAt(i); end > i && amount.Unit == Money && end < len(s.tokens) {
			if after, _ := s.phraseAt(end); after != nil && (after.Class == To || after.Class == AndUp || after.Class == AndDown) {
				return true
			}
		}
	}
	return false
}

var bounding = [256]bool{Under: true, Over: true, AtLeast: true, AtMost: true, Between: true, Everything: true}
