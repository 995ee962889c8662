package pricing

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/table"
)

func TestALastRowWithoutALineEndIsNamed(t *testing.T) {
	e := compile(t, table.Settings{}, tenPercent())
	row := "A101,fitness,29.99,true"
	for name, test := range map[string]struct {
		text string
		want []int64
	}{
		"ended by LF":        {header + row + "\n", nil},
		"ended by CRLF":      {strings.ReplaceAll(header+row+"\n", "\n", "\r\n"), nil},
		"ended by CR":        {strings.ReplaceAll(header+row+"\n", "\n", "\r"), nil},
		"cut off":            {header + row + "\n" + row, []int64{3}},
		"cut off in UTF-16":  {inUTF16(header + row), []int64{2}},
		"with an empty line": {header + row + "\n\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			summary, err := e.Run(t.Context(), strings.NewReader(test.text), io.Discard, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, warning := range summary.Warnings {
				if warning.Code == WarnOddRows && warning.Arguments[0] == oddLastLine {
					got = append(got, warning.FirstRows...)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("rows named (-want +got):\n%s", diff)
			}
		})
	}
}

// inUTF16 is ASCII as UTF-16 with a mark.
func inUTF16(text string) string {
	var w strings.Builder
	w.WriteString("\xff\xfe")
	for i := range len(text) {
		w.WriteString(text[i:i+1] + "\x00")
	}
	return w.String()
}

// TestALineOfAPriceThatIsGroupedNow: what a plain cell gets between its
// thousands is a character in the line, whatever byte the table has for it.
func TestALineOfAPriceThatIsGroupedNow(t *testing.T) {
	got := runTable(t, compile(t, table.Settings{}, tenPercent()), header+"A,fitness,1\xa0000.00,true\nB,fitness,999.00,true\n")
	if !strings.Contains(got.Out, "B,fitness,1\xa0098.90,true") || !strings.Contains(got.Changes, "\"after\":{\"price\":\"1\u00a0098.90\"") {
		t.Errorf("%q\n%q", got.Out, got.Changes)
	}
}
