package firestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
)

// The collections of what is written to shops.
const (
	postingsCollection = "postings"
	shops              = "shops"
)

func (s *Store) posting(executionID string) *firestore.DocumentRef {
	return s.client.Collection(postingsCollection).Doc(executionID)
}

// shop is the lease of a shop. A URL is no name of a document.
func (s *Store) shop(url string) *firestore.DocumentRef {
	sum := sha256.Sum256([]byte(url))
	return s.client.Collection(shops).Doc(hex.EncodeToString(sum[:]))
}

func (c commit) createPosting(p postings.Posting) {
	if c.check(p.ExecutionID) {
		c.Create(c.store.posting(p.ExecutionID), c.Fields(p.Rounded()))
	}
}

func (s *Store) Posting(ctx context.Context, executionID string) (postings.Posting, error) {
	return get(ctx, s, executionID, "posting of "+executionID, s.posting, readPosting)
}

func (s *Store) UpdatePosting(ctx context.Context, next postings.Posting) (_ postings.Posting, err error) {
	c := s.commit("cannot update the posting of " + next.ExecutionID)
	next = next.Rounded()
	changed := stale("the posting of " + next.ExecutionID)
	if c.check(next.ExecutionID) {
		c.Replace(s.posting(next.ExecutionID), c.Fields(next), next.Revision, changed)
	}
	if next.Revision, err = c.Run(ctx, nil, changed); err != nil {
		return postings.Posting{}, err
	}
	return next, nil
}

const listingPostings = "cannot list the postings"

func (s *Store) PostingsDue(
	ctx context.Context, at time.Time, page paging.Page,
) (paging.List[postings.Posting], error) {
	query := s.client.Collection(postingsCollection).Where("due_at", "<=", at).OrderBy(
		"due_at", firestore.Asc,
	).OrderBy(firestore.DocumentID, firestore.Asc)
	return list(ctx, query, listingPostings, "postings due", page, readPosting,
		func(last postings.Posting) executionPlace {
			return executionPlace{last.DueAt, last.ExecutionID}
		})
}

func (s *Store) Postings(ctx context.Context, page paging.Page) (paging.List[postings.Posting], error) {
	query := s.client.Collection(postingsCollection).OrderBy("created_at", firestore.Desc).OrderBy(
		firestore.DocumentID, firestore.Desc,
	)
	return list(ctx, query, listingPostings, "postings", page, readPosting,
		func(last postings.Posting) executionPlace {
			return executionPlace{last.CreatedAt, last.ExecutionID}
		})
}

func readPosting(snapshot *firestore.DocumentSnapshot) (postings.Posting, error) {
	p := postings.Posting{Revision: firestoredb.Revision(snapshot.UpdateTime)}
	return p, firestoredb.Decode(snapshot.Data(), &p, "cannot read the posting of "+snapshot.Ref.ID)
}

func (s *Store) ShopLease(ctx context.Context, shop string) (postings.ShopLease, error) {
	const what = "cannot read who talks to the shop"
	lease := postings.ShopLease{Shop: shop}
	found, err := firestoredb.Get(ctx, s.client, what, s.shop(shop))
	if err != nil || !found[0].Exists() {
		return lease, err
	}
	lease.Revision = firestoredb.Revision(found[0].UpdateTime)
	return lease, firestoredb.Decode(found[0].Data(), &lease, what)
}

func (s *Store) PutShopLease(ctx context.Context, next postings.ShopLease) (_ postings.ShopLease, err error) {
	c := s.commit("cannot note who talks to the shop")
	next.Until = next.Until.UTC().Truncate(time.Microsecond)
	changed := errs.New(errs.Stale, "another has taken the shop meanwhile")
	if fields := c.Fields(next); next.Revision == "" {
		c.Create(s.shop(next.Shop), fields)
	} else {
		c.Replace(s.shop(next.Shop), fields, next.Revision, changed)
	}
	if next.Revision, err = c.Run(ctx, changed, changed); err != nil {
		return postings.ShopLease{}, err
	}
	return next, nil
}
