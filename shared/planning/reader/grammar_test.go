package reader

import (
	"fmt"
	"testing"
)

func TestEveryRuleEnds(t *testing.T) {
	if err := load().grammar.check(); err != nil {
		t.Error(err)
	}
}

// check finds rules that would never end: those that may be empty, and those that
// begin with themselves.
func (p *grammar) check() error {
	for symbol, rules := range p.rules {
		for _, r := range rules {
			empty := true
			for _, part := range r.parts {
				empty = empty && part.optional
			}
			if empty {
				return fmt.Errorf("line %d: %s may be empty", r.line, p.names[symbol])
			}
		}
		if p.begins(symbol, symbol, map[int]bool{}) {
			return fmt.Errorf("%s begins with itself", p.names[symbol])
		}
	}
	return nil
}

func (p *grammar) begins(with, symbol int, seen map[int]bool) bool {
	for _, r := range p.rules[symbol] {
		for _, part := range r.parts {
			if part.symbol == with {
				return true
			}
			if !seen[part.symbol] {
				seen[part.symbol] = true
				if p.begins(with, part.symbol, seen) {
					return true
				}
			}
			if !part.optional {
				break
			}
		}
	}
	return false
}
