package pricing

import (
	"io"

	"github.com/planwright/planwright/shared/table"
)

// Measure says of changes that were made how far each moves what customers pay, and adds
// them up.
type Measure struct {
	table  *table.Table
	tally  tally
	effect *effect
}

// NewMeasure prepares a measure for the changes of a table, of which the header and the
// first rows are read, before or after the changes. Settings are those by which it was read.
func NewMeasure(in io.Reader, s table.Settings) (*Measure, error) {
	needs := table.Needs{Reads: []table.Role{table.RolePrice}, AsText: true, IfThere: true}
	t, err := table.Open(in, s, needs, table.UsualWorkload().ReadBytes)
	if err != nil {
		return nil, err
	}
	return &Measure{table: t, tally: tally{Moved: noMoves, keeps: true}, effect: newEffect(0)}, nil
}

// See returns a change with how far it moves what customers pay. It moves nothing where
// its prices cannot be read.
func (m *Measure) See(c Change) Seen {
	m.tally.reset()
	was, readBefore := m.prices(&c.Before)
	now, readAfter := m.prices(&c.After)
	if readBefore && readAfter {
		m.tally.prices(0, &was, &now)
	}
	if before, after := c.Before.InStock, c.After.InStock; before != nil && after != nil &&
		*before != *after {
		m.tally.Stocked[index(*after)]++
	}
	for way := range m.tally.Moved {
		m.effect.gather(way, &m.tally.Moved[way], m.tally.Moved[way].sum.big())
	}
	m.effect.count(&m.tally)
	seen := Seen{Change: c}
	if shares := m.tally.shares; len(shares) > 0 {
		seen.Moved, seen.OnSale = new(int64(shares[0].share)), shares[0].onSale
	}
	return seen
}

// prices are those of a state, as the table writes them.
func (m *Measure) prices(s *State) (p table.Prices, ok bool) {
	if s.Price == nil {
		return p, false
	}
	amount, usual, ok := m.table.ReadMoney(table.Price, *s.Price)
	m.tally.Mixed = m.tally.Mixed || ok && !usual
	if !m.table.HasSales() {
		return table.Prices{Price: amount}, ok
	}
	sale, _ := m.table.Sale()
	text := *cellStates[sale].text(s)
	if text == nil { // neither state is on sale
		return table.Prices{Price: amount}, ok
	}
	on := ""
	switch {
	case s.OnSale != nil:
		on = *s.OnSale
	case m.table.FlagsSales():
		return p, false // the row says it, and not the change
	}
	return m.table.PricesOf(*s.Price, *text, on)
}

// Effect is what the changes that were seen did to prices and stock, without the largest
// moves and the changes themselves.
func (m *Measure) Effect() Effect { return m.effect.shown(m.table.Currency(table.Price)) }
