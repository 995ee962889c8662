package pricing

import (
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/table"
)

// ParseColumns is table.ParseColumns.
func ParseColumns(text string) (Columns, error) { return table.ParseColumns(text) }

// SettingsFromMetadata returns the settings that an object's metadata asks
// for: its keys "columns" (as ParseColumns reads it) and "blank_price" win over
// the defaults. Whether formula cells are allowed is never the upload's choice.
func SettingsFromMetadata(md map[string]string, defaults Settings) (Settings, error) {
	s := defaults
	if text, found := md["columns"]; found {
		columns, err := ParseColumns(text)
		if err != nil {
			return Settings{}, err
		}
		s.Columns = columns
	}
	if text, found := md["blank_price"]; found {
		s.BlankPrice = BlankPrice(text)
	}
	return s, s.Validate()
}

// ReadSettings reads how tables are read where an upload does not say:
// CSV_COLUMNS (default: the columns' own names), BLANK_PRICE (error or keep)
// and ALLOW_FORMULA_CELLS (default false).
func ReadSettings(r *config.Reader) Settings {
	columns, err := ParseColumns(r.String("CSV_COLUMNS", ""))
	if err != nil {
		r.Problem("CSV_COLUMNS: %v", err)
	}
	return Settings{
		Columns:           columns,
		BlankPrice:        BlankPrice(r.OneOf("BLANK_PRICE", string(BlankPriceError), string(BlankPriceKeep))),
		AllowFormulaCells: r.Bool("ALLOW_FORMULA_CELLS", false),
	}
}
