package pricing

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// Effect is what a run did, in the figures by which a person judges it. The
// same plan, settings and input give the same one, and it is small whatever the
// table's size.
//
// A price moves by a share of what it was, in percent: exact where it has at
// most four digits after the point, else cut off there. A price that was 0
// moves by no share; its rise is counted with the largest.
//
// The price is what customers pay: of a row on sale the sale's. Where its regular price
// moves too, RowsRegular and LargestRegular tell of that.
type Effect struct {
	RowsRaised   int64 `json:"rows_raised"`
	RowsLowered  int64 `json:"rows_lowered"`
	RowsFromZero int64 `json:"rows_from_zero"` // of those raised, whose price was 0

	// Raised and Lowered are the sums of all rises and of all falls; null where
	// the rows are in several currencies.
	Raised   *string `json:"raised"`
	Lowered  *string `json:"lowered"`
	Currency string  `json:"currency,omitempty"` // as the table writes it; "": it does not

	Distribution []Band `json:"distribution"` // all bands, those of the falls first
	LargestRises []Move `json:"largest_rises"`
	LargestFalls []Move `json:"largest_falls"`

	RowsRegular    int64  `json:"rows_regular,omitempty"`
	LargestRegular []Move `json:"largest_regular,omitempty"`

	RowsIntoStock  int64 `json:"rows_into_stock"`
	RowsOutOfStock int64 `json:"rows_out_of_stock"`

	Changes []Change `json:"changes"` // the first 100 within 64 KiB
}

// Band counts the rows whose price moved by a share between two bounds. The
// bound that is nearer to 0 belongs to the band, the other does not: a rise of
// exactly 11 percent is in the band from 11 to 14, a fall of it in the one from
// -14 to -11. Null is no bound.
type Band struct {
	From *int  `json:"from_percent"`
	To   *int  `json:"to_percent"`
	Rows int64 `json:"rows"`
}

// Move is what happened to the price of one row.
type Move struct {
	Row     int64   `json:"row"`
	SKU     string  `json:"sku"` // at most table.MaxNameBytes of it
	Before  string  `json:"before"`
	After   string  `json:"after"`
	Percent *string `json:"percent"` // without a sign; null where the price was 0
	// RegularBefore and RegularAfter are the regular price while the row is on sale.
	RegularBefore *string `json:"regular_before,omitempty"`
	RegularAfter  *string `json:"regular_after,omitempty"`
}

// Limits of an effect.
const (
	largestMoves      = 10
	maxEffectChanges  = 100
	effectChangeBytes = 64 << 10
)

// bandBounds are the shares in percent at which the bands of rises begin. Those
// of falls are the same below 0. The shares that people ask for lie within a band
// and not at its edge: a flat 10 percent, whose every row is rounded a little up or
// down, is one band.
var bandBounds = [...]int{0, 1, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 29, 31, 39, 41, 49, 51, 100}

// bandOf has the band of a share by its whole percents, the last of which is for all above.
var bandOf = func() (of [101]uint8) {
	for i, bound := range bandBounds {
		for whole := bound; whole < len(of); whole++ {
			of[whole] = uint8(i)
		}
	}
	return of
}()

// percent is a share in units of 0.0001 percent.
type percent int64

const (
	percentDigits         = 4
	percentUnits          = 10_000 // of one percent
	fromZero      percent = math.MaxInt64
	maxPercent    percent = 1e18 // larger ones are taken for it
)

func (p percent) String() string {
	text, _ := plan.FromScaled(big.NewInt(int64(p)), percentDigits)
	return text.String()
}

// Exceeding returns a move by more than so many percent of what the price was,
// or up from 0, or of what the regular price was; nil where there is none.
func (e *Effect) Exceeding(limit plan.Decimal) *Move {
	for _, moves := range [][]Move{e.LargestRises, e.LargestFalls, e.LargestRegular} {
		if len(moves) == 0 {
			continue
		}
		share := moves[0].Percent
		if share == nil {
			return &moves[0]
		}
		if moved, err := plan.ParseDecimal(*share); err != nil || moved.Cmp(limit) > 0 {
			return &moves[0]
		}
	}
	return nil
}

