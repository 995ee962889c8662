package reader

import (
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// meaning is what some words of the instruction say: a bag of features, of which
// most are not given. Meanings are never changed once made.
type meaning struct {
	clause          // what is said so far of a rule that is not whole
	rules  []clause // rules that are

	// How it was read.
	symbol   string
	parts    []*meaning
	from, to int
	cost     int
	meant    string // the word or name that was not typed so
	mended   int    // of a phrase, the token after the one that was read as meant
	said     string // its key, once that was asked for
	guess    string // of a name that words are supposed to be meant for, what is supposed
}

// clause is a rule as it was said, or a part of one.
type clause struct {
	act    act
	dir    direction
	verb   direction // of a verb with a new price: lower to $5
	amount amount
	stock  choice      // that is set: in stock or not
	column plan.Column // that is changed; "": the price
	sale   bool        // the new price is a sale price
	sets   []set       // the products, or a condition on them
	except []set
	only   []set
	targeting
	shaping
	open
	then     bool   // it works on what the rules before left
	all      bool   // its options hold for all rules
	from, to int    // the tokens of a whole rule
	problem  string // the class of the question that this must be
}

// targeting is how a clause tells its products, beside naming them.
type targeting struct {
	ref    reference
	under  []set // the heading that narrows its products; everything: one that they are by themselves
	loose  bool  // "prices", which may be those of the rules before
	single bool  // "the item", which is one that was named before
	one    bool  // a name of several products, said as one of them
	mere   bool  // "but", which goes with all products, not with a category
}

// shaping is what a clause says of the new price: its limits, and how it is rounded.
type shaping struct {
	floor    amount
	ceiling  amount
	ofPrice  bool // its limits are said to be of the new price
	covered  bool // the new price is not below the cost
	regular  bool // it is the regular price that changes, and no sale
	round    int8 // digits and 1; 0 is not given
	ending   amount
	step     amount        // whose multiples prices become
	rounding plan.Rounding // up or down; "": the nearest
}

// open is what a part of a clause says of the words that are to follow it.
type open struct {
	role     role   // of the name beside it, and 1; 0 is not given
	side     side   // of an amount, where prices are
	currency string // a sign of it; it is counted in the whole text
}

// act is what kind of rule a clause is.
type act uint8

const (
	noAct    act = iota
	change       // of a price
	stocks       // sets the stock
	keep         // leaves products as they are
	limit        // a floor or cap that prices are moved to
	shape        // rounds prices or gives them an ending
	likewise     // as the rule before
	unsale       // ends a sale
)

// direction is how an amount changes a price.
type direction uint8

const (
	noDirection direction = iota
	up
	down
	to      // is the new price
	factor  // multiplies it
	onCost  // is the new price, over the cost
	inherit // as the rule before
)

// side is where prices are, seen from an amount.
type side uint8

const (
	noSide side = iota
	under
	over
	atLeast
	atMost
)

// unit is what an amount counts.
type unit uint8

const (
	noUnit unit = iota
	bare        // a number alone
	percent
	money
)

type amount struct {
	unit   unit
	number plan.Decimal
}

// reference is products that are told by what was said elsewhere.
type reference uint8

const (
	byName    reference = iota
	rest                // all that no other rule names, within the sets
	them                // the products of the rule before
	those               // products of the same names as those before, within the sets
	otherwise           // the products of the same names as those before that they leave
	cheaper             // those of the same names that cost less than all before
	dearer
	missing // not said
)

// key is the same for meanings that say the same.
func (m *meaning) key() string {
	if m.said != "" {
		return m.said
	}
	var b strings.Builder
	m.clause.write(&b)
	for i := range m.rules {
		b.WriteByte('{')
		m.rules[i].write(&b)
	}
	if symbolIsGroup(m.symbol) {
		for _, part := range m.parts {
			b.WriteByte('(')
			b.WriteString(part.key())
		}
	}
	m.said = b.String()
	return m.said
}

// write writes what distinguishes clauses.
func (c *clause) write(b *strings.Builder) {
	var room [128]byte
	to := append(
		room[:0],
		byte(c.act),
		byte(c.dir),
		byte(c.verb),
		byte(c.stock),
		byte(c.ref),
		byte(c.round),
		byte(c.role),
	)
	for _, flag := range []bool{
		c.sets != nil, c.except != nil, c.only != nil, c.under != nil, c.sale, c.regular, c.covered, c.then,
		c.all, c.ofPrice, c.loose, c.single, c.one,
	} {
		to = append(to, '0')
		if flag {
			to[len(to)-1] = '1'
		}
	}
	for _, a := range []*amount{&c.amount, &c.floor, &c.ceiling, &c.ending, &c.step} {
		to = append(to, '0'+byte(a.unit))
		if a.unit != noUnit {
			to = append(append(to, a.number.String()...), ' ')
		}
	}
	b.Write(to)
	for _, sets := range [][]set{c.sets, c.except, c.only, c.under} {
		b.WriteString(keys(sets))
		b.WriteByte(';')
	}
	for _, text := range []string{string(c.rounding), string(c.column), c.problem} {
		b.WriteString(text)
		b.WriteByte(';')
	}
}

// merge adds the features of other. It is false where the two say different things of the same.
func (c *clause) merge(other *clause) bool {
	ok := give(&c.act, other.act) && give(&c.dir, other.dir) && give(&c.amount, other.amount) &&
		give(&c.stock, other.stock) &&
		give(&c.ref, other.ref) && give(&c.floor, other.floor) && give(&c.ceiling, other.ceiling) &&
		give(&c.round, other.round) &&
		give(&c.ending, other.ending) && give(&c.verb, other.verb) && give(&c.problem, other.problem) &&
		give(&c.side, other.side) && give(&c.role, other.role) &&
		give(&c.step, other.step) && give(&c.rounding, other.rounding) &&
		give(&c.column, other.column)
	c.then, c.all, c.loose, c.ofPrice = c.then ||
		other.then, c.all ||
		other.all, c.loose ||
		other.loose, c.ofPrice ||
		other.ofPrice
	c.single, c.one, c.mere, c.sale = c.single ||
		other.single, c.one ||
		other.one, c.mere ||
		other.mere, c.sale ||
		other.sale
	c.covered, c.regular = c.covered || other.covered, c.regular || other.regular
	if ok = ok && !(c.regular && c.sale); other.sets != nil {
		ok = ok && c.sets == nil
		c.sets = other.sets
	}
	if other.except != nil {
		c.except = append(c.except[:len(c.except):len(c.except)], other.except...)
	}
	switch {
	case c.only == nil:
		c.only = other.only
	case other.only != nil:
		c.only = intersection(c.only, other.only)
		ok = ok && c.only != nil
	}
	return ok
}

// give sets what is not given yet. It is false where something else is.
func give[T comparable](to *T, from T) bool {
	var none T
	if from == none {
		return true
	}
	if *to != none && *to != from {
		return false
	}
	*to = from
	return true
}

// feature sets a feature by its name, as the lexicon and the grammar write it.
func (c *clause) feature(name, value string) {
	flags := map[string]*bool{
		"then":    &c.then,
		"loose":   &c.loose,
		"single":  &c.single,
		"ofprice": &c.ofPrice,
		"all":     &c.all,
		"mere":    &c.mere,
		"sale":    &c.sale,
		"regular": &c.regular,
		"covered": &c.covered,
	}
	if flag, is := flags[name]; is {
		*flag = true
		return
	}
	switch name {
	case "act":
		c.act = map[string]act{
			"change":  change,
			"stock":   stocks,
			"keep":    keep,
			"limit":   limit,
			"shape":   shape,
			"inherit": likewise,
			"unsale":  unsale,
		}[value]
	case "dir":
		c.dir = map[string]direction{
			"up":      up,
			"down":    down,
			"to":      to,
			"factor":  factor,
			"inherit": inherit,
			"oncost":  onCost,
		}[value]
	case "side":
		c.side = map[string]side{"under": under, "over": over, "atleast": atLeast, "atmost": atMost}[value]
	case "stock":
		c.stock = map[string]choice{"in": yes, "out": no}[value]
	case "ref":
		c.ref = map[string]reference{
			"rest":      rest,
			"them":      them,
			"those":     those,
			"otherwise": otherwise,
			"cheaper":   cheaper,
			"dearer":    dearer,
			"missing":   missing,
		}[value]
	case "percent", "money", "number":
		c.amount = amount{
			map[string]unit{"percent": percent, "money": money, "number": bare}[name],
			plan.MustDecimal(value),
		}
	case "ending":
		c.ending = amount{money, plan.MustDecimal(value)}
	case "round":
		c.round = int8(value[0]-'0') + 1
	case "cur":
		c.currency = value
	case "everything", "instock", "outofstock", "onsale", "notonsale":
		c.sets = map[string][]set{
			"everything": everything,
			"instock":    {{stock: yes}},
			"outofstock": {{stock: no}},
			"onsale":     onSale,
			"notonsale":  {{sale: no}},
		}[name]
	case "role":
		c.role = map[string]role{"brand": brand, "tag": tag}[value] + 1
	case "problem":
		c.problem = value
	default:
		panic("there is no feature " + name)
	}
}

// features sets features written as "dir=up,then".
func (c *clause) features(text string) {
	for _, feature := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(feature, "=")
		c.feature(name, value)
	}
}
