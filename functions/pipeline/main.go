// Command planwright-pipeline carries a stored plan out over a table of any
// size, by many workers at the same time: the execution that the executor would
// make, with the same guarantees and the same bytes, on an engine that Apache
// Beam runs on.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

const usage = `Carries a stored plan out over a table of any size, by many workers at once.

  planwright-pipeline --runner=dataflow gs://INBOX/EXECUTION_ID/products.csv
  planwright-pipeline --data ./local inbox/EXECUTION_ID/products.csv

In the cloud it reads the variables that the executor reads: "terraform output
-raw pipeline_environment" prints them, with the flags for Dataflow. Exit codes:
0 done, or skipped because it was done before; 1 failed, or waits for an approval
or its time; 2 wrong command line.

`

// flags are those of the command line that are not Beam's.
type flags struct {
	runner  string
	data    string
	demo    string
	ranges  int
	workers int
	retries int
}

func main() {
	if startedByRunner(os.Args[1:]) {
		silence() // its output is the driver's; what it fails with the driver hears
		holdOn()
	}
	var given flags
	flag.StringVar(&given.runner, "runner", "prism", "prism (this machine), dataflow, flink or spark")
	flag.StringVar(
		&given.data,
		"data",
		"",
		"the data folder of a server on this machine, instead of the cloud",
	)
	flag.StringVar(&given.demo, "demo", "", "show it once, in a fresh folder that is made in this one")
	flag.IntVar(
		&given.ranges,
		"ranges",
		0,
		"in how many ranges the table is cut (default: one for each 256 MiB, at most 1,000)",
	)
	flag.IntVar(
		&given.workers,
		"workers",
		0,
		"with --runner=prism: how many processes work (default: this one)",
	)
	flag.IntVar(
		&given.retries,
		"retries",
		10,
		"how often work is begun again that an error ended which may pass",
	)
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init() // does not return in a worker
	if given.runner == "prism" {
		slog.SetDefault(slog.New(slog.DiscardHandler)) // its log; errors are returned
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(given.main(ctx, flag.Args()))
}

// main carries the command line out and returns its exit code.
func (f flags) main(ctx context.Context, args []string) int {
	if len(args) != 1 && f.demo == "" || f.ranges < 0 || f.workers < 0 ||
		f.workers > 0 && f.runner != "prism" {
		flag.Usage()
		return 2
	}
	log := logging.New(os.Stderr, slog.LevelWarn).With("service", "pipeline")
	do := func() (string, error) { return demo(ctx, f.demo, log) }
	if f.demo == "" {
		do = func() (string, error) { return f.run(ctx, args[0], log) }
	}
	said, err := do()
	if err != nil {
		fmt.Fprintln(os.Stderr, message(err))
		return 1
	}
	fmt.Println(said)
	return 0
}

// message is what a person reads: the message of a known error alone.
func message(err error) string {
	var known *errs.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}

// silence drops what Beam prints. A panic is still seen.
func silence() {
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stdout, os.Stderr = null, null
	}
}

// startedByRunner reports whether a runner started this process as a worker, and
// makes of what it says the flags that Beam's workers have.
func startedByRunner(args []string) bool {
	for i, arg := range args {
		endpoint, found := strings.CutPrefix(arg, "--provision_endpoint=")
		if !found {
			continue
		}
		id := ""
		for _, other := range args {
			if value, isID := strings.CutPrefix(other, "--id="); isID {
				id = strings.Trim(value, "'")
			}
		}
		os.Args = append(
			os.Args[:1],
			append(
				[]string{
					"--worker",
					"--id=" + id,
					"--logging_endpoint=" + endpoint,
					"--control_endpoint=" + endpoint,
				},
				args[i+1:]...)...)
		return true
	}
	return false
}

// driverVariable tells a worker process where its driver listens.
const driverVariable = "PLANWRIGHT_PIPELINE_DRIVER"

// holdOn ends a worker process whose driver has died: Beam's own would wait for
// ever. The driver sees the end of the connection where the worker dies.
func holdOn() {
	address := os.Getenv(driverVariable)
	if address == "" {
		return
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		os.Exit(1)
	}
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		os.Exit(1)
	}()
}
