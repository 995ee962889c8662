package messages_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

const (
	executionID = "plan_told_v1"
	secret      = "0123456789abcdef"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// open returns a store with a plan whose record owes posts of these kinds.
func open(t *testing.T, kinds ...notices.Kind) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	written := &plan.Plan{ExecutionID: executionID, CreatedAt: "2026-03-01T10:00:00Z", SourceInstruction: "Set every\nprice < 5 & > €3.",
		Operations: []plan.Operation{{OperationID: "op_01", Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("5")}}}}
	stored := plans.New(written).Record
	stored.CreatedBy = "ana@shop.example"
	if err := store.CreatePlan(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	var result ledger.Result
	result.Did(pricing.Summary{Counts: pricing.Counts{RowsTotal: 9, RowsChanged: 3}, Effect: pricing.Effect{RowsRaised: 3}})
	record := ledger.Execution{
		ExecutionID: executionID, Status: ledger.Running, CreatedAt: noon,
		Proposal: &ledger.Proposal{Seal: ledger.Seal{Result: result}, ProposalSHA256: "ab"}, Seal: &ledger.Seal{Result: result},
	}
	for _, kind := range kinds {
		notice := notices.Step{ID: executionID + ".ab." + string(kind), Kind: kind, At: noon}
		record.Owed = append(record.Owed, ledger.Owed{Step: notice, PostAt: noon})
	}
	if _, err := store.CreateExecution(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	return store
}

func owed(t *testing.T, store *sqlite.Store) []ledger.Owed {
	t.Helper()
	record, err := store.Execution(t.Context(), executionID)
	if err != nil {
		t.Fatal(err)
	}
	return record.Owed
}

func configured(t *testing.T, settings map[string]string) messages.Config {
	t.Helper()
	settings["PUBLIC_URL"], settings["NOTIFY_SECRET"] = "https://shop.example/", secret
	r := config.Read(config.Map(settings))
	c := messages.ReadConfig(r)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// verify is the example of README.md: what a receiver does with a notice.
func verify(key []byte, header string, body []byte, now time.Time) error {
	var at, sum string
	for part := range strings.SplitSeq(header, ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			at = value
		case "v1":
			sum = value
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("not posted just now")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s", at, body)
	given, err := hex.DecodeString(sum)
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		return errors.New("not signed with our key")
	}
	return nil
}

// The example in README.md is the code that this test verifies with.
func TestTheReadmeShowsHowToVerify(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("messages_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(readme), "```go\n")
	example, _, found := strings.Cut(example, "```")
	if !found || !strings.Contains(string(source), example) {
		t.Errorf("not in this file:\n%s", example)
	}
}

// receiver is a webhook that verifies what it is sent, or answers as it is told.
type receiver struct {
	*httptest.Server
	t      *testing.T
	mu     sync.Mutex
	now    time.Time
	status int
	refuse string // ids that hold it are refused
	bodies []string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t, now: noon, status: http.StatusNoContent}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	header := request.Header.Get(messages.SignatureHeader)
	if err := verify([]byte(secret), header, body, r.now); err != nil {
		r.t.Errorf("%v: %q of %s", err, header, body)
	}
	if verify([]byte("another key here"), header, body, r.now) == nil || verify([]byte(secret), header, append(body, ' '), r.now) == nil ||
		verify([]byte(secret), header, body, r.now.Add(time.Hour)) == nil {
		r.t.Errorf("%q of %s verifies with another key, another body or an hour later", header, body)
	}
	switch id := request.Header.Get("Idempotency-Key"); {
	case r.refuse != "" && strings.Contains(id, r.refuse):
		w.WriteHeader(http.StatusBadRequest)
	case r.status == http.StatusTemporaryRedirect:
		http.Redirect(w, request, "http://elsewhere.example/", r.status)
	case r.status/100 == 2:
		r.bodies = append(r.bodies, id+" "+string(body))
		fallthrough
	default:
		w.WriteHeader(r.status)
	}
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.bodies...)
}

// set changes the receiver and lets time pass for both sides.
func (r *receiver) set(sender *messages.Sender, status int, after time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.now = status, r.now.Add(after)
	now := r.now
	sender.Now = func() time.Time { return now }
}

func (r *receiver) sender(store ledger.Store, settings map[string]string, log io.Writer) *messages.Sender {
	settings["NOTIFY_URL"] = r.URL + "/hook-secret"
	sender := messages.NewSender(store, configured(r.t, settings), slog.New(slog.NewTextHandler(log, nil)))
	sender.Now = func() time.Time { return noon }
	return sender
}

func run(t *testing.T, sender *messages.Sender, wantFailed int) {
	t.Helper()
	if failed, err := sender.Run(t.Context()); failed != wantFailed || err != nil {
		t.Errorf("%d posts failed, %v; want %d", failed, err, wantFailed)
	}
}

// TestANoticeIsSignedJSON posts to a receiver that verifies.
func TestANoticeIsSignedJSON(t *testing.T) {
	r, store := newReceiver(t), open(t, notices.Proposed, notices.Completed)
	sender := r.sender(store, map[string]string{"APPROVERS": "ben@shop.example,cat@shop.example", "VIEWERS": "eve@shop.example"}, io.Discard)
	run(t, sender, 0)
	run(t, sender, 0) // finds nothing
	got := r.got()
	if len(got) != 2 || len(owed(t, store)) != 0 {
		t.Fatalf("posted %q, and owed %+v", got, owed(t, store))
	}
	id, body, _ := strings.Cut(got[0], " ")
	var notice map[string]any
	if err := json.Unmarshal([]byte(body), &notice); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"id": executionID + ".ab.proposed", "kind": "proposed", "at": "2026-03-01T12:00:00Z", "execution_id": executionID,
		"roles": []any{"approver"}, "names": []any{"ben@shop.example", "cat@shop.example"},
		"headline": "A plan waits for an approval. No price and no stock was changed.", "instruction": "Set every\nprice < 5 & > €3.", "effect": "3 of 9 rows change: 3 prices rise",
		"by": "", "note": "", "code": "", "file": "/", "link": "https://shop.example/executions/" + executionID,
	}
	if diff := cmp.Diff(want, notice); diff != "" || id != notice["id"] {
		t.Errorf("%s:\n%s", id, diff)
	}
	if !strings.Contains(got[1], `"names":["ana@shop.example","eve@shop.example"]`) || !strings.Contains(got[1], `"roles":["planner","viewer"]`) {
		t.Errorf("the end is for %s", got[1])
	}
}

