package pricing

import (
	"fmt"
	"testing"
)

func TestLineStarts(t *testing.T) {
	var starts lineStarts
	for _, row := range []int64{2, 3, 9, 10, 11, 99, 100, 109, 1110, 1_000_000, 1_000_001, 999_999_999_999, 1_000_000_000_000, 7, 8, 8} {
		if got, want := string(starts.of(row)), fmt.Sprintf(`{"row":%d`, row); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