// direction of a move: an index. Aside are moves, up and down, of the regular price of
// rows that are on sale before or afterwards.
const (
	up = iota
	down
	aside
	directions
)

// tally is what became of the rows of one block.
type tally struct {
	Counts   []opCount // by operation
	Changed  int64
	Stocked  [2]int64 // rows taken out of stock, put into it
	Moved    [directions]moves
	FromZero int64
	Mixed    bool    // prices in several currencies
	Remarks  remarks // by row in the block
	keeps    bool    // how far each price of the block moves is kept
	shares   []moved
}

// moved is how far the price of a change line moves: below 0 where it falls.
type moved struct {
	line   int
	share  percent
	onSale bool // afterwards
}

// opCount counts the rows that an operation matched, and of them those whose values
// it changed.
type opCount struct{ Matched, Changed int64 }

func (c *opCount) add(more opCount) {
	c.Matched += more.Matched
	c.Changed += more.Changed
}

// count adds what another counted, but for its moves and remarks.
func (t *tally) count(from *tally) {
	for i, count := range from.Counts {
		t.Counts[i].add(count)
	}
	t.Changed += from.Changed
	t.FromZero += from.FromZero
	t.Mixed = t.Mixed || from.Mixed
	for i := range from.Stocked {
		t.Stocked[i] += from.Stocked[i]
	}
}

// moves are those in one direction.
type moves struct {
	Rows    int64
	sum     nanos
	Bands   [len(bandBounds)]int64
	Largest []move  // the largest first, then by row
	bound   percent // up to which a move is not one of the largest
}

// move is one of the largest in a block.
type move struct {
	Share  percent
	line   int     // of its change in the block
	onSale [2]bool // before, afterwards
	Move
}

func (t *tally) reset() {
	clear(t.Counts)
	t.Changed, t.FromZero, t.Mixed, t.Stocked = 0, 0, false, [2]int64{}
	t.shares = t.shares[:0]
	t.Remarks.reset()
	for i := range t.Moved {
		m := &t.Moved[i]
		*m = moves{Largest: m.Largest[:0], bound: m.bound}
	}
}

// prices notes the moves of what customers pay and of the regular price, of which a
// change line of the block tells.
func (t *tally) prices(line int, before, after *table.Prices) {
	onSale := [2]bool{before.OnSale(), after.OnSale()}
	if paid, now := before.Paid(), after.Paid(); !paid.Equal(now) {
		t.moved(up, line, onSale, paid, now)
	}
	if regular, now := before.Regular(), after.Regular(); onSale != [2]bool{} && !regular.Equal(now) {
		t.moved(aside, line, onSale, regular, now)
	}
}

// moved notes a move of a price, which customers pay, or aside; up may be down.
func (t *tally) moved(kind, line int, onSale [2]bool, before, after amount.Amount) {
	was, now := nanosOf(before), nanosOf(after)
	way, by := up, now.minus(was)
	if now.less(was) {
		way, by = down, was.minus(now)
	}
	if kind == aside {
		way = aside
	}
	m := &t.Moved[way]
	m.Rows++
	m.sum = m.sum.plus(by)
	share := fromZero
	if was != (nanos{}) {
		share = shareOf(by, was)
	}
	if share == fromZero && way != aside {
		t.FromZero++
	}
	if t.keeps && way != aside {
		t.shares = append(t.shares, moved{line, share * percent(1-2*way), onSale[1]}) // down is 1
	}
	m.Bands[bandOf[min(uint64(share)/percentUnits, uint64(len(bandOf)-1))]]++
	if share > m.bound {
		m.keep(move{Share: share, line: line, onSale: onSale})
	}
}

// nanos is a number of units of 10^-9: 128 bits have room for every amount, and for the
// sum of more of them than a table has rows.
type nanos struct{ high, low uint64 }

