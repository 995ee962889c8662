package emulator

import (
	"context"

	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// WriteLines adds the lines of runs that have their outcome to their logs, also of runs that
// were cut off before they had. A log other than own that cannot be written waits.
func WriteLines(ctx context.Context, records *sqlite.Store, own string, noSync bool) error {
	outcomes, err := records.Unwritten(ctx)
	if err != nil {
		return err
	}
	for _, outcome := range outcomes {
		err := userfile.AppendLine(outcome.Upload.Log, outcome.Line(), noSync)
		if err == nil {
			err = records.NoteWritten(ctx, outcome)
		} else if outcome.Upload.Log != own {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
