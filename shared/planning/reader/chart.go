package reader

import (
	"cmp"
	"slices"
	"sync"
)

// chart finds every way in which the rules of the grammar cover a text. It works
// in two steps. The first asks, for a symbol and a position, where what the symbol
// can make may end; that takes no more time than positions times rules. The second
// makes the meanings of what covers the whole text, and only of that.
//
// Both steps remember what they have found, and count their work: past the limit
// there is no answer, and the reader asks.
type chart struct {
	grammar *grammar
	edges   [][]edge  // of the lexicon, by the position where they begin
	skips   hops      // what may be passed over, by the position before it
	begin   []symbols // the symbols of edges, by position
	ended   [][]int   // by position and symbol; nil: not asked yet
	from    map[place][]int
	made    map[place][]*meaning
	partly  map[place][][]*meaning
	work    int
	limit   int   // of the work
	window  piece // of the text; all positions are in it
	far     int   // the last position that was reached
}

// edge is a phrase of the lexicon, a number, a name or a code in the text.
type edge struct {
	symbol  int
	end     int
	meaning *meaning
}

// hops are words that may be passed over, by where they begin, for a cost where a candidate
// leaves them out.
type hops [][]hop

type hop struct {
	piece
	cost int
}

type place uint64 // a rule of which some parts are found, or a symbol, and positions

func placed(number, dot, from, to int) place {
	return place(number)<<40 | place(dot)<<32 | place(from)<<16 | place(to)
}

// charts are those of texts read before, for their room.
var charts = sync.Pool{New: func() any {
	return &chart{from: map[place][]int{}, made: map[place][]*meaning{}, partly: map[place][][]*meaning{}}
}}

// newChart takes a chart, to be released.
func newChart(g *grammar, edges [][]edge, skips hops) *chart {
	return newChartOf(g, edges, skips, piece{0, len(edges)})
}

// newChartOf takes a chart of some tokens of a text alone.
func newChartOf(g *grammar, edges [][]edge, skips hops, window piece) *chart {
	c, positions := charts.Get().(*chart), window.end-window.from+1
	c.grammar, c.edges, c.skips, c.work, c.limit, c.far = g, edges, skips, 0, maxWork, 0
	c.begin, c.ended = emptied(c.begin, positions), emptied(c.ended, positions*len(g.names))
	c.window = window
	for at, all := range edges[window.from:window.end] {
		for _, e := range all {
			c.begin[at].add(e.symbol)
		}
	}
	return c
}

// emptied is room for so many elements, in the room that there is if that is enough.
func emptied[T any](room []T, n int) []T {
	room = slices.Grow(room[:0], n)[:n]
	clear(room)
	return room
}

// release gives the room of a chart to the next.
func (c *chart) release() {
	clear(c.from)
	clear(c.made)
	clear(c.partly)
	charts.Put(c)
}

// after adds the positions to which one may pass on.
func (h hops) after(ends []int, at int) []int {
	if slices.Contains(ends, at) {
		return ends
	}
	ends = append(ends, at)
	if at < len(h) {
		for _, next := range h[at] {
			ends = h.after(ends, next.end)
		}
	}
	return ends
}

// passing is what it costs at least to pass from one position on to another that is
// after it, and the hops that cost something.
func (h hops) passing(from, to int) (int, []hop) {
	if from == to {
		return 0, nil
	}
	const never = 1 << 20
	best := make([]hop, to-from+1) // from each position, with the cost of all
	for at := to - 1; at >= from; at-- {
		best[at-from].cost = never
		for _, next := range h[at] {
			if next.end <= to && next.cost+best[next.end-from].cost < best[at-from].cost {
				best[at-from] = hop{next.piece, next.cost + best[next.end-from].cost}
			}
		}
	}
	var left []hop
	for at := from; at < to; at = best[at-from].end {
		if cost := best[at-from].cost - best[best[at-from].end-from].cost; cost > 0 {
			left = append(left, hop{best[at-from].piece, cost})
		}
	}
	return best[0].cost, left
}

// ends returns where a symbol that begins at a position may end.
func (c *chart) ends(symbol, at int) []int {
	if at > c.window.end {
		return nil
	}
	key := (at-c.window.from)*len(c.grammar.names) + symbol
	if c.ended[key] != nil || c.work > c.limit || !c.begin[at-c.window.from].meets(&c.grammar.first[symbol]) {
		return c.ended[key]
	}
	c.ended[key] = []int{}
	ends := []int{}
	if len(c.grammar.rules[symbol]) == 0 {
		for _, e := range c.edgesAt(at) {
			if e.symbol == symbol {
				ends = c.skips.after(ends, e.end)
			}
		}
	}
	for _, r := range c.grammar.rules[symbol] {
		ends = joined(ends, c.steps(r, 0, at))
	}
	c.far = slices.Max(append(ends, c.far))
	c.work += len(ends) / 4
	c.ended[key] = ends
	return ends
}

