package grammar

import "github.com/planwright/planwright/shared/planning/english"

// run is the noise in a row that a symbol is part of, up to but not including the
// last position. The parser steps over noise again and again, and over all of it at
// once, for a thousand words can be noise.
type run struct{ from, to int32 }

// noiseRuns are the runs by symbol, of which the others have none.
func noiseRuns(symbols []english.Symbol) []run {
	runs := make([]run, len(symbols))
	for i := 0; i < len(symbols); i++ {
		now := run{int32(i), int32(i)}
		for int(now.to) < len(symbols) && symbols[now.to].Class == english.Noise {
			now.to++
		}
		for ; i < int(now.to); i++ {
			runs[i] = now
		}
	}
	return runs
}

// after returns the first position from i that is not noise.
func (p *parser) after(i int) int {
	if p.classAt(i) == english.Noise {
		return int(p.noise[i].to)
	}
	return i
}

// before returns the class of the last symbol before p.pos that is not noise.
func (p *parser) before() english.Class { return p.classAt(p.back(p.pos)) }

// back returns the last position before i that is not noise.
func (p *parser) back(i int) int {
	if i--; p.classAt(i) == english.Noise {
		return int(p.noise[i].from) - 1
	}
	return i
}
