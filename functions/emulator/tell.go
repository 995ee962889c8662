package emulator

import (
	"context"

	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/shared/messages"
)

// tell tells people of what is due until the context ends, beside the sweep, which
// waits for nobody's mail server. What was not told by then is due at the next start.
func tell(ctx context.Context, sender *messages.Sender) error {
	for wait := sweepEvery; ctx.Err() == nil; {
		if _, err := sender.Run(ctx); err == nil {
			wait = sweepEvery
		} else if ctx.Err() == nil {
			sender.Log.WarnContext(ctx, "what people are to hear cannot be read or noted", "cause", err.Error())
			wait = min(2*wait, sweepAtLeast)
		}
		inbox.Pause(ctx, wait, nil)
	}
	return nil
}
