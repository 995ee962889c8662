package plan_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/planwright/planwright/shared/plan"
)

func TestMoments(t *testing.T) {
	for _, test := range []struct{ zone, clock, want string }{
		{"UTC", "2026-10-25T02:30", "2026-10-25T02:30:00Z"},
		{"Europe/Berlin", "2026-05-04T18:30", "2026-05-04T18:30:00+02:00"},
		{"Europe/Berlin", "2026-03-29T01:59", "2026-03-29T01:59:00+01:00"},
		{"Europe/Berlin", "2026-03-29T02:00", ""},
		{"Europe/Berlin", "2026-03-29T02:59", ""},
		{"Europe/Berlin", "2026-03-29T03:00", "2026-03-29T03:00:00+02:00"},
		{"Europe/Berlin", "2026-10-25T01:59", "2026-10-25T01:59:00+02:00"},
		{"Europe/Berlin", "2026-10-25T02:00", "2026-10-25T02:00:00+02:00 2026-10-25T02:00:00+01:00"},
		{"Europe/Berlin", "2026-10-25T02:59", "2026-10-25T02:59:00+02:00 2026-10-25T02:59:00+01:00"},
		{"Europe/Berlin", "2026-10-25T03:00", "2026-10-25T03:00:00+01:00"},
		{"America/New_York", "2026-03-08T02:30", ""},
		{"America/New_York", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00 2026-11-01T01:30:00-05:00"},
		{"America/Sao_Paulo", "2018-11-04T00:00", ""}, // summer time began at midnight
		{"Australia/Lord_Howe", "2026-10-04T02:15", ""},
		{"Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-05T01:45:00+11:00 2026-04-05T01:45:00+10:30"},
		{"Pacific/Apia", "2011-12-30T12:00", ""}, // a day that was left out
		{"Asia/Kathmandu", "2026-10-25T02:30", "2026-10-25T02:30:00+05:45"},
	} {
		zone, err := time.LoadLocation(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		clock, err := time.Parse("2006-01-02T15:04", test.clock)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range plan.Moments(clock, zone) {
			got = append(got, at.Format(time.RFC3339))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s in %s: %q, want %q", test.clock, test.zone, got, test.want)
		}
	}
}