// edgesAt are the edges that begin at a position.
func (c *chart) edgesAt(at int) []edge {
	if at >= c.window.end {
		return nil
	}
	return c.edges[at]
}

// steps returns where the parts of a rule from one on may end.
func (c *chart) steps(r *rule, dot, at int) []int {
	if dot == len(r.parts) {
		return []int{at}
	}
	key := placed(r.number, dot, at, 0)
	if found, known := c.from[key]; known {
		return found
	}
	if c.work++; c.work > c.limit {
		return nil
	}
	part := r.parts[dot]
	befores := c.ends(part.symbol, at)
	if part.optional {
		befores = joined(slices.Clip(befores), []int{at})
	}
	var ends []int
	for _, middle := range befores {
		if found := c.steps(r, dot+1, middle); c.work <= c.limit {
			c.work += len(found) / 4
			ends = joined(ends, found)
		}
	}
	c.from[key] = ends
	return ends
}

// meanings returns the distinct meanings of a symbol over a span.
func (c *chart) meanings(symbol, from, to int) []*meaning {
	key := placed(symbol, 0, from, to)
	if made, known := c.made[key]; known || c.work > c.limit {
		return made
	}
	c.made[key] = nil
	var all []*meaning
	if len(c.grammar.rules[symbol]) == 0 {
		for _, e := range c.edgesAt(from) {
			if e.symbol == symbol && slices.Contains(c.skips.after(nil, e.end), to) {
				leaf := *e.meaning
				passing, _ := c.skips.passing(e.end, to)
				leaf.from, leaf.to, leaf.cost = from, e.end, leaf.cost+passing
				all = cheaperOf(all, &leaf)
			}
		}
	}
	for _, r := range c.grammar.rules[symbol] {
		if !slices.Contains(c.steps(r, 0, from), to) {
			continue
		}
		for _, list := range c.lists(r, 0, from, to) {
			c.work++
			if m := r.make(list, c.grammar.names[symbol], from, to); m != nil {
				all = cheaperOf(all, m)
			}
		}
	}
	c.made[key] = c.cheapest(all)
	return c.made[key]
}

// cheapest drops the dearest of too many meanings, all of one cost together: they
// would not be chosen. Where that leaves none, there is no answer.
func (c *chart) cheapest(all []*meaning) []*meaning {
	if len(all) <= maxMeanings {
		return all
	}
	slices.SortStableFunc(all, func(a, b *meaning) int { return cmp.Compare(a.cost, b.cost) })
	end := maxMeanings
	for end > 0 && all[end-1].cost == all[end].cost {
		end--
	}
	if end == 0 {
		c.work = c.limit + 1
	}
	return all[:end]
}

// lists returns the meanings of the parts of a rule from one on, in each way in which
// they cover a span. Parts that are left out have none.
func (c *chart) lists(r *rule, dot, from, to int) [][]*meaning {
	if dot == len(r.parts) {
		return [][]*meaning{nil}
	}
	key := placed(r.number, dot, from, to)
	if found, known := c.partly[key]; known || c.work > c.limit {
		return found
	}
	part := r.parts[dot]
	var found [][]*meaning
	for _, middle := range c.ends(part.symbol, from) {
		if !slices.Contains(c.steps(r, dot+1, middle), to) {
			continue
		}
		rests := c.lists(r, dot+1, middle, to)
		for _, m := range c.meanings(part.symbol, from, middle) {
			for _, rest := range rests {
				found = append(found, append([]*meaning{m}, rest...))
			}
		}
	}
	if part.optional && slices.Contains(c.steps(r, dot+1, from), to) {
		found = append(found, c.lists(r, dot+1, from, to)...)
	}
	c.work += len(found)
	c.partly[key] = found
	return found
}

// make builds the meaning of a rule from those of its parts. It is nil where they
// contradict each other.
func (r *rule) make(list []*meaning, symbol string, from, to int) *meaning {
	var all []*meaning
	cost := r.cost
	for _, part := range list {
		if cost += part.cost; part.parts != nil && symbolIsGroup(part.symbol) {
			all = append(all, part.parts...)
		} else {
			all = append(all, part)
		}
	}
	parts := all
	for i := range r.builds {
		m := r.builds[i].builder(parts, &r.builds[i].given)
		if m == nil {
			return nil
		}
		parts = []*meaning{m}
	}
	made := *parts[0]
	made.said = ""
	for i := range made.rules {
		if made.rules[i].to == 0 {
			made.rules[i].from, made.rules[i].to = from, to
		}
	}
	made.cost, made.symbol, made.parts, made.from, made.to = cost, symbol, all, from, to
	return &made
}

func symbolIsGroup(name string) bool { return len(name) > 0 && name[0] == '_' }

// cheaperOf adds a meaning to others, or keeps the cheaper of two that are the same.
func cheaperOf(all []*meaning, m *meaning) []*meaning {
	i := slices.IndexFunc(all, func(other *meaning) bool { return other.key() == m.key() })
	if i < 0 {
		return append(all, m)
	}
	if m.cost < all[i].cost {
		all[i] = m
	}
	return all
}
