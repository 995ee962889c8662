package profile

import (
	"bytes"

	"github.com/planwright/planwright/shared/table/dialect"
)

// Limits of what is kept of a table's products for the rows that belong to
// them.
const (
	familyBytes  = 128 << 20 // in all
	nameBytes    = 64        // of a name, beside itself
	productBytes = 256       // of a product, beside what it says
)

// products are what rows take from the products of a table, by the names of
// those products. Of several that have a name it is the first.
type products struct {
	numbers map[string]uint32 // of the products, by their names
	all     []*Product
	known   map[string]uint32 // numbers, by all that rows hand on
	kept    int               // bytes
	full    bool
	key     []byte
}

// add keeps a product by a name, unless another has it.
func (p *products) add(name []byte, number uint32) {
	if _, held := p.numbers[string(name)]; held || p.full {
		return
	}
	if p.kept += len(name) + nameBytes; p.kept > familyBytes {
		p.full = true
		return
	}
	if p.numbers == nil {
		p.numbers = map[string]uint32{}
	}
	p.numbers[string(name)] = number
}

// find returns the product of a name; nil: it is not known.
func (p *products) find(name []byte) *Product {
	number, held := p.numbers[string(name)]
	if !held || len(name) == 0 {
		return nil
	}
	return p.all[number]
}

// number returns the number of what a row hands on, which is that of all rows
// that hand on the same.
func (p *products) number(of *Handed, block []byte, r dialect.Record) uint32 {
	if p.known == nil {
		p.known = map[string]uint32{}
	}
	p.key = p.key[:0]
	if of.Stock != nil && !of.Stock.Quantity() {
		p.key = append(p.key, r.Says(block, of.Stock.places[0])...)
	}
	for _, column := range of.Names {
		p.key = append(append(p.key, 0), r.Content(block, column).Of(block)...)
	}
	number, known := p.known[string(p.key)]
	if !known {
		number = uint32(len(p.all))
		p.known[string(p.key)] = number
		parts := bytes.Split(bytes.Clone(p.key), []byte{0})
		p.all = append(p.all, &Product{Stock: parts[0], Names: parts[1:]})
		p.kept += 2*len(p.key) + productBytes
	}
	return number
}
