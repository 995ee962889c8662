package execution

import (
	"context"
	"encoding/json"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table/files"
)

// Event says that an object was finalised.
type Event struct {
	Bucket     string
	Object     string
	Generation int64
	// ReadGeneration is the one that is read, where this delivery is a run of its
	// own over an object whose upload has its outcome; 0 where it is Generation.
	ReadGeneration int64
	Size           int64
	Metadata       map[string]string
	CreatedAt      time.Time
	// Deadline is when this delivery will be cut off; zero is never.
	Deadline time.Time
	// FoundAt is when the object was found without an event having come; zero where one has.
	FoundAt time.Time
}

func (e Event) upload() ledger.Upload {
	return ledger.Upload{Bucket: e.Bucket, Object: e.Object, Generation: e.Generation}
}

// HandleNamed takes a delivery that came by network. Its sender says which upload it is
// about, and nothing else is believed: metadata, size and time are read of the very
// generation. One that cannot be read is acknowledged and changes no record, unless it
// is the upload that the record is about. Errors are those of Handle.
func (x *Executor) HandleNamed(ctx context.Context, upload ledger.Upload) error {
	object, found, err := x.describe(ctx, upload.Object, upload.Generation)
	switch {
	case err != nil:
		return err
	case found:
		return x.Handle(ctx, eventOf(ctx, object, time.Time{}))
	}
	record, is, err := x.recordOf(ctx, upload)
	switch {
	case err != nil:
		return err
	case is:
		return x.deliverGone(ctx, record)
	}
	x.Log.WarnContext(ctx, "an event about an upload that cannot be read",
		"object", upload.Object, "generation", upload.Generation)
	return nil
}

// describe says what a generation in the inbox is. Not found: it is gone, or nothing
// there can have its name.
func (x *Executor) describe(
	ctx context.Context, name string, generation int64,
) (object bucket.Object, found bool, err error) {
	in, object, err := x.Inbox.Open(ctx, name, generation)
	if err == nil {
		in.Close() // only what describes it is needed
		return object, true, nil
	}
	switch errs.KindOf(err) {
	case errs.Invalid: // also of one that is there, and cannot be read as it was sent
		return object, object.Generation == generation, nil
	case errs.NotFound:
		return bucket.Object{}, false, nil
	}
	return bucket.Object{}, false, err
}

func eventOf(ctx context.Context, object bucket.Object, foundAt time.Time) Event {
	deadline, _ := ctx.Deadline()
	return Event{
		Bucket: object.Bucket, Object: object.Name, Generation: object.Generation, Size: object.Size,
		Metadata: object.Metadata, CreatedAt: object.CreatedAt, Deadline: deadline, FoundAt: foundAt,
	}
}

