package inbox

import (
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Hints tells when something happens in a folder or below it, until the
// context ends. They make the watcher quick and are nothing to rely on: where
// the system has none to give (network folders, too many folders) the poll
// finds everything a little later.
func Hints(ctx context.Context, folder string, log *slog.Logger) <-chan struct{} {
	hints := make(chan struct{}, 1)
	notifier, err := fsnotify.NewWatcher()
	if err != nil {
		log.WarnContext(ctx, "no file notifications here, looking at intervals", "error", err)
		return hints
	}
	follow(notifier, folder)
	go func() {
		defer notifier.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case event := <-notifier.Events:
				if event.Has(fsnotify.Create) && !ignored(event.Name) {
					follow(notifier, event.Name)
				}
			case <-notifier.Errors: // an overflow: look
			}
			select {
			case hints <- struct{}{}:
			default: // one is waiting already
			}
		}
	}()
	return hints
}

// follow watches a folder and those below it, but hidden ones. What cannot be
// watched is left to the poll.
func follow(notifier *fsnotify.Watcher, folder string) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir():
			return nil
		case path != folder && ignored(path):
			return fs.SkipDir
		}
		_ = notifier.Add(path)
		return nil
	})
}
