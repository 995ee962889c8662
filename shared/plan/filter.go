package plan

import (
	"slices"

	"github.com/planwright/planwright/shared/strictjson"
)

// Filter is a conjunction. A nil slice or pointer matches everything.
type Filter struct {
	Categories        []string
	SKUs              []string
	InStock           *bool
	OnSale            *bool    // a sale price is in force, as the platform has it
	PriceGTE          *Decimal // compared with the price the operation sees
	PriceLTE          *Decimal
	QuantityGTE       *Decimal // whole numbers, compared with the quantity the operation sees
	QuantityLTE       *Decimal
	ExcludeCategories []string
	ExcludeSKUs       []string
	Brands            []string
	ExcludeBrands     []string
	Tags              []string // a row may have several
	ExcludeTags       []string
	// Phrases, of which the product's name has one as whole words in a row, in any case.
	NameContains        []string
	ExcludeNameContains []string
	Where               []Where // of other columns
}

// filterFields are the fields of a filter, in the order of the canonical form.
// Each has one of the four types of value. What reads, writes, checks and
// explains filters goes by this table; a new field is a line here, one in the
// schema and one in Filter.
var filterFields = [...]filterField{
	{name: "brands", column: ColumnBrand, names: func(f *Filter) *[]string { return &f.Brands }},
	{name: "categories", column: ColumnCategory, names: func(f *Filter) *[]string { return &f.Categories }},
	{
		name:     "exclude_brands",
		column:   ColumnBrand,
		excludes: true,
		names:    func(f *Filter) *[]string { return &f.ExcludeBrands },
	},
	{
		name:     "exclude_categories",
		column:   ColumnCategory,
		excludes: true,
		names:    func(f *Filter) *[]string { return &f.ExcludeCategories },
	},
	{
		name:     "exclude_name_contains",
		column:   ColumnName,
		excludes: true,
		names:    func(f *Filter) *[]string { return &f.ExcludeNameContains },
	},
	{
		name:     "exclude_skus",
		column:   ColumnSKU,
		excludes: true,
		names:    func(f *Filter) *[]string { return &f.ExcludeSKUs },
	},
	{
		name:     "exclude_tags",
		column:   ColumnTags,
		excludes: true,
		names:    func(f *Filter) *[]string { return &f.ExcludeTags },
	},
	{name: "in_stock", column: ColumnInStock, boolean: func(f *Filter) **bool { return &f.InStock }},
	{name: "name_contains", column: ColumnName, names: func(f *Filter) *[]string { return &f.NameContains }},
	{name: "on_sale", column: ColumnOnSale, boolean: func(f *Filter) **bool { return &f.OnSale }},
	{name: "price_gte", column: ColumnPrice, decimal: func(f *Filter) **Decimal { return &f.PriceGTE }},
	{name: "price_lte", column: ColumnPrice, decimal: func(f *Filter) **Decimal { return &f.PriceLTE }},
	{
		name:    "quantity_gte",
		column:  ColumnQuantity,
		decimal: func(f *Filter) **Decimal { return &f.QuantityGTE },
	},
	{
		name:    "quantity_lte",
		column:  ColumnQuantity,
		decimal: func(f *Filter) **Decimal { return &f.QuantityLTE },
	},
	{name: "skus", column: ColumnSKU, names: func(f *Filter) *[]string { return &f.SKUs }},
	{name: "tags", column: ColumnTags, names: func(f *Filter) *[]string { return &f.Tags }},
	{name: "where", wheres: func(f *Filter) *[]Where { return &f.Where }},
}

type filterField struct {
	name     string
	column   Column
	excludes bool // its names are those left out
	names    func(*Filter) *[]string
	boolean  func(*Filter) **bool
	decimal  func(*Filter) **Decimal
	wheres   func(*Filter) *[]Where
}

