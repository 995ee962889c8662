package gcs

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"cloud.google.com/go/storage"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

var (
	_ bucket.Parts = (*Bucket)(nil)
	_ bucket.Parts = (*Bucket)(nil)
)

// maxComposed is how many objects Cloud Storage composes at a time.
const maxComposed = 32

// Compose implements bucket.Parts. More parts than Cloud Storage composes at
// a time are composed in groups first. A group's object lies beside its first
// part, under its name and the number of parts, so that what removes the parts removes it too.
func (b *Bucket) Compose(
	ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object,
) (bucket.Object, error) {
	if err := bucket.Admit(ctx, name); err != nil {
		return bucket.Object{}, err
	}
	if err := bucket.AdmitParts(name, parts); err != nil {
		return bucket.Object{}, err
	}
	for len(parts) > maxComposed {
		var groups []bucket.Object
		for group := range slices.Chunk(parts, maxComposed) {
			made, err := b.composeOnce(ctx, fmt.Sprintf("%s+%d", group[0].Name, len(group)),
				bucket.CreateOptions{}, group)
			if err != nil {
				return bucket.Object{}, err
			}
			groups = append(groups, made)
		}
		parts = groups
	}
	return b.composeOnce(ctx, name, options, parts)
}

// composeOnce composes as many parts as Cloud Storage takes, unless an earlier attempt did.
func (b *Bucket) composeOnce(
	ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object,
) (bucket.Object, error) {
	want := bucket.Composed(parts)
	if there, err := b.Stat(ctx, name); errs.KindOf(err) != errs.NotFound {
		return b.found(there, err, want)
	}
	ctx, cancel := context.WithTimeout(ctx, b.callTimeout)
	defer cancel()
	attrs, err := b.composer(name, options, parts, want).Run(ctx)
	if err == nil {
		return b.found(object(attrs), nil, want)
	}
	// The name is taken (412, or 403 to those who may not replace), by us where
	// the first answer was lost, or a part is gone (404).
	if hasStatus(err, 412, 403, 404) {
		if there, lookErr := b.Stat(ctx, name); errs.KindOf(lookErr) != errs.NotFound {
			return b.found(there, lookErr, want)
		}
	}
	if hasStatus(err, 404) {
		return bucket.Object{}, errs.Wrap(errs.NotFound, err,
			"%s cannot be composed: one of its parts does not exist (any more) in %s.", name, b.name)
	}
	return bucket.Object{}, b.translate(err, "%s could not be composed", name)
}

func (b *Bucket) composer(
	name string, options bucket.CreateOptions, parts []bucket.Object, want bucket.Digest,
) *storage.Composer {
	var sources []*storage.ObjectHandle
	for _, part := range parts {
		sources = append(sources, b.handle.Object(part.Name).Generation(part.Generation))
	}
	composer := b.handle.Object(name).If(storage.Conditions{DoesNotExist: true}).ComposerFrom(sources...)
	composer.ContentType, composer.Metadata = options.ContentType, maps.Clone(options.Metadata)
	composer.CRC32C, composer.SendCRC32C = want.CRC32C, true
	return composer
}

// found is the end of a composition: the object that has the name, which must
// have the bytes that are wanted.
func (b *Bucket) found(there bucket.Object, err error, want bucket.Digest) (bucket.Object, error) {
	if err == nil && !want.Matches(there) {
		err = errs.New(errs.Conflict, "%s exists already in %s, with other bytes.", there.Name, b.name)
	}
	return there, err
}
