// Package lazyregexp compiles regular expressions when they are first used: a
// program starts without those that its command never asks.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles the expression once, and panics where it
// is none.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
