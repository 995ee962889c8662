package planning

import (
	"math/big"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// amount reads the number at i in the role that the words around it give it.
func (g *gatherer) amount(i int) int {
	value := g.symbols[i].Amount
	before := g.class(g.back(i))
	switch {
	case value.Unit == english.Percent && inexact[before]:
		g.refuse(i)
	case g.class(i+1) == english.Digits:
		return g.decimals(i)
	case before == english.Nearest || before == english.Round || before == english.To && g.class(g.back(g.back(i))) == english.Round:
		g.roundTo(i)
	case before == english.EndIn, g.class(i+1) == english.EndIn && g.symbols[i+1].Sense == english.EndNoun && g.class(i+2) != english.Amount:
		g.add(i, &g.endings, value.Number)
	case g.limits(i, english.Floor, english.NotUnder) && !g.boundsTarget(i):
		g.add(i, &g.floors, value.Number)
	case g.limits(i, english.Cap, english.NotOver) && !g.boundsTarget(i):
		g.add(i, &g.caps, value.Number)
	case g.limitAfter(i):
		g.limit(i)
	case before == english.From:
		return g.from(i)
	case english.Arrow(g.symbols, i) && !g.bounds(i):
		g.add(i, &g.lower, value.Number)
		g.add(i, &g.upper, value.Number)
	case g.bounds(i) && value.Unit != english.Percent && !g.setExactly(i):
		return g.bound(i)
	default:
		g.action(i)
	}
	return i
}

// inexact are the classes before a percentage that leave open how much it is.
var inexact = [256]bool{
	english.AtLeast: true, english.AtMost: true, english.NotUnder: true, english.NotOver: true, english.Under: true, english.Over: true,
}

// from reads "from $20 to $15" as a price that is set where another stood,
// "from $15 to $30" beside a further amount as a range, and "from $20 up".
func (g *gatherer) from(i int) int {
	value, last := g.symbols[i].Amount.Number, g.ahead(g.ahead(i))
	to := (g.class(g.ahead(i)) == english.To || g.class(g.ahead(i)) == english.Dash) && g.class(last) == english.Amount
	g.add(i, &g.lower, value)
	switch {
	case to && (g.others(i, last) || g.class(g.back(g.back(i))) == english.Rel): // priced from $5 to $10
		g.add(last, &g.upper, g.symbols[last].Amount.Number)
		return last
	case to || g.setBefore(i): // from $20 to $15, to $15 from $20
		g.add(i, &g.upper, value)
	}
	if g.class(i+1) == english.Up {
		return i + 1
	}
	return i
}

// setBefore reports whether the sentence says before i what a price becomes.
func (g *gatherer) setBefore(i int) bool {
	for k := i - 1; k >= 0 && g.sentence[k] == g.sentence[i]; k-- {
		if g.class(k) == english.Amount {
			return g.class(g.back(k)) == english.To
		}
	}
	return false
}

// others reports whether the sentence has an amount besides these two.
func (g *gatherer) others(i, k int) bool {
	for n := range g.symbols {
		if n != i && n != k && g.sentence[n] == g.sentence[i] && (g.class(n) == english.Amount && !g.bounds(n) || g.class(n) == english.Times) {
			return true
		}
	}
	return false
}

// setExactly tells "set to exactly $5" from the bound "exactly $5".
func (g *gatherer) setExactly(i int) bool {
	exactly := g.back(i)
	if g.class(exactly) != english.Exactly {
		return false
	}
	switch at := g.back(exactly); g.class(at) {
	case english.To:
		return true
	case english.At:
		return g.class(g.back(at)) != english.Rel && !g.moves(g.ahead(i))
	}
	return false
}

// moves reports whether a verb at i says what becomes of the products before it:
// "mugs at exactly $5 go to $6".
func (g *gatherer) moves(i int) bool {
	switch g.class(i) {
	case english.Do, english.Copula, english.Up, english.Down:
		return true
	}
	return false
}

// boundsTarget: "not below $20" right after products and before any amount is
// a condition.
func (g *gatherer) boundsTarget(i int) bool {
	at := g.back(i)
	if class := g.class(at); class != english.NotUnder && class != english.NotOver || g.symbols[at].Sense == english.Bare {
		return false
	}
	return !g.amountBefore(at, g.sentence[at], false)
}

func (g *gatherer) limits(i int, limit, not english.Class) bool {
	at := g.back(i)
	for class := g.class(at); class == english.At || class == english.Of || class == english.To || class == english.Copula || class == english.Colon; class = g.class(at) {
		at = g.back(at)
	}
	if toBound := g.class(g.back(at)) == english.To; toBound && (g.class(at) == english.AtLeast && limit == english.Floor || g.class(at) == english.AtMost && limit == english.Cap) {
		return true
	}
	if g.class(at) == limit || g.class(at) == not || g.class(i+1) == limit && g.class(g.ahead(i+1)) != english.Amount {
		return true
	}
	for (g.class(g.back(i)) == english.At || g.class(g.back(i)) == english.To) && limitable[g.class(at)] {
		at = g.back(at) // "cap the prices of yoga at $50"
	}
	return g.class(at) == limit
}

// limitable are the classes of what stands between a limit and its amount.
var limitable = [256]bool{
	english.Price: true, english.Product: true, english.Category: true, english.SKU: true, english.Pronoun: true, english.Name: true, english.Stock: true,
	english.And: true, english.Comma: true, english.Everything: true, english.In: true, english.Of: true, english.For: true, english.CatNoun: true, english.SKUNoun: true, english.Except: true,
}

func (g *gatherer) add(i int, list *[]*number, value plan.Decimal) {
	n := &number{value: value, text: quoted(g.symbols[i].Text), place: g.place(i)}
	g.numbers = append(g.numbers, n)
	*list = append(*list, n)
}

// twin adds a second reading of the number that was added last.
func (g *gatherer) twin(list *[]*number, value plan.Decimal) {
	last := g.numbers[len(g.numbers)-1]
	other := &number{place: last.place, value: value, text: last.text, twins: []*number{last}}
	*list = append(*list, other)
}

func (g *gatherer) decimals(i int) int {
	digits := g.symbols[i].Amount.Number
	for n := range plan.MaxRoundTo + 1 {
		if digits.String() == big.NewInt(int64(n)).String() {
			g.roundings = append(g.roundings, roundings{digits: n, text: quoted(g.symbols[i].Text), place: g.place(i)})
			return i + 1
		}
	}
	g.refuse(i)
	return i + 1
}

func (g *gatherer) roundTo(i int) {
	for digits, unit := range []string{"1", "0.1", "0.01", "0.001"} {
		if g.symbols[i].Amount.Number.String() == unit {
			g.roundings = append(g.roundings, roundings{digits: digits, text: quoted(g.symbols[i].Text), place: g.place(i)})
			return
		}
	}
	g.refuse(i)
}

// bound reads a condition on the price. What is left out leaves the other side.
func (g *gatherer) bound(i int) int {
	value := g.symbols[i].Amount.Number
	other := g.out[i] || g.rest
	if english.BoundsResult(g.symbols, i+1) {
		g.refuse(i + 1)
	}
	switch class := g.class(g.back(i)); {
	case class == english.Under:
		g.side(i, other, &g.upper, step(value, -1), &g.lower, value)
	case class == english.Over:
		g.side(i, other, &g.lower, step(value, 1), &g.upper, value)
	case class == english.AtLeast || class == english.NotUnder || g.class(i+1) == english.AndUp:
		g.side(i, other, &g.lower, value, &g.upper, step(value, -1))
	case class == english.AtMost || class == english.NotOver || g.class(i+1) == english.AndDown:
		g.side(i, other, &g.upper, value, &g.lower, step(value, 1))
	case class == english.Between || g.isRange(i):
		return g.band(i)
	default: // exactly
		g.add(i, &g.lower, value)
		g.add(i, &g.upper, value)
	}
	return i
}

// band reads both ends of a range.
func (g *gatherer) band(i int) int {
	end := i + 2
	for g.class(end) == english.Noise {
		end++
	}
	low, high := g.symbols[i].Amount.Number, plan.Decimal{}
	both := g.class(end) == english.Amount
	if both {
		high = g.symbols[end].Amount.Number
	}
	switch {
	case both && g.out[i]:
		g.add(i, &g.upper, step(low, -1))
		g.add(end, &g.lower, step(high, 1))
	case both:
		g.add(i, &g.lower, low)
		g.add(end, &g.upper, high)
	default:
		g.add(i, &g.lower, low)
		return i
	}
	return end
}

func (g *gatherer) side(i int, other bool, list *[]*number, value plan.Decimal, left *[]*number, leftValue plan.Decimal) {
	if g.out[i] {
		g.add(i, left, leftValue)
		return
	}
	g.add(i, list, value)
	if ahead := g.restAhead(i); other || ahead != 0 {
		g.twin(left, leftValue)
		(*left)[len(*left)-1].other = ahead == english.Otherwise
	}
}

// restAhead returns which of "everything else" and "otherwise" follows, which
// take the other side of a bound.
func (g *gatherer) restAhead(i int) english.Class {
	for ; i < len(g.symbols); i++ {
		if class := g.class(i); class == english.Rest || class == english.Otherwise {
			return class
		}
	}
	return 0
}

// step is the next price up or down: a strict bound is the price one cent
// further, or one unit of its last digit where it has more.
func step(d plan.Decimal, by int64) plan.Decimal {
	scale := max(d.Scale(), plan.DefaultRoundTo)
	n := d.Scaled(scale)
	n.Add(n, big.NewInt(by))
	value, err := plan.FromScaled(n, scale)
	if err != nil {
		return d
	}
	return value
}

// action reads the amount of a change or a new price.
func (g *gatherer) action(i int) {
	value := g.symbols[i].Amount
	direction := g.direction(i)
	s := said{value: value.Number}
	switch {
	case value.Unit == english.Percent && g.portion(i):
		s.value, s.kind = portion(value)
	case value.Unit == english.Percent && value.Sign == 0 && g.class(g.back(i)) == english.To:
		s.kind = "" // no price is a percentage
	case value.Unit == english.Percent && direction > 0:
		s.kind = plan.PercentIncrease
	case value.Unit == english.Percent && direction < 0:
		s.kind = plan.PercentDecrease
	case value.Unit == english.Percent:
		s.kind = "" // a percentage without a direction is no action
	case g.becomes(i):
		s.kind = plan.SetPrice
	case direction == 0 && g.class(g.back(i)) == english.By:
		s.kind = "" // nor is a change "by $2"
	case direction == 0:
		s.kind = plan.SetPrice
	case value.Unit == english.NoUnit:
		s.kind = ""
	case direction > 0:
		s.kind = plan.FixedIncrease
	default:
		s.kind = plan.FixedDecrease
	}
	g.act(i, s)
}

// portion reports whether the percentage at i is what a price becomes: "to 80%
// of its current price".
func (g *gatherer) portion(i int) bool {
	return g.class(i+1) == english.Noise && g.symbols[i+1].Sense == english.OfPrice && (g.becomes(i) || g.direction(i) == 0)
}

func portion(value english.Value) (plan.Decimal, plan.ActionType) {
	change, rises := value.Apart()
	if rises {
		return change, plan.PercentIncrease
	}
	return change, plan.PercentDecrease
}

// direction is that of the words around an amount: its sign, what follows it
// at once, or the last direction before it in the sentence.
func (g *gatherer) direction(i int) int {
	if sign := g.symbols[i].Amount.Sign; sign != 0 {
		return int(sign)
	}
	next := g.ahead(i)
	if g.class(next) == english.Of || g.class(next) == english.In {
		next = g.ahead(next)
	}
	if way := wayOf(g.class(next)); way != 0 && (g.symbols[next].Sense == english.Particle || g.symbols[next].Class == english.Down || g.class(next) == english.Up) {
		return way
	}
	for k := i - 1; k >= 0 && g.sentence[k] == g.sentence[i]; k-- {
		if way := wayOf(g.class(k)); way != 0 && !g.out[k] && !g.upwards(k) {
			return way
		}
		if g.class(k) == english.Do && !g.inherits(k, i) {
			break
		}
	}
	for k := i + 1; k < len(g.symbols) && g.chunks[k] == g.chunks[i]; k++ {
		if way := wayOf(g.class(k)); way != 0 {
			return way
		}
	}
	if english.Puts(g.symbols, i) {
		return 1
	}
	if g.extra(i-1) || g.extra(i+1) {
		return 1
	}
	return g.carried(i)
}

// extra reports whether "extra" stands at i.
func (g *gatherer) extra(i int) bool {
	return g.class(i) == english.Noise && g.symbols[i].Sense == english.Extra
}

// carried is the direction of an earlier sentence that one without a verb goes
// on with: "Raise yoga by 5%; fitness by 6%."
func (g *gatherer) carried(i int) int {
	if g.class(g.back(i)) != english.By && !g.chunks[i].otherwise {
		return g.headed(i)
	}
	for k := i - 1; k >= 0; k-- {
		switch class := g.class(k); {
		case wayOf(class) != 0 && !g.out[k] && !g.upwards(k):
			return wayOf(class)
		case class == english.Do || class == english.Change:
			return 0
		}
	}
	return 0
}

// headed is the direction of the heading that the line of i stands under:
// "raise these:" before a list.
func (g *gatherer) headed(i int) int {
	for k := i - 1; k > 0; k-- {
		if g.class(k) != english.Stop || g.class(k-1) != english.Colon {
			continue
		}
		for k--; k >= 0 && g.class(k) != english.Stop; k-- {
			if way := wayOf(g.class(k)); way != 0 {
				return way
			}
		}
		return 0
	}
	return 0
}

// upwards reports whether the direction at k is that of a bound: "from $20 up".
func (g *gatherer) upwards(k int) bool {
	return g.class(k-1) == english.Amount && g.class(g.back(k-1)) == english.From
}

// inherits reports whether the direction of an earlier rule can hold beyond
// the verb at k: it cannot where the verb begins a rule of its own.
func (g *gatherer) inherits(k, i int) bool {
	class := g.class(g.back(k))
	return class != english.And && class != english.Comma && class != english.Then && class != english.But
}

func wayOf(class english.Class) int {
	switch class {
	case english.Up:
		return 1
	case english.Down:
		return -1
	}
	return 0
}

// becomes reports whether the amount is a new price: "to $15", without "off".
func (g *gatherer) becomes(i int) bool {
	if wayOf(g.class(g.ahead(i))) != 0 || g.symbols[i].Amount.Sign != 0 || g.extra(i-1) || g.extra(i+1) {
		return false
	}
	at := g.back(i)
	if g.class(at) == english.Exactly {
		at = g.back(at)
	}
	switch g.class(at) {
	case english.To, english.Copula, english.At, english.Colon, english.For:
		return true
	}
	return false
}
