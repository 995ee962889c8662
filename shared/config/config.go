// Package config reads a function's settings from named variables and reports
// every problem with them at once.
//
// A function has one Config struct; it fills it from a Reader over a lookup
// function such as os.LookupEnv, so that tests pass a map:
//
//	r := config.Read(lookup)
//	c := Config{
//		Project: r.Required("GOOGLE_CLOUD_PROJECT"),
//		Timeout: r.Duration("PLANNER_TIMEOUT", time.Minute),
//	}
//	return c, r.Err()
package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Lookup finds a variable; os.LookupEnv is one. A variable that is set to
// nothing but spaces counts as not set.
type Lookup func(name string) (value string, ok bool)

// Map is a Lookup over a map, for tests and for values that come from flags.
func Map(values map[string]string) Lookup {
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

// Reader reads variables and remembers what was wrong with them.
type Reader struct {
	lookup   Lookup
	problems []string
}

// Read returns a Reader over lookup.
func Read(lookup Lookup) *Reader { return &Reader{lookup: lookup} }

// String returns the variable, or fallback where it is not set.
func (r *Reader) String(name, fallback string) string {
	value, ok := r.lookup(name)
	if value = strings.TrimSpace(value); !ok || value == "" {
		return fallback
	}
	return value
}

// Required returns the variable; that it is not set is a problem.
func (r *Reader) Required(name string) string {
	value := r.String(name, "")
	if value == "" {
		r.Problem("%s is not set", name)
	}
	return value
}

// Secret returns a variable that must never be printed, "" where it is not set.
func (r *Reader) Secret(name string) Secret { return Secret(r.String(name, "")) }

// OneOf returns the variable, which must be one of values; the first is the default.
func (r *Reader) OneOf(name string, values ...string) string {
	value := r.String(name, values[0])
	if !slices.Contains(values, value) {
		r.Problem("%s is %q; it must be one of %s", name, value, strings.Join(values, ", "))
	}
	return value
}

// List returns the variable's entries, which commas separate; none where it is not set.
func (r *Reader) List(name string) (entries []string) {
	for entry := range strings.SplitSeq(r.String(name, ""), ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

// Bool returns the variable, which reads as 1, t, true, 0, f or false in any case.
func (r *Reader) Bool(name string, fallback bool) bool {
	return parsed(r, name, fallback, "true or false", func(text string) (bool, bool) {
		value, err := strconv.ParseBool(strings.ToLower(text))
		return value, err == nil
	})
}

// Duration returns the variable, which reads as a positive Go duration such as 45s or 2m30s.
func (r *Reader) Duration(name string, fallback time.Duration) time.Duration {
	return parsed(
		r,
		name,
		fallback,
		"a positive duration such as 45s or 2m",
		func(text string) (time.Duration, bool) {
			value, err := time.ParseDuration(text)
			return value, err == nil && value > 0
		},
	)
}

// Int returns the variable, a whole number from least to most.
func (r *Reader) Int(name string, fallback, least, most int) int {
	return parsed(
		r,
		name,
		fallback,
		fmt.Sprintf("a whole number from %d to %d", least, most),
		func(text string) (int, bool) {
			value, err := strconv.Atoi(text)
			return value, err == nil && value >= least && value <= most
		},
	)
}

// Float returns the variable, a number from least to most, nil where it is not set.
func (r *Reader) Float(name string, least, most float64) *float32 {
	return parsed(
		r,
		name,
		nil,
		fmt.Sprintf("a number from %g to %g", least, most),
		func(text string) (*float32, bool) {
			value, err := strconv.ParseFloat(text, 32)
			return new(float32(value)), err == nil && value >= least && value <= most
		},
	)
}

// parsed returns what parse makes of the variable, which must be some.
func parsed[T any](r *Reader, name string, fallback T, some string, parse func(string) (T, bool)) T {
	text := r.String(name, "")
	if text == "" {
		return fallback
	}
	value, ok := parse(text)
	if !ok {
		r.Problem("%s is %q; it must be %s", name, text, some)
		return fallback
	}
	return value
}

// Problem records what is wrong, for rules that span several variables. The
// text names the variables and never holds a secret.
func (r *Reader) Problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// Err returns nil, or one Invalid error that lists every problem.
func (r *Reader) Err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return errs.New(errs.Invalid, "configuration: %s", strings.Join(r.problems, "; "))
}
