package pricing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIdleState: rows in a state can be left out only where every operation asks
// for the other.
func TestIdleState(t *testing.T) {
	yes, no := ptr(true), ptr(false)
	for _, test := range []struct {
		asked []*bool
		want  *bool
	}{
		{nil, nil},
		{[]*bool{nil}, nil},
		{[]*bool{yes}, no},
		{[]*bool{no}, yes},
		{[]*bool{yes, yes}, no},
		{[]*bool{yes, no}, nil},
		{[]*bool{no, no, yes}, nil},
		{[]*bool{yes, nil}, nil},
	} {
		e := &Engine{}
		for _, inStock := range test.asked {
			e.operations = append(e.operations, operation{inStock: inStock})
		}
		if diff := cmp.Diff(test.want, e.idle()); diff != "" {
			t.Errorf("%v: %s", test.asked, diff)
		}
	}
}
