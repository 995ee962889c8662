package bucket

import (
	"context"
	"iter"
)

// Lister is a bucket whose objects can be listed.
type Lister interface {
	// List goes through every generation that Open can read of every object
	// that was put there from outside, in no order. An object that comes or
	// goes meanwhile may be missed. The first error ends the sequence.
	List(ctx context.Context) iter.Seq2[Object, error]
}

// OrderedLister lists in the order of names.
type OrderedLister interface {
	Lister
	// ListFrom does as List, without the objects whose names come before from.
	ListFrom(ctx context.Context, from string) iter.Seq2[Object, error]
}
