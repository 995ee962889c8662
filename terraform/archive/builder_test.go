package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// environment is what the built functions run with: stores that nobody serves,
// which are reached for by no call made here, and a key that is none.
var environment = []string{
	"GOOGLE_CLOUD_PROJECT=demo-archive", "FIRESTORE_EMULATOR_HOST=127.0.0.1:1", "STORAGE_EMULATOR_HOST=http://127.0.0.1:1",
	"GOOGLE_API_KEY=none", "INBOX_BUCKET=inbox", "OUTBOX_BUCKET=outbox", "AUDIT_BUCKET=audit",
	"PLANNER_URL=https://planner.example", "PUBLIC_URL=https://pages.example", "IAP_AUDIENCE=/projects/1/locations/r/services/pages", "CONSOLE_ACCOUNT=pages@demo.iam.gserviceaccount.com", "TOKEN_AUDIENCES=https://here.example", "GCE_METADATA_HOST=127.0.0.1:1",
	"TABLES_BUCKET=tables", "SHOP_KIND=woocommerce", "SHOP_URL=https://shop.example", "SHOP_KEY=none", "SHOP_SECRET=none",
}

// call is a request to a function, and what its answer holds.
type call struct {
	target               string
	method, path, body   string
	header               map[string]string
	wantStatus           int
	wantInBody, wantLogs string
}

var calls = map[string]call{
	"console": { // past Identity-Aware Proxy
		target: "Console", method: "GET", path: "/",
		wantStatus: http.StatusForbidden, wantInBody: "Identity-Aware Proxy alone",
	},
	"planner": {
		target: "Planner", method: "GET", path: "/v1/schema/execution_plan.json",
		wantStatus: http.StatusOK, wantInBody: "http://json-schema.org/draft-07/schema#",
	},
	"session": {
		target: "Session", method: "GET", path: "/list-apps",
		wantStatus: http.StatusOK, wantInBody: `["goal_planning_agent","poc6_sequential_failure"]`,
	},
	"shops": {
		target: "Shops", method: "GET", path: "/due",
		wantStatus: http.StatusMethodNotAllowed, wantInBody: "method_not_allowed",
	},
	"sweeper": {
		target: "Sweeper", method: "GET", path: "/due",
		wantStatus: http.StatusMethodNotAllowed, wantInBody: "method_not_allowed",
	},
	"executor": { // a push of Pub/Sub
		target: "Executor", method: "POST", path: "/projects/demo-archive/topics/inbox",
		body: `{"message":{"messageId":"1","attributes":{"eventType":"OBJECT_FINALIZE"},"data":"` + base64.StdEncoding.EncodeToString([]byte(
			`{"bucket":"another","name":"p.csv","generation":"1","size":"1","timeCreated":"2026-03-01T10:00:00Z"}`)) + `"}}`,
		header:     map[string]string{"Content-Type": "application/json"},
		wantStatus: http.StatusOK, wantLogs: `the inbox is \"inbox\"`,
	},
}

// TestArchivesBuildAndServe does with each archive what Google's builder does,
// with no module but those in the cache, and then what Cloud Run does.
func TestArchivesBuildAndServe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every function")
	}
	fillModuleCache(t)
	source := filepath.Join(t.TempDir(), "serverless_function_source_code") // one folder, so that what they share is compiled once
	for _, function := range functions {
		t.Run(function, func(t *testing.T) {
			call := calls[function]
			url, logs := serve(t, build(t, stage(t, source, function)), call.target)
			status, body := call.send(t, url)
			if status != call.wantStatus || !strings.Contains(body, call.wantInBody) {
				t.Errorf("%s %s = %d %s\nwant %d and %q", call.method, call.path, status, body, call.wantStatus, call.wantInBody)
			}
			if logged := logs(); !strings.Contains(logged, call.wantLogs) {
				t.Errorf("the log does not say %q:\n%s", call.wantLogs, logged)
			}
		})
	}
}

// fillModuleCache makes sure of the modules that tidying looks at, which are
// more than those that building or testing needs.
func fillModuleCache(t *testing.T) {
	t.Helper()
	tidy := exec.Command("go", "mod", "tidy", "-diff")
	tidy.Dir = repository
	if out, err := tidy.CombinedOutput(); err != nil {
		t.Fatalf("go mod tidy -diff: %v\n%s", err, out)
	}
}

// stage extracts a function's archive into the folder that the builder uses, of
// which nothing else is left.
func stage(t *testing.T, source, function string) string {
	t.Helper()
	var archive bytes.Buffer
	if err := write(&archive, repository, function); err != nil {
		t.Fatal(err)
	}
	reader, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(source); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(source, reader); err != nil {
		t.Fatal(err)
	}
	return source
}

// build makes a binary of staged source, step by step as the builder's
// functions framework part does: it takes the root's package for the function,
// adds a main beside it that imports it and starts the framework, tidies the
// module and builds that main.
func build(t *testing.T, source string) string {
	t.Helper()
	if module := run(t, source, "go", "list", "-m"); !strings.Contains(strings.Split(module, "/")[0], ".") {
		t.Fatalf("the builder refuses module %s: no dot in its first element", module)
	}
	root := run(t, source, "go", "list", "-f", "{{.ImportPath}} {{.Name}} {{.Imports}}", ".")
	name := strings.Fields(root)
	if name[1] == "main" || !strings.Contains(root, "functions-framework-go/functions") {
		t.Fatalf("the builder does not find a declared function in the root package: %s", root)
	}
	main := filepath.Join(source, "functions.local", "app")
	if err := os.MkdirAll(main, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "package main\n\nimport (\n\t\"log\"\n\t\"os\"\n\n\t\"github.com/GoogleCloudPlatform/functions-framework-go/funcframework\"\n\t_ \"" + name[0] + "\"\n)\n\n" +
		"func main() {\n\tif err := funcframework.Start(os.Getenv(\"PORT\")); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(main, "main.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, source, "go", "mod", "tidy")
	binary := filepath.Join(t.TempDir(), "main")
	run(t, source, "go", "build", "-o", binary, "./functions.local/app")
	return binary
}

// run runs a command offline and returns what it prints.
func run(t *testing.T, folder, command string, arguments ...string) string {
	t.Helper()
	c := exec.Command(command, arguments...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod "+cloudFlags(t), "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", command, strings.Join(arguments, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// serve starts a binary on the loopback interface until the test ends. It
// returns its address and, once called, ends it and returns its output.
func serve(t *testing.T, binary, target string) (string, func() string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	_, port, _ := net.SplitHostPort(address)
	var out bytes.Buffer
	c := exec.Command(binary)
	c.Dir = t.TempDir() // nothing of the source is there to be read
	c.Env = slices.Concat(environment, []string{"FUNCTION_TARGET=" + target, "PORT=" + port, "LOCAL_ONLY=true", "PATH=" + os.Getenv("PATH")})
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	end := func() string {
		c.Process.Kill()
		<-ended
		ended <- nil
		return out.String()
	}
	t.Cleanup(func() { end() })
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			connection.Close()
			return "http://" + address, end
		}
		select {
		case err := <-ended:
			ended <- nil
			t.Fatalf("the function ended: %v\n%s", err, &out)
		default:
		}
	}
}

func (c call) send(t *testing.T, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range c.header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}
