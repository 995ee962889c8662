package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// newProgress is a bar on a terminal's stderr, and nothing elsewhere. A table
// that is done at once needs no bar.
func newProgress(env environment, size int64) *progressbar.ProgressBar {
	const small = 4 << 20
	file, ok := env.stderr.(*os.File)
	return progressbar.NewOptions64(size,
		progressbar.OptionSetVisibility(ok && size >= small && term.IsTerminal(int(file.Fd()))),
		progressbar.OptionSetWriter(env.stderr),
		progressbar.OptionSetDescription("applying"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}