// TestEachHostHasItsForm posts to the hosts that have a form of their own.
func TestEachHostHasItsForm(t *testing.T) {
	for address, want := range map[string]string{
		"https://hooks.slack.com/services/T": `{"text":"*A plan was carried out.*\nInstruction: Set every price &lt; 5 &amp; &gt; €3.\nEffect: 3 of 9 rows change: 3 prices rise\n` +
			`For: ana@shop.example\nExecution: plan_told_v1\n<https://shop.example/executions/plan_told_v1|Open the page>"}`,
		"https://chat.googleapis.com/v1/spaces/x": `{"text":"*A plan was carried out.*\nInstruction: Set every price < 5 & > €3.\nEffect: 3 of 9 rows change: 3 prices rise\n` +
			`For: ana@shop.example\nExecution: plan_told_v1\nhttps://shop.example/executions/plan_told_v1"}`,
		"https://prod-1.westeurope.logic.azure.com/workflows/x": `{"attachments":[{"content":{"$schema":"http://adaptivecards.io/schemas/adaptive-card.json",` +
			`"actions":[{"title":"Open the page","type":"Action.OpenUrl","url":"https://shop.example/executions/plan_told_v1"}],"body":[` +
			`{"text":"A plan was carried out.","type":"TextBlock","weight":"bolder","wrap":true},` +
			`{"text":"Instruction: Set every price < 5 & > €3.","type":"TextBlock","weight":"default","wrap":true},` +
			`{"text":"Effect: 3 of 9 rows change: 3 prices rise","type":"TextBlock","weight":"default","wrap":true},` +
			`{"text":"For: ana@shop.example","type":"TextBlock","weight":"default","wrap":true},` +
			`{"text":"Execution: plan_told_v1","type":"TextBlock","weight":"default","wrap":true}],"type":"AdaptiveCard","version":"1.4"},` +
			`"contentType":"application/vnd.microsoft.card.adaptive"}],"type":"message"}`,
		"https://evil.example/hooks.slack.com": `{"id":"plan_told_v1.ab.completed","kind":"completed",`,
	} {
		var posted string
		sender := messages.NewSender(open(t, notices.Completed), configured(t, map[string]string{"NOTIFY_URL": address}), slog.New(slog.DiscardHandler))
		sender.Now, sender.Client = func() time.Time { return noon }, &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			posted = r.URL.String() + " " + string(body)
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, err
		})}
		run(t, sender, 0)
		unescaped := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(posted)
		if !strings.HasPrefix(unescaped, address+" "+want) {
			t.Errorf("got  %s\nwant %s %s", unescaped, address, want)
		}
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// TestAReceiverThatIsDown comes back after a day, or does not for two.
func TestAReceiverThatIsDown(t *testing.T) {
	var logged bytes.Buffer
	r, store := newReceiver(t), open(t, notices.Failed, notices.Completed)
	sender := r.sender(store, map[string]string{}, &logged)
	r.set(sender, http.StatusServiceUnavailable, 0)
	run(t, sender, 2)
	run(t, sender, 0) // it is not waited for
	r.set(sender, http.StatusTemporaryRedirect, 30*time.Second)
	run(t, sender, 2) // nor followed elsewhere
	r.set(sender, http.StatusServiceUnavailable, time.Minute-time.Second)
	run(t, sender, 0)
	r.set(sender, http.StatusServiceUnavailable, time.Second)
	run(t, sender, 2)
	r.refuse = "failed" // one that the receiver never takes holds up no other
	r.set(sender, http.StatusOK, 23*time.Hour)
	run(t, sender, 1)
	if got := r.got(); len(got) != 1 || !strings.Contains(got[0], ".completed ") {
		t.Errorf("posted: %q", got)
	}
	tries := 0
	for ; len(owed(t, store)) > 0 && tries < 100; tries++ {
		r.set(sender, http.StatusOK, time.Hour)
		run(t, sender, 1)
	}
	text := logged.String()
	if tries != 25 || strings.Count(text, "alert=post_given_up") != 1 || !strings.Contains(text, "status 400") {
		t.Errorf("after %d tries more:\n%s", tries, text)
	}
	if strings.Contains(text, "hook-secret") || strings.Contains(text, secret) {
		t.Errorf("a secret is logged:\n%s", text)
	}
}

