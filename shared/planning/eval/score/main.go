// Command score prints how well the planners do on the corpus: the grammar,
// and where credentials for Gemini are given the model, alone and
// cross-checked, over several runs. It fails where a target is missed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/grammar"
	"github.com/planwright/planwright/shared/planning/model"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	corpus := flag.String("corpus", "testdata/instructions.jsonl", "the instructions, one JSON object a line; those of other hands lie beside it")
	runs := flag.Int("runs", 20, "how often the model is asked, for its stability")
	flag.Parse()
	met, err := score(ctx, os.Stdout, *corpus, *runs)
	if err == nil {
		met, err = scoreOthers(ctx, os.Stdout, filepath.Dir(*corpus), met)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !met {
		fmt.Fprintln(os.Stderr, "A target is missed: no wrong plan, 98% planned, 98% refused.")
		os.Exit(1)
	}
}

func score(ctx context.Context, w io.Writer, corpus string, runs int) (bool, error) {
	cases, err := eval.Load(corpus)
	if err != nil {
		return false, err
	}
	results, err := eval.Run(ctx, grammar.Planner{}, cases)
	if err != nil {
		return false, err
	}
	report := eval.Summarize(results)
	eval.Print(w, "grammar", report)
	eval.PrintClasses(w, report)
	eval.PrintFaults(w, results)
	if !gemini.Available(os.LookupEnv) {
		fmt.Fprintln(w, "\nNo credentials for Gemini: its planner was not scored.")
		return report.Met(), nil
	}
	return report.Met(), scoreModel(ctx, w, cases, runs)
}

// scoreOthers scores the grammar on the corpora of other hands, each by its own
// target, and reports whether all targets are met.
func scoreOthers(ctx context.Context, w io.Writer, folder string, met bool) (bool, error) {
	var faults []*eval.Result
	eval.PrintHands(w)
	for _, hand := range eval.Hands {
		cases, err := eval.Load(filepath.Join(folder, hand.File()))
		if err != nil {
			return false, err
		}
		results, err := eval.Run(ctx, grammar.Planner{}, cases)
		if err != nil {
			return false, err
		}
		report := eval.Summarize(results)
		eval.PrintHand(w, hand, report)
		if !hand.Apart { // who reads its rows may learn from them
			faults = append(faults, results...)
		}
		met = met && report.MetWith(hand.Least)
	}
	eval.PrintFaults(w, faults)
	return met, nil
}

// scoreModel scores the model alone, and once cross-checked by the grammar.
func scoreModel(ctx context.Context, w io.Writer, cases []*eval.Case, runs int) error {
	reader := config.Read(os.LookupEnv)
	settings := gemini.ReadConfig(reader)
	if err := reader.Err(); err != nil {
		return err
	}
	client, err := gemini.NewClient(ctx, settings, gemini.Options{})
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	asked := model.New(client, settings.Model, planning.GroundAmong, log)
	var all [][]*eval.Result
	for run := range max(1, runs) {
		started := time.Now()
		results, err := eval.Run(ctx, asked, cases)
		if err != nil {
			return err
		}
		all = append(all, results)
		fmt.Fprintln(w)
		eval.Print(w, fmt.Sprintf("%s, run %d of %d, %s", settings.Model, run+1, runs, time.Since(started).Round(time.Second)), eval.Summarize(results))
	}
	eval.PrintFaults(w, all[len(all)-1])
	fmt.Fprintf(w, "\n%d of %d instructions got the same answer in all %d runs.\n\n", eval.Stable(all), len(cases), len(all))
	crossed, err := eval.Run(ctx, planning.Cross(asked, grammar.Planner{}, log), cases)
	if err != nil {
		return err
	}
	eval.Print(w, settings.Model+" cross-checked", eval.Summarize(crossed))
	return nil
}
