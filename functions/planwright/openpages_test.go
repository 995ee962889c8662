package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestManyOpenPages has 1,500 pages open of a proposal of a plan as large as
// there may be: 100 operations with 400 exclusions each.
func TestManyOpenPages(t *testing.T) {
	const pages, id, most = 1500, "plan_of_many_words_v1", 400 // MiB
	s := start(t, t.TempDir())
	var operations []string
	for i := range 100 {
		var names []string
		for j := range 400 {
			names = append(names, fmt.Sprintf(`"A%d"`, 1000+i*400+j))
		}
		operations = append(operations, fmt.Sprintf(`{"operation_id": "op_%d", "filter": {"exclude_skus": [%s]}, "action": {"type": "percent_increase", "value": 1}}`, i, strings.Join(names, ",")))
	}
	plan := fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-03-01T10:00:00Z", "source_instruction": "Increase all prices.", "approval": "always", "operations": [%s]}`, id, strings.Join(operations, ","))
	if code, body := s.call(http.MethodPut, "/planner/v1/plans/"+id, "application/json", plan); code != http.StatusCreated {
		t.Fatalf("%d: %s", code, body)
	}
	var rows strings.Builder
	rows.WriteString("sku,price\n")
	for i := range 40_000 {
		fmt.Fprintf(&rows, "A%d,10.00\n", 1000+i)
	}
	s.drop(id+"/p.csv", rows.String())
	s.await(id, "proposed")
	ask := func(tag string) (next string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address+"/live/executions/"+id, nil)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("If-None-Match", tag)
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		n, err := io.Copy(io.Discard, answer.Body)
		if unchanged := answer.StatusCode == http.StatusNotModified; err != nil || n == 0 && !unchanged || tag != "" && !unchanged {
			t.Errorf("%d, %d bytes: %v", answer.StatusCode, n, err)
		}
		return answer.Header.Get("ETag")
	}
	var opened sync.WaitGroup
	for range pages {
		opened.Go(func() {
			tag, begun := "", time.Now()
			for wait := time.Second; time.Since(begun) < 10*time.Second; wait = wait * 3 / 2 { // as the pages ask
				tag = ask(tag)
				time.Sleep(wait)
			}
		})
	}
	opened.Wait()
	if peak := s.peak(); peak > most {
		t.Errorf("%d open pages: %d MiB, want at most %d", pages, peak, most)
	} else {
		t.Logf("%d open pages: %d MiB", pages, peak)
	}
	s.unharmed()
}

// peak is the memory that the server used at most, in MiB.
func (s *server) peak() (mebibytes int) {
	s.t.Helper()
	status := read(s.t, fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	_, peak, _ := strings.Cut(status, "VmHWM:")
	if _, err := fmt.Sscan(peak, &mebibytes); err != nil {
		s.t.Fatal(err)
	}
	return mebibytes >> 10
}

// What somebody looked at does not outlive a server that is killed.
func TestOpenTablesDoNotOutliveTheirServer(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	s := startWith(t, t.TempDir(), map[string]string{"TMPDIR": temporary})
	s.putPlan("plan_looked_at_v1")
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, err := parts.CreateFormFile("table", "p.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(part, goodTable)
	parts.Close()
	code, body := s.call(http.MethodPost, "/plans/plan_looked_at_v1/table", parts.FormDataContentType(), form.String(), "Accept", "text/html")
	if code != http.StatusOK || !strings.Contains(body, "32.99") {
		t.Fatalf("the page of a table: %d, %s", code, body)
	}
	s.kill()
	left, err := filepath.Glob(filepath.Join(temporary, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
