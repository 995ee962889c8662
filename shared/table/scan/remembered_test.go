package scan

import "testing"

func TestRememberedBytesAreBounded(t *testing.T) {
	s := &Blocks{}
	s.keep(make([]byte, 1))
	if s.KeepFrom(true); s.keptSize != 0 || !s.Keeps() {
		t.Errorf("%d bytes are kept before any are asked for", s.keptSize)
	}
	for _, step := range []struct {
		read, kept int
		keeps      bool
	}{
		{0, 0, true}, {KeptBytes - 1, KeptBytes - 1, true}, {3, KeptBytes, false}, {3, KeptBytes, false},
	} {
		s.keep(make([]byte, step.read))
		if s.keptSize != step.kept || s.Keeps() != step.keeps {
			t.Errorf("%d bytes are kept (and more: %v), want %d (%v)", s.keptSize, s.Keeps(), step.kept, step.keeps)
		}
	}
}
