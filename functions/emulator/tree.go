package emulator

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/planwright/planwright/shared/ledger/tree"
)

// KeyName is the private key of the tree of audit documents, beside the state.
const KeyName = "state.key"

// logEvery is how often the tree is brought up to date though nobody has asked.
const logEvery = time.Minute

// treeLog takes audit documents into the signed tree, soon after they are
// stored and once more in the end.
type treeLog struct {
	*tree.Log
	due bell
	log *slog.Logger
}

func newTreeLog(folder *DataFolder, s *stores, log *slog.Logger) (*treeLog, error) {
	key, err := tree.LocalKey(filepath.Join(folder.path, KeyName))
	if err != nil {
		return nil, err
	}
	signed, err := tree.New(s.leaves, s.audit, key)
	return &treeLog{signed, newBell(), log}, err
}

// run keeps the tree up to date until ctx ends.
func (l *treeLog) run(ctx context.Context) error {
	ticker := time.NewTicker(logEvery)
	defer ticker.Stop()
	for l.append(ctx); ; l.append(ctx) {
		select {
		case <-l.due:
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// append is tried again with the next outcome or the next minute.
func (l *treeLog) append(ctx context.Context) {
	if err := l.Append(ctx); ctx.Err() == nil {
		tree.Report(ctx, l.log, err)
	}
}
