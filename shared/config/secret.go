package config

import "log/slog"

// Secret is a value that is used and never shown: however it is printed,
// logged or encoded, it shows as redacted, or as not set.
type Secret string

// Reveal returns the value itself. Each call of it is a place to look at in a review.
func (s Secret) Reveal() string { return string(s) }

// String returns "[redacted]", or "[not set]".
func (s Secret) String() string {
	if s == "" {
		return "[not set]"
	}
	return "[redacted]"
}

// GoString keeps %#v from showing the value.
func (s Secret) GoString() string { return s.String() }

// MarshalText keeps the value out of JSON.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue keeps the value out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
