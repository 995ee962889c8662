package overview

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
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
	"variant image", "image src", "images", "image", "image_link", "image link", "product image",
	"main image", "base_image", "image url", "image urls",
	"image 1", "image1", "picture", "pictures", "photo", "photos", "photo 1", "item photo url 1",
	"productimageurl", "hosted image urls", "picurl", "bild", "bilder", "immagine", "imagen",
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
func ReadLabels(ctx context.Context, in io.Reader, s setting.Settings, w row.Workload) (*Labels, error) {
	needs := recognize.Needs{
		Reads:   []recognize.Role{recognize.RoleSKU, recognize.RoleName},
		IfThere: true,
		AsText:  true,
	}
	t, err := row.Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &Labels{blocks: make(chan []numbered), end: cancel}
	v := &labeller{table: t, to: l.blocks, ctx: ctx, picture: pictureColumn(t.Header)}
	go func() {
		defer close(l.blocks)
		_, _ = t.Scan(ctx, row.NewQuery(row.Query{
			Needs:     needs,
			Unchecked: true,
		}), io.Discard, w, func() row.Visitor { return v })
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
	table   *row.Table
	ctx     context.Context
	to      chan<- []numbered
	picture int // its column; below 0: there is none
	block   []numbered
}

func (v *labeller) Begin() { v.block = nil }

func (v *labeller) Row(r *row.Row) row.Problem {
	label := v.label(r)
	label.Own = v.own(r)
	v.block = append(v.block, numbered{r.Number, label})
	return row.Problem{}
}

// label reads what people know a row by.
func (v *labeller) label(r *row.Row) Label {
	r.FindProduct()
	return Label{Name: v.named(r, recognize.RoleName), Picture: v.cell(r, v.picture)}
}

// named is what the row's first cell of a role of names says, or its product's.
func (v *labeller) named(r *row.Row, role recognize.Role) string {
	i := slices.IndexFunc(recognize.NameRoles, func(rule recognize.Rule) bool { return rule.Role == role })
	if len(v.table.NameColumns(i)) == 0 {
		return ""
	}
	return v.table.Dialect.Text(r.Unquoted(r.Name(i, 0)))
}

// cell is what a column says of the row; "" where there is no such column.
func (v *labeller) cell(r *row.Row, column int) string {
	return v.table.Dialect.Text(r.Unquoted(r.Content(column)))
}

// own is the cell that tells the row apart, where it has no SKU.
func (v *labeller) own(r *row.Row) (own OwnCell) {
	if strings.TrimSpace(v.cell(r, v.table.Column(recognize.RoleSKU))) != "" {
		return own
	}
	for _, column := range v.table.Identity() {
		switch value := v.cell(r, column); {
		case strings.TrimSpace(value) == "":
		case own.Value != "":
			own.Shared = true
		default:
			own = OwnCell{Column: v.table.Header[column], Value: value}
		}
	}
	return own
}

func (v *labeller) Done(int64) error {
	select {
	case v.to <- v.block:
		return nil
	case <-v.ctx.Done():
		return v.ctx.Err()
	}
}
