package planning

import (
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// evidence is what an instruction says, without what it means as a whole.
type evidence struct {
	known     *english.Categories // those of the catalogue, or else the plan's own
	actions   []*said
	numbers   []*number // bounds, limits and endings
	lower     []*number
	upper     []*number
	floors    []*number
	caps      []*number
	endings   []*number
	roundings []roundings
	mentions  []mentioned
	stocks    []stock
	rest      bool // "everything else"
	every     bool // "all", "prices", "products" stand somewhere
	then, but bool // "then" and "but" stand somewhere
	refused   []string
	sentences int
}

// said is an action that the instruction asks for.
type said struct {
	kind  plan.ActionType // for a stock action SetStock
	value plan.Decimal
	stock bool
	text  string
	at    int // the symbol
	chunk *chunk
	used  bool

	// What can belong to it; nil before anybody asks.
	lower, upper, floors, caps, endings []related
	nearby                              []*mentioned
}

func (s *said) asksFor(a plan.Action) bool {
	return s.kind == a.Type && (a.Type == plan.SetStock && s.stock == a.Stock || a.Type != plan.SetStock && s.value == a.Value)
}

// place is where the instruction says something.
type place struct {
	*chunk
	out        bool // it is part of what is left out
	leads      bool // it is of a condition that begins the sentence and holds for all of it
	leadsNamed bool // it is of a condition among the names that begin the sentence
	over       int  // the sentence after the last that it may lead as well
}

// number is a price in a role. One that can be read in two ways, as the bound
// of what is meant or of what is left out, is two numbers that are used
// together.
type number struct {
	place
	value  plan.Decimal
	text   string
	used   bool
	twins  []*number
	other  bool      // it is the other side of a condition, which "otherwise" speaks of
	ofAll  bool      // it is one of all rules, for it stands by itself
	either []*number // of the other range of prices of which either will do
}

func (n *number) use() {
	n.used = true
	for _, twin := range n.twins {
		twin.used = true
	}
}

type roundings struct {
	place
	digits int
	text   string
	used   bool
}

type stock struct {
	place
	means bool // the stock of the rows that change
	text  string
	used  bool
}

// chunk is a piece of a sentence between connectors.
type chunk struct {
	sentence, index int
	before, after   *chunk  // of the same sentence
	earlier, later  *chunk  // the nearest of the sentence that ask for something
	actions         []*said // that are asked for in it
	names           bool    // products are named in it that are not left out
	then            bool    // it begins with "then"
	trails          bool    // they are named after what is asked for
	stocked         bool    // it has a condition on the stock
	shapes          bool    // it rounds, ends or bounds prices
	all             bool    // "all rounded", "both ending in": of all of the sentence
	parted          bool    // a comma begins it, maybe before "and" or "but"
	verb            bool    // a verb begins it
	turns           bool    // "but", or a comma and "except", begins it
	rest            bool    // "everything else" stands in it
	pronoun         bool    // "them" stands in it
	one             bool    // "the price" stands in it
	every           bool    // "all", "prices" or "products" stands in it
	outNames        bool    // products are named in it that are left out
	leaves          bool    // it asks to leave something as it is
	notWay          int     // it asks not to raise, 1, or not to lower, -1: "do not increase mugs"
	otherwise       bool    // "otherwise" stands in it
	anew            bool    // another condition leads it than the first of the sentence
	led             bool    // the names that lead its sentence are all that it has
}

func (c *chunk) acts() bool { return len(c.actions) > 0 }

// ofAll are the words beside a way to shape prices that make it one of all rules
// of a sentence.
var ofAll = map[string]bool{"all": true, "both": true, "each": true}

// gatherer reads symbols into evidence.
type gatherer struct {
	evidence
	listed   bool // the categories are known
	tokens   []english.Token
	symbols  []english.Symbol
	out      []bool // per symbol: it is left out
	chunks   []*chunk
	acting   []bool // per sentence: something is asked for
	sentence []int
	apart    map[int]bool // the sentences that do no more than shape the prices of products of their own
	leadEnds []int        // per sentence: one more than where what leads it ends; 0 where nobody has asked
}

// gather reads what the instruction says. Where the categories are not known,
// the plan's own are looked for as names, whatever they are made of, unless they
// are what SKUs are.
func gather(text *english.Scanned, p *plan.Plan) *evidence {
	known, listed := text.Categories, text.Categories != nil
	if !listed {
		var categories []string
		for i := range p.Operations {
			f := &p.Operations[i].Filter
			categories = append(append(categories, f.Categories...), f.ExcludeCategories...)
		}
		known = english.NewCategories(slices.DeleteFunc(categories, english.IsCode))
	}
	text = text.Again(corrected(text.Text, known), known)
	g := &gatherer{evidence: evidence{known: known}, listed: listed, apart: map[int]bool{}, tokens: text.Tokens, symbols: text.Symbols}
	g.mentions = make([]mentioned, 0, g.names())
	g.cut()
	g.leadAnew()
	g.leaveOut()
	for i := 0; i < len(g.symbols); i++ {
		if g.orBand(i) {
			i = g.joinBands(i)
			continue
		}
		i = g.read(i)
	}
	g.neighbours()
	g.sharedEnds()
	g.lead()
	return &g.evidence
}

// corrected returns the text with misspelt words put right, but for those that
// may be names: what they are read as explains nothing.
func corrected(text *english.Text, known *english.Categories) *english.Text {
	return text.With(slices.DeleteFunc(text.Corrections(known), func(c english.Correction) bool { return c.Named }))
}

// neighbours finds for each chunk those around it that ask for something.
func (g *gatherer) neighbours() {
	nearest := func(next, beyond *chunk) *chunk {
		if next.acts() {
			return next
		}
		return beyond
	}
	for _, c := range g.chunks {
		if before := c.before; before != nil {
			c.earlier = nearest(before, before.earlier)
			c.rest = c.rest || before.rest && before.index == 0 && !before.acts() && c.acts() && !c.names // "for the rest, take 3% off"
		}
	}
	for _, c := range slices.Backward(g.chunks) {
		if c.after != nil {
			c.later = nearest(c.after, c.after.later)
		}
	}
}

func (g *gatherer) class(i int) english.Class {
	if i < 0 || i >= len(g.symbols) {
		return english.Stop
	}
	return g.symbols[i].Class
}

// back returns the last symbol before i that is not noise.
func (g *gatherer) back(i int) int {
	for i--; g.class(i) == english.Noise || g.class(i) == english.All; i-- {
	}
	return i
}

func (g *gatherer) ahead(i int) int {
	for i++; g.class(i) == english.Noise; i++ {
	}
	return i
}

// cut parts the symbols into sentences, and those into chunks at connectors.
func (g *gatherer) cut() {
	g.chunks = make([]*chunk, len(g.symbols))
	g.sentence = make([]int, len(g.symbols))
	now := &chunk{}
	sentences, asked := 0, false
	for i := range g.symbols {
		switch g.class(i) {
		case english.Stop:
			sentences++
			now = &chunk{sentence: sentences}
		case english.And, english.Comma, english.But, english.Then, english.Otherwise, english.Which:
			if apart := g.shapesApart(i); apart || g.class(i) == english.Then && g.apart[sentences] {
				if g.class(i-1) != english.Stop {
					sentences++
				}
				now = &chunk{sentence: sentences}
				g.apart[sentences] = apart
				break
			}
			if !g.between(i) && !g.orBand(i) {
				next := &chunk{sentence: sentences, index: now.index + 1, before: now, then: g.class(i) == english.Then, turns: g.turns(i), verb: g.verbAt(g.ahead(i))}
				next.parted = g.class(i) == english.Comma || g.class(g.back(i)) == english.Comma
				now.after, now = next, next
			}
		}
		if g.forAllNamed(i) {
			next := &chunk{sentence: sentences, index: now.index + 1, before: now, parted: true}
			now.after, now = next, next
		}
		asked = (asked || g.class(i) == english.Amount) && g.class(i) != english.Stop
		if asked && english.PartsRules(&g.symbols[i]) {
			next := &chunk{sentence: sentences, index: now.index + 1, before: now}
			now.after, now = next, next
		}
		g.chunks[i], g.sentence[i] = now, sentences
	}
	g.sentences = sentences + 1
	g.acting, g.leadEnds = make([]bool, g.sentences), make([]int, g.sentences)
	for i := range g.symbols {
		if g.class(i) == english.Colon && g.class(i+1) == english.Stop { // it stands over the lines that follow
			g.acting[g.sentence[i]] = true
		}
		if class := g.class(i); class == english.Amount || class == english.Stock || class == english.Times || class == english.Restock || class == english.RoundUnit || class == english.NoDigits {
			g.acting[g.sentence[i]] = true
		}
	}
}

// read takes the symbol at i as evidence and returns the last symbol read.
func (g *gatherer) read(i int) int {
	symbol := g.symbols[i]
	switch symbol.Class {
	case english.Refused:
		g.refuse(i)
	case english.Unknown:
		if g.tokens[symbol.From].Kind != english.Mark {
			g.refuse(i)
		}
	case english.Fact, english.Cause:
		g.refuse(i)
	case english.Under, english.Over, english.Exactly:
		if g.class(g.ahead(i)) != english.Amount {
			g.refuse(i)
		}
	case english.If, english.Unless:
		if !g.conditionAhead(i) {
			g.refuse(i)
		}
	case english.Up, english.Down:
		if symbol.Sense == english.Particle && g.chunkHas(i, english.Amount) && !english.Beside(g.symbols, i) { // "20% off everything less mugs"
			g.refused = append(g.refused, quoted(symbol.Text))
		}
	case english.And, english.Comma:
		if c := g.chunks[i]; g.out[i] && c.before != nil { // "do not change tea or anything under $5"
			c.leaves = c.leaves || c.before.leaves
		}
	case english.Alone, english.NoChange:
		g.chunks[i].leaves = true
	case english.DoNot, english.Except, english.Leave, english.Skip:
		if symbol.Class == english.DoNot {
			g.chunks[i].notWay = wayOf(g.class(g.ahead(i)))
		}
		g.chunks[i].leaves = symbol.Class != english.Except && g.chunks[i].notWay == 0
		if g.takesBack(i) {
			g.refused = append(g.refused, quoted(symbol.Text))
		}
	case english.Rest:
		if !g.out[i] {
			g.rest, g.every, g.chunks[i].rest = true, true, true
		}
	case english.Price:
		g.every = true
		one := strings.HasSuffix(strings.ToLower(symbol.Text), "price")
		g.chunks[i].one, g.chunks[i].every = g.chunks[i].one || one, g.chunks[i].every || !one
	case english.All, english.Everything, english.Product:
		if english.OneThing(g.symbols, i) || strings.EqualFold(symbol.Text, "ones") {
			g.chunks[i].pronoun = true
			break
		}
		g.every, g.chunks[i].every = true, true
	case english.Pronoun:
		g.chunks[i].pronoun = true
	case english.Otherwise: // the same products, on the other side of the condition
		g.chunks[i].pronoun, g.chunks[i].otherwise = true, true
	case english.Round, english.EndIn, english.Floor, english.Cap:
		g.chunks[i].shapes = true
		if g.apart[g.sentence[i]] && !g.asks(g.sentence[i]) {
			g.act(i, said{kind: plan.PercentIncrease})
		}
		for _, k := range []int{max(0, i-1), i + 1} {
			if ofAll[strings.ToLower(g.symbols[k].Text)] && !(k > i && g.class(k) == english.All && g.headAt(g.ahead(k))) { // "round all prices" may be said of more
				g.chunks[k].all, g.chunks[i].all = true, true // "both" may begin a chunk
			}
		}
	case english.Which:
		g.which(i)
	case english.Then:
		g.then = true
	case english.But:
		g.but = true
	case english.Category, english.SKU:
		g.name(i)
	case english.Name:
		g.name(i)
	case english.Stock, english.Restock:
		g.stock(i)
	case english.Times:
		g.times(i)
	case english.RoundUnit, english.NoDigits:
		if g.class(i+1) == english.Product { // "dollar items"
			g.refuse(i)
		}
		g.roundings = append(g.roundings, roundings{digits: int(symbol.Sense), text: quoted(symbol.Text), place: g.place(i)})
	case english.Amount:
		return g.amount(i)
	}
	return i
}

// asks reports whether something is asked for in a sentence so far.
func (g *gatherer) asks(sentence int) bool {
	return slices.ContainsFunc(g.actions, func(s *said) bool { return s.chunk.sentence == sentence })
}

// headAt reports whether a noun for products or prices stands at i.
func (g *gatherer) headAt(i int) bool {
	switch g.class(i) {
	case english.Price, english.Product, english.Name, english.Category, english.SKU:
		return true
	}
	return false
}

// which mentions again what the exception right before leaves out, for the rule
// that follows: "except hats, which go up 5%".
func (g *gatherer) which(i int) {
	if g.out[i] { // "except hats, which stay the same"
		return
	}
	for k := range g.mentions {
		if n := g.mentions[k]; n.out && n.chunk.sentence == g.sentence[i] {
			n.out, n.again, n.chunk = false, true, g.chunks[i]
			n.chunk.names = true
			g.mentions = append(g.mentions, n)
		}
	}
}

// names counts those of products.
func (g *gatherer) names() int {
	names := 0
	for i := range g.symbols {
		if named(g.symbols[i]) {
			names++
		}
	}
	return names
}

func (g *gatherer) name(i int) {
	symbol := g.symbols[i]
	if symbol.Class == english.SKU && (english.IsRange(symbol.Text) || g.class(g.ahead(i)) == english.Dash || g.class(g.ahead(i)) == english.To && g.class(g.ahead(g.ahead(i))) == english.SKU) {
		g.refuse(i)
	}
	n := mentioned{text: symbol.Text, sku: symbol.Class == english.SKU, out: g.out[i], excepted: g.out[i] && g.listed && symbol.Class == english.Name && g.excepted(i), at: i, chunk: g.chunks[i]}
	if !n.sku {
		n.spelling = g.known.Spell(n.text)
	}
	n.chunk.outNames = n.chunk.outNames || n.out
	if !n.out && !n.chunk.names {
		n.chunk.names, n.chunk.trails = true, n.chunk.acts()
	}
	g.mentions = append(g.mentions, n)
}

// refuse notes words that no plan can express, or not where they stand.
func (g *gatherer) refuse(i int) {
	g.refused = append(g.refused, quoted(g.symbols[i].Text))
}

// conditionAhead reports whether products, a stock or a price follow in the
// sentence, to make a condition of.
func (g *gatherer) conditionAhead(i int) bool {
	for i++; g.class(i) != english.Stop; i++ {
		switch g.class(i) {
		case english.Name, english.Category, english.SKU, english.Stock:
			return true
		case english.Amount:
			if g.bounds(i) {
				return true
			}
		}
	}
	return false
}

func (g *gatherer) place(i int) place {
	p := place{chunk: g.chunks[i], out: g.out[i], leads: g.leads(i), leadsNamed: g.leadsNamed(i)}
	if p.leads {
		p.over = g.leadsOver(i)
	}
	return p
}

// excepted reports whether what is left out at i is an exception to the rule it
// stands in. Beside a category, one of another category says nothing; one of
// what is no category may be of some products of it.
func (g *gatherer) excepted(i int) bool {
	for i--; ; i-- {
		switch g.class(i) {
		case english.Except:
			return g.class(g.back(i)) != english.Stop
		case english.Stop, english.DoNot, english.Leave, english.Skip, english.NoChange, english.But:
			return false
		}
	}
}

// times reads double and half price as the percentages they are.
func (g *gatherer) times(i int) {
	sense := g.symbols[i].Sense
	kind := plan.PercentIncrease
	if sense < 0 {
		kind, sense = plan.PercentDecrease, -sense
	}
	g.act(i, said{kind: kind, value: plan.MustDecimal(big.NewInt(int64(sense)).String())})
}

func (g *gatherer) act(i int, s said) {
	s.text, s.at, s.chunk = quoted(g.symbols[i].Text), i, g.chunks[i]
	s.chunk.actions = append(s.chunk.actions, &s)
	g.actions = append(g.actions, &s)
}
