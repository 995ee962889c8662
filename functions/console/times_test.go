package console

import (
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// A time is never moved: what is no time, or two, in the reader's zone is said.
func TestMomentIn(t *testing.T) {
	for _, test := range []struct{ text, zone, want, refused string }{
		{"", "Nowhere/City", "", ""},
		{"2026-05-04T18:30", "Europe/Berlin", "2026-05-04T18:30:00+02:00", ""},
		{"2026-05-04T18:30", "UTC", "2026-05-04T18:30:00Z", ""},
		{"2026-05-04T18:30", "Nowhere/City", "", `The time zone "Nowhere/City"`},
		{"2026-05-04T18:30", "Local", "", `The time zone "Local"`},
		{"2026-05-04T18:30", "../../etc/passwd", "", `The time zone "../../etc/passwd"`},
		{"2026-03-29T02:30", "Europe/Berlin", "", "There is no 2026-03-29T02:30 in the time zone Europe/Berlin"},
		{"2026-10-25T02:30", "Europe/Berlin", "", "2026-10-25T02:30 comes twice in the time zone Europe/Berlin"},
		{"2026-11-01T01:30", "America/New_York", "", "comes twice"},
		{"2026-10-25T03:00", "Europe/Berlin", "2026-10-25T03:00:00+01:00", ""},
		{"2026-02-30T10:00", "Europe/Berlin", "", "is no date and time"},
		{"tomorrow", "Europe/Berlin", "", "is no date and time"},
	} {
		got, err := momentIn(test.text, test.zone)
		if got != test.want || (err != nil) != (test.refused != "") || err != nil && (errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), test.refused)) {
			t.Errorf("%q in %q: %q, %v", test.text, test.zone, got, err)
		}
	}
	if got, err := momentIn("2026-05-04T18:30", ""); err != nil || got != time.Date(2026, 5, 4, 18, 30, 0, 0, time.Local).Format(time.RFC3339) {
		t.Errorf("in the server's zone: %q, %v", got, err)
	}
}
