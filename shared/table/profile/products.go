package profile

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"github.com/planwright/planwright/shared/table/dialect"
)

// Limits of what is kept of a table's products for the rows that belong to
// them.
const (
	familyBytes = 128 << 20 // in all
	logBits     = 20
	logBytes    = 1 << logBits // of a piece of the log
	// nameBytes is what a name takes beside itself: what stands before it in
	// the log, and its share of the slots.
	nameBytes    = nameHead + 16
	nameHead     = 6
	productBytes = 256 // of a product, beside what it says
)

// products are what rows take from the products of a table, by the names of
// those products. Of several that have a name it is the first. Names are kept
// in a log, and found by a table of places in it: neither has pointers, which
// the garbage collector would follow.
type products struct {
	seed    maphash.Seed
	slots   []slot // open addressing
	shift   int    // a hash shifted so far is a slot
	names   int
	log     [][]byte // of each name: its product's number, its size and itself
	at      uint32   // the place in the log of the name found last
	fresh   []slot   // names in the log that have no slot yet
	touched uint32
	all     []*Product
	known   map[string]uint32 // numbers, by all that rows hand on
	kept    int               // bytes
	full    bool
	key     []byte
}

// slot is one name's: its hash, and the place behind it in the log; 0: none.
type slot struct{ hash, behind uint32 }

// taken is the number of a name that an earlier product has.
const taken = math.MaxUint32

// add keeps a product by a name, unless another has it. It is found after the
// next call of settle.
func (p *products) add(name []byte, number uint32) {
	if p.full || len(name) > math.MaxUint16 {
		return
	}
	if p.kept += len(name) + nameBytes; p.kept > familyBytes {
		p.full = true
		return
	}
	last := len(p.log) - 1
	if last < 0 || len(p.log[last])+nameHead+len(name) > logBytes {
		p.log = append(p.log, make([]byte, 0, logBytes))
		last++
	}
	piece := binary.LittleEndian.AppendUint32(p.log[last], number)
	piece = binary.LittleEndian.AppendUint16(piece, uint16(len(name)))
	p.fresh = append(p.fresh, slot{p.hash(name), uint32(last<<logBits + len(p.log[last]) + 1)})
	p.log[last] = append(piece, name...)
}

// hash is that of a name without its last byte, which takes the place of its
// own last: names that count up stand beside each other in memory.
func (p *products) hash(name []byte) uint32 {
	last := len(name) - 1
	return uint32(maphash.Bytes(p.seed, name[:last])>>32)&^math.MaxUint8 | uint32(name[last])
}

// insertFresh puts names where they are found.
func (p *products) insertFresh() {
	for 4*(p.names+len(p.fresh)) > 3*len(p.slots) {
		p.grow()
	}
	for some := range slices.Chunk(p.fresh, 64) {
		for _, s := range some { // wait for memory once, and not for each
			p.touched |= p.slots[p.first(s.hash)].hash
		}
		for _, s := range some {
			place := s.behind - 1
			_, name := p.read(place)
			if at, held := p.search(s.hash, name); held {
				binary.LittleEndian.PutUint32(p.log[place>>logBits][place%logBytes:], taken)
			} else {
				p.slots[at] = s
			}
		}
	}
	p.names += len(p.fresh)
	p.fresh = p.fresh[:0]
}

// grow makes twice as many slots, in the order of those that there are, which
// is nearly that of the hashes.
func (p *products) grow() {
	if p.slots == nil {
		p.shift = 32 - 9
	}
	p.shift--
	old := p.slots
	p.slots = make([]slot, 1<<(32-p.shift))
	for _, s := range old {
		if s.behind != 0 {
			at := p.first(s.hash)
			for p.slots[at].behind != 0 {
				at = (at + 1) % len(p.slots)
			}
			p.slots[at] = s
		}
	}
}

// first returns the slot from which on a name of that hash is looked for.
func (p *products) first(hash uint32) int { return int(hash &^ math.MaxUint8 >> p.shift) }

// search returns the slot of a name, or the one where it would be.
func (p *products) search(hash uint32, name []byte) (at int, held bool) {
	for at = p.first(hash); p.slots[at].behind != 0; at = (at + 1) & (len(p.slots) - 1) {
		if s := p.slots[at]; s.hash == hash {
			if _, same := p.read(s.behind - 1); bytes.Equal(same, name) {
				return at, true
			}
		}
	}
	return at, false
}

// find returns the product of a name; nil: it is not known. Rows most often
// name the product that the row before named, or one that stands soon after it.
func (p *products) find(name []byte) *Product {
	if p.names == 0 || len(name) == 0 {
		return nil
	}
	at := p.at
	for i := 0; i < soon && int(at>>logBits) < len(p.log); i++ {
		number, there := p.read(at)
		if number != taken && bytes.Equal(there, name) {
			p.at = at
			return p.all[number]
		}
		piece := at >> logBits
		if at += nameHead + uint32(len(there)); int(at-piece<<logBits) == len(p.log[piece]) {
			at = (piece + 1) << logBits
		}
	}
	slot, held := p.search(p.hash(name), name)
	if !held {
		return nil
	}
	p.at = p.slots[slot].behind - 1
	number, _ := p.read(p.at)
	return p.all[number]
}

const soon = 4 // of the names in the log: a product has two

// read returns what stands in a place of the log.
func (p *products) read(at uint32) (number uint32, name []byte) {
	piece := p.log[at>>logBits][at%logBytes:]
	size := binary.LittleEndian.Uint16(piece[4:])
	return binary.LittleEndian.Uint32(piece), piece[nameHead:][:size]
}

// number returns the number of what a row hands on, which is that of all rows
// that hand on the same.
func (p *products) number(of *Handed, block []byte, r dialect.Record) uint32 {
	if p.known == nil {
		p.seed, p.known = maphash.MakeSeed(), map[string]uint32{}
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