func nanosOf(a amount.Amount) (n nanos) {
	factor := amount.Powers[plan.MaxFractionDigits-a.Scale]
	if a.Wide == nil {
		n.high, n.low = bits.Mul64(uint64(a.Units), uint64(factor))
		return n
	}
	var bytes [16]byte
	new(big.Int).Mul(a.Wide, big.NewInt(factor)).FillBytes(bytes[:])
	return nanos{binary.BigEndian.Uint64(bytes[:]), binary.BigEndian.Uint64(bytes[8:])}
}

func (n nanos) plus(m nanos) nanos {
	low, carry := bits.Add64(n.low, m.low, 0)
	return nanos{n.high + m.high + carry, low}
}

func (n nanos) minus(m nanos) nanos {
	low, borrow := bits.Sub64(n.low, m.low, 0)
	return nanos{n.high - m.high - borrow, low}
}

func (n nanos) less(m nanos) bool { return n.high < m.high || n.high == m.high && n.low < m.low }

func (n nanos) big() *big.Int {
	high := new(big.Int).SetUint64(n.high)
	return high.Lsh(high, 64).Add(high, new(big.Int).SetUint64(n.low))
}

// shareOf returns which share a part is of a whole above 0.
func shareOf(part, whole nanos) percent {
	if high, low := bits.Mul64(part.low, 100*percentUnits); part.high == 0 && whole.high == 0 &&
		high < whole.low {
		share, _ := bits.Div64(high, low, whole.low)
		return percent(min(share, uint64(maxPercent)))
	}
	share := new(big.Int).Mul(part.big(), big.NewInt(100*percentUnits))
	if share.Quo(share, whole.big()); share.Cmp(big.NewInt(int64(maxPercent))) > 0 {
		return maxPercent
	}
	return percent(share.Int64())
}

// keep puts a move among the largest, behind those that are as large.
func (m *moves) keep(n move) {
	at := len(m.Largest)
	for at > 0 && m.Largest[at-1].Share < n.Share {
		at--
	}
	m.Largest = slices.Insert(m.Largest, at, n)
	if len(m.Largest) > largestMoves {
		m.Largest = m.Largest[:largestMoves]
	}
	if len(m.Largest) == largestMoves {
		m.bound = max(m.bound, m.Largest[largestMoves-1].Share)
	}
}

// effect gathers the tallies of blocks, in their order.
type effect struct {
	tally
	Sums    [directions]*big.Int // in units of 10^-9
	Changes []Change
	Room    int
}

func newEffect(operations int) *effect {
	return &effect{
		tally: tally{Counts: make([]opCount, operations), Moved: noMoves},
		Sums:  [directions]*big.Int{new(big.Int), new(big.Int), new(big.Int)},
		Room:  effectChangeBytes,
	}
}

// noMoves are none yet, of which any is one of the largest.
var noMoves = [directions]moves{{bound: -1}, {bound: -1}, {bound: -1}}

// add adds what a visitor did in the block that is written, whose first row has the given number.
func (e *effect) add(v *visitor, first int64) {
	t := &v.tally
	e.count(t)
	e.Remarks.add(&t.Remarks, first-1)
	for way := range t.Moved {
		if from := &t.Moved[way]; from.Rows > 0 {
			e.move(way, from, v, first)
		}
		t.Moved[way].bound = e.Moved[way].bound // what is smaller need not be kept
	}
	for i := 0; i < len(v.lines) && len(e.Changes) < maxEffectChanges && e.Room > 0; i++ {
		e.note(v.changeAt(i, first))
	}
}

// join adds what was done in the range behind.
func (e *effect) join(behind *effect) {
	e.count(&behind.tally)
	e.Remarks.add(&behind.Remarks, 0)
	for way := range behind.Moved {
		from := &behind.Moved[way]
		m := e.gather(way, from, behind.Sums[way])
		for _, n := range from.Largest {
			if n.Share > m.bound {
				m.keep(n)
			}
		}
	}
	for i := 0; i < len(behind.Changes) && len(e.Changes) < maxEffectChanges && e.Room > 0; i++ {
		e.note(behind.Changes[i], len(strictjson.Line(behind.Changes[i])))
	}
	if behind.Room <= 0 {
		e.Room = min(e.Room, 0) // what had no room there has none here
	}
}

