package english

import "strings"

// stays makes filler of "that stays" after what is left out, which says it again:
// "all but the mugs, they stay as they are". Of "mugs stay," it makes what "mugs
// unchanged," is.
func stays(symbols []Symbol) []Symbol {
	out := false // something is left out, and nothing was said of it since
	for i := range symbols {
		switch s := &symbols[i]; {
		case s.Class == Except || s.Class == Alone:
			out = true
		case s.Class == Stop || s.Class == Then || actsClass(s):
			out = false
		case i > 0 && isName(&symbols[i-1]) && (symbols[i+1].Class == Comma || symbols[i+1].Class == Stop) && unchanging[strings.ToLower(s.Text)]:
			s.Class = Alone
			out = true
		case s.Class == Leave && out && i > 0 && symbols[i-1].Class == Comma && staying[strings.ToLower(s.Text)]:
			end := i + 1
			if symbols[end].Class == Alone {
				end++
			}
			if !endsBreath(&symbols[end]) {
				continue
			}
			for k := i; k < end; k++ {
				symbols[k].Class, symbols[k].Sense = Noise, 0
			}
		}
	}
	return symbols
}

var unchanging = map[string]bool{"stay": true, "stays": true, "no change": true, "no changes": true}

var staying = map[string]bool{"that stays": true, "that one stays": true, "those stay": true, "they stay": true}
