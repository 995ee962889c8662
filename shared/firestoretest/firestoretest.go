// Package firestoretest gives tests a Firestore of their own in Google's
// emulator: one process for a whole run, a fresh project for every test.
//
// The command in emulated/ starts the emulator around a test run, as make test
// does; a test binary that runs alone starts its own. Without Java or the
// emulator the tests skip, or fail where REQUIRE_FIRESTORE_EMULATOR=1.
package firestoretest

import (
	"cmp"
	"context"
	"crypto/rand"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// HostVariable is Google's: clients that see it talk to the emulator there.
	HostVariable = "FIRESTORE_EMULATOR_HOST"
	// SharedVariable tells test binaries of an emulator that was started for
	// them. It is not HostVariable, which would move to Firestore every test
	// of a program that reads it.
	SharedVariable = "SHARED_FIRESTORE_EMULATOR_HOST"
	// RequireVariable, set to 1, turns skipping into failing.
	RequireVariable = "REQUIRE_FIRESTORE_EMULATOR"
)

// StartTimeout covers a machine busy with compiling: alone it is 1 to 4 s.
const StartTimeout = 90 * time.Second

// Project returns the id of a new, empty project in the emulator and sets
// FIRESTORE_EMULATOR_HOST for the test, so that Firestore clients find it.
func Project(t testing.TB) string {
	t.Helper()
	host, err := host()
	if err != nil {
		if os.Getenv(RequireVariable) == "1" {
			t.Fatalf("%s=1, and %v", RequireVariable, err)
		}
		t.Skipf("SKIPPED, NOT TESTED ON FIRESTORE: %v", err)
	}
	t.Setenv(HostVariable, host)
	return "demo-" + strings.ToLower(rand.Text()[:20])
}

// host finds the emulator of this run, or starts one that ends with this process.
var host = sync.OnceValues(func() (string, error) {
	if host := Configured(); host != "" {
		return host, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), StartTimeout)
	defer cancel()
	emulator, err := Start(ctx)
	if err != nil {
		return "", err
	}
	return emulator.Host, nil
})

// Configured returns the host of the emulator that the environment names, or "".
func Configured() string { return cmp.Or(os.Getenv(SharedVariable), os.Getenv(HostVariable)) }
