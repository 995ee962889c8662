package sweeper

import (
	"os"
	"strings"
	"testing"

	cloudfirestore "cloud.google.com/go/firestore"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"google.golang.org/api/iterator"

	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/cloudstores"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/logging"
)

// documents are all those of a database, by path.
type documents map[string]map[string]any

func dump(t *testing.T, client *cloudfirestore.Client) documents {
	t.Helper()
	found := documents{}
	var collect func(collections *cloudfirestore.CollectionIterator)
	collect = func(collections *cloudfirestore.CollectionIterator) {
		for {
			collection, err := collections.Next()
			if err == iterator.Done {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			all, err := collection.Documents(t.Context()).GetAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, document := range all {
				found[strings.SplitN(document.Ref.Path, "/documents/", 2)[1]] = document.Data()
				collect(document.Ref.Collections(t.Context()))
			}
		}
	}
	collect(client.Collections(t.Context()))
	return found
}

// put writes documents as an import does: those that are there already become
// what they were, and others stay.
func (d documents) put(t *testing.T, client *cloudfirestore.Client) {
	t.Helper()
	for path, fields := range d {
		if _, err := client.Doc(path).Set(t.Context(), fields); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRestore is README.md's restore of the database, over Google's Firestore
// emulator: the signed tree stops, which is told, and goes on in a new epoch that
// is linked to what was signed before. What a restore took away is told too.
func TestRestore(t *testing.T) {
	project, storage := frameworktest.Cloud(t)
	client, err := cloudfirestore.NewClient(t.Context(), project)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	deploy := func(epoch string) *cloudstores.Stores {
		t.Helper()
		t.Setenv("AUDIT_EPOCH", epoch)
		c, err := execution.ReadConfig(os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		stores, err := cloudstores.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { stores.Close() })
		return stores
	}
	stores := deploy("0")
	carryOut := func(ids ...string) {
		t.Helper()
		for _, id := range ids {
			for name, content := range map[string]string{"plan.json": strings.ReplaceAll(planJSON, "plan_swept_v1", id), "p.csv": "sku,category,price,in_stock\nA1,x,9.00,true\n"} {
				storage.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "shop-inbox", Name: id + "/" + name}, Content: []byte(content)})
			}
		}
		round, err := stores.Ledger.InboxRound(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if failed, err := stores.Executor(logging.Discard).SweepInboxOn(t.Context(), stores.Inbox.List, round, stores.Ledger.SetInboxRound); failed != 0 || err != nil {
			t.Fatalf("failed %d times, %v", failed, err)
		}
		for _, id := range ids {
			if record, err := stores.Ledger.Execution(t.Context(), id); err != nil || record.Status != ledger.Completed {
				t.Fatalf("%s is %s, %v", id, record.Status, err)
			}
		}
	}
	sign := func() {
		t.Helper()
		if err := stores.Sign(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// verify returns the number of leaves, and what became of those signed before.
	verify := func() (int, error) {
		t.Helper()
		checker, err := tree.NewChecker(t.Context(), stores.Ledger, stores.Buckets.Audit, "")
		if err != nil {
			t.Fatal(err)
		}
		leaves, err := checker.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(leaves), checker.CheckRestored(t.Context(), leaves)
	}
	carryOut("plan_first_v1", "plan_second_v1")
	sign()
	before := dump(t, client)
	carryOut("plan_third_v1")
	sign()

	// An import over what is there: newer documents stay.
	before.put(t, client)
	carryOut("plan_fourth_v1")
	if err := stores.Sign(t.Context()); err == nil {
		t.Fatal("the tree goes on with numbers that it has given before")
	}
	stores = deploy("1")
	sign()
	if n, err := verify(); n != 4 || err != nil {
		t.Errorf("after an import: %d leaves, %v", n, err)
	}
	carryOut("plan_fifth_v1")
	sign()
	if n, err := verify(); n != 5 || err != nil {
		t.Errorf("later: %d leaves, %v", n, err)
	}

	// A backup in the place of the database, from before the first epoch ended.
	for path := range dump(t, client) {
		if _, kept := before[path]; !kept {
			if _, err := client.Doc(path).Delete(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	before.put(t, client)
	if err := stores.Sign(t.Context()); err == nil || !strings.Contains(err.Error(), "raise AUDIT_EPOCH") {
		t.Errorf("an epoch begins that was signed before: %v", err)
	}
	stores = deploy("2")
	sign()
	n, err := verify()
	if n != 2 || err == nil || !strings.Contains(err.Error(), "3 of the 5 documents") {
		t.Errorf("after a backup: %d leaves, %v", n, err)
	}
}
