package setting

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// Name is a setting by the name under which object metadata and queries
// give it, such as "price_form".
type Name string

// All are the settings that come with a table or from configuration,
// each with what it says.
var All = []struct {
	Name     Name
	Variable string // in the environment
	Help     string
	Values   func() []string               // those that there are; nil where they are not a few
	field    func(*Settings) *string       // that holds it; nil where it is no text
	read     func(*Settings, string) error // nil: as it is written, or as one of the values is
}{
	{"columns", "CSV_COLUMNS", `the table's names for sku, category, brand, tags, name, price, cost, sale_price, compare_at and in_stock, such as "sku=Variant SKU" (default: found by the profile)`,
		nil, nil, (*Settings).readColumns},
	{"profile", "CSV_PROFILE", "the platform whose export it is (default: found by the header)",
		profile.Names, func(s *Settings) *string { return &s.Profile }, nil},
	{"delimiter", "CSV_DELIMITER", "comma, semicolon, tab or pipe (default: found)",
		oneOf(dialect.Delimiters...), func(s *Settings) *string { return (*string)(&s.Dialect.Delimiter) },
		(*Settings).readDelimiter},
	{"line_end", "CSV_LINE_END", "LF, CRLF, CR or CRCRLF (default: found)",
		oneOf(dialect.LineEnds...), func(s *Settings) *string { return (*string)(&s.Dialect.LineEnd) }, nil},
	{"encoding", "CSV_ENCODING", "the encoding by its name, such as windows-1250 or Shift_JIS (default: UTF-8, UTF-16 and windows-1252 are found)",
		func() []string { return oneOf(dialect.Encodings()...)() },
		func(s *Settings) *string { return (*string)(&s.Dialect.Encoding) }, nil},
	{"header", "CSV_HEADER", "none where the first row has no titles, so that columns are called by their numbers: price=3 (default first)",
		oneOf(HeaderFirst, HeaderNone), func(s *Settings) *string { return (*string)(&s.Header) }, nil},
	{
		"price_form", "PRICE_FORM",
		`how the prices write the number 1234.56, such as "1.234,56" (default: found)`,
		oneOf(profile.PriceForms...), func(s *Settings) *string { return (*string)(&s.PriceForm) }, nil,
	},
	{"blank_price", "BLANK_PRICE", "what becomes of a row without a price: error, or keep to leave it alone (default: as the profile says, else error)",
		oneOf(profile.BlankPriceError, profile.BlankPriceKeep),
		func(s *Settings) *string { return (*string)(&s.BlankPrice) }, nil},
	{"blank_stock", "BLANK_STOCK", "what a row without a word or quantity of stock is: error, in or out (default: as the profile says, else error)",
		oneOf(profile.BlankStockError, profile.BlankStockIn, profile.BlankStockOut),
		func(s *Settings) *string { return (*string)(&s.BlankStock) }, nil},
	{"stock_words", "STOCK_WORDS", `the two words of the column that tells what is in stock, such as "in=Disponibile,out=Esaurito" (default: those that the column shows)`,
		nil, nil, (*Settings).readStockWords},
	{"odd_rows", "ODD_ROWS", "what becomes of a row with a cell that an operation needs and that cannot be read: refuse the table, or leave the row alone (default refuse)",
		oneOf(OddRowsRefuse, OddRowsLeave), func(s *Settings) *string { return (*string)(&s.OddRows) }, nil},
	{
		"in_stock_quantity", "IN_STOCK_QUANTITY",
		"the quantity to write where a plan puts a row with none in stock",
		nil, nil, (*Settings).readQuantity,
	},
	{"unmatched", "UNMATCHED", `what becomes of a plan that names what no row has: error, or allow to go on with a warning (default error). What a plan leaves out is let go by its own words alone: "reprice cc-beanie too"`,
		nil, func(s *Settings) *string { return (*string)(&s.Unmatched) }, nil},
	{"near_names", "NEAR_NAMES", "what becomes of a plan that names one of several names of the table that look the same, such as fitness and Fitness: error, or exact where they are different things (default error)",
		oneOf(nearNamesError, NearNamesExact), func(s *Settings) *string { return (*string)(&s.NearNames) },
		nil},
	{"sale_dates", "SALE_DATES", "what becomes of the dates of sales that a plan looks at, makes or ends: clear to blank them, or ignore to leave them (default: a table with some is refused)",
		oneOf(SaleDatesClear, SaleDatesIgnore), func(s *Settings) *string { return (*string)(&s.SaleDates) },
		nil},
}

