package shop

import (
	"testing"
	"time"
)

func TestNextSizeAimsAtTwoSeconds(t *testing.T) {
	for _, c := range []struct {
		name       string
		size, rows int
		took       time.Duration
		want       int
	}{
		{"as it should be", 25, 25, 2 * time.Second, 25},
		{"quick", 25, 25, time.Second, 50},
		{"very quick: at most twice as many", 25, 25, time.Millisecond, 50},
		{"at most what a shop takes", 80, 80, time.Second, 100},
		{"slow", 25, 25, 5 * time.Second, 10},
		{"very slow: at least one", 25, 25, time.Hour, 1},
		{"its group has no more rows", 25, 4, time.Second, 25},
		{"few rows, and slow", 25, 4, 4 * time.Second, 2},
		{"no time at all", 25, 25, 0, 50},
	} {
		if got := nextSize(c.size, c.rows, c.took, WooLimits); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
