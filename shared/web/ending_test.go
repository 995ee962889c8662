package web

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestEnding(t *testing.T) {
	for _, test := range []struct {
		name     string
		requests []time.Duration // how long each goes on after SIGTERM
		late     time.Duration   // when one more begins that takes a second; 0: none does
		want     time.Duration   // when the process ends
		cut      int
	}{
		{name: "nothing is under way", want: lastBytes},
		{name: "the last answer is sent", requests: []time.Duration{time.Second, 3 * time.Second}, want: 3*time.Second + lastBytes},
		{name: "one comes while the last is being sent", requests: []time.Duration{time.Second}, late: time.Second + lastBytes/2, want: 2*time.Second + lastBytes*3/2},
		{name: "time is up", requests: []time.Duration{time.Second, time.Minute, time.Hour}, want: endWithin, cut: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var e ending
				for _, lasts := range test.requests {
					time.AfterFunc(lasts, e.begin())
				}
				if test.late > 0 {
					time.AfterFunc(test.late, func() { time.AfterFunc(time.Second, e.begin()) })
				}
				began := time.Now()
				if cut := e.wait(time.After(endWithin)); cut != test.cut || time.Since(began) != test.want {
					t.Errorf("%d requests are cut off after %s, want %d after %s", cut, time.Since(began), test.cut, test.want)
				}
			})
		})
	}
}
