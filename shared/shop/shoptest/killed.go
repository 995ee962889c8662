package shoptest

import (
	"context"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/shop"
)

// A publisher over these is killed before its nth call, or right behind a write: each
// write counts twice.

type killedStore struct {
	*records
	k *killed
}

func (s killedStore) UpdatePosting(ctx context.Context, next postings.Posting) (postings.Posting, error) {
	s.k.step()
	stored, err := s.records.UpdatePosting(ctx, next)
	s.k.step()
	return stored, err
}

func (s killedStore) PutShopLease(ctx context.Context, next postings.ShopLease) (postings.ShopLease, error) {
	if next.Holder != "" && s.k.left < 0 { // the deferred release of one that is dead
		panic(errKilled)
	}
	s.k.step()
	return s.records.PutShopLease(ctx, next)
}

type killedShop struct {
	shop.Shop
	k *killed
}

func (s killedShop) Read(ctx context.Context, group string, ids []string) ([]shop.State, error) {
	s.k.step()
	return s.Shop.Read(ctx, group, ids)
}

func (s killedShop) Write(ctx context.Context, group string, set []shop.Set) ([]shop.Result, error) {
	s.k.step()
	results, err := s.Shop.Write(ctx, group, set)
	s.k.step()
	return results, err
}

type killedBucket struct {
	bucket.Bucket
	k *killed
}

func (b killedBucket) Create(
	ctx context.Context, name string, options bucket.CreateOptions,
) (bucket.Upload, error) {
	b.k.step()
	u, err := b.Bucket.Create(ctx, name, options)
	return killedUpload{u, b.k}, err
}

type killedUpload struct {
	bucket.Upload
	k *killed
}

func (u killedUpload) Commit() (bucket.Object, error) {
	object, err := u.Upload.Commit()
	u.k.step()
	return object, err
}
