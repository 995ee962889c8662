package logging_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/logging"
)

// line logs through write and returns the one line as JSON, without its time.
func line(t *testing.T, write func(*slog.Logger)) map[string]any {
	t.Helper()
	var buffer bytes.Buffer
	write(logging.New(&buffer, slog.LevelInfo))
	if buffer.Len() == 0 {
		return nil
	}
	var got map[string]any
	if err := json.Unmarshal(buffer.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, buffer.String())
	}
	if _, ok := got["time"].(string); !ok {
		t.Errorf("no time in %v", got)
	}
	delete(got, "time")
	return got
}

func TestLinesHaveCloudLoggingNames(t *testing.T) {
	tests := []struct {
		name  string
		write func(*slog.Logger)
		want  map[string]any
	}{
		{"info", func(l *slog.Logger) { l.Info("plan stored", "rows", 2) },
			map[string]any{"severity": "INFO", "message": "plan stored", "rows": 2.0}},
		{"warning", func(l *slog.Logger) { l.Warn("m") }, map[string]any{"severity": "WARNING", "message": "m"}},
		{"error", func(l *slog.Logger) { l.Error("m") }, map[string]any{"severity": "ERROR", "message": "m"}},
		{"debug is dropped", func(l *slog.Logger) { l.Debug("m") }, nil},
		{"a group keeps its names", func(l *slog.Logger) { l.Info("m", slog.Group("g", "msg", "x")) },
			map[string]any{"severity": "INFO", "message": "m", "g": map[string]any{"msg": "x"}}},
		{"an attribute named level keeps its value", func(l *slog.Logger) { l.Info("m", "level", "high") },
			map[string]any{"severity": "INFO", "message": "m", "level": "high"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, line(t, tt.write)); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScopes(t *testing.T) {
	outer := logging.Scope(context.Background(), slog.String("request_id", "r1"))
	inner := logging.Scope(outer)
	logging.Add(inner, slog.String("execution_id", "first"))
	logging.Add(inner, slog.String("execution_id", "plan_a_v1"))
	logging.Add(context.Background(), slog.String("lost", "no scope"))

	got := line(t, func(l *slog.Logger) { l.With("service", "planner").InfoContext(inner, "m") })
	want := map[string]any{"severity": "INFO", "message": "m", "service": "planner", "request_id": "r1", "execution_id": "plan_a_v1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inner (-want +got):\n%s", diff)
	}
	got = line(t, func(l *slog.Logger) { l.InfoContext(outer, "m") })
	want = map[string]any{"severity": "INFO", "message": "m", "request_id": "r1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outer (-want +got):\n%s", diff)
	}
}

func TestTrace(t *testing.T) {
	const trace = "105445aa7843bc8bf206b12000100000"
	tests := []struct {
		name, project, header, value string
		want                         map[string]any
	}{
		{"W3C", "p", "traceparent", "00-" + trace + "-09158d8185d3c3af-01",
			map[string]any{"logging.googleapis.com/trace": "projects/p/traces/" + trace, "logging.googleapis.com/spanId": "09158d8185d3c3af", "logging.googleapis.com/trace_sampled": true}},
		{"Google Cloud", "p", "X-Cloud-Trace-Context", trace + "/17;o=0",
			map[string]any{"logging.googleapis.com/trace": "projects/p/traces/" + trace, "logging.googleapis.com/spanId": "0000000000000011", "logging.googleapis.com/trace_sampled": false}},
		{"trace alone", "p", "X-Cloud-Trace-Context", trace,
			map[string]any{"logging.googleapis.com/trace": "projects/p/traces/" + trace, "logging.googleapis.com/trace_sampled": false}},
		{"no project", "", "traceparent", "00-" + trace + "-09158d8185d3c3af-01", map[string]any{}},
		{"not a trace", "p", "X-Cloud-Trace-Context", "x\ny", map[string]any{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]any{}
			for _, a := range logging.Trace(tt.project, http.Header{http.CanonicalHeaderKey(tt.header): {tt.value}}) {
				got[a.Key] = a.Value.Any()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
		})
	}
}
