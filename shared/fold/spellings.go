package fold

import "strings"

const (
	maxSpellings = 64 // of a name, in all its parts together
	longestZeros = 14 // digits: the longest barcode has as many
)

// Spellings calls yield with the ways in which ASCII writes a name of that fold and that
// differ in their length: other signs for "and" and for quotes, more blanks inside, and
// zeros before a SKU's number. Of a name with many such parts they are those in which all
// of a kind are written in one way, but for one at most.
func (k Kind) Spellings(folded string, yield func(string)) {
	if !isASCII(folded) {
		return
	}
	zeros := k.zeros(folded)
	each := func(spelling string) {
		for n := range zeros + 1 {
			yield(strings.Repeat("0", n) + spelling)
		}
	}
	parts, all := partsOf(folded), 1
	for _, part := range parts {
		all = min(all*len(part), maxSpellings+1)
	}
	if all <= maxSpellings {
		combine(parts, "", each)
	} else {
		oneByOne(parts, each)
	}
}

// zeros are how many zeros may stand before a SKU.
func (k Kind) zeros(folded string) int {
	digits := 0
	for digits < len(folded) && isDigit(folded[digits]) {
		digits++
	}
	if k != SKUs || digits == 0 {
		return 0
	}
	return max(0, longestZeros-digits)
}

// Ways to write parts of a name, each as it is folded first.
var (
	andWays    = []string{" and ", " & ", "&", " &amp; ", "&amp;"}
	quoteWays  = []string{"'", "&#39;", "&#039;", "&apos;", "&rsquo;", "`"}
	doubleWays = []string{`"`, "&quot;"}
	blankWays  = []string{" ", "  ", "   "}
)

// partsOf cuts a fold into parts, each with the ways to write it.
func partsOf(folded string) (parts [][]string) {
	padded := " " + folded + " "
	for at := 1; at < len(padded)-1; {
		rest := padded[at:]
		switch {
		case strings.HasPrefix(padded[at-1:], andWays[0]) && at == 1:
			parts, at = append(parts, []string{"and ", "& ", "&", "&amp; ", "&amp;"}), at+len("and ")
		case strings.HasPrefix(rest, andWays[0]):
			parts, at = append(parts, andWays), at+len(andWays[0])
		case rest[0] == ' ':
			parts, at = append(parts, blankWays), at+1
		case rest[0] == '\'':
			parts, at = append(parts, quoteWays), at+1
		case rest[0] == '"':
			parts, at = append(parts, doubleWays), at+1
		default:
			end := strings.IndexAny(rest, ` '"`)
			parts, at = append(parts, []string{rest[:end]}), at+end
		}
	}
	return parts
}

// combine yields all combinations of the ways to write parts.
func combine(parts [][]string, before string, yield func(string)) {
	if len(parts) == 0 {
		yield(strings.TrimRight(before, " "))
		return
	}
	for _, way := range parts[0] {
		combine(parts[1:], before+way, yield)
	}
}

// oneByOne yields a name whose parts of a kind are all written in one way, as programs do
// that escape a text, and the same with one part written in another way.
func oneByOne(parts [][]string, yield func(string)) {
	kinds := map[int]int{} // the way of each kind of parts, by the number of its ways
	for _, ways := range parts {
		kinds[len(ways)] = 0
	}
	with := func(other, way int) {
		var text strings.Builder
		for i, ways := range parts {
			if i == other {
				text.WriteString(ways[way])
			} else {
				text.WriteString(ways[kinds[len(ways)]])
			}
		}
		yield(strings.TrimRight(text.String(), " "))
	}
	for more := true; more; more = nextChoice(kinds) {
		with(-1, 0)
		for i, ways := range parts {
			for way := range ways {
				if way != kinds[len(ways)] && kinds[len(blankWays)] == 0 {
					with(i, way)
				}
			}
		}
	}
}

// nextChoice takes the next choice of a way for each kind, and is false behind the last.
func nextChoice(kinds map[int]int) bool {
	for ways := range len(quoteWays) + 1 {
		if way, has := kinds[ways]; has && way+1 < ways {
			kinds[ways]++
			return true
		} else if has {
			kinds[ways] = 0
		}
	}
	return false
}
