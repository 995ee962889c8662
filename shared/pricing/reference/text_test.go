package reference

import (
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/dialect"
)

// The reference and the engine find the same characters in every two bytes.
func TestEveryTwoBytes(t *testing.T) {
	for encoding := range several {
		wrong := 0
		for lead := range 0x100 {
			var all strings.Builder
			for trail := range 0x100 {
				all.Write([]byte{byte(lead), byte(trail), '\n'})
			}
			text, err := io.ReadAll(dialect.Dialect{Encoding: encoding}.NewReader(strings.NewReader(all.String())))
			if err != nil {
				t.Fatal(err)
			}
			r := reader{text: decode(all.String(), encoding), wide: true}
			got, want := []rune(string(text)), []rune(r.says(r.runes))
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					if wrong++; wrong < 10 {
						t.Errorf("%s, first byte %x, character %d: %q, want %q", encoding, lead, i, string(got[max(0, i-3):min(len(got), i+3)]), string(want[max(0, i-3):min(i+3, len(want))]))
					}
					break
				}
			}
		}
	}
}
