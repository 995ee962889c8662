package config_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
)

type settings struct {
	Name     string
	Mode     string
	On       bool
	Wait     time.Duration
	Workers  int
	Password config.Secret
}

func read(values map[string]string) (settings, error) {
	r := config.Read(config.Map(values))
	s := settings{
		Name:     r.Required("NAME"),
		Mode:     r.OneOf("MODE", "slow", "fast"),
		On:       r.Bool("ON", true),
		Wait:     r.Duration("WAIT", time.Minute),
		Workers:  r.Int("WORKERS", 4, 1, 8),
		Password: r.Secret("PASSWORD"),
	}
	return s, r.Err()
}

func TestRead(t *testing.T) {
	tests := []struct {
		name   string
		values map[string]string
		want   settings
	}{
		{"defaults", map[string]string{"NAME": "shop"},
			settings{Name: "shop", Mode: "slow", On: true, Wait: time.Minute, Workers: 4}},
		{"all set", map[string]string{"NAME": " shop ", "MODE": "fast", "ON": "False", "WAIT": "2s", "WORKERS": "8", "PASSWORD": "p"},
			settings{Name: "shop", Mode: "fast", On: false, Wait: 2 * time.Second, Workers: 8, Password: "p"}},
		{"set to nothing is not set", map[string]string{"NAME": "shop", "MODE": "", "WAIT": "  "},
			settings{Name: "shop", Mode: "slow", On: true, Wait: time.Minute, Workers: 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(tt.values)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadReportsEveryProblem(t *testing.T) {
	_, err := read(map[string]string{"MODE": "medium", "ON": "maybe", "WAIT": "-1s", "WORKERS": "9"})
	if errs.KindOf(err) != errs.Invalid {
		t.Fatalf("kind %q of %v, want invalid", errs.KindOf(err), err)
	}
	for _, want := range []string{"NAME is not set", `MODE is "medium"`, `ON is "maybe"`, `WAIT is "-1s"`, `WORKERS is "9"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestSecretIsNeverShown(t *testing.T) {
	s := settings{Password: "hunter2"}
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("m", "settings", s, "password", s.Password)
	shown := fmt.Sprintf("%v %+v %#v %s %q %x", s, s, s, s.Password, s.Password, s.Password) + string(encoded) + logged.String()
	if strings.Contains(shown, "hunter2") || strings.Contains(shown, fmt.Sprintf("%x", "hunter2")) {
		t.Errorf("the secret shows in %s", shown)
	}
	if got := s.Password.Reveal(); got != "hunter2" {
		t.Errorf("Reveal() = %q", got)
	}
}
