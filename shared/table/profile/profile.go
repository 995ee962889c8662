// Package profile says how platforms write their exports: which column is what, in what form
// its cells are, and which rows take something from others. A platform is one file in
// profiles/.
//
// No code names a platform: what a profile cannot say, a person says with a setting. What the
// columns of a table are that no profile knows, package recognize finds.
package profile

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// A Profile says how a platform's export is read. Each is one file in
// profiles/, and that file is all there is to a platform.
//
// Titles of columns compare as names do: see package fold.
type Profile struct {
	Name  string `json:"-"`     // "shopify": the file's name, and what the setting profile takes
	Title string `json:"title"` // "Shopify": what people read
	// where the platform documents its export, or whose export it was read from
	Source []string `json:"source"`
	Notes  string   `json:"notes,omitempty"`
	// Signature tells the platform's header: it has, for each entry, a column
	// with one of these titles. Of several profiles that match, the one with
	// the most entries is taken.
	Signature []Titles `json:"signature"`

	SKU Titles `json:"sku,omitempty"`
	// Identity are columns that name a row whose SKU is blank, such as handle
	// and options. What they hold stands in the records in the SKU's place,
	// joined by " / ".
	Identity []Titles `json:"identity,omitempty"`
	// Categories are all the columns that a plan's category is looked for in.
	Categories []NameColumn `json:"categories,omitempty"`
	// Brands and Tags are the columns of a product's maker and of its tags.
	Brands []NameColumn `json:"brands,omitempty"`
	Tags   []NameColumn `json:"tags,omitempty"`
	// ProductName is what a shop's customers read.
	ProductName Titles `json:"product_name,omitempty"`
	// Price is the regular price. Sale and compare-at prices are other columns.
	Price Titles `json:"price,omitempty"`
	// Cost is what the shop pays for one.
	Cost Titles `json:"cost,omitempty"`
	// Sales are the columns by which a row is on sale.
	Sales []SaleColumn `json:"sales,omitempty"`
	// OtherPrices are columns of more prices, such as those of other markets, which
	// stay as they are. One that ends with "*" stands for all that begin so.
	OtherPrices Titles `json:"other_prices,omitempty"`
	// Stock are the columns that tell what is in stock; the first that the
	// header has is it. Where that has words, the platform goes by a quantity
	// behind it wherever one is filled in: both are written.
	Stock []StockColumn `json:"stock,omitempty"`
	// Backorders are the rows that the platform goes on selling with nothing in stock.
	Backorders []Rows `json:"backorders,omitempty"`

	Inheritance *Inheritance `json:"inheritance,omitempty"`
	// Own are columns, beside those that the profile knows, in which a blank cell is the
	// row's own and never its product's. Those of the plain profile are so everywhere.
	Own Titles `json:"own,omitempty"`

	// DecimalPoint says that the platform documents a decimal point, so that
	// 1.299 is no riddle: it is less than two.
	DecimalPoint bool `json:"decimal_point,omitempty"`
	// BlankPrice is what an empty price means where no setting says it.
	BlankPrice BlankPrice `json:"blank_price,omitempty"`
	// Skip are rows that are neither products nor variants, such as images and
	// rules. They are left as they are, and none of their cells is at fault.
	Skip *Rows `json:"skip,omitempty"`
	// RowForms say in what the platform's rows differ from those of other tables.
	RowForms []RowForm `json:"row_forms,omitempty"`
}

// A RowForm is a way in which a platform writes rows.
type RowForm string

const (
	ShortRows         RowForm = "short rows"         // what a row lacks at its end is blank
	TrailingDelimiter RowForm = "trailing delimiter" // a row may end with one more than the header has
	// no field is quoted: a quote is like any other character
	LiteralQuotes RowForm = "literal quotes"
)

// Writes reports whether the platform writes rows so.
func (p *Profile) Writes(form RowForm) bool { return slices.Contains(p.RowForms, form) }

// OwnOfRows are the titles of columns in which a blank cell is the row's own, and never its
// product's: its SKU, its money, its quantities and such as its barcode.
func (p *Profile) OwnOfRows() []Titles {
	own := []Titles{p.SKU, p.Price, p.Cost, p.OtherPrices, p.Own, PlainProfile().Own}
	for _, sale := range p.Sales {
		own = append(own, sale.Titles, RegularPrice, sale.From, sale.Until, sale.Flag)
	}
	for _, stock := range p.Stock {
		if stock.Quantity {
			own = append(own, stock.Titles)
		}
	}
	return own
}