func oneOf[T ~string](values ...T) func() []string {
	return func() []string {
		var texts []string
		for _, value := range values {
			texts = append(texts, string(value))
		}
		return texts
	}
}

func (s *Settings) readColumns(value string) (err error) {
	s.Columns, err = ParseColumns(value)
	return err
}

// readDelimiter takes a delimiter by its name or as itself.
func (s *Settings) readDelimiter(value string) error {
	s.Dialect.Delimiter = dialect.Delimiter(inCase(value, oneOf(dialect.Delimiters...)))
	for _, known := range dialect.Delimiters {
		if value == string(known.Byte()) {
			s.Dialect.Delimiter = known
		}
	}
	return nil
}

func (s *Settings) readStockWords(value string) error {
	s.StockWords = profile.StockWords{}
	if strings.TrimSpace(value) == "" {
		return nil
	}
	parts, err := splitList(value)
	if err != nil || len(parts) != 2 {
		parts = nil
	}
	for _, part := range parts {
		switch name, word, _ := strings.Cut(part, "="); strings.TrimSpace(name) {
		case "in":
			s.StockWords.In = word
		case "out":
			s.StockWords.Out = word
		}
	}
	if s.StockWords.In == "" || s.StockWords.Out == "" {
		return Invalid("stock_words", "%q must be two words, such as in=Disponibile,out=Esaurito",
			faults.Excerpt(value))
	}
	return nil
}

func (s *Settings) readQuantity(value string) error {
	quantity, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return Invalid("in_stock_quantity", "%q must be a whole number of at least 1", faults.Excerpt(value))
	}
	s.InStockQuantity = &quantity
	return nil
}

// inCase takes one of the values in any case.
func inCase(value string, values func() []string) string {
	if values != nil {
		for _, known := range values() {
			if strings.EqualFold(value, known) {
				return known
			}
		}
	}
	return value
}

// With returns the settings with those that given has by their names; what else
// it has is none of ours. Errors are *SettingError.
func (s Settings) With(given map[string]string) (Settings, error) {
	for _, known := range All {
		value, found := given[string(known.Name)]
		if !found {
			continue
		}
		if known.read == nil {
			*known.field(&s) = inCase(value, known.Values)
		} else if err := known.read(&s, value); err != nil {
			return Settings{}, err
		}
	}
	return s, s.Validate()
}

// Given are the settings as a person writes them, by their names: With of them gives these
// settings again.
func (s Settings) Given() map[string]string {
	given := map[string]string{}
	set := func(name Name, value string) {
		if value != "" {
			given[string(name)] = value
		}
	}
	for _, known := range All {
		if known.field != nil {
			set(known.Name, *known.field(&s))
		}
	}
	set("columns", s.Columns.String())
	set("stock_words", s.StockWords.String())
	if s.InStockQuantity != nil {
		set("in_stock_quantity", strconv.FormatInt(*s.InStockQuantity, 10))
	}
	return given
}

// OfLayout are those that say how tables with one header are read, whatever stands in
// their rows. The others decide about cells, names or one plan.
var OfLayout = []Name{
	"columns", "profile", "delimiter", "line_end", "encoding", "price_form", "blank_price", "blank_stock",
	"stock_words",
}

