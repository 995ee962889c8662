package inbox

import (
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Changes tells of changes in a folder and those below it, as far as the system does: it
// says nothing of what another machine changes on a network's disk. A nil one tells of none.
type Changes struct {
	path    string
	watcher *fsnotify.Watcher
	changed chan struct{}
}

// WatchChanges begins to listen. It must be closed. An error says that the system does not
// tell, such as where it watches too many folders already.
func WatchChanges(path string) (*Changes, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	c := &Changes{path: path, watcher: watcher, changed: make(chan struct{}, 1)}
	if err := watcher.Add(path); err != nil {
		watcher.Close()
		return nil, err
	}
	go c.listen()
	return c, nil
}

// listen makes one of any number of changes that nobody has asked for yet. An event that was
// lost is found by the next scan.
func (c *Changes) listen() {
	for {
		select {
		case _, open := <-c.watcher.Events:
			if !open {
				return
			}
		case _, open := <-c.watcher.Errors:
			if !open {
				return
			}
		}
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

// watch listens to a folder below, too. Where that fails a scan finds what changes there.
func (c *Changes) watch(name string) {
	if c != nil {
		_ = c.watcher.Add(filepath.Join(c.path, filepath.FromSlash(name)))
	}
}

// happened is ready once something has changed.
func (c *Changes) happened() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.changed
}

// Close ends it.
func (c *Changes) Close() error {
	if c == nil {
		return nil
	}
	return c.watcher.Close()
}
