// Package tablestore keeps uploaded tables for a day, each for whoever sent it, before
// anything is done with them. It carries no plan out.
//
// What is stored, in a bucket of its own to which nobody else has rights:
//
//	{id}/table               the file as it was sent; who sent it, its name and its
//	                         settings are the object's metadata
//	{id}/settings-{number}   how it is read since somebody changed that, and who did, as
//	                         metadata: the greatest number counts, and the others go
//	{id}/draft               of a draft: the rules that a model made, and who asked for it
//
// An id is random, so only people who were told it know it. Every read checks the age.
// Expire, or the bucket's own rule, removes expired tables. A process keeps the bytes of
// recently opened tables in memory, within MemoryBytes, and what it found in them.
package tablestore

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/overview"
)

// For is how long a table is held.
const For = 24 * time.Hour

const (
	// MaxUploadBytes is the largest table that is sent to a bucket's own address.
	MaxUploadBytes = 4 << 30
	// atATime is how many tables one process looks through at a time.
	atATime = 4
	// maxTables and maxTotalBytes bound what one person has in a bucket that has no
	// bounds of its own: the oldest go.
	maxTables     = 50
	maxTotalBytes = 8 << 30

	maxFileNameBytes = 200
)

// Tables are the tables that are held in a bucket.
type Tables struct {
	Bucket bucket.Store
	// OpenUpload opens an upload of so many bytes that does not pass through this process, and
	// returns the address that they are sent to, by a page of origin if there is one;
	// nil: there are none, and a table of any size is sent here.
	OpenUpload func(
		ctx context.Context, name string, options bucket.CreateOptions, size int64, origin string,
	) (address string, err error)
	// Bounded says that the bucket has bounds of its own, as one with OpenUpload has: to hold a
	// table is then to create objects, and nothing else.
	Bounded bool
	Now     func() time.Time // nil is time.Now
	NewID   func() string    // of 26 letters and digits; nil is crypto/rand.Text

	slots  chan struct{}
	memory *memory
}

// New returns the tables of a bucket.
func New(in bucket.Store) *Tables {
	return &Tables{
		Bucket: in,
		Now:    time.Now,
		NewID:  rand.Text,
		slots:  make(chan struct{}, atATime),
		memory: newMemory(memoryBytes),
	}
}

// Sent is what somebody sends with a table.
type Sent struct {
	By       string            // who sends it, as it was verified
	File     string            // its name; see CheckFile
	Settings map[string]string // by setting, as they were given
	// Remembered says that the settings are those of an earlier table; nil: they are not.
	Remembered *plannerapi.RememberedLayout
	// Shop is the shop that it was fetched from; nil: somebody sent it.
	Shop *postings.Shop
}

// CheckFile refuses a name that no table has. Its kind is errs.Invalid.
func CheckFile(name string) error {
	if _, isTable := files.ContentType(name); !isTable {
		return errs.New(errs.Invalid, "The file %s.", files.WhyNoTable(name))
	}
	if len(name) > maxFileNameBytes || strings.HasPrefix(name, ".") || strings.Contains(name, "/") {
		return errs.New(errs.Invalid,
			"A table's file must be named by at most %d bytes without a slash or a point before them.",
			maxFileNameBytes)
	}
	return bucket.ValidateName(name)
}

// Table is a table that is held.
type Table struct {
	ID string
	Sent
	bucket.Digest
	ExpiresAt time.Time
	// SaidBy are those who said how it is read since it was sent, each once.
	SaidBy []string
	// Unread says that it was sent past every process of ours, and that nobody has looked
	// whether a table with its header is known.
	Unread bool

	object bucket.Object
}

