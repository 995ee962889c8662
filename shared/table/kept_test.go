package table

import "testing"

func TestWhatIsKeptIsBounded(t *testing.T) {
	s := &Blocks{}
	s.keep(make([]byte, 1))
	if s.keepFrom(true); s.keptSize != 0 || !s.Keeps() {
		t.Errorf("%d bytes are kept before any are asked for", s.keptSize)
	}
	for _, step := range []struct {
		read, kept int
		keeps      bool
	}{
		{0, 0, true}, {keptBytes - 1, keptBytes - 1, true}, {3, keptBytes, false}, {3, keptBytes, false},
	} {
		s.keep(make([]byte, step.read))
		if s.keptSize != step.kept || s.Keeps() != step.keeps {
			t.Errorf("%d bytes are kept (and more: %v), want %d (%v)", s.keptSize, s.Keeps(), step.kept, step.keeps)
		}
	}
}
