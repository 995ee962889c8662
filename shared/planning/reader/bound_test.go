package reader

import (
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// hostile are texts of as many characters as an instruction may have, made to be
// read in many ways.
func hostile() map[string]string {
	long := func(piece string) string {
		return strings.Repeat(piece, plan.MaxInstructionLength/len(piece)+1)[:plan.MaxInstructionLength]
	}
	return map[string]string{
		"pairs":      "Raise " + long("mugs and hats by 5% and ")[:1900],
		"conditions": "Raise mugs " + long("under $20 and over $5 and in stock ")[:1900] + " by 5%",
		"exceptions": "Raise all prices by 5% " + long("except mugs, but not hats, only caps, ")[:1900],
		"numbers":    long("5 10 20% $3 to 4 "),
		"commas":     long(", "),
		"names":      long("tea coffee mugs "),
		"fillers":    long("please, just now, kindly, "),
		"limits":     "Raise mugs by 5%" + long(", max $20, min $5, ending in .99")[:1900],
		"quotes":     long("\"a\" 'b' "),
		"slips":      long("rasie pirces moer tahn "),
		"sentences":  long("Raise mugs by 5%. "),
		"mails":      long("The shelf was half empty, so Karen is not happy. Take 10% off mugs, but not off those by Philips. "),
		"one letter": long("a"),
		"marks":      "Mugs 5" + long("?")[:1900],
	}
}

// The bound is on counted work, whatever machine it runs on: what passes it ends as a
// question.
func TestWorkIsBounded(t *testing.T) {
	// What one step may add after the bound was looked at.
	const slack = maxWork
	for name, instruction := range hostile() {
		lex := load()
		text := newText(instruction, lex, indexed(planning.Names{}), false)
		c := newChart(lex.grammar, text.edges, text.skips)
		c.whole(lex.grammar.numbers["document"])
		if c.work > maxWork+slack {
			t.Errorf("%s: %d steps, want about %d at most", name, c.work, maxWork)
		}
		u := New().Read(planning.Request{Instruction: instruction})
		if c.work > maxWork && (u.Asked == nil || u.Asked.Class != "too_long" && u.Asked.Class != "scope") {
			t.Errorf("%s: %d steps, and no question: %+v", name, c.work, u.Asked)
		}
		t.Logf("%s: %d steps", name, c.work)
	}
}

func BenchmarkOrdinary(b *testing.B) {
	for _, instruction := range []string{
		"Increase prices by 10% for all in-stock fitness products.",
		"20% off toys, 10% off games and 5% off everything else",
		"Hi team, could you please raise mugs and hats by 5%, except A101, and mark the lamps as out of stock? Thanks!",
	} {
		b.Run(instruction[:20], func(b *testing.B) { readAll(b, instruction) })
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, instruction := range hostile() {
		b.Run(name, func(b *testing.B) { readAll(b, instruction) })
	}
}

func readAll(b *testing.B, instruction string) {
	r := planning.Request{Instruction: instruction, CreatedAt: time.Unix(0, 0)}
	b.ReportAllocs()
	for b.Loop() {
		New().Read(r)
	}
}
