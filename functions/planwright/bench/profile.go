package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// profile writes where apply spends the processor's time, over a table of each shape
// with plans that change some rows and every row.
func (b *bench) profile(ctx context.Context, to string, shapes []string, size string, seed uint64) {
	bytes, err := parseSize(size)
	check(err)
	plans := b.plans()
	merge := []string{"tool", "pprof", "-proto", "-output=" + to}
	for _, shape := range shapes {
		table := b.table(shape, size, bytes, seed)
		for _, plan := range []string{"some", "every"} {
			for run := range b.runs {
				path := filepath.Join(b.dir, fmt.Sprintf("%s-%s-%d.pprof", shape, plan, run))
				check(os.Setenv("PLANWRIGHT_CPUPROFILE", path))
				apply := &contender{args: b.apply(plans[plan], table)}
				_, err := apply.run(ctx, b.dir)
				check(err)
				merge = append(merge, path)
			}
		}
	}
	collect := exec.CommandContext(ctx, "go", merge...)
	collect.Stderr = os.Stderr
	check(collect.Run())
}
