package grammar

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// rows is a set of rows named in one breath: any of the categories or SKUs,
// and all of the conditions. Without categories and SKUs it is every row.
type rows struct {
	categories []string
	skus       []string
	conditions
}

// conditions are what the rows of a target must fulfil, all of them.
type conditions struct {
	stock    *bool
	gte, lte *plan.Decimal
}

func (c conditions) none() bool { return c.stock == nil && c.gte == nil && c.lte == nil }

func (r rows) listed() bool { return r.categories != nil || r.skus != nil }

// target is what a clause speaks of.
type target struct {
	named   bool          // something was said: "prices", "products", "yoga"
	strong  bool          // all of it: "all", "everything"
	headed  bool          // a noun stands for the products: items, prices
	others  bool          // the rest, which may be of what was named
	ones    bool          // \"ones\": of what was named before
	rest    bool          // everything else
	ofThem  bool          // the rest of them, and so of something named
	pronoun bool          // them: what the clause before spoke of
	topic   bool          // them: what the clause itself began with
	price   bool          // prices, and so not stock
	one     bool          // the price, or it: of one thing that was spoken of
	noun    english.Class // of "the item", "the category": one thing that was named before
	groups  []rows
	shared  conditions   // of every group
	bandEnd int          // the symbol after its range of prices
	band    *conditions  // another range of prices, of which either will do
	instead []conditions // of what is left out, any of which will do as well as shared
	except  []rows
	end     int // the symbol after its last word
}

// everyRow reports whether the target names no rows in particular.
func (t *target) everyRow() bool {
	return len(t.groups) == 0 && t.shared.none() && !t.rest && !t.pronoun
}

// limited reports whether the target is less than all products.
func (t *target) limited() bool { return len(t.groups) > 0 || !t.shared.none() || t.pronoun }

// mention is one "in stock" or "out of stock" of a clause, before it is known
// whether it is a condition or what is to be set.
type mention struct {
	value bool
	set   bool // "as sold out", "is back in stock": certainly what to set
	loose bool
	at    int // the symbol
}

// kind is what a clause does.
type kind uint8

const (
	acts      kind = iota // changes prices or stock
	excludes              // leaves rows alone
	restricts             // limits all rules to some rows
	shapes                // rounds, ends or bounds the prices of other rules
	says                  // nothing: a greeting
)

// clause is one rule of a sentence as it was said, before the rest of the
// sentence has explained it.
type clause struct {
	from, to  int // symbols
	sentence  int
	then      bool // "then": after what the clauses before did
	but       bool
	otherwise bool // for what the clause before leaves out by its condition
	target    target

	up, down   bool   // a direction, before or after the amount
	lead       bool   // a direction before the amount: "raise", "down"
	suffix     bool   // a direction after the amount: "off", "cheaper"
	word       string // the verb of setting: set, make, give
	setting    bool   // set, make, put: the rest says what
	changing   bool   // change, adjust
	times      int    // double is 100, halve -50
	copula     bool   // is, should be
	obliges    bool   // should be
	ownVerb    bool   // a verb was said in this clause
	extra      bool   // an extra amount, and so none to set
	adding     bool   // its direction comes of "add" alone
	noun       bool   // a change is named, as in "the discount"
	inner      bool   // it is what an exception names
	arrived    bool   // it tells that products arrived
	taken      bool   // a rule is about what arrived
	onSale     bool
	portion    bool // the amount is a part of the price: 80% of it
	amount     *english.Value
	amountAt   int           // the symbol
	role       english.Class // the word before the amount
	was        *english.Value
	stocks     []mention
	colonLed   bool       // a colon parts what is said before the verb from it
	leading    conditions // said before the verb, of the whole sentence
	leadingOut []rows     // left out before the verb, of the whole sentence
	heading    conditions // said before a comma or colon, with no products
	leads      bool
	leaving    bool // leave, keep, stay
	options    options
	exceptEnd  int           // the symbol after its last exception
	shapeAt    int           // the first symbol of its last rounding, ending or limit
	shapeEnd   int           // the symbol after that
	trailAt    int           // the first rounding, ending or limit after what it asks for; 0 for none
	looseAt    int           // the first condition or exception that stands apart from its target; 0 for none
	pending    english.Class // Round, Floor or Cap that waits for its amount
	negated    bool          // do not
	untouched  bool          // leave, skip, no changes
	alone      bool          // unchanged
	restricted bool          // only, if
	listAnd    bool          // the last symbol was a connector
	heads      *headed       // it stands over the lines that follow
}

// headed says whether a line took up what stands over it.
type headed struct{ used bool }

// options are the ways to shape a price that were said.
type options struct {
	round    *int
	ending   *plan.Decimal
	min, max *plan.Decimal
	either   bool // the limit may be one of the change instead of the price
}

func (o options) none() bool {
	return o.round == nil && o.ending == nil && o.min == nil && o.max == nil
}

// complete reports whether the clause has said what to do.
func (c *clause) complete() bool {
	return c.amount != nil || c.times != 0 || len(c.stocks) > 0 && c.givesStock() || c.stockSaid()
}

// shapesOwn reports whether the clause says no more than how the prices of products of
// its own shall look: "cap mugs at $40".
func (c *clause) shapesOwn() bool {
	return !c.complete() && !c.excluding() && !c.options.none() && len(c.target.groups) > 0
}

// givesStock reports whether what the clause says of the stock may be what shall become
// so: "mark mugs sold out", but not "reprice mugs in stock".
func (c *clause) givesStock() bool { return c.setting && !ofPrices[c.word] || c.copula }

// ofPrices are verbs that set nothing but prices.
var ofPrices = map[string]bool{"reprice": true, "repricing": true, "charge": true, "charging": true}

func (c *clause) acting() bool {
	return c.up || c.down || c.setting || c.changing || c.complete()
}

func (c *clause) rises() bool { return c.up || c.times > 0 }

func (c *clause) falls() bool { return c.down || c.times < 0 }

func (c *clause) excluding() bool { return c.negated || c.untouched || c.alone || c.leaving }

func (c *clause) empty() bool {
	return !c.acting() && !c.arrived && !c.excluding() && !c.target.named && c.options.none() && c.pending == 0 && !c.restricted &&
		len(c.stocks) == 0 && c.target.everyRow() && len(c.target.except) == 0 && !c.copula && !c.onSale
}

// bids reports whether the clause asks for more than that something changes: "only
// touch products in stock" says of which products that holds.
func (c *clause) bids() bool { return c.up || c.down || c.setting && !ofPrices[c.word] || c.complete() }
