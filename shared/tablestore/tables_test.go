package tablestore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/tablestore"
)

// both runs a test over a folder and over a server of Cloud Storage.
func both(t *testing.T, test func(t *testing.T, tables *tablestore.Tables, clock *time.Time)) {
	t.Helper()
	clock := time.Now().UTC()
	t.Run("folder", func(t *testing.T) {
		test(t, inFolder(t, &clock), &clock)
	})
	t.Run("Cloud Storage", func(t *testing.T) {
		clock = time.Now().UTC() // the server has a clock of its own
		tables := inCloud(t)
		tables.Now = func() time.Time { return clock }
		test(t, tables, &clock)
	})
}

func inFolder(t *testing.T, clock *time.Time) *tablestore.Tables {
	t.Helper()
	box, err := folder.Open(t.TempDir(), folder.Options{Name: "tables", NoSync: true, Now: func() time.Time { return *clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	tables := tablestore.New(box)
	tables.Now = func() time.Time { return *clock }
	return tables
}

func inCloud(t *testing.T) *tablestore.Tables {
	t.Helper()
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "tables"})
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(server.URL(), "http://"))
	client, err := gcs.NewClient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	receiver, err := gcs.NewReceiver(t.Context(), gcs.New(client, "tables"))
	if err != nil {
		t.Fatal(err)
	}
	tables := tablestore.New(receiver)
	tables.OpenUpload = receiver.Receive
	return tables
}

const shop = "sku,category,price\na-1,Hats,1.50\na-2,Hoodies,2\n"

var ana = tablestore.Sent{By: "ana@example.com", File: "Été.csv", Settings: map[string]string{"columns": "sku=sku"}}

func hold(t *testing.T, tables *tablestore.Tables, sent tablestore.Sent, text string) string {
	t.Helper()
	shown, err := tables.Hold(t.Context(), strings.NewReader(text), sent, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return shown.Table
}

// names are those of all objects that there are.
func names(t *testing.T, tables *tablestore.Tables) (all []string) {
	t.Helper()
	for object, err := range tables.Bucket.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, object.Name)
	}
	return all
}

func TestFind(t *testing.T) {
	both(t, func(t *testing.T, tables *tablestore.Tables, clock *time.Time) {
		id := hold(t, tables, ana, shop)
		found, err := tables.Find(t.Context(), id, "Ana@Example.com", false)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ana, found.Sent); diff != "" || found.Size != int64(len(shop)) {
			t.Errorf("%d bytes, sent (-want +got):\n%s", found.Size, diff)
		}
		in, err := tables.Open(t.Context(), found)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if in.Close(); err != nil || string(text) != shop {
			t.Errorf("it holds %q, %v", text, err)
		}
		shown, err := tables.Show(t.Context(), found, table.Settings{}, func(int64) { t.Error("it was looked through again") })
		if err != nil || shown.Rows != 2 || shown.SentBy != ana.By || shown.Names.Total.Categories != 2 {
			t.Errorf("%+v, %v", shown, err)
		}
		words, err := tables.Words(t.Context(), found, table.Settings{}, "All Hats but A-1")
		if err != nil || len(words.Names[recognize.RoleSKU]) != 2 || words.Names[recognize.RoleSKU][0].Name != "a-1" || len(tablestore.Names(words).Categories) != 2 {
			t.Errorf("words %v, %v", words, err)
		}
		if _, err := tables.Find(t.Context(), id, "ben@example.com", false); errs.KindOf(err) != errs.Denied {
			t.Errorf("another's: %v", err)
		}
		if _, err := tables.Find(t.Context(), id, "ben@example.com", true); err != nil {
			t.Errorf("an approver's: %v", err)
		}
		copied, err := tables.HandIn(t.Context(), found, tables.Bucket, "plan_one_v1/shop.csv", map[string]string{"execution-id": "plan_one_v1"})
		if err != nil || copied.Size != found.Size || copied.ContentType != "text/csv" {
			t.Errorf("copied: %+v, %v", copied, err)
		}
		*clock = found.ExpiresAt
		if _, err := tables.Find(t.Context(), id, ana.By, false); errs.KindOf(err) != errs.NotFound || !strings.Contains(errs.Message(err), "Send it again") {
			t.Errorf("after its day: %v", err)
		}
	})
}

