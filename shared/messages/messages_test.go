package messages_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/messages/messagestest"
	"github.com/planwright/planwright/shared/plan"
)

const executionID = "plan_told_v1"

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// open returns a store with a plan and messages of these kinds.
func open(t *testing.T, kinds ...ledger.MessageKind) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	written := &plan.Plan{ExecutionID: executionID, CreatedAt: "2026-03-01T10:00:00Z", SourceInstruction: "Set every\nprice < 5 & > €3.",
		Operations: []plan.Operation{{OperationID: "op_01", Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("5")}}}}
	if err := store.CreatePlan(t.Context(), ledger.NewStoredPlan(written).PlanRecord); err != nil {
		t.Fatal(err)
	}
	record, err := store.CreateExecution(t.Context(), ledger.Execution{ExecutionID: executionID, Status: ledger.Running, CreatedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds {
		m := ledger.Message{ID: executionID + ".ab." + string(kind), Kind: kind, ExecutionID: executionID, At: noon, DueAt: noon, Effect: "3 of 9 rows change: 3 prices rise"}
		if record, err = store.UpdateExecution(t.Context(), record, ledger.Settlement{Message: &m}); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func configured(t *testing.T, settings map[string]string) messages.Config {
	t.Helper()
	settings["PUBLIC_URL"] = "https://shop.example/"
	r := config.Read(config.Map(settings))
	c := messages.ReadConfig(r)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// hook is a webhook that keeps what it is sent, or answers as it is told.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	bodies []string
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{status: http.StatusOK}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.status == http.StatusOK {
			h.bodies = append(h.bodies, r.Header.Get("Idempotency-Key")+" "+string(body))
		}
		if h.status/100 == 3 {
			w.Header().Set("Location", "https://elsewhere.example/")
		}
		w.WriteHeader(h.status)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) got() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.bodies...)
}

func (h *hook) answer(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// TestEachRoleIsToldInItsForm sends over HTTP and SMTP.
func TestEachRoleIsToldInItsForm(t *testing.T) {
	server, plain, forms := messagestest.Serve(t), newHook(t), newHook(t)
	store := open(t, ledger.ToldProposed, ledger.ToldCompleted)
	c := configured(t, map[string]string{
		"SMTP_ADDRESS": server.Address, "MAIL_FROM": "planwright@shop.example",
		"NOTIFY_APPROVERS": "Ben@shop.example, " + plain.URL,
		"NOTIFY_PLANNERS":  "slack+" + forms.URL + ", googlechat+" + forms.URL + "/g,teams+" + forms.URL + "/t",
	})
	sender := messages.NewSender(store, c, nil, slog.New(slog.DiscardHandler))
	for range 2 { // the second finds nothing
		if failed, err := sender.Run(t.Context()); failed != 0 || err != nil {
			t.Fatalf("%d failed, %v", failed, err)
		}
	}
	if got := plain.got(); len(got) != 1 || !strings.HasPrefix(got[0], executionID+".ab.proposed {") ||
		!strings.Contains(got[0], `"link":"https://shop.example/executions/plan_told_v1"`) || !strings.Contains(got[0], `"kind":"proposed"`) {
		t.Errorf("the webhook was told %q", got)
	}
	got := strings.Join(forms.got(), "\n")
	for _, want := range []string{
		`{"text":"*A plan was carried out.*\nInstruction: Set every price \u0026lt; 5 \u0026amp; \u0026gt; €3.\nEffect: 3 of 9 rows change`,
		`\u003chttps://shop.example/executions/plan_told_v1|Open the page\u003e"}`, "AdaptiveCard", `"url":"https://shop.example/executions/plan_told_v1"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if len(forms.got()) != 3 {
		t.Errorf("%d forms: %s", len(forms.got()), got)
	}
	mails := server.Mails()
	if len(mails) != 1 || mails[0].From != "planwright@shop.example" || mails[0].To != "ben@shop.example" {
		t.Fatalf("the mails: %+v", mails)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(mails[0].Header.Get("Subject"))
	text, wrong := base64.StdEncoding.DecodeString(strings.ReplaceAll(mails[0].Body, "\r\n", ""))
	if err != nil || wrong != nil || subject != "A plan waits for an approval. Set every price < 5 & > €3." ||
		!strings.Contains(string(text), "\r\n\r\nhttps://shop.example/executions/plan_told_v1\r\n") {
		t.Errorf("the mail: %q, %q, %v, %v", subject, text, err, wrong)
	}
	headers := mails[0].Header
	delete(headers, "Subject")
	if diff := cmp.Diff(mail.Header{
		"From": {"<planwright@shop.example>"}, "To": {"<ben@shop.example>"}, "Date": {"Sun, 01 Mar 2026 12:00:00 +0000"},
		"Message-Id": {"<" + executionID + ".ab.proposed@shop.example>"}, "Auto-Submitted": {"auto-generated"}, "Mime-Version": {"1.0"},
		"Content-Type": {"text/plain; charset=UTF-8"}, "Content-Transfer-Encoding": {"base64"},
	}, headers); diff != "" {
		t.Error(diff)
	}
}

// TestADeadEndpointDelaysNobody has one webhook that is down, and one that sends elsewhere.
func TestADeadEndpointDelaysNobody(t *testing.T) {
	down, moved, up := newHook(t), newHook(t), newHook(t)
	down.answer(http.StatusServiceUnavailable)
	moved.answer(http.StatusTemporaryRedirect)
	store := open(t, ledger.ToldFailed, ledger.ToldCompleted)
	var logged bytes.Buffer
	sender := messages.NewSender(store, configured(t, map[string]string{"NOTIFY_PLANNERS": down.URL + "/secret," + moved.URL + "," + up.URL}), nil, slog.New(slog.NewTextHandler(&logged, nil)))
	now := noon
	sender.Now = func() time.Time { return now }
	if failed, err := sender.Run(t.Context()); failed != 2 || err != nil || len(up.got()) != 2 {
		t.Fatalf("%d failed, %v; the one that is up has %q", failed, err, up.got())
	}
	if failed, _ := sender.Run(t.Context()); failed != 0 {
		t.Error("it is not waited for")
	}
	now = now.Add(time.Minute)
	moved.answer(http.StatusOK)
	if failed, err := sender.Run(t.Context()); failed != 2 || err != nil || len(up.got()) != 2 || len(moved.got()) != 2 {
		t.Fatalf("a minute later: %d, %v, %q, %q", failed, err, up.got(), moved.got())
	}
	tries := 0
	for ; tries < 100; tries++ {
		now = now.Add(6 * time.Hour)
		if failed, err := sender.Run(t.Context()); err != nil || failed == 0 {
			break
		}
	}
	if tries != 14 || strings.Count(logged.String(), "alert=message_given_up") != 2 || strings.Contains(logged.String(), "secret") || strings.Contains(logged.String(), "127.0.0.1") {
		t.Errorf("after %d tries more:\n%s", tries, logged.String())
	}
}

// TestNobodyIsLostInACrash ends between what is sent and the note that it was.
func TestNobodyIsLostInACrash(t *testing.T) {
	store, sent := open(t, ledger.ToldCompleted), 0
	c := configured(t, map[string]string{"NOTIFY_PLANNERS": "https://hooks.example/x"})
	send := func(context.Context, messages.Target, messages.Text) error { sent++; return nil }
	sender := messages.NewSender(crashing{store}, c, nil, slog.New(slog.DiscardHandler))
	sender.Send = send
	if _, err := sender.Run(t.Context()); err == nil || sent != 1 {
		t.Fatalf("%d sent, %v", sent, err)
	}
	sender.Store = store
	if failed, err := sender.Run(t.Context()); failed != 0 || err != nil || sent != 2 {
		t.Errorf("%d failed, %v; %d sent", failed, err, sent)
	}
}

type crashing struct{ *sqlite.Store }

func (crashing) UpdateMessage(context.Context, ledger.Message) error {
	return errors.New("it went down")
}

// TestNobodyToTell has what is due settled where no role hears of anything.
func TestNobodyToTell(t *testing.T) {
	store := open(t, ledger.ToldCompleted)
	if failed, err := messages.NewSender(store, messages.Config{}, nil, slog.New(slog.DiscardHandler)).Run(t.Context()); failed != 0 || err != nil {
		t.Fatal(failed, err)
	}
	if due, err := store.DueMessages(t.Context(), noon.Add(24*time.Hour), 10); len(due) != 0 || err != nil {
		t.Errorf("still due: %+v, %v", due, err)
	}
}

func TestReadConfigReportsEveryProblem(t *testing.T) {
	r := config.Read(config.Map(map[string]string{
		"NOTIFY_APPROVERS": "ben@shop.example,http://hooks.example/SECRET,fax+https://x.example/SECRET,nobody", "NOTIFY_VIEWERS": "https://user:SECRET@x.example/",
		"SMTP_ADDRESS": "smtp.example.com", "SMTP_USER": "u", "MAIL_FROM": "Planwright <p@shop.example>",
	}))
	messages.ReadConfig(r)
	err := r.Err()
	for _, want := range []string{
		"entry 2 of NOTIFY_APPROVERS must begin with https://", "entry 3 of NOTIFY_APPROVERS has a form", "entry 4 of NOTIFY_APPROVERS is neither",
		"entry 1 of NOTIFY_VIEWERS is no URL", "PUBLIC_URL is not set", "SMTP_ADDRESS is", "SMTP_USER and SMTP_PASSWORD", "MAIL_FROM is",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "SECRET") {
		t.Errorf("it tells a secret: %v", err)
	}
	for address, taken := range map[string]bool{"https://a.example": true, "http://127.0.0.1:80": true, "a.example": false, "https://a.example/path": false, "ftp://a": false} {
		r := config.Read(config.Map(map[string]string{"PUBLIC_URL": address}))
		if messages.ReadPublicURL(r); (r.Err() == nil) != taken {
			t.Errorf("%s: %v", address, r.Err())
		}
	}
}
