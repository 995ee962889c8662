//go:build !race

package simulation

// How much is simulated where nothing else is asked for.
const (
	defaultSchedules = 10_000
	defaultPairs     = 200 // every nth
	withHeavy        = true
)
