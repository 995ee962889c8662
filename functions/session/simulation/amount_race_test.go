//go:build race

package simulation

// The race detector makes a schedule ten times as slow, and one worker runs at
// a time: there is little for it to find.
const (
	defaultSchedules = 200
	defaultPairs     = 500 // every nth
)
