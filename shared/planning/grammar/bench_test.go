package grammar_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// BenchmarkPlanCorpus is the mean over the instructions that people write.
func BenchmarkPlanCorpus(b *testing.B) {
	for _, name := range []string{eval.Own, eval.Open} {
		b.Run(name, func(b *testing.B) {
			cases, err := eval.Load(name)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				_, _ = grammar.Planner{}.Plan(b.Context(), cases[n%len(cases)].Request())
				n++
			}
		})
	}
}

// longest are instructions as long as they may be: those that are planned, with
// as many rules as fit, and those that are refused.
var longest = []struct {
	name, instruction string
	planned           bool
}{
	{"rules", fill(func(i int) string { return fmt.Sprintf("Raise %s by %d%%. ", shopCategory(i), i%90+1) }), true},
	{"SKUs", fill(func(i int) string { return fmt.Sprintf("Increase A%d by %d%%. ", i, i%90+10) }), true},
	{"one list", "Raise by 5%: " + fill(func(i int) string { return fmt.Sprintf("A%d, ", i) }) + "A0", true},
	{"bands", fill(func(i int) string {
		return fmt.Sprintf("Raise prices from $%d.50 to $%d by %d%%. ", 10*i, 10*i+9, i%5+1)
	}), true},
	{"stock", fill(func(i int) string {
		return fmt.Sprintf("Raise in-stock %s under $20 by %d%%. ", shopCategory(i), i%90+1)
	}), true},
	{"misspelt", fill(func(i int) string { return fmt.Sprintf("Incraese %s prcies by %d pecent. ", shopCategory(i), i%90+1) }), true},
	{"misspelt names", fill(func(i int) string { return fmt.Sprintf("Raise %s by %d%%. ", misspelt(shopCategory(i)), i%90+1) }), true},
	{"contradictory", fill(func(int) string { return "Raise in-stock mats between $15 and $30 by 5%, rounded to whole dollars. " }), false},
	{"noise", fill(func(int) string { return "lorem ipsum 12 dolor $ " }), false},
	{"misspelt noise", fill(func(int) string { return "incraesing catgeories exclduing eveyrthing " }), false},
}

// BenchmarkPlanLongest is the time that an instruction can take at most.
func BenchmarkPlanLongest(b *testing.B) {
	for _, tc := range longest {
		for _, known := range []bool{false, true} {
			name, r := tc.name, request(tc.instruction)
			if known {
				name, r = name+", 200 categories", request(tc.instruction, shopCategories()...)
			}
			b.Run(name, func(b *testing.B) {
				if _, err := (grammar.Planner{}).Plan(b.Context(), r); tc.planned != (err == nil) {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					_, _ = grammar.Planner{}.Plan(b.Context(), r)
				}
			})
		}
	}
}

// repetitive are hostile and have a plan.
var repetitive = map[string]string{
	"articles":          "Raise mugs by 5%, " + strings.Repeat("a ", 985),
	"commas at the end": "Raise mugs by 5%" + strings.Repeat(",", 1980),
	"signed amounts":    strings.Repeat("+$20", 495),
	"turns":             strings.Repeat("then under $5 $100 ! ", 90),
	"turns of one":      "Raise mugs by 5%, " + strings.Repeat("$5 ending in .99 k then ", 80),
	"prices of one":     "Raise mugs by 5%, " + strings.Repeat("sandwiches $5 Next the ", 85),
}

// BenchmarkPlanHostile is the time that somebody who means ill can take.
func BenchmarkPlanHostile(b *testing.B) {
	for _, texts := range []map[string]string{hostile, repetitive} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, _ = grammar.Planner{}.Plan(b.Context(), request(texts[name]))
				}
			})
		}
	}
}

// BenchmarkIndex is what the categories of a very large shop take the first time
// that they are sent.
func BenchmarkIndex(b *testing.B) {
	var names []string
	for i := range 2000 {
		names = append(names, fmt.Sprintf("%s %d", shopCategory(i), i))
	}
	b.ReportAllocs()
	for b.Loop() {
		english.NewCategories(names)
	}
}

// fill joins the sentences of 0, 1, 2 and so on as long as they fit.
func fill(sentence func(i int) string) string {
	const room = plan.MaxInstructionLength - 20 // for what a caller adds
	text := ""
	for i := 0; ; i++ {
		next := sentence(i)
		if len(text)+len(next) > room {
			return text
		}
		text += next
	}
}

// shopCategories are as many as a large shop has, of two words each.
func shopCategories() []string {
	var names []string
	for i := range 200 {
		names = append(names, shopCategory(i))
	}
	return names
}

func shopCategory(i int) string {
	materials := strings.Fields("wool cotton linen silk denim leather canvas felt velvet bamboo copper brass walnut marble ceramic porcelain crystal rattan cork jute")
	goods := strings.Fields("hats scarves gloves lamps bowls rugs mugs vases trays hooks")
	return materials[i/len(goods)%len(materials)] + " " + goods[i%len(goods)]
}

// misspelt swaps the second and third letter of a name.
func misspelt(name string) string { return name[:1] + name[2:3] + name[1:2] + name[3:] }
