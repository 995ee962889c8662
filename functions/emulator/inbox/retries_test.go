package inbox

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// The waits double up to a minute, and a delivery that is woken tries at once.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r retries
		var tries []time.Duration
		begun := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.until(t.Context(), func() bool {
				tries = append(tries, time.Since(begun)/time.Second)
				return len(tries) == 10
			})
		}()
		time.Sleep(128 * time.Second) // virtual: one second into the second wait of a minute
		r.wake()
		<-done
		if want := []time.Duration{0, 1, 3, 7, 15, 31, 63, 123, 128, 188}; !slices.Equal(tries, want) {
			t.Errorf("tried at the seconds %d, want %d", tries, want)
		}
	})
}

// A wake that comes while a try is failing is not lost.
func TestWokenDuringATry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r retries
		begun, tries := time.Now(), 0
		r.until(t.Context(), func() bool {
			tries++
			r.wake()
			return tries == 2
		})
		if waited := time.Since(begun); waited != 0 {
			t.Errorf("the second try came after %s", waited)
		}
	})
}

func TestRetriesEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r retries
		ctx, cancel := context.WithCancel(t.Context())
		tries := 0
		r.until(ctx, func() bool {
			tries++
			cancel()
			return false
		})
		if tries != 1 {
			t.Errorf("%d tries, want 1", tries)
		}
	})
}
