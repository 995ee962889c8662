package ledger

import "time"

// InboxRound is how far the sweep has come with listing the inbox. Every object
// is looked at once in a round, plan files first.
type InboxRound struct {
	Tables bool `json:"tables"` // the plan files are done
	// Name is that of the first object that nobody has looked at; "": none was.
	Name string `json:"name"`
	// BeganAt and PreviousBeganAt are when this round began and the one before: an object
	// that nobody has looked at came after PreviousBeganAt.
	BeganAt         time.Time `json:"began_at"`
	PreviousBeganAt time.Time `json:"previous_began_at"`
}
