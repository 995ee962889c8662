// Package logging writes log/slog records as the JSON lines that Cloud Logging
// understands, with what the context knows about the work in hand.
//
// A message is a constant sentence and the data are attributes. Add puts an
// attribute, such as execution_id, on every later line of the same piece of
// work; nobody passes a logger along. Secrets and rows of a table are never logged.
package logging

import (
	"context"
	"io"
	"log/slog"
)

// Keys that Cloud Logging gives a meaning to.
const (
	traceKey   = "logging.googleapis.com/trace"
	spanKey    = "logging.googleapis.com/spanId"
	sampledKey = "logging.googleapis.com/trace_sampled"
)

// New returns a logger that writes one JSON object a line to w. Lines below level are dropped.
func New(w io.Writer, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: cloudNames}
	return slog.New(handler{slog.NewJSONHandler(w, options)})
}

// Discard is a logger that drops everything.
var Discard = slog.New(slog.DiscardHandler)

// cloudNames gives the built-in attributes the names and values of Cloud
// Logging's structured form.
func cloudNames(groups []string, a slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return a
	}
	switch a.Key {
	case slog.LevelKey:
		if level, ok := a.Value.Any().(slog.Level); ok {
			return slog.String("severity", severity(level))
		}
	case slog.MessageKey:
		a.Key = "message"
	}
	return a
}

func severity(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "ERROR"
	case level >= slog.LevelWarn:
		return "WARNING"
	case level >= slog.LevelInfo:
		return "INFO"
	default:
		return "DEBUG"
	}
}

// handler adds the attributes of the context's scopes to each record.
type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, record slog.Record) error {
	if s := scopeOf(ctx); s != nil {
		record = record.Clone()
		record.AddAttrs(s.all()...)
	}
	return h.Handler.Handle(ctx, record)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
