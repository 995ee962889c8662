package buckettest

import (
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

// written are the names of the objects that Create wrote, sorted.
func written(t *testing.T, store bucket.Store, prefix string) (names []string) {
	t.Helper()
	for object, err := range bucket.Under(t.Context(), store, prefix) {
		expect.NoError(t, err)
		names = append(names, object.Name)
	}
	slices.Sort(names)
	return names
}

func testRemove(t *testing.T, s Subject) {
	keeper := s.Bucket.(bucket.Store)
	gone, kept := s.write(t, "held/one/table", []byte("one")), s.write(t, "held/two/table", []byte("two"))
	s.upload(t, "held/three/table", bucket.CreateOptions{}, []byte("three")) // not committed
	expect.Equal(t, "what begins so", []string{kept.Name}, written(t, keeper, "held/two/"))
	expect.Equal(t, "what was written", []string{gone.Name, kept.Name}, written(t, keeper, "held/"))
	for range 2 {
		checkKind(t, "Remove", keeper.Remove(t.Context(), gone.Name, gone.Generation), "")
	}
	checkKind(t, "Remove of what never was", keeper.Remove(t.Context(), "held/none", 7), "")
	checkKind(t, "Remove of another generation", keeper.Remove(t.Context(), kept.Name, kept.Generation+1), "")
	checkKind(t, "Remove of a name refused", keeper.Remove(t.Context(), "../x", 1), errs.Invalid)
	s.checkMissing(t, gone.Name)
	_, _, err := s.Bucket.Open(t.Context(), gone.Name, gone.Generation)
	checkKind(t, "Open of what was removed", err, errs.NotFound)
	s.checkBytes(t, kept, "two")
	expect.Equal(t, "what is left", []string{kept.Name}, written(t, keeper, "held/"))
	for range keeper.List(t.Context(), "") {
		break // which ends it
	}
	again := s.write(t, gone.Name, []byte("again"))
	s.checkBytes(t, again, "again")
}

func testCopy(t *testing.T, s Subject) {
	object := s.write(t, "held/one/table", []byte("one"))
	options := bucket.CreateOptions{
		ContentType: "text/csv",
		Metadata:    map[string]string{"execution-id": "plan_one_v1"},
	}
	made := expect.Result(bucket.Copy(
		t.Context(), s.Bucket, "plan_one_v1/p.csv", options, s.Bucket, object,
	))(t)
	s.checkBytes(t, made, "one")
	expect.ErrorIf(t, made.ContentType != "text/csv" || made.Metadata["execution-id"] != "plan_one_v1",
		"the copy is %+v", made)
	there, err := bucket.Copy(t.Context(), s.Bucket, "plan_one_v1/p.csv", options, s.Bucket, object)
	checkKind(t, "Copy to a name that is taken", err, errs.Conflict)
	checkObject(t, "the object that is there", there, made)
	object.Generation++
	checkKind(t, "Copy of a generation that is gone", expect.ErrorOf(bucket.Copy(
		t.Context(), s.Bucket, "plan_one_v1/q.csv", options, s.Bucket, object,
	)), errs.NotFound)
}
