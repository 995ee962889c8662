package pricing

import (
	"context"
	"io"
)

const (
	// defaultPieceSize is how much is written at a time: as much as stays in a
	// core's cache while it is hashed and written. A file system keeps pieces of a
	// power of two, one behind the other from a file's beginning, in large pages,
	// which cost it less.
	defaultPieceSize = 128 << 10
	// pieces are as many as let one be filled while others are written.
	pieces = 3
)

// An outlet gathers what is put into it in pieces. A piece goes from writer to
// writer while the next is filled, and comes back to be filled again.
type outlet struct {
	writers []io.Writer
	waiting []chan []byte // pieces: for each writer, and behind them to be filled
	size    int           // of a piece
	piece   []byte        // being filled
}

func newOutlet(size int, writers ...io.Writer) *outlet {
	o := &outlet{writers: writers, size: size}
	for range len(writers) + 1 {
		o.waiting = append(o.waiting, make(chan []byte, pieces))
	}
	for range pieces {
		o.waiting[len(writers)] <- nil // made when it is needed
	}
	return o
}

// put adds p to what is to be written. Only one may put or close at a time.
func (o *outlet) put(ctx context.Context, p []byte) error {
	for {
		filled := len(o.piece)
		n := copy(o.piece[filled:cap(o.piece)], p)
		o.piece = o.piece[:filled+n]
		if p = p[n:]; len(p) == 0 {
			return nil
		}
		if err := o.turn(ctx); err != nil {
			return err
		}
	}
}

// putLine adds a line that begins with a row's number to what is to be written.
func (o *outlet) putLine(ctx context.Context, row int64, rest []byte) error {
	if cap(o.piece)-len(o.piece) >= maxLineStart+len(rest) {
		o.piece = append(appendLineStart(o.piece, row), rest...)
		return nil
	}
	var number [maxLineStart]byte
	if err := o.put(ctx, appendLineStart(number[:0], row)); err != nil {
		return err
	}
	return o.put(ctx, rest)
}

// turn sends the piece off and takes an empty one.
func (o *outlet) turn(ctx context.Context) error {
	if o.piece != nil {
		o.waiting[0] <- o.piece
	}
	select {
	case o.piece = <-o.waiting[len(o.writers)]:
	case <-ctx.Done():
		return ctx.Err()
	}
	if o.piece == nil {
		o.piece = make([]byte, o.size)
	}
	o.piece = o.piece[:0]
	return nil
}

func (o *outlet) close() {
	if len(o.piece) > 0 {
		o.waiting[0] <- o.piece
	}
	close(o.waiting[0])
}

// serve writes to one of the writers all that is put, until the outlet is closed.
func (o *outlet) serve(ctx context.Context, writer int) error {
	for {
		select {
		case piece, more := <-o.waiting[writer]:
			if !more {
				close(o.waiting[writer+1])
				return nil
			}
			if n, err := o.writers[writer].Write(piece); err != nil {
				return err
			} else if n < len(piece) {
				return io.ErrShortWrite
			}
			o.waiting[writer+1] <- piece
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
