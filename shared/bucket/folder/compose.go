package folder

import (
	"context"

	"github.com/planwright/planwright/shared/bucket"
)

var _ bucket.Composer = (*Bucket)(nil)

func (b *Bucket) Compose(ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object) (bucket.Object, error) {
	return bucket.Concatenate(ctx, b, name, options, parts)
}
