// Command bench measures the apply command as a whole process, beside the
// floor (cat of the table and of the changes file) and beside other tools that
// are installed:
//
//	go run ./functions/planwright/bench -sizes 100MB,1GB -runs 5
//
// The tables are generated from a seed and kept in -dir. The runs of all
// contenders are interleaved, each round in another order, so that what else the
// machine does, and what one leaves to the next, meets them all; the table printed
// has the medians. With -profile nothing is measured: where apply spends the
// processor's time is written, which is what make build compiles by.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	sizes := flag.String("sizes", "100MB", "the tables' sizes, such as 100MB,1GB")
	shapes := flag.String("shapes", "narrow,wide", "the tables' shapes")
	runs := flag.Int("runs", 5, "runs of each contender")
	seed := flag.Uint64("seed", 1, "seed of the tables")
	peers := flag.Bool("peers", true, "measure mawk, Miller, DuckDB and Polars where they are installed")
	beside := flag.String("beside", "", "another build's planwright, to be measured in the same run")
	profile := flag.String(
		"profile",
		"",
		"write what takes the processor's time to this file, by which make build compiles, and measure nothing",
	)
	dir := flag.String(
		"dir",
		filepath.Join(os.TempDir(), "planwright-bench"),
		"where tables and outputs go; a disk with room for four times the largest size",
	)
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	check(os.MkdirAll(*dir, 0o755))
	b := &bench{
		dir:    *dir,
		runs:   *runs,
		peers:  *peers,
		binary: filepath.Join(*dir, "planwright"),
		beside: *beside,
	}
	if b.beside != "" {
		var err error
		b.beside, err = filepath.Abs(b.beside) // contenders run in a folder of their own
		check(err)
	}
	b.build(ctx)
	if *profile != "" {
		b.profile(ctx, *profile, strings.Split(*shapes, ","), *sizes, *seed)
		return
	}
	fmt.Printf("%s, medians of %d runs\n", machine(), *runs)
	for _, shape := range strings.Split(*shapes, ",") {
		for _, size := range strings.Split(*sizes, ",") {
			bytes, err := parseSize(size)
			check(err)
			b.measure(ctx, shape, size, bytes, *seed)
		}
	}
	if missing := missingPeers(); *peers && len(missing) > 0 {
		fmt.Printf("\nNot installed here, and so not measured:\n")
		for _, line := range missing {
			fmt.Println("  " + line)
		}
	}
}

// check ends the program where there is an error: nothing is measured beside it.
func check(err error) {
	if err != nil {
		log.Fatal("bench: ", err)
	}
}

// parseSize reads a number of bytes with an optional MB or GB, powers of ten.
func parseSize(text string) (int64, error) {
	number, unit := text, int64(1)
	for suffix, factor := range map[string]int64{"MB": 1e6, "GB": 1e9} {
		if before, found := strings.CutSuffix(text, suffix); found {
			number, unit = before, factor
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is no size: write 100MB or 1GB", text)
	}
	return n * unit, nil
}

// bench measures tables with one binary in one folder.
type bench struct {
	dir, binary string
	beside      string // another build's binary; "": none
	runs        int
	peers       bool
}

func (b *bench) build(ctx context.Context) {
	build := exec.CommandContext(ctx, "make", "build", "BINARY="+b.binary)
	build.Stderr = os.Stderr
	check(build.Run())
}

// table returns the path of a generated table, made if it is not there.
func (b *bench) table(shape, size string, bytes int64, seed uint64) string {
	path := filepath.Join(b.dir, fmt.Sprintf("%s-%s-%d.csv", shape, size, seed))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	file, err := os.Create(path + ".part")
	check(err)
	_, err = generate(file, shape, bytes, seed)
	check(err)
	check(file.Close())
	check(os.Rename(path+".part", path))
	return path
}

// measure runs every contender on one table and prints what was measured.
func (b *bench) measure(ctx context.Context, shape, size string, bytes int64, seed uint64) {
	contenders := b.contenders(ctx, b.table(shape, size, bytes, seed), shape, bytes)
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range b.runs {
		for _, i := range random.Perm(len(contenders)) {
			c := contenders[i]
			if c.once && round > 0 {
				continue
			}
			m, err := c.run(ctx, b.dir)
			if err != nil {
				check(fmt.Errorf("%s: %w", c.name, err))
			}
			c.measured = append(c.measured, m)
		}
	}
	check(report(os.Stdout, shape, size, contenders))
}
