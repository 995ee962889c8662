package shoptest

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
)

// records is the part of a ledger that a publisher uses, in memory.
type records struct {
	ledger.Store
	mu       sync.Mutex
	writes   int
	records  map[string]ledger.Execution
	postings map[string]postings.Posting
	leases   map[string]postings.ShopLease
}

func newRecords() *records {
	return &records{
		records:  map[string]ledger.Execution{},
		postings: map[string]postings.Posting{},
		leases:   map[string]postings.ShopLease{},
	}
}

func (s *records) revision() string {
	s.writes++
	return strconv.Itoa(s.writes)
}

func (s *records) Execution(_ context.Context, id string) (ledger.Execution, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	record, exists := s.records[id]
	if !exists {
		return record, errs.New(errs.NotFound, "there is no execution %s", id)
	}
	return record, nil
}

func (s *records) Posting(_ context.Context, id string) (postings.Posting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	posting, exists := s.postings[id]
	if !exists {
		return posting, errs.New(errs.NotFound, "there is no posting of %s", id)
	}
	posting.Left = slices.Clone(posting.Left)
	return posting, nil
}

func (s *records) UpdatePosting(_ context.Context, next postings.Posting) (postings.Posting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.postings[next.ExecutionID].Revision != next.Revision {
		return postings.Posting{}, errs.New(errs.Stale, "the posting of %s was changed", next.ExecutionID)
	}
	next = next.Rounded()
	next.Revision = s.revision()
	s.postings[next.ExecutionID] = next
	return next, nil
}

func (s *records) PostingsDue(
	_ context.Context, at time.Time, _ paging.Page,
) (list paging.List[postings.Posting], err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, posting := range s.postings {
		if !posting.DueAt.IsZero() && !posting.DueAt.After(at) {
			list.Items = append(list.Items, posting)
		}
	}
	slices.SortFunc(list.Items, func(a, b postings.Posting) int { return a.DueAt.Compare(b.DueAt) })
	return list, nil
}

func (s *records) ShopLease(_ context.Context, shop string) (postings.ShopLease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lease := s.leases[shop]
	lease.Shop = shop
	return lease, nil
}

func (s *records) PutShopLease(_ context.Context, next postings.ShopLease) (postings.ShopLease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leases[next.Shop].Revision != next.Revision {
		return postings.ShopLease{}, errs.New(errs.Stale, "another has taken the shop")
	}
	next.Revision = s.revision()
	s.leases[next.Shop] = next
	return next, nil
}

// objects is a bucket in memory.
type objects struct {
	name string
	mu   sync.Mutex
	data map[string][]byte
	// denies says that a look at what is not there is denied, as Cloud Storage does where
	// one may not list names.
	denies bool
}

func newObjects(name string) *objects { return &objects{name: name, data: map[string][]byte{}} }

func (o *objects) Name() string { return o.name }

func (o *objects) Stat(_ context.Context, name string) (bucket.Object, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	data, exists := o.data[name]
	if !exists && o.denies {
		return bucket.Object{}, errs.New(errs.Denied, "nobody is told whether there is %s", name)
	} else if !exists {
		return bucket.Object{}, errs.New(errs.NotFound, "there is no %s", name)
	}
	return bucket.Object{Bucket: o.name, Name: name, Generation: 1, Size: int64(len(data))}, nil
}

func (o *objects) Open(ctx context.Context, name string, _ int64) (io.ReadCloser, bucket.Object, error) {
	object, err := o.Stat(ctx, name)
	if err != nil {
		return nil, object, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return io.NopCloser(bytes.NewReader(o.data[name])), object, nil
}

func (o *objects) Create(_ context.Context, name string, _ bucket.CreateOptions) (bucket.Upload, error) {
	return &upload{to: o, name: name}, nil
}

func (o *objects) put(name string, data []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, exists := o.data[name]; exists {
		return false
	}
	o.data[name] = bytes.Clone(data)
	return true
}

type upload struct {
	to   *objects
	name string
	bytes.Buffer
	bucket.Digest
}

func (u *upload) Write(data []byte) (int, error) {
	u.Digest.Write(data)
	return u.Buffer.Write(data)
}

func (u *upload) Abandon() {}

func (u *upload) Commit() (bucket.Object, error) {
	if !u.to.put(u.name, u.Bytes()) {
		return bucket.Object{}, errs.New(errs.Conflict, "there is a %s", u.name)
	}
	return u.to.Stat(context.Background(), u.name)
}
