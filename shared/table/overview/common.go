package overview

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
)

// Named is a name in its role.
type Named struct {
	Role recognize.Role
	Name string
}

// maxMentioned is of how many names of a text the rows in common are counted.
const maxMentioned = 64

// textNames are the names of categories, brands and tags that a text has, by the bit that
// each is in what is noted of rows. Whoever counts rows shares them.
type textNames struct {
	sync.Mutex
	names []Named
	over  bool // there are more
}

// bit returns that of a name, of which the text must have all words: of a path those of its end;
// 0: it has not, or of too many.
func (t *textNames) bit(a *Instruction, role recognize.Role, name string) uint64 {
	var w names.Words
	if w.Read(dialect.Dialect{}, []byte(name[strings.LastIndexByte(name, '>')+1:])); a == nil ||
		a.likeness(&w) < 1 {
		return 0
	}
	t.Lock()
	defer t.Unlock()
	for i, other := range t.names {
		if other == (Named{role, name}) {
			return 1 << i
		}
	}
	if t.over = t.over || len(t.names) == maxMentioned; t.over {
		return 0
	}
	t.names = append(t.names, Named{role, name})
	return 1 << (len(t.names) - 1)
}

// common counts the rows that have two names, or one twice.
type common [maxMentioned][maxMentioned]int64

func (c *common) add(row uint64) {
	for one := row; one != 0; one &= one - 1 {
		for two := one; two != 0; two &= two - 1 {
			c[bits.TrailingZeros64(one)][bits.TrailingZeros64(two)]++
		}
	}
}

func (c *common) join(other *common) {
	for i := range c {
		for k := range c[i] {
			c[i][k] += other[i][k]
		}
	}
}

// common are the rows that each of the names has, that each two have, and those of each product's name that
// is one of some with a name; nil where there are too many names.
func (t *textNames) common(rows *common, products *matches) map[[2]Named]int64 {
	if t.over {
		return nil
	}
	both := map[[2]Named]int64{}
	for i, one := range t.names {
		for k, two := range t.names[:i+1] {
			n := rows[k][i]
			both[[2]Named{one, two}], both[[2]Named{two, one}] = n, n
		}
		for _, product := range products.list() {
			if products.found[product.Name].has>>i&1 == 1 {
				both[[2]Named{{recognize.RoleName, product.Name}, one}] = product.Rows
			}
		}
	}
	return both
}