// Metadata of a table's object.
const (
	metaBy       = "sent-by"
	metaFile     = "file"
	metaSettings = "settings"
	metaSaidBy   = "said-by"
	// Of settings that were said of an earlier table: of which, by whom and when.
	metaEarlierFile = "said-of"
	metaEarlierBy   = "said-of-by"
	metaEarlierAt   = "said-at"
	metaUnread      = "unread"
	// Of a table that was fetched.
	metaShop     = "shop-url"
	metaCurrency = "shop-currency"
)

func (s Sent) options() bucket.CreateOptions {
	contentType, _ := files.ContentType(s.File)
	metadata := map[string]string{metaBy: s.By, metaFile: s.File, metaSettings: encoded(s.Settings)}
	maps.Copy(metadata, earlier(s.Remembered))
	if s.Shop != nil {
		metadata[metaShop], metadata[metaCurrency] = s.Shop.URL, s.Shop.Currency
	}
	return bucket.CreateOptions{ContentType: contentType, Metadata: metadata}
}

func tableOf(id string, object bucket.Object) Table {
	t := Table{
		ID:        id,
		Digest:    bucket.Digest{Size: object.Size, CRC32C: object.CRC32C},
		ExpiresAt: object.CreatedAt.Add(For),
		object:    object,
	}
	t.By, t.File, t.Settings = object.Metadata[metaBy], object.Metadata[metaFile], settingsIn(object)
	t.Remembered, t.SaidBy, t.Unread = earlierIn(object), namesIn(object), object.Metadata[metaUnread] != ""
	if url := object.Metadata[metaShop]; url != "" {
		t.Shop = &postings.Shop{URL: url, Currency: object.Metadata[metaCurrency]}
	}
	return t
}

func nameOf(id string) string { return id + "/table" }

// Hold holds a table that is read from in, by the settings, and says what is in it.
// A table whose rows cannot be told apart is refused with a *table.InputError, and
// not held; an error of in is returned as it is.
func (s *Tables) Hold(
	ctx context.Context, in io.Reader, sent Sent, settings table.Settings,
) (plannerapi.StoredTable, error) {
	id := s.NewID()
	upload, err := s.Bucket.Create(ctx, nameOf(id), sent.options())
	if err != nil {
		return plannerapi.StoredTable{}, err
	}
	defer upload.Abandon()
	found, err := s.overviewInTurn(ctx, io.TeeReader(in, upload), settings, nil)
	if err != nil {
		return plannerapi.StoredTable{}, err
	}
	object, err := upload.Commit()
	if err != nil {
		return plannerapi.StoredTable{}, err
	}
	if err := s.makeRoom(ctx, sent.By); err != nil {
		return plannerapi.StoredTable{}, err
	}
	held := tableOf(id, object)
	return s.remember(held, settings, found), nil
}

// HoldCopy holds an object of another bucket, as Hold does what is read.
func (s *Tables) HoldCopy(
	ctx context.Context, from bucket.Bucket, object bucket.Object, sent Sent, settings table.Settings,
) (plannerapi.StoredTable, error) {
	id := s.NewID()
	copied, err := bucket.Copy(ctx, s.Bucket, nameOf(id), sent.options(), from, object)
	if err != nil {
		return plannerapi.StoredTable{}, err
	}
	held := tableOf(id, copied)
	shown, err := s.Show(ctx, held, settings, nil)
	if err != nil {
		return plannerapi.StoredTable{}, errors.Join(err, s.Drop(ctx, held))
	}
	return shown, s.makeRoom(ctx, sent.By)
}

// overviewInTurn looks through a table, when it is its turn.
func (s *Tables) overviewInTurn(
	ctx context.Context, in io.Reader, settings table.Settings, asked *overview.Instruction,
) (*overview.Overview, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, errs.Wrap(errs.Deadline, ctx.Err(),
			"Time ran out before it was this table's turn: others were being looked through.")
	}
	defer func() { <-s.slots }()
	return overview.Read(ctx, in, settings, asked, table.UsualWorkload())
}

