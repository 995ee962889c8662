package console_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/functions/browsertest"
	"github.com/planwright/planwright/functions/frameworktest"
	_ "github.com/planwright/planwright/functions/sweeper" // registers the function
	"github.com/planwright/planwright/shared/agents/goalplanning/offline"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/identity/identitytest"
)

// geminiServer answers as Gemini: the agents of goal planning by the offline
// model, and the planner with one plan, or with that of a discount.
func geminiServer(t *testing.T) string {
	t.Helper()
	const (
		raise    = `{"operations":[{"operation_id":"a","filter":{"categories":["fitness"]},"action":{"type":"percent_increase","value":10}}]}`
		discount = `{"operations":[{"operation_id":"a","filter":{"categories":["yoga"]},"action":{"type":"percent_decrease","value":5}}]}`
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Contents          []*genai.Content
			SystemInstruction *genai.Content
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		answer := genai.NewContentFromText(raise, genai.RoleModel)
		if told, _ := json.Marshal(asked); bytes.Contains(told, []byte("Your internal name is")) {
			request := &model.LLMRequest{Contents: asked.Contents, Config: &genai.GenerateContentConfig{SystemInstruction: asked.SystemInstruction}}
			for response, err := range offline.Model.GenerateContent(r.Context(), request, false) {
				if err != nil {
					t.Error(err)
					return
				}
				answer = response.Content
			}
		} else if bytes.Contains(told, []byte("Discount all yoga")) {
			answer = genai.NewContentFromText(discount, genai.RoleModel)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"candidates": []any{map[string]any{"content": answer, "finishReason": "STOP"}}})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// deployed is the functions as the platform serves them, over Google's
// Firestore emulator and a Cloud Storage server.
type deployed struct {
	planner, executor, sessions, sweeper string
	storage                              *fakestorage.Server
}

func deploy(t *testing.T) deployed {
	t.Helper()
	d := deployed{}
	var err error
	d.storage, err = fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1", Writer: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.storage.Stop)
	for variable, name := range map[string]string{"INBOX_BUCKET": "shop-inbox", "OUTBOX_BUCKET": "shop-outbox", "AUDIT_BUCKET": "shop-audit", "TABLES_BUCKET": "shop-tables"} {
		d.storage.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: name, VersioningEnabled: true})
		t.Setenv(variable, name)
	}
	for variable, value := range map[string]string{
		"STORAGE_EMULATOR_HOST": strings.TrimPrefix(d.storage.URL(), "http://"), "GOOGLE_CLOUD_PROJECT": firestoretest.Project(t),
		"GOOGLE_GEMINI_BASE_URL": geminiServer(t), "GOOGLE_API_KEY": "key-of-the-test", "GOOGLE_GENAI_USE_VERTEXAI": "",
		"APPROVERS": "ana@example.com",
	} {
		t.Setenv(variable, value)
	}
	d.planner, d.executor = frameworktest.Serve(t, "Planner"), frameworktest.Serve(t, "Executor")
	d.sessions, d.sweeper = frameworktest.Serve(t, "Session"), frameworktest.Serve(t, "Sweeper")
	return d
}

