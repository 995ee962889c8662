package logging

import (
	"context"
	"log/slog"
	"sync"
)

// scope is what is known about one piece of work. It can be added to from any
// goroutine that has the context.
type scope struct {
	parent *scope
	mu     sync.Mutex
	attrs  []slog.Attr
}

type scopeKey struct{}

// Scope opens a piece of work: what is added to the returned context is on its
// lines and not on those of ctx.
func Scope(ctx context.Context, attrs ...slog.Attr) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{parent: scopeOf(ctx), attrs: attrs})
}

// Add puts attributes on every later line of the innermost scope. One of a
// name that is there already takes its place. Without a scope it does nothing.
func Add(ctx context.Context, attrs ...slog.Attr) {
	s := scopeOf(ctx)
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range attrs {
		s.attrs = set(s.attrs, a)
	}
}

func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(scopeKey{}).(*scope)
	return s
}

// all returns the attributes of s and of the scopes around it; the innermost of a name wins.
func (s *scope) all() []slog.Attr {
	var attrs []slog.Attr
	if s.parent != nil {
		attrs = s.parent.all()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.attrs {
		attrs = set(attrs, a)
	}
	return attrs
}

func set(attrs []slog.Attr, a slog.Attr) []slog.Attr {
	for i := range attrs {
		if attrs[i].Key == a.Key {
			attrs[i] = a
			return attrs
		}
	}
	return append(attrs, a)
}