// TestNobodyListens has a port that nobody listens on, and a receiver that never answers.
func TestNobodyListens(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	var logged bytes.Buffer
	store := open(t, notices.Failed)
	c := configured(t, map[string]string{"NOTIFY_URL": "http://" + listener.Addr().String() + "/hook-secret"})
	sender := messages.NewSender(store, c, slog.New(slog.NewTextHandler(&logged, nil)))
	sender.Now = func() time.Time { return noon }
	run(t, sender, 1)
	if text := logged.String(); len(owed(t, store)) != 1 || !strings.Contains(text, "connection refused") || strings.Contains(text, "hook-secret") {
		t.Errorf("owed %+v:\n%s", owed(t, store), text)
	}
	sender.Now = func() time.Time { return noon.Add(time.Hour) }
	sender.Post = func(ctx context.Context, _ notices.Notice) error {
		deadline, limited := ctx.Deadline()
		if left := time.Until(deadline); !limited || left > 10*time.Second {
			t.Errorf("a post has %s, limited %t", left, limited)
		}
		return context.DeadlineExceeded
	}
	run(t, sender, 1)
}

// TestARunEnds begins no post that the next run would meet.
func TestARunEnds(t *testing.T) {
	store, now, posts := open(t, notices.Proposed, notices.Approved, notices.Failed, notices.Completed), noon, 0
	sender := messages.NewSender(store, configured(t, map[string]string{"NOTIFY_URL": "https://hooks.example/x"}), slog.New(slog.DiscardHandler))
	sender.Now = func() time.Time { return now }
	sender.Post = func(context.Context, notices.Notice) error { posts++; now = now.Add(20 * time.Second); return nil }
	run(t, sender, 0)
	if posts != 3 || len(owed(t, store)) != 1 {
		t.Errorf("%d posts, and owed %+v", posts, owed(t, store))
	}
}