// remember keeps in memory what was found in a table.
func (s *Tables) remember(
	held Table, settings table.Settings, found *overview.Overview,
) plannerapi.StoredTable {
	shown := describe(found)
	s.memory.note(overviewOf(held, settings), shown)
	return held.shown(shown)
}

func (t Table) shown(found plannerapi.StoredTable) plannerapi.StoredTable {
	found.Table = t.ID
	found.File = t.File
	found.Bytes = t.Size
	found.ExpiresAt = t.ExpiresAt
	found.SentBy = t.By
	found.Settings = t.Settings
	found.Read.Remembered = t.Remembered
	if t.Shop != nil {
		found.Shop = t.Shop.URL
	}
	return found
}

// overviewOf is what is found in a table as it is read by settings.
func overviewOf(held Table, settings table.Settings) overviewKey {
	text, err := json.Marshal(settings)
	if err != nil {
		panic("held: settings that are not JSON: " + err.Error()) // they were read from text
	}
	return overviewKey{generation{held.object.Name, held.object.Generation}, string(text)}
}

// Receive opens an upload of so many bytes, for a page of origin, and returns the
// table's id with the address to send them to. The table can be found once they are
// there. Invalid: there are too many bytes, or too few.
func (s *Tables) Receive(
	ctx context.Context, sent Sent, size int64, origin string,
) (id, address string, err error) {
	if size < 1 || size > MaxUploadBytes {
		return "", "", errs.New(errs.Invalid, "A table has 1 byte to 4 GiB, but this one is said to have %d bytes. Split a larger one, or apply the plan where the table is: planwright apply.", size)
	}
	if s.OpenUpload == nil {
		return "", "", errs.New(errs.Conflict,
			"There is no need for an upload of its own here: POST /v1/tables takes tables of up to 4 GiB.")
	}
	id = s.NewID()
	options := sent.options()
	options.Metadata[metaUnread] = "yes"
	address, err = s.OpenUpload(ctx, nameOf(id), options, size, origin)
	return id, address, err
}

// idForm is the form of ids.
var idForm = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// Find returns a table to who sent it, and to one who may see all. NotFound: it is
// not held, or not any more. Denied: another sent it.
func (s *Tables) Find(ctx context.Context, id, who string, all bool) (Table, error) {
	gone := errs.New(errs.NotFound, "The table %s is not held (any more): a table is held for a day. Send it again; plans that were made with it are kept.", id)
	if !idForm.MatchString(id) {
		return Table{}, errs.New(errs.NotFound,
			"There is no table of that id: it is the \"table\" of what answered when the table was sent.")
	}
	object, err := s.Bucket.Stat(ctx, nameOf(id))
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return Table{}, gone
	case err != nil:
		return Table{}, err
	}
	held := tableOf(id, object)
	switch {
	case !s.Now().Before(held.ExpiresAt):
		return Table{}, gone
	case !all && !strings.EqualFold(held.By, who):
		return Table{}, errs.New(errs.Denied, "The table %s was sent by somebody else. Send it yourself.", id)
	case held.Size > MaxUploadBytes:
		return Table{}, errors.Join(errs.New(errs.Invalid, "The table %s has more than 4 GiB, the most that is held. Split it, or apply the plan where the table is: planwright apply.", id), s.Drop(ctx, held))
	}
	said, err := s.settingsObjects(ctx, id)
	if len(said) > 0 {
		held.Settings = settingsIn(said[0])
		held.Remembered = earlierIn(said[0])
		held.SaidBy = namesIn(said[0])
		held.Unread = false
	}
	return held, err
}

// PreparedBy are those, beside one who hands it in, who sent a table or said how it is
// read.
func (t Table) PreparedBy(handedInBy string) []string {
	all := []string{handedInBy}
	for _, name := range append([]string{t.By}, t.SaidBy...) {
		all = withName(all, name)
	}
	return all[1:]
}

