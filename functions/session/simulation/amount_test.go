//go:build !race

package simulation

// How much is simulated where nothing else is asked for.
const (
	defaultSchedules = 2_000
	defaultPairs     = 100 // every nth
)