// announce tells the executor of every upload, as Cloud Storage does through
// Pub/Sub, until it is acknowledged.
func (d deployed) announce(t *testing.T) {
	t.Helper()
	listed, err := d.storage.ListObjectsWithOptionsPaginated("shop-inbox", fakestorage.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range listed.Objects {
		data, err := json.Marshal(map[string]any{
			"bucket": "shop-inbox", "name": object.Name, "generation": fmt.Sprint(object.Generation), "size": fmt.Sprint(object.Size),
			"timeCreated": time.Now().UTC().Format(time.RFC3339Nano), "metadata": object.Metadata,
		})
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(map[string]any{"subscription": "projects/demo/subscriptions/shop-executor", "message": map[string]any{
			"messageId": "1", "publishTime": time.Now().UTC().Format(time.RFC3339Nano), "data": data,
			"attributes": map[string]string{"eventType": "OBJECT_FINALIZE", "payloadFormat": "JSON_API_V1", "bucketId": "shop-inbox"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.Post(d.executor+"/projects/demo/topics/shop-inbox", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode >= 300 {
			t.Fatalf("%s: %d", object.Name, answer.StatusCode)
		}
	}
}

// sweep does what the clock does each minute.
func (d deployed) sweep(t *testing.T) {
	t.Helper()
	answer, err := http.Post(d.sweeper+"/due", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || strings.TrimSpace(string(text)) != `{"failed":0}` {
		t.Fatalf("%d %s %v", answer.StatusCode, text, err)
	}
}

// cloudRun stands before a function as Cloud Run does: it lets in who brings the
// token, and takes the signature off the one in Authorization where that is the
// only one.
func cloudRun(t *testing.T, function, token string) *httptest.Server {
	t.Helper()
	behind, err := url.Parse(function)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first := r.Header.Get("X-Serverless-Authorization")
		if first == "" {
			first = r.Header.Get("Authorization")
			r.Header.Set("Authorization", first[:strings.LastIndexByte(first, '.')+1]+"SIGNATURE_REMOVED_BY_GOOGLE")
		}
		if first != "Bearer "+token {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

// googleKeys has the keys of Google's tokens be those of an issuer, for as long
// as the test runs.
func googleKeys(t *testing.T, issuer identitytest.Issuer) {
	t.Helper()
	keys := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list, err := issuer.RoundTrip(r)
		if err == nil {
			_, _ = io.Copy(w, list.Body)
		}
	}))
	t.Cleanup(keys.Close)
	network := http.DefaultTransport.(*http.Transport)
	t.Cleanup(func() { http.DefaultTransport = network })
	diverted := network.Clone()
	diverted.DialTLSContext = func(ctx context.Context, kind, address string) (net.Conn, error) {
		if address == "www.googleapis.com:443" || address == "www.gstatic.com:443" {
			return (&net.Dialer{}).DialContext(ctx, kind, keys.Listener.Addr().String())
		}
		return (&tls.Dialer{}).DialContext(ctx, kind, address)
	}
	http.DefaultTransport = diverted
}

// startConsole starts planwright console over the functions, signed in as Ana,
// and returns its address.
func startConsole(t *testing.T, d deployed) string {
	t.Helper()
	issuer := identitytest.New(t)
	googleKeys(t, issuer)
	token := issuer.Token(t, map[string]any{
		"iss": "https://accounts.google.com", "aud": identity.GcloudAudience, "exp": time.Now().Add(time.Hour).Unix(),
		"email": "ana@example.com", "email_verified": true,
	})
	planner, sessions := cloudRun(t, d.planner, token), cloudRun(t, d.sessions, token)
	folder := t.TempDir()
	binary := filepath.Join(folder, "planwright")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../planwright").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	trusted := filepath.Join(folder, "trusted.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: planner.Certificate().Raw})
	for name, content := range map[string]string{"gcloud": "#!/bin/sh\necho " + token + "\n", "trusted.pem": string(certificate)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, binary, "console", "--planner-url", planner.URL, "--session-url", sessions.URL, "--inbox", "gs://shop-inbox", "--port", "0")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "SSL_CERT_FILE="+trusted)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // it was interrupted
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), "The console is on ")
	if !found {
		t.Fatalf("it says %q (%v)", line, err)
	}
	return address
}

// TestOverDeployedFunctions is the whole way of a change through planwright
// console, over the functions as the platform serves them, with the rights of
// one person.
func TestOverDeployedFunctions(t *testing.T) {
	browser := browsertest.New(t)
	d := deploy(t)
	b := tab{browser, startConsole(t, d), nil}
	export, err := os.ReadFile(filepath.Join("..", "..", "testdata", "shopify_export.csv"))
	if err != nil {
		t.Fatal(err)
	}

	export = bytes.ReplaceAll(export, []byte("Fitness"), []byte("fitness")) // the model's word for it
	b.begin("products_export.csv", string(export), ambiguous)
	b.press("Increase by 10% (3)")
	b.Shows("of 7 change", "KB-12", "39.90", "43.89")
	b.press("Apply 3 changes")
	b.Shows("Starting")
	d.announce(t)
	b.Shows("Done. 3 prices are in the file.", "KB-12")
	b.opened("details")
	b.press("Check the record")
	b.Shows("The one document is as it was written")
	if output := b.fetch(`document.querySelector("a[href$='/files/output']").href`); !strings.Contains(output, ",54.89,") {
		t.Errorf("downloaded\n%s", output)
	}
	b.press("KB-12")
	b.Shows("SKU KB-12", "39.90", "43.89")
	b.open("/executions")
	b.Shows("To do", "Import", "3 products")
	b.press(ambiguous)
	b.press("Undo")
	b.Shows("Starting", "begins by itself, within a minute")
	d.sweep(t)
	b.Shows("Undone. 3 prices are as before", "43.89", "39.90")
	if output := b.fetch(`document.querySelector("a[href$='/files/output']").href`); output != string(export) {
		t.Errorf("taken back to\n%s", output)
	}

	b.begin("products.csv", products, "Discount all yoga products by 5%.")
	b.Shows("of 4 change")
	b.press("Save draft")
	b.Shows("Draft, not applied")
	b.opened("details")
	b.Shows("Read by gemini", "and in the same way without it")
	b.press("Edit and apply")
	b.Shows("of 4 change")
	b.press("Ask for approval")
	b.Shows("Starting")
	d.announce(t)
	b.Shows("Approve it?", "B201")
	b.press("Approve")
	b.Shows("Approved by ana@example.com")
	d.sweep(t)
	b.Shows("Done. 1 price is in the file.", "Approved by ana@example.com")

	b.begin("products.csv", products, "Zhuzh up fitness by 10%.")
	b.Shows("of 4 change", "You changed this file once already.")
	b.press("No, on the original")
	b.Shows("of 4 change", "does not vouch for it")
	b.Until(`!document.body.innerText.includes("Apply 3")`)
	b.press("Save draft")
	b.opened("details")
	b.Shows("Draft, not applied", "alone, so somebody must approve the result")

	b.open("/goal")
	b.fill("message", "Build a web shop.")
	b.fill("hours", "20")
	b.press("Send")
	b.Shows("The plan so far", "of 20 h that you have")
}
