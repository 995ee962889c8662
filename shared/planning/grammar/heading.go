package grammar

import "github.com/planwright/planwright/shared/planning/english"

// headsLines reports whether a clause that ends at p.pos stands over the lines
// that follow: "For speakers:" or "Raise these:" before a list.
func (p *parser) headsLines(c *clause) bool {
	if c.complete() || c.target.band != nil || c.excluding() || p.class() != english.Stop || p.symbols[p.pos].Text != "\n" || p.pos+1 >= len(p.symbols) {
		return false
	}
	bulleted := p.symbols[p.pos+1].From > p.symbols[p.pos].To
	return p.classAt(p.pos-1) == english.Colon || bulleted
}

// under gives a clause without products or without a verb those of the heading
// that it stands under.
func (p *parser) under(c *clause) {
	h := p.heading
	if h == nil {
		return
	}
	t := &c.target
	switch {
	case len(h.target.groups) == 0 && h.target.shared.none():
	case len(t.groups) > 0:
		if !h.heads.used {
			p.fail(scope, h.from, c.to, "Does the heading of %s say which products are meant, or does its first line? Write the products in each line.")
		}
		p.heading = nil
		return
	default:
		t.groups, t.named = h.target.groups, true
		p.addConditions(c, h.target.shared, c.from, c.to)
		t.except = append(t.except, h.target.except...)
		h.heads.used = true
	}
	if h.up && c.down || h.down && c.up {
		p.fail(contradiction, h.from, c.to, "Is %s a rise or a fall of the price?")
	}
	if !c.ownWords() {
		c.up, c.down, c.lead = h.up, h.down, h.up || h.down
		c.setting, c.changing, c.copula, c.word = h.setting, h.changing, h.copula, h.word
	}
}

// ownWords reports whether the clause says itself what it does.
func (c *clause) ownWords() bool {
	return c.up || c.down || c.setting || c.changing || c.copula || c.times != 0
}

// checkHeading asks about a heading whose products no line takes up.
func (p *parser) checkHeading() {
	if h := p.heading; h != nil && !h.heads.used && len(h.target.groups) > 0 {
		p.fail(unread, h.from, h.to, "What should happen to %s?")
	}
}
