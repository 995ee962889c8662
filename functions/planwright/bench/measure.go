package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// measurement is what one process took.
type measurement struct {
	wall, cpu time.Duration
	peak      int64 // bytes resident at most; never less than this program's own
}

// contender is one way to do the job.
type contender struct {
	name     string
	args     []string
	floor    *contender // what it is compared with; nil: nothing
	idle     *contender // the program doing nothing; nil: it is another
	once     bool       // too slow to run more than once
	measured []measurement
}

// run starts the contender as a process and waits for it. What it leaves
// behind in the folder of outputs is removed before.
func (c *contender) run(ctx context.Context, dir string) (measurement, error) {
	outputs := filepath.Join(dir, "outputs")
	check(os.RemoveAll(outputs))
	check(os.Mkdir(outputs, 0o755))
	command := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	command.Dir = outputs
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	start := time.Now()
	if err := command.Run(); err != nil {
		return measurement{}, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	wall := time.Since(start)
	state := command.ProcessState
	m := measurement{wall: wall, cpu: state.UserTime() + state.SystemTime()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		m.peak = int64(usage.Maxrss)
		if runtime.GOOS == "linux" {
			m.peak <<= 10 // it counts kibibytes, others bytes
		}
	}
	return m, nil
}

// median returns the middle of each quantity, each by itself.
func median(all []measurement) measurement {
	var m measurement
	for _, quantity := range []func(*measurement) *int64{
		func(m *measurement) *int64 { return (*int64)(&m.wall) },
		func(m *measurement) *int64 { return (*int64)(&m.cpu) },
		func(m *measurement) *int64 { return &m.peak },
	} {
		var values []int64
		for _, sample := range all {
			values = append(values, *quantity(&sample))
		}
		slices.Sort(values)
		*quantity(&m) = values[len(values)/2]
	}
	return m
}

// machine names the processor and how many of them there are.
func machine() string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, after, found := strings.Cut(string(info), "model name"); found {
			line, _, _ := strings.Cut(after, "\n")
			model = strings.TrimSpace(strings.Trim(line, "\t :"))
		}
	}
	return fmt.Sprintf("%d cores of %s, %s %s", runtime.NumCPU(), model, runtime.GOOS, runtime.Version())
}