// Handle takes one delivery. The event is acknowledged if and only if Handle
// returns nil: its upload has its outcome then, or is the one that the record
// proposes, or is one that gets none. Any error asks for the event to be delivered again.
func (x *Executor) Handle(ctx context.Context, event Event) error {
	target := route(event.Object, event.Metadata)
	ctx = logging.Scope(ctx, slog.String("upload", event.upload().ID()), slog.String("object", event.Object))
	if target.executionID != "" {
		logging.Add(ctx, slog.String("execution_id", target.executionID))
	}
	switch target.kind {
	case tableFile:
		return x.execute(ctx, x.delivery(event, target))
	case planFile:
		return x.storePlan(ctx, event, target)
	case unclaimed, wrongKind:
		return x.notifyStray(ctx, event, target)
	default:
		x.Log.InfoContext(ctx, "ignored: a placeholder or a hidden file")
		return nil
	}
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

// isPart reports whether an object is one of the pieces that gcloud or gsutil
// uploads of a large file, composes to the file, and deletes.
func isPart(object string) bool {
	tool, rest, _ := strings.Cut(strings.TrimPrefix(object, "/"), "/")
	return (tool == "gcloud" || tool == "gsutil") &&
		strings.HasPrefix(rest, "tmp/parallel_composite_uploads/")
}

func fileOf(object string) string { return object[strings.LastIndexByte(object, '/')+1:] }

// hidden names what programs leave for themselves, and the empty objects that stand for folders.
func hidden(file string) bool {
	return file == "" || file[0] == '.' || strings.EqualFold(path.Ext(file), ".part")
}

// maxFileBytes is the longest file name that a table may have: the names of
// what is written about it are longer, and must fit a folder's 255 bytes.
const maxFileBytes = 200

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

// delivery is one delivery of one table.
type delivery struct {
	executionID string
	file        string // last segment of the object's name
	size        int64
	source      ledger.Source
	holder      string
	deadline    time.Time
	refused     error // why the upload cannot be read at all
	guesses     bool  // columns are guessed where the table does not tell them
}

func (x *Executor) delivery(event Event, target target) delivery {
	settings, refused := x.Settings.With(event.Metadata)
	if refused != nil {
		settings, refused = x.Settings, refuse("invalid_settings", "%s", errs.Message(refused))
	}
	intent, unknown := readIntent(event.Metadata)
	for _, reason := range []error{unknown, target.refused} {
		if refused == nil {
			refused = reason
		}
	}
	source := ledger.Source{
		Upload:      event.upload(),
		UploadedAt:  event.CreatedAt.UTC().Truncate(time.Microsecond),
		Settings:    settings,
		ProposeOnly: intent == IntentPropose,
		UploadedBy:  uploadedBy(event.Object, event.Metadata),
		PreparedBy:  preparedBy(event.Object, event.Metadata),
		FoundAt:     event.FoundAt,
		Shop:        fetchedFrom(event.Object, event.Metadata),

		ReadGeneration: event.ReadGeneration,
		Log:            event.Metadata[LogKey],
	}
	return delivery{
		executionID: target.executionID,
		file:        target.file,
		size:        event.Size,
		source:      source,
		holder:      x.NewHolder(),
		deadline:    event.Deadline,
		refused:     refused,
		guesses:     intent != IntentApply,
	}
}

// readIntent reads the intent of an upload. An unknown one is refused: it
// would be applied where something else was wanted.
func readIntent(metadata map[string]string) (intent string, refused error) {
	switch intent = metadata[IntentKey]; intent {
	case IntentPropose, IntentApply, "":
		return intent, nil
	default:
		return IntentPropose, refuse("invalid_settings",
			"The file's metadata has the intent %s; there are %s and %s.",
			strictjson.Shorten(intent), IntentPropose, IntentApply)
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
	if !strings.HasPrefix(object, HandedInFolder) || len(list) > maxPreparedBytes ||
		json.Unmarshal([]byte(list), &names) != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || !isName(name) })
}

// maxNameBytes is the longest name of a person: that of an email address.
const maxNameBytes = 254

// isName reports whether a name can be shown.
func isName(name string) bool {
	return len(name) <= maxNameBytes &&
		!strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}

// fetchedFrom is the shop that a table was fetched from; nil where it was handed in.
func fetchedFrom(object string, metadata map[string]string) *postings.Shop {
	if !strings.HasPrefix(object, HandedInFolder) || metadata[ShopURLKey] == "" {
		return nil
	}
	return &postings.Shop{URL: metadata[ShopURLKey], Currency: metadata[ShopCurrencyKey]}
}

// recordOf is the record that is about an upload whose name tells its execution.
func (x *Executor) recordOf(
	ctx context.Context, upload ledger.Upload,
) (record ledger.Execution, is bool, err error) {
	id := ExecutionIn(upload.Object)
	if id == "" {
		return record, false, nil
	}
	record, err = x.Ledger.Execution(ctx, id)
	if errs.KindOf(err) == errs.NotFound {
		return record, false, nil
	}
	return record, err == nil && record.Source.Upload == upload, err
}

// ExecutionIn is the execution that an object's name alone tells: the folder that it lies
// in, or that the planner handed it in for. "" is none.
func ExecutionIn(object string) string {
	if handedIn, is := strings.CutPrefix(object, HandedInFolder); is {
		if id, _, _ := strings.Cut(handedIn, "/"); plan.ValidExecutionID(id) {
			return id
		}
	}
	return route(object, nil).executionID
}

// deliverGone delivers the upload of a record once it cannot be read any more: what
// there is to know of it, the record has.
func (x *Executor) deliverGone(ctx context.Context, record ledger.Execution) error {
	ctx = logging.Scope(ctx, slog.String("upload", record.Source.ID()),
		slog.String("execution_id", record.ExecutionID))
	deadline, _ := ctx.Deadline()
	return x.execute(ctx, delivery{
		executionID: record.ExecutionID,
		file:        fileOf(record.Source.Object),
		source:      record.Source,
		holder:      x.NewHolder(),
		deadline:    deadline,
	})
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
