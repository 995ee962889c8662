package faults

import (
	"fmt"
	"strings"
	"testing"
)

func TestLongValuesAreCut(t *testing.T) {
	long := strings.Repeat("x", MaxValueBytes)
	for value, want := range map[string]string{
		long:                                  long,
		long + "y":                            fmt.Sprintf("%q...", long),
		long[:99] + "é":                       fmt.Sprintf("%q...", long[:99]),
		long[:98] + "\U0001f600":              fmt.Sprintf("%q...", long[:98]),
		long[:97] + "\x80\x80\x80\x80":        fmt.Sprintf("%q...", long[:96]),
		long[:96] + strings.Repeat("\x80", 5): fmt.Sprintf("%q...", long[:96]),
		" x":                                  `" x"`,
	} {
		if got := Shown(value); got != want {
			t.Errorf("%q is shown as %s, want %s", value, got, want)
		}
	}
	for setting, want := range map[string]string{long: long, long + "y": long + "...", long[:99] + "é": long[:99] + "..."} {
		if got := Excerpt(setting); got != want {
			t.Errorf("%q is quoted as %q, want %q", setting, got, want)
		}
	}
}