// Variables is what the environment's variables are read from; *config.Reader
// is one.
type Variables interface {
	String(name, fallback string) string
	Problem(format string, args ...any)
}

// Read reads how tables are read where an upload does not say: the
// variables of SettingNames.
func Read(v Variables) Settings {
	var s Settings
	for _, known := range All {
		value := v.String(known.Variable, "")
		if value == "" {
			continue
		}
		next, err := s.With(map[string]string{string(known.Name): value})
		var refused *Error
		switch {
		case err == nil:
			s = next
		case errors.As(err, &refused):
			v.Problem("%s: %s", known.Variable, refused.Message)
		default:
			v.Problem("%s: %v", known.Variable, err)
		}
	}
	return s
}

// Error says what is wrong with a setting. It is errs.Invalid.
type Error struct {
	Name    Name
	Message string
}

func (e *Error) Error() string { return string(e.Name) + ": " + e.Message }

// Unwrap makes a SettingError errs.Invalid and its text errs.Message's.
func (e *Error) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

func Invalid(name Name, format string, args ...any) error {
	return &Error{Name: name, Message: fmt.Sprintf(format, args...)}
}

// A Surface is a place where people give settings. It says how they write one
// there, with a value where one is to be shown. Where it is nil, the setting is
// called by its name.
type Surface func(name Name, value string) string

// FlagName is the setting's flag, without the hyphens before it.
func (n Name) FlagName() string { return strings.ReplaceAll(string(n), "_", "-") }

// Variable is the setting's variable in the environment.
func (n Name) Variable() string {
	for _, known := range All {
		if known.Name == n {
			return known.Variable
		}
	}
	return ""
}

// Flags is the surface of a command line: --blank-price keep.
func Flags(name Name, value string) string {
	if value == "" {
		return "--" + name.FlagName()
	}
	if strings.ContainsFunc(value, needsQuotes) {
		value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return "--" + name.FlagName() + " " + value
}

// needsQuotes reports whether a shell may take a character for something else.
func needsQuotes(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.:=-", r)
}

// Metadata is the surface of an upload to a bucket: the object metadata
// blank_price=keep.
func Metadata(name Name, value string) string {
	return "the object metadata " + assigned(string(name), value) + " (or the executor's " + name.Variable() +
		")"
}

// QueryParameter is the surface of a request: the query parameter blank_price=keep.
func QueryParameter(name Name, value string) string {
	return "the query parameter " + assigned(string(name), value)
}

// Server is the surface of a server whose folder has no metadata: its variable
// BLANK_PRICE=keep.
func Server(name Name, value string) string {
	return "the server's variable " + assigned(name.Variable(), value)
}

func assigned(name, value string) string {
	if value == "" {
		return name
	}
	return name + "=" + value
}

// plainly is how a setting is written where the surface is not known.
func plainly(name Name, value string) string {
	return "the setting " + assigned(string(name), value)
}

// mentioned is a setting in a message: {columns} or {blank_price=keep}. Several that are
// given together stand one behind the other.
var (
	mentioned = regexp.MustCompile(`\{([a-z_]+)(?:=([^{}]*))?\}`)
	together  = regexp.MustCompile(`\}\{`)
)

// Says is a setting as it is written on the surface.
func (s Surface) Says(name Name, value string) string {
	if s == nil {
		s = plainly
	}
	return s(name, value)
}

// Write replaces the settings that a message mentions by what is typed here.
func (s Surface) Write(message string) string {
	between := "} and {"
	if strings.HasPrefix(s.Says("columns", ""), "--") { // a command line
		between = "} {"
	}
	message = together.ReplaceAllString(message, between)
	return mentioned.ReplaceAllStringFunc(message, func(mention string) string {
		parts := mentioned.FindStringSubmatch(mention)
		if name := Name(parts[1]); name.Variable() != "" {
			return s.Says(name, parts[2])
		}
		return mention
	})
}
