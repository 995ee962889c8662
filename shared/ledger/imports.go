package ledger

import (
	"time"

	"github.com/planwright/planwright/shared/ledger/internal/stored"
)

// Import says who imported the result of an execution into the shop, and when. Planwright
// does not see the import: a person says that it was done.
type Import struct {
	ExecutionID string    `json:"execution_id"`
	By          string    `json:"by"` // "" where nobody knows
	At          time.Time `json:"at"`
}

// Rounded returns it with its time in UTC and whole microseconds.
func (i Import) Rounded() Import {
	i.At = stored.Time(i.At)
	return i
}

// Layout has the settings that somebody said of tables with one header.
type Layout struct {
	Header   string            `json:"header"`   // its SHA-256 in hexadecimal digits
	Settings map[string]string `json:"settings"` // by table.SettingName, as they were said; empty: none
	By       string            `json:"by"`       // who said them
	At       time.Time         `json:"at"`
	File     string            `json:"file"` // the table's name of which they were said
}

// Rounded returns it with its time in UTC and whole microseconds.
func (l Layout) Rounded() Layout {
	l.At = stored.Time(l.At)
	return l
}
