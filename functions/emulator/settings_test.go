package emulator

import (
	"testing"

	"github.com/planwright/planwright/shared/config"
)

// A public address that others reach, and no header that names them, makes one person of
// all: the log warns of it.
func TestAPublicAddressWithoutNames(t *testing.T) {
	for public, want := range map[string]bool{
		"": false, "http://localhost:8080": false, "http://127.0.0.1:8080": false, "http://[::1]:8080": false,
		"https://shop.example": true, "http://192.0.2.2:8080": true,
	} {
		settings, err := ReadSettings(config.Map(map[string]string{"PUBLIC_URL": public}))
		if err != nil {
			t.Fatal(err)
		}
		if got := settings.namesNobody(); got != want {
			t.Errorf("%q: warned %v, want %v", public, got, want)
		}
		if public == "" {
			continue
		}
		if settings, err = settings.BehindProxy("X-Forwarded-User"); err != nil || settings.namesNobody() {
			t.Errorf("%q with the header: warned %v, %v", public, settings.namesNobody(), err)
		}
	}
}