// Names returns the names that a row must have one of in the column (nil: any
// will do), and those that it must not have.
func (f *Filter) Names(column Column) (only, except []string) {
	for i := range filterFields {
		switch field := &filterFields[i]; {
		case field.column != column || field.names == nil:
		case field.excludes:
			except = *field.names(f)
		default:
			only = *field.names(f)
		}
	}
	return only, except
}

// Excluded are all names that the plan leaves out.
func (p *Plan) Excluded() (names []string) {
	for i := range p.Operations {
		for _, column := range NameColumns() {
			_, except := p.Operations[i].Filter.Names(column)
			names = append(names, except...)
		}
	}
	return names
}

// MapNames replaces each list of names, and of values of other columns, by what change makes
// of it.
func (f *Filter) MapNames(change func([]string) []string) {
	f.Where = slices.Clone(f.Where)
	for i := range f.Where {
		f.Where[i].Values = change(f.Where[i].Values)
	}
	for i := range filterFields {
		if names := filterFields[i].names; names != nil {
			*names(f) = change(*names(f))
		}
	}
}

func (f *Filter) read(o *strictjson.Object, where whereReader) {
	for i := range filterFields {
		field := &filterFields[i]
		value := o.Optional(field.name)
		switch {
		case field.names != nil:
			*field.names(f), _ = value.Strings()
		case field.boolean != nil:
			*field.boolean(f) = optional(value.Bool())
		case field.wheres != nil:
			*field.wheres(f) = readWheres(value, where)
		default:
			*field.decimal(f) = optional(readDecimal(value))
		}
	}
}

// MarshalJSON returns the canonical form, as a plan's does.
func (f Filter) MarshalJSON() ([]byte, error) { return strictjson.Canonical(f.fields()), nil }

// fields are those that are given.
func (f *Filter) fields() map[string]any {
	fields := map[string]any{}
	for i := range filterFields {
		if value, given := filterFields[i].value(f); given {
			fields[filterFields[i].name] = value
		}
	}
	return fields
}

// value returns the field's value in a filter, and whether it is given.
func (field *filterField) value(f *Filter) (value any, given bool) {
	switch {
	case field.names != nil:
		return *field.names(f), *field.names(f) != nil
	case field.boolean != nil:
		return *field.boolean(f), *field.boolean(f) != nil
	case field.wheres != nil:
		return whereFields(*field.wheres(f)), *field.wheres(f) != nil
	default:
		return *field.decimal(f), *field.decimal(f) != nil
	}
}

// copyTo gives another filter the field's value.
func (field *filterField) copyTo(other, f *Filter) {
	switch {
	case field.names != nil:
		*field.names(other) = *field.names(f)
	case field.boolean != nil:
		*field.boolean(other) = *field.boolean(f)
	case field.wheres != nil:
		*field.wheres(other) = *field.wheres(f)
	default:
		*field.decimal(other) = *field.decimal(f)
	}
}

// Condition is one field of a filter, or one of those on other columns.
type Condition struct {
	Name     string // as in the plan, such as price_gte
	Column   Column
	Title    string // of another column; "": it is on one of those that plans know
	Excludes bool
	Names    []string // nil where it has none
	place    int      // among the conditions of its filter
}

// Is reports whether two conditions of one filter are the same.
func (c Condition) Is(other Condition) bool { return c.place == other.place }

// Having is the filter of rows that have one of the condition's names.
func (c Condition) Having() (f Filter) {
	if c.Title != "" {
		f.Where = []Where{{Column: c.Title, Kind: WhereIs, Values: c.Names}}
	} else {
		*fieldOf(c.Column, false).names(&f) = c.Names
	}
	return f
}

// Conditions are the conditions of a filter that are given.
func (f *Filter) Conditions() (given []Condition) {
	for i := range filterFields {
		field := &filterFields[i]
		if field.wheres != nil {
			for _, w := range *field.wheres(f) {
				given = append(
					given,
					Condition{
						Name:     field.name,
						Title:    w.Column,
						Excludes: w.Kind == WhereIsNot,
						Names:    w.Values,
					},
				)
			}
		} else if _, is := field.value(f); is {
			condition := Condition{Name: field.name, Column: field.column, Excludes: field.excludes}
			if field.names != nil {
				condition.Names = *field.names(f)
			}
			given = append(given, condition)
		}
	}
	for i := range given {
		given[i].place = i
	}
	return given
}

