package table

// Recognized is what a table was found to be. It is stated in every summary of
// a run, in every preview and with every refusal of a header.
type Recognized struct {
	Dialect Dialect `json:"dialect"`
	Profile string  `json:"profile"`
	// Columns are those that are read, in the header's order, each with what
	// it was taken for.
	Columns []Column `json:"columns"`
	Header  []string `json:"-"` // all the titles
}

// Column is one column of a header and what it was taken for.
type Column struct {
	Title string `json:"title"`
	Role  Role   `json:"role"`
	Form  string `json:"form,omitempty"` // of its cells, for people: "list of paths (, >)", "1.234,56 €", "quantity"
	Index int    `json:"-"`
}

// Role is what a column is to a plan.
type Role string

// The roles. A category may have several columns, and so may an identity.
const (
	RoleSKU      Role = "sku"
	RoleCategory Role = "category"
	RolePrice    Role = "price"
	RoleInStock  Role = "in_stock"
	RoleIdentity Role = "identity" // names a row whose SKU is blank
	RoleProduct  Role = "product"  // names the product that a variant's row belongs to
)
