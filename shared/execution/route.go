package execution

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/files"
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

// maxFileBytes is the longest file name that a table may have: the names of
// what is written about it are longer, and must fit a folder's 255 bytes.
const maxFileBytes = 200

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
		return errs.Wrap(errs.Invalid, err, "%d people said how this table is read, more than can be on record. Send the table again.", len(names))
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

// fetchedFrom is the shop that a table was fetched from; nil where it was handed in.
func fetchedFrom(object string, metadata map[string]string) *postings.Shop {
	if !strings.HasPrefix(object, HandedInFolder) || metadata[ShopURLKey] == "" {
		return nil
	}
	return &postings.Shop{URL: metadata[ShopURLKey], Currency: metadata[ShopCurrencyKey]}
}

// planFileName is what a plan written by hand is called.
const planFileName = "plan.json"

// MaxDropBytes is the most that a drop of that name may have; 0 is any. What is neither a
// table nor a plan is told so whatever it holds.
func (x *Executor) MaxDropBytes(object string) int64 {
	if _, isTable := files.ContentType(fileOf(object)); isTable {
		return x.Limits.TableBytes
	}
	return MaxPlanFileBytes
}

// kind is what an object in the inbox is for.
type kind int

const (
	ignored   kind = iota // a placeholder, a hidden file or a part of one: nobody waits for an answer
	tableFile             // a table that names a valid execution
	planFile              // a plan written by hand
	unclaimed             // a table or a plan that names no execution
	wrongKind             // a file that is neither a table nor a plan
)

// target is where an object of the inbox goes.
type target struct {
	kind        kind
	executionID string
	file        string // last segment of the object's name
	refused     error  // a table whose name cannot be written back
}

// route reads an object's name and metadata. The execution is the folder that
// the object lies in, one level deep, unless the metadata names another.
func route(object string, metadata map[string]string) target {
	folder, file, nested := strings.Cut(object, "/")
	if !nested {
		folder, file = "", object
	}
	deep := strings.Contains(file, "/")
	last := fileOf(object)
	_, isTable := files.ContentType(last)
	id, named := metadata[ExecutionIDKey]
	if !named && !deep {
		id = folder
	}
	switch {
	case isPart(object):
		return target{kind: ignored, file: last}
	case isTable && plan.ValidExecutionID(id):
		return target{kind: tableFile, executionID: id, file: last, refused: checkFile(last)}
	case file == planFileName && plan.ValidExecutionID(folder):
		return target{kind: planFile, executionID: folder, file: last}
	case isTable, last == planFileName:
		return target{kind: unclaimed, file: last}
	case hidden(last):
		return target{kind: ignored, file: last}
	case plan.ValidExecutionID(id):
		return target{kind: wrongKind, executionID: id, file: last}
	default:
		return target{kind: wrongKind, file: last}
	}
}

// readIntent reads the intent of an upload. An unknown one is refused: it
// would be applied where something else was wanted.
func readIntent(metadata map[string]string) (intent string, refused error) {
	switch intent = metadata[IntentKey]; intent {
	case IntentPropose, IntentApply, "":
		return intent, nil
	default:
		return IntentPropose, refuse("invalid_settings", "The file's metadata has the intent %s; there are %s and %s.", strictjson.Shorten(intent), IntentPropose, IntentApply)
	}
}

// uploadedBy is who handed a table in, where the planner's metadata says a name that
// can be shown.
func uploadedBy(object string, metadata map[string]string) string {
	name := metadata[UploadedByKey]
	if !strings.HasPrefix(object, HandedInFolder) || !isName(name) {
		return ""
	}
	return name
}

// preparedBy are those who prepared a table, where the planner's metadata lists them.
func preparedBy(object string, metadata map[string]string) (names []string) {
	list := metadata[preparedByKey]
	if !strings.HasPrefix(object, HandedInFolder) || len(list) > maxPreparedBytes || json.Unmarshal([]byte(list), &names) != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || !isName(name) })
}

// isName reports whether a name can be shown.
func isName(name string) bool {
	return len(name) <= maxNameBytes && !strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}

// maxNameBytes is the longest name of a person: that of an email address.
const maxNameBytes = 254

func fileOf(object string) string { return object[strings.LastIndexByte(object, '/')+1:] }

// hidden names what programs leave for themselves, and the empty objects that stand for folders.
func hidden(file string) bool {
	return file == "" || file[0] == '.' || strings.EqualFold(path.Ext(file), ".part")
}

// isPart reports whether an object is one of the pieces that gcloud or gsutil
// uploads of a large file, composes to the file, and deletes.
func isPart(object string) bool {
	tool, rest, _ := strings.Cut(strings.TrimPrefix(object, "/"), "/")
	return (tool == "gcloud" || tool == "gsutil") && strings.HasPrefix(rest, "tmp/parallel_composite_uploads/")
}

// checkFile refuses names that a folder or a person could not handle.
func checkFile(file string) error {
	if file == noticeStem(file) {
		return nil
	}
	return refuse("invalid_name", "The file's name is longer than %d bytes or has characters that do not print. Rename the file and drop it again.", maxFileBytes)
}

// noticeStem is the file name that a notice about it begins with: the name
// itself, but for those that cannot be written back.
func noticeStem(file string) string {
	stem := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r == '\\' || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, file)
	for len(stem) > maxFileBytes {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	return stem
}
