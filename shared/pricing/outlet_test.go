package pricing

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"golang.org/x/sync/errgroup"
)

// TestOutlet puts texts of all sizes: every writer gets them all, in whole
// pieces.
func TestOutlet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var put bytes.Buffer
	var written [2]bytes.Buffer
	var sizes [2][]int
	var writers []io.Writer
	for i := range written {
		writers = append(writers, writerFunc(func(p []byte) (int, error) {
			sizes[i] = append(sizes[i], len(p))
			return written[i].Write(p)
		}))
	}
	o := newOutlet(defaultPieceSize, writers...)
	group, ctx := errgroup.WithContext(t.Context())
	for i := range writers {
		group.Go(func() error { return o.serve(ctx, i) })
	}
	for _, size := range []int{0, 1, defaultPieceSize - 1, defaultPieceSize, 3*defaultPieceSize + 1, 100, 200_000, 300_000, 1_000_000} {
		text := make([]byte, size)
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		put.Write(text)
		if err := o.put(ctx, text); err != nil {
			t.Fatal(err)
		}
	}
	o.close()
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for i := range writers {
		if !bytes.Equal(written[i].Bytes(), put.Bytes()) {
			t.Errorf("writer %d was given %d bytes, not the %d that were put", i, written[i].Len(), put.Len())
		}
		for n, size := range sizes[i] {
			if last := n == len(sizes[i])-1; size != defaultPieceSize && !last || size == 0 {
				t.Errorf("writer %d: piece %d has %d bytes", i, n, size)
			}
		}
	}
}

// TestOutletWhoseWriterStands puts more than an outlet holds: it waits, and no
// longer than its context.
func TestOutletWhoseWriterStands(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	goesOn, ended := make(chan struct{}), make(chan error, 1)
	o := newOutlet(defaultPieceSize, writerFunc(func(p []byte) (int, error) {
		cancel()
		<-goesOn
		return len(p), nil
	}))
	go func() { ended <- o.serve(ctx, 0) }()
	if err := o.put(ctx, make([]byte, (pieces+1)*defaultPieceSize)); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v, want Canceled", err)
	}
	close(goesOn)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("serve: %v, want Canceled", err)
	}
}

// TestOutletWhoseWriterFails goes on putting until it hears of it.
func TestOutletWhoseWriterFails(t *testing.T) {
	broken := errors.New("broken")
	for range 100 {
		o := newOutlet(defaultPieceSize, io.Discard, writerFunc(func([]byte) (int, error) { return 0, broken }))
		group, ctx := errgroup.WithContext(t.Context())
		for i := range o.writers {
			group.Go(func() error { return o.serve(ctx, i) })
		}
		group.Go(func() error {
			piece := make([]byte, defaultPieceSize)
			for {
				if err := o.put(ctx, piece); err != nil {
					return err
				}
			}
		})
		if err := group.Wait(); !errors.Is(err, broken) {
			t.Fatalf("the first error is %v", err)
		}
	}
}

// TestOutletWithoutWriters takes all that is put.
func TestOutletWithoutWriters(t *testing.T) {
	o := newOutlet(defaultPieceSize)
	if err := o.put(t.Context(), make([]byte, 2*pieces*defaultPieceSize+1)); err != nil {
		t.Error(err)
	}
	o.close()
}
