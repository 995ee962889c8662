package console

import (
	"testing"

	"github.com/planwright/planwright/shared/ledger"
)

// A table was handed in once more after a rejection: until the new upload is claimed, the
// record is still that of the upload before. It does not end the page.
func TestARecordOfAnEarlierUploadIsNoEnd(t *testing.T) {
	for _, test := range []struct {
		recorded, handedIn int64
		want               stage
	}{
		{recorded: 7, handedIn: 8, want: stageStarting},
		{recorded: 8, handedIn: 8, want: stageEnded},
		{recorded: 9, handedIn: 8, want: stageEnded},
		{recorded: 7, handedIn: 0, want: stageEnded},
	} {
		shown := changePage{Handed: true, HandedIn: test.handedIn}
		shown.Status, shown.Upload.Generation = ledger.Failed, test.recorded
		if got := shown.stage(); got != test.want {
			t.Errorf("the record is of %d, handed in was %d: the stage is %s, want %s", test.recorded, test.handedIn, got, test.want)
		}
	}
}
