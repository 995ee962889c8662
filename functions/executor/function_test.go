package executor

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// cloud is the deployed function over Google's Firestore emulator and a Cloud
// Storage server, told of its uploads by pushes of Pub/Sub.
type cloud struct {
	t       *testing.T
	url     string
	storage *fakestorage.Server
	store   ledger.Store
	last    int
}

func deploy(t *testing.T) *cloud {
	t.Helper()
	project, server := frameworktest.Cloud(t)
	store, err := firestore.Open(t.Context(), project, "(default)")
	if err != nil {
		t.Fatal(err)
	}
	return &cloud{t: t, url: frameworktest.Serve(t, "Executor"), storage: server, store: store}
}

// upload puts an object into the inbox and returns its resource as JSON, which
// a notification of Cloud Storage holds.
func (c *cloud) upload(name, content string) string {
	c.t.Helper()
	return c.uploadEncoded(name, content, "")
}

// uploadEncoded is upload with a content encoding, as gsutil cp -z sets it.
func (c *cloud) uploadEncoded(name, content, encoding string) string {
	c.t.Helper()
	c.storage.CreateObject(fakestorage.Object{
		ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "shop-inbox", Name: name, ContentEncoding: encoding},
		Content:     []byte(content),
	})
	object, err := c.storage.GetObject("shop-inbox", name)
	if err != nil {
		c.t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{
		"bucket": "shop-inbox", "name": name, "generation": fmt.Sprint(object.Generation), "size": fmt.Sprint(len(content)),
		"timeCreated": time.Now().UTC().Format(time.RFC3339Nano),
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return string(data)
}

// deliver pushes one message about an object, each under its own id, as
// https://cloud.google.com/pubsub/docs/push#receive_push describes it, and
// returns the status. The path names the topic, for the functions framework.
func (c *cloud) deliver(messageID int, object string) int {
	body, err := json.Marshal(map[string]any{
		"subscription": "projects/demo/subscriptions/shop-executor",
		"message": map[string]any{
			"messageId": fmt.Sprint(messageID), "message_id": fmt.Sprint(messageID), "publishTime": time.Now().UTC().Format(time.RFC3339Nano),
			"attributes": map[string]string{"eventType": "OBJECT_FINALIZE", "payloadFormat": "JSON_API_V1", "bucketId": "shop-inbox"},
			"data":       []byte(object),
		},
	})
	if err != nil {
		c.t.Error(err)
		return 0
	}
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+"/projects/demo/topics/shop-inbox", bytes.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Errorf("delivery %d was not answered: %v", messageID, err)
		return 0
	}
	defer response.Body.Close()
	body, _ = io.ReadAll(response.Body)
	if bytes.Contains(body, []byte("rpc error")) || bytes.Contains(body, []byte("googleapi")) {
		c.t.Errorf("delivery %d was answered with a back end's text: %s", messageID, body)
	}
	return response.StatusCode
}

func acknowledged(status int) bool { return status >= 200 && status < 300 }

// handle delivers an event until it is acknowledged.
func (c *cloud) handle(data string) {
	c.t.Helper()
	for range 20 {
		c.last++
		if acknowledged(c.deliver(c.last, data)) {
			return
		}
	}
	c.t.Fatalf("never acknowledged: %s", data)
}

func (c *cloud) object(bucket, name string) string {
	c.t.Helper()
	object, err := c.storage.GetObject(bucket, name)
	if err != nil {
		c.t.Errorf("%s/%s: %v", bucket, name, err)
	}
	return string(object.Content)
}

// TestDeployed serves the function once, as the platform does: it keeps its
// clients.
func TestDeployed(t *testing.T) {
	c := deploy(t)
	t.Run("each outcome", func(t *testing.T) { testOutcomes(t, c) })
	t.Run("storm", func(t *testing.T) { testStorm(t, c) })
	t.Run("compressed on its way", func(t *testing.T) { testCompressed(t, c) })
	t.Run("what an event claims", func(t *testing.T) { testClaims(t, c) })
	t.Run("the tree", func(t *testing.T) { testTree(t, c) })
}

// testTree checks that every outcome of the tests before is in the signed tree.
func testTree(t *testing.T, c *cloud) {
	c.handle(c.upload("elsewhere.csv", products)) // what came in while another signed is signed by now
	client, err := gcs.NewClient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	leaves := c.store.(merkle.LeafStore)
	checker, err := tree.NewChecker(t.Context(), leaves, gcs.New(client, "shop-audit"), "")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := checker.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	missing, err := leaves.Unlogged(t.Context(), 1)
	if err != nil || len(missing) > 0 || len(signed) < 3 {
		t.Errorf("%d leaves, and %d outcomes without one, %v", len(signed), len(missing), err)
	}
}

func testOutcomes(t *testing.T, c *cloud) {
	c.handle(c.upload(id+"/plan.json", plan))

	c.handle(c.upload(id+"/bad.csv", "sku,category,price,in_stock\nA101,fitness,cheap,true\n"))
	failed, err := c.store.Execution(t.Context(), id)
	if err != nil || failed.Status != ledger.Failed || failed.Error.Code != "invalid_csv" {
		t.Fatalf("after a bad table: %+v, %v", failed, err)
	}
	notice := c.object("shop-outbox", fmt.Sprintf("%s/bad.csv.failed-%d.txt", id, failed.Source.Generation))
	if !strings.Contains(notice, "row 2") || !strings.Contains(notice, "cheap") {
		t.Errorf("notice = %q", notice)
	}

	event := c.upload(id+"/p.csv", products)
	c.handle(event)
	c.completed(id, 2)
	c.handle(event)
	c.completed(id, 2)

	c.handle(c.upload(id+"/p.csv", products))
	outcomes, err := c.store.Audit(t.Context(), id, 100)
	if err != nil || len(outcomes) != 3 || outcomes[0].Status != ledger.Skipped {
		t.Errorf("after a second upload: %+v, %v", outcomes, err)
	}
	c.handle(c.upload("elsewhere.csv", products))
}

