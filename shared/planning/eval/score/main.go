// Command score prints how well the planners do on the corpora: the grammar,
// and where credentials for Gemini are given the model on our own, alone and
// judged, over several runs. It fails where a target is missed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/model"
	"github.com/planwright/planwright/shared/planning/reader"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	files := flag.String(
		"files",
		strings.Join([]string{eval.Own, eval.Open, eval.Sealed, eval.Refusals}, ","),
		"which files of instructions",
	)
	every := flag.Int("every", 1, "take each nth instruction only")
	faults := flag.Bool(
		"faults",
		true,
		"write what was not planned or refused as it should be, but for the sealed ones",
	)
	runs := flag.Int("runs", 20, "how often the model is asked, for its stability")
	hand := flag.String(
		"hand",
		"",
		"score this file of one author's instructions instead, a line of JSON each, and print every row",
	)
	flag.Parse()
	if *hand != "" {
		if err := scoreHand(ctx, os.Stdout, *hand); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	met, err := score(ctx, os.Stdout, strings.Split(*files, ","), max(1, *every), *faults, *runs)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !met {
		fmt.Fprintln(
			os.Stderr,
			"A target is missed: nothing planned wrong, all refusals refused, of our own 100%, of the plain 97%, of the hard 75%, of names 90% and sealed 85%, planned; of mails 60% and sealed 30% planned or offered.",
		)
		os.Exit(1)
	}
}

func score(ctx context.Context, w io.Writer, files []string, every int, faults bool, runs int) (bool, error) {
	cases, err := eval.Load(files...)
	if err != nil {
		return false, err
	}
	results, err := eval.Run(ctx, reader.New(), eval.Every(every, cases))
	if err != nil {
		return false, err
	}
	scores := eval.Summarize(results)
	eval.Print(w, "grammar", scores)
	eval.SumLeft(eval.Draft(reader.New(), results)).Print(w, "grammar")
	if faults {
		eval.PrintFaults(w, results)
	}
	met := !slices.ContainsFunc(scores, func(s *eval.Score) bool { return !s.Met() })
	if gemini.ReadOptionalConfig(config.Read(os.LookupEnv)) == nil {
		fmt.Fprintln(w, "\nNo credentials for Gemini: its planner was not scored.")
		return met, nil
	}
	return met, scoreModel(ctx, w, runs)
}

// scoreHand scores a file that is not of the corpora.
func scoreHand(ctx context.Context, w io.Writer, path string) error {
	cases, err := eval.LoadHand(path)
	if err != nil {
		return err
	}
	results, err := eval.Run(ctx, reader.New(), cases)
	if err != nil {
		return err
	}
	eval.PrintRows(w, results)
	eval.Print(w, path, []*eval.Score{eval.Sum(path, results)})
	eval.SumLeft(eval.Draft(reader.New(), results)).Print(w, path)
	return nil
}

// unseen is a planner whose plans are carried out without a person having seen
// them: those that wait for an approval count as questions.
type unseen struct{ planning.Planner }

func (u unseen) Plan(ctx context.Context, r planning.Request) (planning.Planned, error) {
	draft, err := u.Planner.Plan(ctx, r)
	if err == nil && draft.Planner.Agreement == planning.AgreementModel {
		return planning.Planned{}, &planning.ClarificationError{Class: "not_vouched_for"}
	}
	return draft, err
}

// scoreModel scores the model alone, and once judged.
func scoreModel(ctx context.Context, w io.Writer, runs int) error {
	cases, err := eval.Load(eval.Own)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(c *eval.Case) bool { return c.By.Kind != eval.Written })
	given := config.Read(os.LookupEnv)
	settings := gemini.ReadConfig(given)
	if err := given.Err(); err != nil {
		return err
	}
	client, err := gemini.NewClient(ctx, settings, gemini.Options{})
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	asked := model.New(client, settings, planning.Objections(reader.New()), log)
	var all [][]*eval.Result
	for run := range max(1, runs) {
		started := time.Now()
		results, err := eval.Run(ctx, asked, cases)
		if err != nil {
			return err
		}
		all = append(all, results)
		fmt.Fprintln(w)
		eval.Print(
			w,
			fmt.Sprintf("%s, run %d of %d, %s", settings.Model,
				run+1, runs, time.Since(started).Round(time.Second)),
			eval.Summarize(results),
		)
	}
	eval.PrintFaults(w, all[len(all)-1])
	fmt.Fprintf(
		w,
		"\n%d of %d instructions got the same answer in all %d runs.\n\n",
		eval.Stable(all),
		len(cases),
		len(all),
	)
	judged, err := eval.Run(ctx, unseen{planning.Judge(asked, reader.New(), log)}, cases)
	if err != nil {
		return err
	}
	eval.Print(w, settings.Model+" judged", eval.Summarize(judged))
	return nil
}