// gather adds the rows and the sum of moves, and returns those that there are now.
func (e *effect) gather(way int, from *moves, sum *big.Int) *moves {
	m := &e.Moved[way]
	m.Rows += from.Rows
	for i, rows := range from.Bands {
		m.Bands[i] += rows
	}
	e.Sums[way].Add(e.Sums[way], sum)
	return m
}

func (e *effect) move(way int, from *moves, v *visitor, first int64) {
	m := e.gather(way, from, from.sum.big())
	for _, n := range from.Largest {
		if n.Share <= m.bound {
			continue
		}
		change, _ := v.changeAt(n.line, first)
		n.Move = Move{Row: change.Row, SKU: clipped(change.SKU)}
		n.Before, n.RegularBefore = v.shownPrice(&change.Before, n.onSale[0], way)
		n.After, n.RegularAfter = v.shownPrice(&change.After, n.onSale[1], way)
		m.keep(n)
	}
}

// shownPrice returns what a state says of a price that moves, and beside what customers pay
// the regular price of a row on sale.
func (v *visitor) shownPrice(s *State, onSale bool, way int) (price string, regular *string) {
	if !onSale {
		return *s.Price, nil
	}
	sale, was := v.table.Sale()
	price, regular = *s.Price, *cellStates[sale].text(s)
	if !was {
		price, regular = *regular, s.Price
	}
	if way == aside {
		return *regular, nil
	}
	return price, regular
}

// note keeps one of the first changes, unless there is no room for it.
func (e *effect) note(change Change, size int) {
	if e.Room -= size; e.Room >= 0 {
		e.Changes = append(e.Changes, change)
	}
}

func clipped(sku string) string {
	if len(sku) <= table.MaxNameBytes {
		return sku
	}
	return strings.ToValidUTF8(sku[:table.MaxNameBytes], "")
}

// shown is the effect as it is shown, in a table's currency.
func (e *effect) shown(currency string) Effect {
	shown := Effect{
		RowsRaised: e.Moved[up].Rows, RowsLowered: e.Moved[down].Rows, RowsFromZero: e.FromZero,
		LargestRises: e.Moved[up].list(), LargestFalls: e.Moved[down].list(),
		RowsRegular:   e.Moved[aside].Rows,
		RowsIntoStock: e.Stocked[1], RowsOutOfStock: e.Stocked[0],
		Changes: strictjson.NotNil(e.Changes),
	}
	if e.Moved[aside].Rows > 0 {
		shown.LargestRegular = e.Moved[aside].list()
	}
	if !e.Mixed {
		raised, lowered := units(e.Sums[up]), units(e.Sums[down])
		shown.Raised, shown.Lowered, shown.Currency = &raised, &lowered, currency
	}
	shown.Distribution = make([]Band, 2*len(bandBounds))
	for i, bound := range bandBounds {
		rises, falls := &shown.Distribution[len(bandBounds)+i], &shown.Distribution[len(bandBounds)-1-i]
		*rises = Band{From: new(bound), Rows: e.Moved[up].Bands[i]}
		*falls = Band{To: new(-bound), Rows: e.Moved[down].Bands[i]}
		if i+1 < len(bandBounds) {
			rises.To, falls.From = new(bandBounds[i+1]), new(-bandBounds[i+1])
		}
	}
	return shown
}

// units writes a number of units of 10^-9, which may have more digits than a plan's decimals.
func units(n *big.Int) string {
	whole, fraction := new(big.Int).QuoRem(n, amount.BigPower(plan.MaxFractionDigits), new(big.Int))
	if fraction.Sign() == 0 {
		return whole.String()
	}
	digits := fraction.String()
	return whole.String() + "." +
		strings.TrimRight(strings.Repeat("0", plan.MaxFractionDigits-len(digits))+digits, "0")
}

func (m *moves) list() []Move {
	largest := make([]Move, 0, len(m.Largest))
	for _, n := range m.Largest {
		if n.Share != fromZero {
			n.Percent = new(n.Share.String())
		}
		largest = append(largest, n.Move)
	}
	return largest
}