// completed holds what a completed execution must have left, after so many
// outcomes.
func (c *cloud) completed(id string, wantOutcomes int) {
	c.t.Helper()
	const output = "sku,category,price,in_stock\nA101,fitness,32.99,true\n"
	if got := c.object("shop-outbox", id+"/p.csv"); got != output {
		c.t.Errorf("output = %q", got)
	}
	outcomes, err := c.store.Audit(c.t.Context(), id, 100)
	if err != nil || len(outcomes) != wantOutcomes || outcomes[0].Status != ledger.Completed || !outcomes[0].Intact() {
		c.t.Fatalf("%d outcomes, %v; want %d, the newest completed", len(outcomes), err, wantOutcomes)
	}
	if got := c.object("shop-audit", "executions/"+id+".jsonl"); got != string(outcomes[0].Line()) {
		c.t.Errorf("audit file = %s", got)
	}
	changes, err := c.store.Changes(c.t.Context(), id, paging.Page{})
	if err != nil || len(changes.Items) != 1 || *changes.Items[0].After.Price != "32.99" {
		c.t.Errorf("changes = %+v, %v", changes, err)
	}
	history, err := c.store.SKUChanges(c.t.Context(), "A101", paging.Page{})
	if err != nil || len(history.Items) == 0 || history.Items[0].ExecutionID != id {
		c.t.Errorf("history = %+v, %v", history, err)
	}
}

// testStorm delivers one upload a hundred times under other event ids, sixteen
// at a time, each again until it is acknowledged.
func testStorm(t *testing.T, c *cloud) {
	const stormID = "plan_storm_v1"
	c.handle(c.upload(stormID+"/plan.json", strings.ReplaceAll(plan, id, stormID)))
	event := c.upload(stormID+"/p.csv", products)
	deliveries := make(chan int)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for eventID := range deliveries {
				for !acknowledged(c.deliver(eventID, event)) && !t.Failed() {
				}
			}
		})
	}
	for eventID := range 100 {
		deliveries <- 1000 + eventID
	}
	close(deliveries)
	wait.Wait()
	c.completed(stormID, 1)
	list, err := c.storage.ListObjectsWithOptionsPaginated("shop-outbox", fakestorage.ListOptions{Prefix: stormID + "/", Versions: true})
	if err != nil || len(list.Objects) != 1 {
		t.Errorf("%d objects in the outbox, %v; want one generation of one", len(list.Objects), err)
	}
	for _, object := range list.Objects {
		t.Logf("%s, generation %d, %d bytes, created %v, deleted %v", object.Name, object.Generation, object.Size, object.Created, object.Deleted)
	}
}

// testClaims sends events that say more than which upload they are about: of a table in
// nobody's folder, and of one that is not there.
func testClaims(t *testing.T, c *cloud) {
	const draftID = "plan_draft_v1"
	c.handle(c.upload(draftID+"/plan.json", strings.ReplaceAll(plan, id, draftID)))
	claims := map[string]any{"metadata": map[string]string{"execution-id": draftID, "uploaded-by": "ana@example.com", "columns": "price=sku"}}
	c.handle(forged(t, c.upload("held/loose.csv", products), claims))
	claims["name"], claims["generation"] = draftID+"/p.csv", "9000000000000000"
	c.handle(forged(t, c.upload("loose.csv", products), claims))
	if record, err := c.store.Execution(t.Context(), draftID); errs.KindOf(err) != errs.NotFound {
		t.Errorf("the draft was carried out: %+v, %v", record, err)
	}
}

// testCompressed uploads what gsutil cp -z makes of a table and of a plan. Each
// is refused by its first delivery, and its notice says what to do.
func testCompressed(t *testing.T, c *cloud) {
	const gzipID = "plan_compressed_v1"
	c.handle(c.upload(gzipID+"/plan.json", strings.ReplaceAll(plan, id, gzipID)))
	for _, file := range []struct{ name, content string }{{"p.csv", products}, {"plan.json", plan}} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := io.WriteString(w, file.content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		event := c.uploadEncoded(gzipID+"/"+file.name, packed.String(), "gzip")
		if status := c.deliver(2000, event); !acknowledged(status) {
			t.Errorf("%s was answered %d by its first delivery", file.name, status)
		}
		object, err := c.storage.GetObject("shop-inbox", gzipID+"/"+file.name)
		if err != nil {
			t.Fatal(err)
		}
		notice := c.object("shop-outbox", fmt.Sprintf("%s/%s.failed-%d.txt", gzipID, file.name, object.Generation))
		if !strings.Contains(notice, `content encoding "gzip"`) || !strings.Contains(notice, "Upload it again") {
			t.Errorf("the notice about %s = %q", file.name, notice)
		}
	}
	record, err := c.store.Execution(t.Context(), gzipID)
	if err != nil || record.Status != ledger.Failed || record.Error.Code != "invalid_file" {
		t.Errorf("after a compressed table: %+v, %v", record, err)
	}
}