func TestExpire(t *testing.T) {
	both(t, func(t *testing.T, tables *tablestore.Tables, clock *time.Time) {
		dropped, kept := hold(t, tables, ana, shop), hold(t, tables, ana, shop)
		found, err := tables.Find(t.Context(), dropped, ana.By, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := tables.Drop(t.Context(), found); err != nil {
			t.Fatal(err)
		}
		if _, err := tables.Find(t.Context(), dropped, ana.By, false); errs.KindOf(err) != errs.NotFound {
			t.Errorf("dropped: %v", err)
		}
		for _, name := range names(t, tables) {
			if !strings.HasPrefix(name, kept+"/") {
				t.Errorf("%s is left", name)
			}
		}
		if err := tables.Expire(t.Context()); err != nil || len(names(t, tables)) != 1 {
			t.Errorf("within its day: %v, %v", names(t, tables), err)
		}
		*clock = clock.Add(tablestore.For + time.Minute)
		if err := tables.Expire(t.Context()); err != nil || len(names(t, tables)) != 0 {
			t.Errorf("after its day: %v, %v", names(t, tables), err)
		}
	})
}

// A table is one object, and a second one has how it is read and who has said so.
func TestATableIsTwoObjects(t *testing.T) {
	both(t, func(t *testing.T, tables *tablestore.Tables, _ *time.Time) {
		id := hold(t, tables, ana, shop)
		say := func(by, value string) error {
			found, err := tables.Find(t.Context(), id, ana.By, false)
			if err != nil {
				return err
			}
			_, err = tables.Say(t.Context(), found, by, map[string]string{"unmatched": value})
			return err
		}
		if err := errors.Join(say("ben", "allow"), say("ana", "error"), say("ben", "allow")); err != nil {
			t.Fatal(err)
		}
		found, err := tables.Find(t.Context(), id, ana.By, false)
		if err != nil || found.Settings["unmatched"] != "allow" || !slices.Equal(found.SaidBy, []string{"ben", "ana"}) {
			t.Errorf("%v said by %q, %v", found.Settings, found.SaidBy, err)
		}
		if diff := cmp.Diff([]string{id + "/settings-003", id + "/table"}, names(t, tables)); diff != "" {
			t.Errorf("objects (-want +got):\n%s", diff)
		}
	})
}

// TestARefusedTableIsNotStored leaves nothing of a table that is refused, or breaks off.
func TestARefusedTableIsNotStored(t *testing.T) {
	both(t, func(t *testing.T, tables *tablestore.Tables, _ *time.Time) {
		broken := errs.New(errs.Unavailable, "broken")
		for name, test := range map[string]struct {
			in   io.Reader
			want errs.Kind
		}{
			"an open quote": {strings.NewReader(shop + "\"a-3,12.00\n"), errs.Invalid},
			"broken off":    {io.MultiReader(strings.NewReader(shop), &failing{broken}), errs.Unavailable},
		} {
			if _, err := tables.Hold(t.Context(), test.in, ana, table.Settings{}); errs.KindOf(err) != test.want {
				t.Errorf("%s: %v", name, err)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := tables.Hold(ended, strings.NewReader(shop), ana, table.Settings{}); err == nil {
			t.Error("held though the request had ended")
		}
		if left := names(t, tables); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// TestOldestGo keeps the newest tables of each person.
func TestOldestGo(t *testing.T) {
	clock := time.Now().UTC()
	tables := inFolder(t, &clock)
	other := hold(t, tables, tablestore.Sent{By: "ben@example.com", File: "b.csv"}, shop)
	first := hold(t, tables, ana, shop)
	var last string
	for range 50 {
		clock = clock.Add(time.Second)
		last = hold(t, tables, ana, shop)
	}
	if _, err := tables.Find(t.Context(), first, ana.By, false); errs.KindOf(err) != errs.NotFound {
		t.Errorf("the first of 51: %v", err)
	}
	for id, who := range map[string]string{last: ana.By, other: "ben@example.com"} {
		if _, err := tables.Find(t.Context(), id, who, false); err != nil {
			t.Errorf("%s's: %v", who, err)
		}
	}
	if left := len(names(t, tables)); left != 51 {
		t.Errorf("%d objects are left", left)
	}
}

// TestReceived holds a table whose bytes were sent to the bucket itself.
func TestReceived(t *testing.T) {
	tables := inCloud(t)
	var text bytes.Buffer
	text.WriteString("sku,category,price\n")
	for i := range 50_000 {
		fmt.Fprintf(&text, "a-%d,c%d,%d.50\n", i, i%9, i%100)
	}
	id, address, err := tables.Receive(t.Context(), ana, int64(text.Len()), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tables.Find(t.Context(), id, ana.By, false); errs.KindOf(err) != errs.NotFound {
		t.Errorf("before it was sent: %v", err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Fatalf("sending: %d", answer.StatusCode)
	}
	found, err := tables.Find(t.Context(), id, ana.By, false)
	if err != nil || found.By != ana.By || found.File != ana.File {
		t.Fatalf("%+v, %v", found, err)
	}
	var progress int64
	shown, err := tables.Show(t.Context(), found, table.Settings{}, func(bytes int64) { progress = bytes })
	if err != nil || shown.Rows != 50_000 || progress != found.Size || shown.Names.Total.Categories != 9 {
		t.Errorf("%d rows, told of %d bytes of %d, %v", shown.Rows, progress, found.Size, err)
	}
}

func TestReceiveNothingTooLarge(t *testing.T) {
	clock := time.Now()
	for size, want := range map[int64]errs.Kind{0: errs.Invalid, tablestore.MaxUploadBytes + 1: errs.Invalid, 1: errs.Conflict} {
		if _, _, err := inFolder(t, &clock).Receive(t.Context(), ana, size, ""); errs.KindOf(err) != want {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestCheckFile(t *testing.T) {
	for name, good := range map[string]bool{"p.csv": true, "Été 2026.TSV": true, ".csv": false, "a/b.csv": false, `a\b.csv`: false, "p.xlsx": false, "": false, ".p.csv": false, strings.Repeat("x", 300) + ".csv": false} {
		if err := tablestore.CheckFile(name); (err == nil) != good || err != nil && errs.KindOf(err) != errs.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// creating is a bucket in which one may create objects, and nothing else.
type creating struct{ bucket.Store }

func (creating) Stat(context.Context, string) (bucket.Object, error) {
	return bucket.Object{}, errs.New(errs.Denied, "Looking is not allowed.")
}

func (creating) Open(context.Context, string, int64) (io.ReadCloser, bucket.Object, error) {
	return nil, bucket.Object{}, errs.New(errs.Denied, "Reading is not allowed.")
}

func (creating) List(context.Context, string) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		yield(bucket.Object{}, errs.New(errs.Denied, "Listing is not allowed."))
	}
}

func (creating) Remove(context.Context, string, int64) error {
	return errs.New(errs.Denied, "Removing is not allowed.")
}

func TestBoundedOnlyCreates(t *testing.T) {
	both(t, func(t *testing.T, tables *tablestore.Tables, _ *time.Time) {
		only := tablestore.New(creating{tables.Bucket})
		only.Bounded = true
		id := hold(t, only, ana, shop)
		if _, err := tables.Find(t.Context(), id, ana.By, false); err != nil {
			t.Error(err)
		}
		only.Bounded = false
		if _, err := only.Hold(t.Context(), strings.NewReader(shop), ana, table.Settings{}); errs.KindOf(err) != errs.Denied {
			t.Errorf("in a bucket without bounds: %v", err)
		}
	})
}
