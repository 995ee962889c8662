package logging

import (
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
)

// The two headers that name a trace: W3C's, and the older one of Google Cloud.
var (
	traceparent  = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})`)
	cloudContext = regexp.MustCompile(`^([0-9a-fA-F]{32})(?:/([0-9]{1,20}))?(?:;o=([01]))?$`)
)

// Trace returns the attributes that tie a line to the request's trace in the
// project, none where the headers name no trace or the project is unknown.
func Trace(project string, header http.Header) []slog.Attr {
	if project == "" {
		return nil
	}
	if m := traceparent.FindStringSubmatch(header.Get("traceparent")); m != nil {
		flags, _ := strconv.ParseUint(m[3], 16, 8) // two hex digits, by the pattern
		return traceAttrs(project, m[1], m[2], flags&1 == 1)
	}
	if m := cloudContext.FindStringSubmatch(header.Get("X-Cloud-Trace-Context")); m != nil {
		return traceAttrs(project, m[1], spanHex(m[2]), m[3] == "1")
	}
	return nil
}

func traceAttrs(project, trace, span string, sampled bool) []slog.Attr {
	attrs := []slog.Attr{
		slog.String(traceKey, "projects/"+project+"/traces/"+trace),
		slog.Bool(sampledKey, sampled),
	}
	if span != "" {
		attrs = append(attrs, slog.String(spanKey, span))
	}
	return attrs
}

// spanHex turns the decimal span id of the older header into the 16 hex digits
// that Cloud Logging expects.
func spanHex(decimal string) string {
	id, err := strconv.ParseUint(decimal, 10, 64)
	if err != nil || id == 0 {
		return ""
	}
	text := strconv.FormatUint(id, 16)
	return "0000000000000000"[len(text):] + text
}