// TestNothingIsLostInACrash ends between a post and the note that it was made.
func TestNothingIsLostInACrash(t *testing.T) {
	store, ids := open(t, notices.Completed), []string{}
	sender := messages.NewSender(crashing{store}, configured(t, map[string]string{"NOTIFY_URL": "https://hooks.example/x"}), slog.New(slog.DiscardHandler))
	sender.Post = func(_ context.Context, n notices.Notice) error { ids = append(ids, n.ID); return nil }
	run(t, sender, 1)
	sender.Store = store
	run(t, sender, 0)
	if len(ids) != 2 || ids[0] != ids[1] || len(owed(t, store)) != 0 {
		t.Errorf("posted %q, and owed %+v", ids, owed(t, store))
	}
}

type crashing struct{ ledger.Store }

func (crashing) UpdateExecution(context.Context, ledger.Execution, ledger.Settlement) (ledger.Execution, error) {
	return ledger.Execution{}, errors.New("it went down")
}

// TestWithoutAWebhookNothingStaysOwed settles what nobody is to hear.
func TestWithoutAWebhookNothingStaysOwed(t *testing.T) {
	store := open(t, notices.Completed)
	run(t, messages.NewSender(store, messages.Config{}, slog.New(slog.DiscardHandler)), 0)
	if posts := owed(t, store); len(posts) != 0 {
		t.Errorf("still owed: %+v", posts)
	}
}

func TestReadConfigReportsEveryProblem(t *testing.T) {
	const public, url, key = "PUBLIC_URL", "NOTIFY_URL", "NOTIFY_SECRET"
	for _, test := range []struct {
		settings map[string]string
		want     []string // none: it is taken
	}{
		{map[string]string{}, nil},
		{map[string]string{public: "https://a.example", url: "https://hooks.slack.com/services/SECRET"}, nil},
		{map[string]string{public: "https://a.example", url: "http://localhost:80/SECRET", key: secret}, nil},
		{map[string]string{public: "https://a.example", url: "http://[::1]/SECRET", key: secret}, nil},
		{map[string]string{url: "http://hooks.example/SECRET", key: "SECRET"}, []string{"NOTIFY_URL must begin with https://", "PUBLIC_URL is not set", "NOTIFY_SECRET is too short"}},
		{map[string]string{public: "https://a.example", url: "https://user:SECRET@x.example/"}, []string{"NOTIFY_URL is no URL"}},
		{map[string]string{public: "https://a.example", url: "slack+https://x.example/SECRET"}, []string{"NOTIFY_URL must begin with https://"}},
		{map[string]string{public: "https://a.example", url: "https://x.example/SECRET"}, []string{"NOTIFY_SECRET is not set"}},
		{map[string]string{"NOTIFY_APPROVERS": "SECRET", "SMTP_ADDRESS": "SECRET"}, []string{"NOTIFY_APPROVERS, SMTP_ADDRESS: Planwright sends no e-mail", "set NOTIFY_URL"}},
		{map[string]string{"NOTIFY_SMTP": "SECRET"}, []string{"NOTIFY_SMTP: Planwright sends no e-mail"}},
		{map[string]string{"SMTP_PASSWORD": " "}, nil},
		{map[string]string{public: "http://127.0.0.1:80"}, nil},
		{map[string]string{public: "a.example"}, []string{"PUBLIC_URL is"}},
		{map[string]string{public: "https://a.example/path"}, []string{"PUBLIC_URL is"}},
		{map[string]string{public: "ftp://a"}, []string{"PUBLIC_URL is"}},
	} {
		r := config.Read(config.Map(test.settings))
		c := messages.ReadConfig(r)
		err := r.Err()
		if (err != nil) != (test.want != nil) {
			t.Errorf("%v: %v", test.settings, err)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SECRET@") || strings.Contains(err.Error(), "/SECRET") {
				t.Errorf("%v: no %q, or a secret, in %v", test.settings, want, err)
			}
		}
		if text := fmt.Sprintf("%v %+v", c, c); strings.Contains(text, "SECRET") {
			t.Errorf("a secret is printed: %s", text)
		}
	}
}
