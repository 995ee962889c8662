package plan

import (
	"slices"
	"time"
)

// Moments returns when the clocks of a zone show the date and time of a clock, given in UTC. That is one
// moment, but two where the clocks are put back over it, and none where they are put forward.
func Moments(clock time.Time, zone *time.Location) []time.Time {
	const layout = "2006-01-02T15:04:05.999999999"
	shown := clock.UTC().Format(layout)
	var found []time.Time
	for _, near := range []time.Duration{-36 * time.Hour, 36 * time.Hour} { // before and after a change
		_, offset := clock.Add(near).In(zone).Zone()
		at := clock.Add(-time.Duration(offset) * time.Second).In(zone)
		if at.Format(layout) == shown && !slices.ContainsFunc(found, at.Equal) {
			found = append(found, at)
		}
	}
	slices.SortFunc(found, time.Time.Compare)
	return found
}
