package profile

import (
	"bytes"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// variantStock tells which products have a variant in stock, by the names under
// which the variants' rows name them. Those named longest ago are forgotten.
type variantStock struct {
	above       []byte // the product above the rows read ahead, where variants stand below it
	now, before map[string]bool
	kept        int // bytes of now
}

// read reads a row ahead.
func (v *variantStock) read(f *Family, block []byte, r dialect.Record) {
	name := f.text(block, r, max(f.above, f.parent))
	switch {
	case f.of.Skip.Has(block, r):
		return
	case f.above != Missing && len(name) > 0 && !bytes.Equal(name, v.above):
		v.above = append(v.above[:0], name...) // this is its own row
		return
	case f.above != Missing:
		name = v.above
	}
	if inStock, _, fault := f.of.Stock.InStock(block, r); fault == faults.Fine && len(name) > 0 {
		v.add(name, inStock)
	}
}

// add keeps that a product has a variant, and whether that is in stock.
func (v *variantStock) add(name []byte, inStock bool) {
	if known, held := v.now[string(name)]; held && (known || !inStock) {
		return
	}
	if v.kept += len(name) + nameBytes; v.kept > familyBytes/2 {
		v.before, v.now, v.kept = v.now, map[string]bool{}, 0
	}
	v.now[string(name)] = inStock
}

// of returns whether a variant of a product is in stock, if it has any.
func (v *variantStock) of(name []byte) (inStock, known bool) {
	now, known := v.now[string(name)]
	before, held := v.before[string(name)]
	return now || before, known || held
}

// VariantInStock returns whether one of the variants is in stock of the product
// whose own row was shown last, if it has any and their rows tell.
func (f *Family) VariantInStock(block []byte, r dialect.Record) (inStock, known bool) {
	switch {
	case f.variantStock == nil:
	case f.above != Missing:
		return f.variantStock.of([]byte(f.now.name))
	case len(f.text(block, r, f.parent)) == 0:
		for _, k := range f.keys {
			f.scratch = append(append(f.scratch[:0], k.prefix...), f.text(block, r, k.column)...)
			if inStock, known = f.variantStock.of(f.scratch); known {
				break
			}
		}
	}
	return inStock, known
}
