package table

import "bytes"

// keptBytes is how much of a table's beginning is kept, to find in it which
// names somebody may have meant by those that the table has not.
const keptBytes = 4 << 20

// keep keeps what was read, up to a limit.
func (s *Blocks) keep(read []byte) {
	if room := keptBytes - s.keptSize; s.keeps && room > 0 && len(read) > 0 {
		kept := bytes.Clone(read[:min(len(read), room)])
		s.kept = append(s.kept, kept)
		s.keptSize += len(kept)
	}
}

// keepFrom begins to keep what is read, with what was looked at already.
func (s *Blocks) keepFrom(keeps bool) {
	s.keeps = keeps
	s.keep(s.ahead)
}

// Keeps reports whether what is read is still kept.
func (s *Blocks) Keeps() bool { return s.keeps && s.keptSize < keptBytes }

// Forget drops what was kept and keeps no more: all names have been found.
func (s *Blocks) Forget() { s.keeps, s.kept = false, nil }

// Near returns the names that the table's first rows have, for those of a
// plan's that no row has.
func (t *Table) Near(wanted map[Role][]string) map[Role]*Nearest {
	near := make(map[Role]*Nearest, len(wanted))
	for role, names := range wanted {
		near[role] = NewNearest(names)
	}
	text := bytes.Join(t.Blocks.kept, nil)
	text = text[min(len(t.Head), len(text)):]
	t.each(text, func(text []byte, _ int64, r Record) {
		for role, nearest := range near {
			for _, c := range t.columns[role] {
				c.Names(t.Dialect.Text(r.says(text, c.Index)), nearest.Add)
			}
		}
	})
	return near
}
