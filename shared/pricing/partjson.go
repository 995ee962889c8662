package pricing

import (
	"encoding/json"
	"math/big"
)

// wirePart is a part on its way from the machine that ran its range to the one that joins them.
type wirePart struct {
	Rows     int64                 `json:"rows"`
	Empties  int64                 `json:"empties"`
	Seen     [][]bool              `json:"seen"`
	Orphans  Warning               `json:"orphans"`
	Last     bool                  `json:"last"`
	Refused  bool                  `json:"refused"`
	Counts   [][3]int64            `json:"counts"` // matched, changed, against
	Changed  int64                 `json:"changed"`
	Stocked  [2]int64              `json:"stocked"`
	FromZero int64                 `json:"from_zero"`
	Mixed    bool                  `json:"mixed"`
	Moved    [directions]wireMoves `json:"moved"`
	Changes  []Change              `json:"changes"`
	Room     int                   `json:"room"`
}

type wireMoves struct {
	Rows    int64                  `json:"rows"`
	Sum     *big.Int               `json:"sum"` // in units of 10^-9
	Bands   [len(bandBounds)]int64 `json:"bands"`
	Largest []wireMove             `json:"largest"`
}

type wireMove struct {
	Share percent `json:"share"`
	Move  Move    `json:"move"`
}

func (p *Part) MarshalJSON() ([]byte, error) {
	if p.refused {
		return json.Marshal(wirePart{Refused: true})
	}
	e := p.effect
	w := wirePart{
		Rows: p.rows, Empties: p.empties, Seen: p.seen, Orphans: p.orphans, Last: p.last,
		Changed: e.changed, Stocked: e.stocked, FromZero: e.fromZero, Mixed: e.mixed, Changes: e.changes, Room: e.room,
	}
	for _, c := range e.counts {
		w.Counts = append(w.Counts, [3]int64{c.matched, c.changed, c.against})
	}
	for way := range e.moved {
		m := &e.moved[way]
		w.Moved[way] = wireMoves{Rows: m.rows, Sum: e.sums[way], Bands: m.bands}
		for _, n := range m.largest {
			w.Moved[way].Largest = append(w.Moved[way].Largest, wireMove{n.percent, n.Move})
		}
	}
	return json.Marshal(w)
}

func (p *Part) UnmarshalJSON(data []byte) error {
	var w wirePart
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	e := newEffect(len(w.Counts))
	e.changed, e.stocked, e.fromZero, e.mixed, e.changes, e.room = w.Changed, w.Stocked, w.FromZero, w.Mixed, w.Changes, w.Room
	for i, c := range w.Counts {
		e.counts[i] = opCount{c[0], c[1], c[2]}
	}
	for way, from := range w.Moved {
		m := &e.moved[way]
		m.rows, m.bands = from.Rows, from.Bands
		if from.Sum != nil {
			e.sums[way] = from.Sum
		}
		for _, n := range from.Largest {
			m.largest = append(m.largest, move{percent: n.Share, Move: n.Move})
		}
	}
	*p = Part{
		rows: w.Rows, empties: w.Empties, effect: e, seen: w.Seen,
		orphans: w.Orphans, last: w.Last, refused: w.Refused,
	}
	return nil
}
