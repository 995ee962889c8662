package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/planwright/planwright/shared/execution"
)

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress draws on stderr. A table that is done at once needs no bar.
func newProgress(env environment, size int64) *progress {
	const small = 4 << 20
	file, ok := env.stderr.(*os.File)
	if !ok || size < small || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(file),
		progressbar.OptionSetDescription("applying"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

func (p *progress) report(at execution.Progress) {
	if p.bar != nil {
		_ = p.bar.Set64(at.BytesRead) // a bar that cannot be drawn is no reason to stop
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