// Having is the filter with those of its conditions alone that are wanted.
func (f *Filter) Having(wanted func(Condition) bool) (having Filter) {
	wheres := f.Where
	for _, condition := range f.Conditions() {
		var where Where
		if condition.Title != "" {
			where, wheres = wheres[0], wheres[1:]
		}
		switch {
		case !wanted(condition):
		case condition.Title != "":
			having.Where = append(having.Where, where)
		default:
			fieldNamed(condition.Name).copyTo(&having, f)
		}
	}
	return having
}

func fieldNamed(name string) *filterField {
	return &filterFields[slices.IndexFunc(filterFields[:], func(field filterField) bool {
		return field.name == name
	})]
}

func (v *validator) filter(path *strictjson.Path, f *Filter) {
	for i := range filterFields {
		switch field := &filterFields[i]; {
		case field.wheres != nil:
			v.wheres(path.Name(field.name), *field.wheres(f))
		case field.names == nil:
		case field.column == ColumnName:
			v.phrases(path.Name(field.name), *field.names(f))
		default:
			v.strings(path.Name(field.name), *field.names(f), MaxFilterValues)
		}
	}
	if f.PriceGTE != nil && f.PriceLTE != nil && f.PriceGTE.Cmp(*f.PriceLTE) > 0 {
		v.list.Add(
			path.Name("price_gte"),
			"is %s, above price_lte %s: no price is in that range",
			f.PriceGTE,
			f.PriceLTE,
		)
	}
	v.whole(path.Name("quantity_gte"), f.QuantityGTE)
	v.whole(path.Name("quantity_lte"), f.QuantityLTE)
	if f.QuantityGTE != nil && f.QuantityLTE != nil && f.QuantityGTE.Cmp(*f.QuantityLTE) > 0 {
		v.list.Add(
			path.Name("quantity_gte"),
			"is %s, above quantity_lte %s: no quantity is in that range",
			f.QuantityGTE,
			f.QuantityLTE,
		)
	}
}

// Column is a column of the product table: what a filter looks at and what an action writes.
type Column string

// The columns that a plan can look at. Actions write stock, price, and what a row
// is on sale for.
const (
	ColumnCategory Column = "category"
	ColumnBrand    Column = "brand"
	ColumnTags     Column = "tags"
	ColumnSKU      Column = "sku"
	ColumnName     Column = "name"
	ColumnInStock  Column = "in_stock"
	ColumnPrice    Column = "price"
	ColumnCost     Column = "cost"
	ColumnOnSale   Column = "on_sale"
	ColumnQuantity Column = "quantity" // pieces in stock
	// ColumnCompareAt is the price from before a sale.
	ColumnCompareAt Column = "compare_at"
)

// NameColumns returns the columns that filters compare with lists of names.
func NameColumns() []Column {
	columns := make([]Column, len(nameColumns))
	for i := range nameColumns {
		columns[i] = nameColumns[i].column
	}
	return columns
}

// repeats reports whether a row may have several names of the column.
func (c Column) repeats() bool { return c == ColumnTags || c == ColumnName }

// nameColumns say how a sentence speaks of those columns.
var nameColumns = [...]nameColumn{
	{column: ColumnCategory, preposition: "in", singular: "category", plural: "categories"},
	{column: ColumnBrand, preposition: "of", singular: "brand", plural: "brands"},
	{column: ColumnTags, preposition: "with", singular: "tag", plural: "tags"},
	{column: ColumnSKU, preposition: "with", singular: "SKU", plural: "SKUs"},
	{column: ColumnName}, // what it says is among the conditions
}

type nameColumn struct {
	column           Column
	preposition      string
	singular, plural string
}
