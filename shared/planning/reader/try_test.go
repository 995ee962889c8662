package reader

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
)

// TRY=open prints misses; TRYKIND=wrong|over
func TestTry(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip()
	}
	type tot struct{ planned, plannable, wrong, refused, torefuse, amb int }
	totals := map[string]*tot{}
	out, _ := os.Create("/tmp/planning/misses.txt")
	defer out.Close()
	var spent time.Duration
	n := 0
	files := []string{eval.Own, eval.Open, eval.Refusals}
	if os.Getenv("TRY") == "all" {
		files = append(files, eval.Sealed)
	}
	all, err := eval.Load(files...)
	if err != nil {
		t.Fatal(err)
	}
	byKind := map[string][]*eval.Case{}
	for _, c := range all {
		kind := string(c.By.Kind)
		if c.By.File == eval.Sealed {
			kind = "sealed-" + kind
		}
		byKind[kind] = append(byKind[kind], c)
	}
	run := func(kind string, cases []*eval.Case, show bool) {
		start := time.Now()
		for _, c := range cases {
			New().Read(c.Request())
		}
		spent += time.Since(start)
		results, err := eval.Run(t.Context(), New(), cases)
		if err != nil {
			t.Fatal(err)
		}
		n += len(cases)
		if totals[kind] == nil {
			totals[kind] = &tot{}
		}
		x := totals[kind]
		for _, r := range results {
			if r.Case.Refuse {
				x.torefuse++
			} else {
				x.plannable++
			}
			switch r.Outcome {
			case eval.Right:
				x.planned++
			case eval.Asked:
				x.refused++
			case eval.Wrong, eval.Failed:
				x.wrong++
			}
			if show && !r.Good() {
				list := "-"
				if r.Case.Categories != nil {
					list = "L " + strings.Join(r.Case.Categories, "|")
				}
				fmt.Fprintf(out, "%s %s %q %s\n", r.Outcome, kind, r.Case.Instruction, list)
				if r.Got != nil {
					fmt.Fprintf(out, "    got  %v\n", plan.Explain(r.Got))
				} else {
					fmt.Fprintf(out, "    said %v\n", r.Err)
					if asked, is := r.Err.(*planning.ClarificationError); is {
						for _, reading := range asked.Readings {
							fmt.Fprintf(out, "      or %v\n", reading.Sentences)
						}
					}
				}
				if r.Case.Want != nil {
					fmt.Fprintf(out, "    want %v\n", plan.Explain(r.Case.Want))
				} else {
					fmt.Fprintf(out, "    want refusal %s\n", r.Case.Class)
				}
			}
		}
	}
	for kind, cases := range byKind {
		if kind == "reviewed" && os.Getenv("TRY") == "open" {
			continue
		}
		run(kind, cases, !strings.HasPrefix(kind, "sealed"))
	}
	for kind, x := range totals {
		fmt.Printf("%-14s planned %d/%d %.1f%%  wrong %d  refused %d/%d\n", kind, x.planned, x.plannable, 100*float64(x.planned)/float64(max(1, x.plannable)), x.wrong, x.refused, x.torefuse)
	}
	fmt.Println(n, "rows", spent, spent/time.Duration(n), "each")
}

func TestSay(t *testing.T) {
	if os.Getenv("SAY") == "" {
		t.Skip()
	}
	var list []string
	if l := os.Getenv("LIST"); l != "" {
		list = strings.Split(l, "|")
	}
	for _, line := range strings.Split(os.Getenv("SAY"), "\n") {
		u := New().Read(planning.Request{Instruction: line, Categories: list})
		fmt.Println("#", line)
		if u.Asked != nil {
			fmt.Println("   ", u.Asked.Class, u.Asked.Questions)
		}
		for _, r := range u.Readings {
			fmt.Println("   ", r.Sentences)
			if os.Getenv("TREE") != "" {
				show(r.Derivation, 2)
			}
		}
		if os.Getenv("ALL") != "" {
			lex := load()
			x := newText(line, lex, indexed(list))
			c := newChart(lex.grammar, x.edges, x.skips)
			for _, m := range c.whole(lex.grammar.numbers["document"]) {
				ops, problem := compile(m.rules)
				fmt.Println("   meaning", m.cost, problem.class, plan.Explain(&plan.Plan{Operations: ops}))
				if os.Getenv("TREE") != "" {
					show(x.derivation(m), 2)
				}
			}
			fmt.Println("   work", c.work, "far", c.far)
		}
	}
}

func show(d *planning.Derivation, depth int) {
	fmt.Printf("%s%s %q\n", strings.Repeat("  ", depth), d.Symbol, d.Text)
	for _, p := range d.Parts {
		show(p, depth+1)
	}
}

func TestCrowd(t *testing.T) {
	line := os.Getenv("CROWD")
	if line == "" {
		t.Skip()
	}
	var list []string
	if l := os.Getenv("LIST"); l != "" {
		list = strings.Split(l, "|")
	}
	lex := load()
	x := newText(line, lex, indexed(list))
	for i, tok := range x.tokens {
		fmt.Print(i, " ", tok.text, ":")
		for _, e := range x.edges[i] {
			fmt.Print(" ", lex.grammar.names[e.symbol], "-", e.end, "/", e.meaning.cost)
		}
		fmt.Println(" skips", x.skips[i])
	}
	c := newChart(lex.grammar, x.edges, x.skips)
	c.whole(lex.grammar.numbers["document"])
	fmt.Println("work", c.work, "far", c.far, "from", len(c.from), "made", len(c.made), "partly", len(c.partly))
	for key, all := range c.made {
		if len(all) > 5 {
			fmt.Println(lex.grammar.names[key.symbol], x.source(key.from, key.to), len(all))
			if len(all) < 7 {
				for _, m := range all {
					fmt.Println("      ", m.cost, m.key())
				}
			}
		}
	}
	for key, all := range c.partly {
		if len(all) > 40 {
			fmt.Println("partly", key, len(all))
		}
	}
	for _, sym := range strings.Fields(os.Getenv("SYM")) {
		for from := range x.tokens {
			for _, end := range c.ends(lex.grammar.numbers[sym], from) {
				fmt.Println(sym, x.source(from, end))
				for _, m := range c.meanings(lex.grammar.numbers[sym], from, end) {
					fmt.Println("      ", m.cost, m.key())
				}
			}
		}
	}
}
