package execution

import (
	"encoding/json"

	"github.com/planwright/planwright/shared/errs"
)

// ExecutionIDKey is the object metadata that names an upload's execution
// wherever the object lies.
const ExecutionIDKey = "execution-id"

// IntentKey is the object metadata that says what is wanted of a table. With
// IntentPropose, what would be done is proposed, and applied only where somebody approves
// of it. With IntentApply, a table whose columns would have to be guessed is refused, for
// whoever sends it can be asked; without an intent, the guess is proposed.
const (
	IntentKey     = "intent"
	IntentPropose = "propose"
	IntentApply   = "apply"
)

// LogKey is the object metadata that names a file on the uploader's machine which gets a
// line of the outcome. It is recorded, and nothing here opens it.
const LogKey = "audit-log"

// HandedInFolder is where the planner puts the tables that it hands in for others.
// Nobody else may write there: a name in the metadata counts in it alone.
const HandedInFolder = "held/"

// UploadedByKey is the object metadata that says who handed a table in, as the
// planner writes it. The name is shown, it can keep that person from approving, and
// it gives nobody a right.
const UploadedByKey = "uploaded-by"

// preparedByKey is the object metadata that lists, as a JSON array, who else sent a table
// that was handed in, or said how it is read. It counts where UploadedByKey does.
const preparedByKey = "prepared-by"

// maxPreparedBytes is the longest such list: an object's metadata has 8 KiB.
const maxPreparedBytes = 4 << 10

// SayPreparedBy adds to metadata who prepared a table. Invalid: they are too many.
func SayPreparedBy(metadata map[string]string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	list, err := json.Marshal(names)
	if err != nil || len(list) > maxPreparedBytes {
		return errs.Wrap(errs.Invalid, err,
			"%d people said how this table is read, more than can be on record. Send the table again.",
			len(names))
	}
	metadata[preparedByKey] = string(list)
	return nil
}

// ShopURLKey and ShopCurrencyKey are the object metadata that say which shop a table was
// fetched from, as the planner writes it. They count in HandedInFolder, where no uploader
// may write, and nowhere else: what comes of such a table is written to that shop.
const (
	ShopURLKey      = "shop-url"
	ShopCurrencyKey = "shop-currency"
)