// OfProducts are the titles of columns that say what a product is, whichever of its rows
// fill them: its categories, brand, tags and name.
func (p *Profile) OfProducts() []Titles {
	titles := []Titles{p.ProductName}
	for _, column := range slices.Concat(p.Categories, p.Brands, p.Tags) {
		titles = append(titles, column.Titles)
	}
	return titles
}

// Titles are the titles that one column has in different languages and
// versions of a platform; the first that a header has is the column. A last
// title that ends with "*" stands for all that begin with what is before it;
// where a header has several of those, none is taken, and the column is to be
// named by a setting, but for quantities, of which each place has its own.
type Titles []string

// Rows are the rows whose cell in a column is one of Words, in lower case and
// without the blanks around it. The word "" is a blank cell.
type Rows struct {
	Titles Titles   `json:"titles"`
	Words  []string `json:"words"`
}

// NameColumn is a column of names, such as categories, and how its cells are
// written: a name; a list of names, if List is set; paths of names, if Path is
// set; or a list of paths. A plan's name matches the whole cell, an entry of the
// list, or a segment of an entry's path.
type NameColumn struct {
	Titles Titles `json:"titles"`
	// what separates entries, such as ","; of several characters each may
	List string `json:"list,omitempty"`
	Path string `json:"path,omitempty"` // what separates a path's segments, such as ">"
	// Escape stands before a separator that is part of a name, such as "\\".
	Escape string `json:"escape,omitempty"`
}

// SaleColumn is a column of prices by which a row is on sale.
type SaleColumn struct {
	Titles Titles   `json:"titles"`
	Form   SaleForm `json:"form"`
	// None is what the column may have where a row is not on sale; nothing: a blank
	// cell. What the table's first rows show is written, else the first of them.
	None []string `json:"none,omitempty"`
	// Flag is the column that says whether a row is on sale at all, by FlagOn and FlagOff
	// in any case; none: any row may be.
	Flag Titles `json:"flag,omitempty"`
	// From and Until have the dates of a sale; one column that has both is From.
	From  Titles `json:"from,omitempty"`
	Until Titles `json:"until,omitempty"`
	// UnknownDates: the titles of the dates' columns beside these are not known.
	UnknownDates bool `json:"unknown_dates,omitempty"`
}

// The words of a sale's flag.
const (
	FlagOn  = "Yes"
	FlagOff = "No"
)

// SaleForm says what a sale's column has.
type SaleForm string

// A row is on sale where its column has a price above 0 and, beside the price,
// below it; or, where it has what the price was, above it.
const (
	SaleBeside SaleForm = "beside" // the price that customers pay
	SaleWas    SaleForm = "was"    // the price before; customers pay the price
)

// StockColumn is a column that tells what is in stock.
type StockColumn struct {
	Titles Titles `json:"titles"`
	// Quantity: the cells are numbers, also below 0 and with a fraction of
	// zeros, and above 0 is in stock. Words then has the words that may stand
	// instead of one, such as "unlimited": true. Where several columns begin
	// alike, one for each place, a row is in stock where one of them says so.
	Quantity bool `json:"quantity,omitempty"`
	// Counts: a column of nothing but 0 and 1 has quantities, as its title says.
	// Elsewhere they are words, for no and yes.
	Counts bool `json:"-"`
	// Untracked are the rows whose quantity the platform does not keep: they
	// are in stock whatever it says.
	Untracked *Rows `json:"untracked,omitempty"`
	// OfVariants: the own row of a product that has variants tells nothing. It
	// is in stock where one of them is.
	OfVariants bool `json:"of_variants,omitempty"`
	// Words are what the cells may be beside true and false, 1 and 0, yes and
	// no, in lower case, and whether that is in stock. The word "" is a blank
	// cell.
	Words map[string]bool `json:"words,omitempty"`
	// Out and In are what is written for out of stock and in stock over one of
	// Words; over a quantity a number is, and over the words that every column
	// may have, their opposite.
	Out string `json:"out,omitempty"`
	In  string `json:"in,omitempty"`
}

