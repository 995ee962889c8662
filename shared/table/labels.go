package table

import (
	"context"
	"io"
	"strings"
)

// Label is what people know a row by: its product's name, the text of its picture's column,
// and the cell that tells it apart. Each is "" where there is none.
type Label struct {
	Name, Picture string
	Own           OwnCell
}

// OwnCell is the cell that tells a row apart whose SKU is blank.
type OwnCell struct {
	Column string `json:"column"` // its title
	Value  string `json:"value"`
	// Shared says that the other rows of the product have it, too: it takes more cells to
	// tell the row from them.
	Shared bool `json:"shared,omitempty"`
}

// pictures are titles of the columns of products' pictures, in lower case.
var pictures = []string{
	"variant image", "image src", "images", "image", "image_link", "image link", "product image", "main image", "base_image", "image url", "image urls",
	"image 1", "image1", "picture", "pictures", "photo", "photos", "photo 1", "item photo url 1", "productimageurl", "hosted image urls", "picurl", "bild", "bilder", "immagine", "imagen",
}

// Labels reads the labels of a table's rows while somebody asks for them, from the first
// row on. It must be closed.
type Labels struct {
	blocks chan []numbered
	end    context.CancelFunc
	block  []numbered // those that were not passed yet
}

type numbered struct {
	row int64
	Label
}

// ReadLabels begins to read a table's labels. Where it cannot be read on there are none.
func ReadLabels(ctx context.Context, in io.Reader, s Settings, w Workload) (*Labels, error) {
	needs := Needs{Reads: []Role{RoleSKU, RoleName}, IfThere: true, AsText: true}
	t, err := Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &Labels{blocks: make(chan []numbered), end: cancel}
	v := &labeller{table: t, to: l.blocks, ctx: ctx, picture: pictureColumn(t.Header)}
	go func() {
		defer close(l.blocks)
		_, _ = t.Scan(ctx, NewQuery(Query{Needs: needs, Unchecked: true}), io.Discard, w, func() Visitor { return v })
	}()
	return l, nil
}

// Of returns the label of a row, which stands behind those that were asked for before.
func (l *Labels) Of(row int64) Label {
	for {
		for i, label := range l.block {
			if label.row >= row {
				l.block = l.block[i:]
				if label.row > row {
					return Label{}
				}
				return label.Label
			}
		}
		var more bool
		if l.block, more = <-l.blocks; !more {
			return Label{}
		}
	}
}

// Close ends the reading.
func (l *Labels) Close() {
	l.end()
	for range l.blocks {
	}
}

// labeller reads the labels of the rows, in their order.
type labeller struct {
	table   *Table
	ctx     context.Context
	to      chan<- []numbered
	picture int // its column; below 0: there is none
	block   []numbered
}

func (v *labeller) Begin() { v.block = nil }

func (v *labeller) Row(r *Row) Problem {
	label := v.label(r)
	label.Own = v.own(r)
	v.block = append(v.block, numbered{r.Number, label})
	return Problem{}
}

// label reads what people know a row by.
func (v *labeller) label(r *Row) (label Label) {
	s := r.s
	if v.table.family != nil {
		s.names.findProduct(r.record)
	}
	for i := range s.names.columns {
		if c := &s.names.columns[i]; nameRoles[i].Role == RoleName && len(c.cells) > 0 {
			content, _ := s.names.content(c, 0, r.record)
			label.Name = v.text(r, content)
		}
	}
	if v.picture >= 0 {
		label.Picture = v.text(r, r.record.Content(s.Block, v.picture).Of(s.Block))
	}
	return label
}

// own is the cell that tells the row apart, where it has no SKU.
func (v *labeller) own(r *Row) (own OwnCell) {
	cell := func(column int) string { return v.text(r, r.record.Content(r.s.Block, column).Of(r.s.Block)) }
	if v.table.sku != missing && strings.TrimSpace(cell(v.table.sku)) != "" {
		return own
	}
	for _, column := range v.table.identity {
		switch value := cell(column); {
		case strings.TrimSpace(value) == "":
		case own.Value != "":
			own.Shared = true
		default:
			own = OwnCell{Column: v.table.Header[column], Value: value}
		}
	}
	return own
}

func (v *labeller) text(r *Row, content []byte) string {
	text, _ := r.s.Text(content)
	return v.table.Dialect.Text(text)
}

func (v *labeller) Done(int64) error {
	select {
	case v.to <- v.block:
		return nil
	case <-v.ctx.Done():
		return v.ctx.Err()
	}
}
