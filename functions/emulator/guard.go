package emulator

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
)

// guardEvery is how often the folders are looked after.
const guardEvery = 2 * time.Second

// guard looks after the folders until the context ends. One that was deleted or
// replaced is opened anew, and the log says what went with it. Unavailable: the data
// folder itself was moved or deleted, and what is stored from then on would be lost.
func (f *DataFolder) guard(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(guardEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := f.isThere(); err != nil {
			return err
		}
		for _, watched := range []struct {
			*folder.Bucket
			lost string
		}{
			{f.inbox, "a table that waits is answered with a notice: it must be dropped again"},
			{f.outbox, "the results of earlier executions are gone from it, and show as missing in planwright verify"},
			{f.audit, "the audit files and the signed tree of earlier executions are gone from it, and show as missing in planwright verify: put them back from a backup"},
			{f.tables, "the tables that were being talked about: they must be sent again"},
		} {
			switch replaced, err := watched.Renew(); {
			case err != nil:
				log.ErrorContext(ctx, "a folder was deleted or replaced and cannot be used",
					"folder", watched.Name(), "cause", err.Error())
			case replaced:
				log.ErrorContext(ctx, "a folder was deleted or replaced under the running server; the one that is there now is used", "folder", watched.Name(), "lost", watched.lost)
			}
		}
	}
}

// isThere reports an error where the lock is no more that of the folder under its path.
func (f *DataFolder) isThere() error {
	there, err := os.Stat(filepath.Join(f.Folder, lockName))
	if err == nil {
		var held os.FileInfo
		if held, err = f.lock.Stat(); err == nil && os.SameFile(there, held) {
			return nil
		}
	}
	return errs.Wrap(errs.Unavailable, err, "The data folder was moved or deleted under the running server, or its %s was, so it stops. Put the folder back in its place and start the server again.", lockName)
}