// Inheritance says which product a variant's row belongs to. Such a row has
// its product's categories, and its product's state where the stock column is
// one of words, wherever its own cells are blank.
//
// Exactly one of Above, Below, Parent, Same and Children is set; or Parent and Same,
// of which the first that a table has counts.
type Inheritance struct {
	// Above is the column whose cell names the product, which stands in the
	// rows above: a row belongs to the product of the row above it when it
	// names the same one or none. One that names another, and has neither
	// that product's name nor anything to hand on, stands apart from it.
	Above Titles `json:"above,omitempty"`
	// Below are the rows of products; the rows below each, up to the next of
	// them, are its variants'.
	Below *Rows `json:"below,omitempty"`
	// Parent is the column whose cell names the product's row by one of Keys,
	// wherever in the table that row is.
	Parent Titles `json:"parent,omitempty"`
	// Same is the column that is the same in the rows of a product's variants: one that
	// has nothing to hand on belongs to the first that has.
	Same Titles `json:"same,omitempty"`
	// Keys are the columns by which Parent names a row.
	Keys []Key `json:"keys,omitempty"`
	// Childless are rows that no Parent names, as far as can be told: what they
	// are need not be kept for others.
	Childless *Rows `json:"childless,omitempty"`
	// Children is the column in which a product's row lists its variants' SKUs:
	// sku=A-1,size=S|sku=A-2,size=M. A row without a category belongs to the first one
	// of its own SKU that has one, as the row for a store view does.
	Children Titles `json:"children,omitempty"`
}

// Key is a column that names rows for others, and what stands before its value
// where they do, such as "id:".
type Key struct {
	Titles Titles `json:"titles"`
	Prefix string `json:"prefix,omitempty"`
}

// StockColumns are the columns of stock by their titles.
func (p *Profile) StockColumns() (columns []NameColumn) {
	for _, c := range p.Stock {
		columns = append(columns, NameColumn{Titles: c.Titles})
	}
	return columns
}

//go:embed profiles/*.json
var profileFiles embed.FS

// Profiles returns every profile by its name, in the order of the names. The
// one named "plain" reads tables that no other's header matches, and those
// that have all of its titles.
var Profiles = sync.OnceValue(func() []Profile {
	var profiles []Profile
	names, err := fs.Glob(profileFiles, "profiles/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		text, err := profileFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		var p Profile
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&p); err != nil {
			panic(fmt.Sprintf("table: %s: %v", name, err)) // a test reads them all
		}
		p.Name = strings.TrimSuffix(path.Base(name), ".json")
		profiles = append(profiles, p)
	}
	return profiles
})

// Plain is the name of the profile of tables with the plain columns.
const Plain = "plain"

// PlainProfile returns the profile of that name.
func PlainProfile() *Profile { return profileNamed(Plain) }

func profileNamed(name string) *Profile {
	all := Profiles()
	return &all[slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })]
}

// Read returns the columns that the profile reads as something.
func (p *Profile) Read(header *Titled) []bool {
	read := slices.Concat([]Titles{p.SKU, p.ProductName, p.Price, p.Cost, Currency}, p.Identity)
	for _, columns := range [][]NameColumn{p.Categories, p.Brands, p.Tags, p.StockColumns()} {
		for _, c := range columns {
			read = append(read, c.Titles)
		}
	}
	kinds := []*Rows{p.Skip}
	for i := range p.Backorders {
		kinds = append(kinds, &p.Backorders[i])
	}
	for _, c := range p.Sales {
		read = append(read, c.Titles, c.From, c.Until, c.Flag)
	}
	for _, c := range p.Stock {
		kinds = append(kinds, c.Untracked)
	}
	if i := p.Inheritance; i != nil {
		read, kinds = append(read, i.Above, i.Parent, i.Same), append(kinds, i.Below, i.Childless)
		for _, k := range i.Keys {
			read = append(read, k.Titles)
		}
	}
	for _, rows := range kinds {
		if rows != nil {
			read = append(read, rows.Titles)
		}
	}
	is := make([]bool, len(header.Titles))
	for _, title := range slices.Concat(read...) {
		for _, column := range header.all(title) {
			is[column] = true
		}
	}
	return is
}

// Names lists the names of all profiles.
func Names() []string {
	var names []string
	for _, p := range Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// BlankStock says what a row with an empty cell of stock is.
type BlankStock string

const (
	BlankStockError BlankStock = "error" // the table is refused
	BlankStockIn    BlankStock = "in"    // in stock
	BlankStockOut   BlankStock = "out"   // out of stock
)

// BlankPrice says what a row with an empty price cell means.
type BlankPrice string

const (
	BlankPriceError BlankPrice = "error" // the table is refused
	BlankPriceKeep  BlankPrice = "keep"  // the row is left alone
	// BlankPriceTell is a profile's alone: it is left alone and told, for each row should
	// have one.
	BlankPriceTell BlankPrice = "tell"
)