// Open reads a table. One of at most MemoryBytes that was opened lately is in memory.
func (s *Tables) Open(ctx context.Context, held Table) (io.ReadCloser, error) {
	return s.memory.open(ctx, s.Bucket, held.object)
}

// Show says what is in a table as it is read by the settings: what this process knows of it,
// or what one more look finds. Progress is told how many bytes were looked through.
func (s *Tables) Show(
	ctx context.Context, held Table, settings table.Settings, progress func(bytes int64),
) (plannerapi.StoredTable, error) {
	if known, found := s.memory.found(overviewOf(held, settings)); found {
		return held.shown(known), nil
	}
	found, err := s.overview(ctx, held, settings, nil, progress)
	if err != nil {
		return plannerapi.StoredTable{}, err
	}
	return s.remember(held, settings, found), nil
}

// Words looks through a table for an instruction: what it finds has the names of
// categories, brands and tags, and of SKUs and products those that share words with it.
func (s *Tables) Words(
	ctx context.Context, held Table, settings table.Settings, instruction string,
) (*overview.Overview, error) {
	return s.overview(ctx, held, settings, overview.NewInstruction(instruction), nil)
}

func (s *Tables) overview(
	ctx context.Context,
	held Table,
	settings table.Settings,
	asked *overview.Instruction,
	progress func(int64),
) (*overview.Overview, error) {
	in, err := s.Open(ctx, held)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return s.overviewInTurn(ctx, &counted{Reader: in, progress: progress}, settings, asked)
}

// counted tells how many bytes were read.
type counted struct {
	io.Reader
	bytes    int64
	progress func(int64) // may be nil
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.bytes += int64(n); c.progress != nil {
		c.progress(c.bytes)
	}
	return n, err
}

// HandIn puts a table into another bucket under a name that nothing has. Errors are
// those of bucket.Copy.
func (s *Tables) HandIn(
	ctx context.Context, held Table, to bucket.Bucket, name string, metadata map[string]string,
) (bucket.Object, error) {
	return bucket.Copy(ctx, to, name, bucket.CreateOptions{
		ContentType: held.object.ContentType,
		Metadata:    metadata,
	}, s.Bucket, held.object)
}

// Drop lets go of a table.
func (s *Tables) Drop(ctx context.Context, held Table) error {
	return s.remove(ctx, held.ID+"/", func(bucket.Object) bool { return true })
}

// Expire lets go of the tables whose day is over, and of what was found in them.
func (s *Tables) Expire(ctx context.Context) error {
	return s.remove(ctx, "", func(object bucket.Object) bool {
		return !s.Now().Before(object.CreatedAt.Add(For))
	})
}

func (s *Tables) remove(ctx context.Context, prefix string, is func(bucket.Object) bool) error {
	for object, err := range bucket.Under(ctx, s.Bucket, prefix) {
		if err != nil {
			return err
		}
		if is(object) {
			s.memory.drop(object)
			if err := s.Bucket.Remove(ctx, object.Name, object.Generation); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeRoom lets go of the oldest tables of somebody who has too many. A bucket that
// receives has bounds of its own.
func (s *Tables) makeRoom(ctx context.Context, by string) error {
	if s.OpenUpload != nil || s.Bounded {
		return nil
	}
	var own []bucket.Object
	for object, err := range bucket.Under(ctx, s.Bucket, "") {
		if err != nil {
			return err
		}
		if strings.EqualFold(object.Metadata[metaBy], by) && strings.HasSuffix(object.Name, "/table") {
			own = append(own, object)
		}
	}
	slices.SortFunc(own, func(a, b bucket.Object) int { return cmp.Compare(b.Generation, a.Generation) })
	total := int64(0)
	for i, object := range own {
		if total += object.Size; i > 0 && (i >= maxTables || total > maxTotalBytes) {
			if err := s.Drop(ctx, tableOf(strings.TrimSuffix(object.Name, "/table"), object)); err != nil {
				return err
			}
		}
	}
	return nil
}
