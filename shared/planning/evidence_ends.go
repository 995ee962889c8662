package planning

// What says how prices shall look after the last rule of a sentence, and a comma parts from
// it, is no more of that one than of those before: it is of all of them, unless they say so
// themselves.

// sharedEnds marks the chunks that end a sentence in what is of all of its rules.
func (g *gatherer) sharedEnds() {
	for _, c := range g.chunks {
		if before := c.before; before != nil && !before.acts() && !before.names {
			c.parted = c.parted || before.parted
		}
	}
	for _, shaping := range [][]*number{g.floors, g.caps, g.endings} {
		for _, n := range shaping {
			n.chunk.endsAll()
		}
	}
	for i := range g.roundings {
		g.roundings[i].chunk.endsAll()
	}
}

// endsAll marks a chunk that is of all rules of its sentence.
func (c *chunk) endsAll() {
	if !c.parted || c.acts() || c.names || c.earlier == nil || c.later != nil {
		return
	}
	for own := c.earlier; own != nil; own = own.before {
		if own.shapes {
			return
		}
	}
	c.all = true
}

// midst reports whether a chunk stands between two rules after "but", so that what it
// leaves out is left out of those before it alone: "raise mugs by 5%, but leave A101 as it
// is, and take 3% off hats".
func (c *chunk) midst() bool {
	return c.but && !c.acts() && c.earlier != nil && c.later != nil
}

// precedes reports whether a chunk stands before another of its sentence.
func (c *chunk) precedes(other *chunk) bool {
	return c.sentence == other.sentence && c.index < other.index
}

// reaches reports whether what is said of all in a chunk is of another: between two rules
// it is of those before it.
func (c *chunk) reaches(acting *chunk) bool {
	return c.earlier == nil || c.later == nil || acting.precedes(c)
}
