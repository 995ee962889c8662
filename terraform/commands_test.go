package terraform_test

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	// aCommand is the beginning of a command of Google's tools. What follows gcloud
	// in a sentence is no group of commands.
	aCommand = regexp.MustCompile(`\b(?:gcloud (?:alpha |beta )?(?:auth|artifacts|billing|builds|components|config|dataflow|firestore|functions|iam|info|init|kms|logging|projects|pubsub|run|scheduler|secrets|services|storage)|bq (?:query|show|ls|mk|rm|load|extract|cp)|gsutil (?:cp|ls|mb|mv|rm|compose|retention|versioning))\b`)
	// ownLine is what may stand before a command on a line of its own.
	ownLine = regexp.MustCompile(`^\s*(?:#\s*)?$`)
	// Where a command within a sentence, a string or another command ends, and one
	// on a line of its own.
	withinEnds = regexp.MustCompile("[`);\"\n]")
	quoteEnds  = regexp.MustCompile("[`\n]")
	lineEnds   = regexp.MustCompile(`\s{2,}#|\n`)
)

// commandsIn returns the commands that a text prints.
func commandsIn(text string) (commands []string) {
	text = regexp.MustCompile(`\\\n\s*(?:#\s*)?`).ReplaceAllString(text, "")
	for line := range strings.Lines(text) {
		for _, at := range aCommand.FindAllStringIndex(line, -1) {
			command, ends := line[at[0]:]+"\n", withinEnds
			switch before := line[:at[0]]; {
			case ownLine.MatchString(before):
				ends = lineEnds
			case strings.HasSuffix(before, "`"):
				ends = quoteEnds
			}
			commands = append(commands, strings.TrimSpace(command[:ends.FindStringIndex(command)[0]]))
		}
	}
	return commands
}

// printedCommands finds the commands in all that people read: pages, examples, the
// configuration with its alerts, and the messages of the code.
func printedCommands(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git" || entry.Name() == ".terraform" || entry.Name() == "local") {
			return fs.SkipDir
		}
		kind := filepath.Ext(file)
		if err != nil || entry.IsDir() || strings.HasSuffix(file, "_test.go") || !slices.Contains([]string{".md", ".tf", ".go", ".example"}, kind) {
			return err
		}
		for _, command := range commandsIn(read(t, file)) {
			found[command] = append(found[command], file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// elsewhere are commands that another test runs, those that none can, and mentions
// of a command that print nothing to type.
var elsewhere = map[string]string{
	"gcloud auth login":                                             "asks a browser",
	"gcloud auth login --update-adc":                                "asks a browser",
	"gcloud auth login && gcloud auth application-default login":    "asks a browser",
	"gcloud auth application-default login":                         "asks a browser",
	"gcloud auth application-default login.":                        "asks a browser",
	"gcloud auth login, and gcloud auth application-default login.": "asks a browser",
	"gcloud auth print-identity-token":                              "needs who has signed in by a browser",
	"gcloud auth print-identity-token,":                             "a mention",
	"gcloud auth":                                                   "a mention",
	"gcloud storage cp without --gzip-local and --gzip-local-all.":  "a mention; TestDeployed of the executor uploads so",
	"gsutil cp without -z and -Z, gcloud storage cp without --gzip-local and --gzip-local-all.":                "a mention; TestDeployed of the executor uploads so",
	"gcloud components install cloud-firestore-emulator":                                                       "downloads what tests need",
	"gcloud beta services identity create --quiet --service=${each.key} --project=${var.project_id}":           "TestAgentCommand",
	"gcloud storage cp products.csv gs://":                                                                     "TestUploadCommand",
	`gcloud storage cp products.csv gs://${google_storage_bucket.data["inbox"].name}/fitness_up_10pct_v1/`:     "TestUploadCommand and TestPrintedCommandsAgree",
	"gcloud storage objects compose gs://INBOX/EXECUTION_ID/products.csv gs://INBOX/EXECUTION_ID/products.csv": "TestRecoveryCommand",
}

// sends is what each other command must send, of method, host and path with what
// is asked there. It ends well with the answers of commandAnswers.
var sends = map[string][]string{
	"gcloud services enable cloudresourcemanager.googleapis.com serviceusage.googleapis.com storage.googleapis.com --project my-shop-123456": {
		`POST serviceusage.googleapis.com/v1/projects/my-shop-123456/services:batchEnable .*"cloudresourcemanager.googleapis.com", ?"serviceusage.googleapis.com", ?"storage.googleapis.com"`},
	"gcloud auth print-identity-token --impersonate-service-account=ACCOUNT --audiences=URL --include-email": {
		`POST iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/ACCOUNT:generateIdToken .*"audience": "URL".*"includeEmail": true`},
	"gcloud pubsub subscriptions pull planwright-dead-letters --limit=10 --format=json": {
		`POST pubsub.googleapis.com/v1/projects/shop-1/subscriptions/planwright-dead-letters:pull .*10`},
	"gcloud pubsub subscriptions pull planwright-dead-letters --limit=10 --auto-ack": {
		`POST pubsub.googleapis.com/v1/projects/shop-1/subscriptions/planwright-dead-letters:pull .*10`,
		`POST pubsub.googleapis.com/v1/projects/shop-1/subscriptions/planwright-dead-letters:acknowledge .*"the-message"`},
	"gcloud pubsub subscriptions pull PREFIX-dead-letters": {
		`POST pubsub.googleapis.com/v1/projects/shop-1/subscriptions/PREFIX-dead-letters:pull `},
	"gcloud scheduler jobs list --location=${var.region}": {`GET cloudscheduler.googleapis.com/v1/projects/shop-1/locations/us-central1/jobs`},
	"gcloud secrets create planwright-audit-key --replication-policy=automatic --data-file=-": {
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets .*secretId=planwright-audit-key.*automatic`,
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets/planwright-audit-key:addVersion .*"data"`},
	"gcloud secrets create planwright-notify-url --data-file=-": {
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets .*secretId=planwright-notify-url`,
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets/planwright-[a-z-]+:addVersion .*"data"`},
	"gcloud secrets create planwright-notify-key --data-file=-": {
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets .*secretId=planwright-notify-key`,
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets/planwright-[a-z-]+:addVersion .*"data"`},
	"gcloud secrets create planwright-shop-key --data-file=-": {
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets .*secretId=planwright-shop-key`,
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets/planwright-[a-z-]+:addVersion .*"data"`},
	"gcloud secrets create planwright-shop-secret --data-file=-": {
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets .*secretId=planwright-shop-secret`,
		`POST secretmanager.googleapis.com/v1/projects/shop-1/secrets/planwright-[a-z-]+:addVersion .*"data"`},
	"gcloud firestore export gs://YOUR-BUCKET/at --database=planwright-pricing --snapshot-time=2026-03-01T10:00:00Z": {
		`POST firestore.googleapis.com/v1/projects/shop-1/databases/planwright-pricing:exportDocuments .*"outputUriPrefix": "gs://your-bucket/at".*"snapshotTime": "2026-03-01T10:00:00`},
	"gcloud firestore import gs://YOUR-BUCKET/at --database=planwright-pricing": {
		`POST firestore.googleapis.com/v1/projects/shop-1/databases/planwright-pricing:importDocuments .*"inputUriPrefix": "gs://your-bucket/at"`},
	"gcloud firestore backups list": {`GET firestore.googleapis.com/v1/projects/shop-1/locations/-/backups`},
	"gcloud firestore databases restore --source-backup=BACKUP --destination-database=planwright-pricing": {
		`POST firestore.googleapis.com/v1/projects/shop-1/databases:restore .*"databaseId": "planwright-pricing"`},
	"gcloud storage buckets create gs://YOUR-STATE-BUCKET --uniform-bucket-level-access --public-access-prevention": {
		`POST storage.googleapis.com/storage/v1/b .*"uniformBucketLevelAccess": ?\{"enabled": true`},
	"gcloud storage buckets update gs://YOUR-STATE-BUCKET --versioning": {`PATCH storage.googleapis.com/storage/v1/b/your-state-bucket .*"versioning": ?\{"enabled": true`},
	"gcloud storage buckets update gs://YOUR-AUDIT-BUCKET --clear-retention-period": {
		`PATCH storage.googleapis.com/storage/v1/b/your-audit-bucket .*"retentionPolicy": null`},
	`gcloud storage ls gs://${google_storage_bucket.data["outbox"].name}/fitness_up_10pct_v1/`: {
		`GET storage.googleapis.com/storage/v1/b/shop-outbox/o .*prefix=fitness_up_10pct_v1`},
	"gcloud storage ls --soft-deleted gs://YOUR-BUCKET/**":      {`GET storage.googleapis.com/storage/v1/b/your-bucket/o .*softDeleted=True`},
	`gcloud storage restore "gs://YOUR-BUCKET/NAME#GENERATION"`: {`POST storage.googleapis.com/storage/v1/b/your-bucket/o/NAME/restore .*generation=7`},
}

// commandAnswers are what Google answers, by method, host and path.
var commandAnswers = map[string]string{
	`POST serviceusage\..*`:                                                `{"name": "operations/finished.1", "done": true, "response": {}}`,
	`POST iamcredentials\..*:generateAccessToken`:                          `{"accessToken": "an.access.token", "expireTime": "2126-03-01T10:00:00Z"}`,
	`POST iamcredentials\..*:generateIdToken`:                              `{"token": "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJVUkwiLCJleHAiOjQxMDI0NDQ4MDB9.c2ln"}`,
	`POST pubsub\..*:pull`:                                                 `{"receivedMessages": [{"ackId": "the-message", "message": {"data": "e30=", "messageId": "1", "attributes": {"objectId": "plan_fitness_v1/products.csv"}}}]}`,
	`POST pubsub\..*:acknowledge`:                                          `{}`,
	`GET cloudscheduler\..*`:                                               `{"jobs": [{"name": "projects/shop-1/locations/us-central1/jobs/planwright-sweep-due", "schedule": "* * * * *", "state": "ENABLED", "httpTarget": {"uri": "https://sweeper.example/due"}}]}`,
	`POST secretmanager\..*/secrets`:                                       `{"name": "projects/1/secrets/planwright-audit-key"}`,
	`POST secretmanager\..*:addVersion`:                                    `{"name": "projects/1/secrets/planwright-audit-key/versions/1"}`,
	`POST firestore\..*`:                                                   `{"name": "projects/shop-1/databases/planwright-pricing/operations/1", "done": true, "response": {}}`,
	`GET firestore\..*/operations/.*`:                                      `{"name": "projects/shop-1/databases/planwright-pricing/operations/1", "done": true, "response": {}}`,
	`GET firestore\..*/backups`:                                            `{"backups": [{"name": "projects/shop-1/locations/us-central1/backups/1", "database": "projects/shop-1/databases/planwright-pricing", "state": "READY"}]}`,
	`(POST|PATCH|GET) storage\..*/b(/[a-z-]+)?`:                            `{"kind": "storage#bucket", "name": "your-state-bucket", "id": "your-state-bucket", "metageneration": "1", "location": "US", "storageClass": "STANDARD"}`,
	`POST storage\..*/restore`:                                             `{"kind": "storage#object", "bucket": "your-bucket", "name": "NAME", "generation": "8", "metageneration": "1", "size": "0", "storageClass": "STANDARD"}`,
	`GET storage\..*/b/shop-outbox/o \?.*prefix=fitness_up_10pct_v1&.*`:    `{"kind": "storage#objects", "prefixes": ["fitness_up_10pct_v1/"]}`,
	`GET storage\..*/b/shop-outbox/o \?.*prefix=fitness_up_10pct_v1%2F&.*`: `{"kind": "storage#objects", "items": [{"kind": "storage#object", "bucket": "shop-outbox", "name": "fitness_up_10pct_v1/products.csv", "generation": "1", "metageneration": "1", "size": "3"}]}`,
	`GET storage\..*/b/your-bucket/o`:                                      `{"kind": "storage#objects", "items": [{"kind": "storage#object", "bucket": "your-bucket", "name": "NAME", "generation": "7", "metageneration": "1", "size": "3"}]}`,
	`POST bigquery\..*/jobs`: `{"kind": "bigquery#job", "id": "shop-1:us.j", "jobReference": {"projectId": "shop-1", "jobId": "j", "location": "us-central1"}, "status": {"state": "DONE"},
		"configuration": {"jobType": "QUERY", "query": {"destinationTable": {"projectId": "shop-1", "datasetId": "d", "tableId": "t"}}}, "statistics": {"query": {"statementType": "SELECT"}}}`,
	`GET bigquery\..*`: `{"kind": "bigquery#getQueryResultsResponse", "jobReference": {"projectId": "shop-1", "jobId": "j", "location": "us-central1"}, "jobComplete": true,
		"schema": {"fields": [{"name": "sku", "type": "STRING"}]}, "rows": [{"f": [{"v": "A101"}]}], "totalRows": "1"}`,
}

// names stand where a command leaves one to its reader.
var names = strings.NewReplacer("${var.region}", "us-central1", "${var.project_id}", "shop-1", `${google_storage_bucket.data["outbox"].name}`, "shop-outbox",
	"${google_bigquery_dataset.audit.dataset_id}", "planwright_audit", "#GENERATION", "#7", "YOUR-STATE-BUCKET", "your-state-bucket", "YOUR-AUDIT-BUCKET", "your-audit-bucket", "YOUR-BUCKET", "your-bucket",
	"BACKUP", "projects/shop-1/locations/us-central1/backups/1")

// TestPrintedCommands runs every command of Google's tools that a page, an
// example, an alert or a message prints, with the real tools, and holds what it
// sends to what it is for. One that is printed and not listed fails, and so does
// one that is listed and no longer printed.
func TestPrintedCommands(t *testing.T) {
	commands := printedCommands(t)
	for command := range elsewhere {
		if commands[command] == nil {
			t.Errorf("nothing prints %s", command)
		}
	}
	for command := range sends {
		if commands[command] == nil {
			t.Errorf("nothing prints %s", command)
		}
	}
	for command, files := range commands {
		if elsewhere[command] == "" && sends[command] == nil && !strings.HasPrefix(command, "bq query ") {
			t.Errorf("%s prints %s, which no test runs", files[0], command)
		}
	}
	if testing.Short() {
		t.Skip("starts gcloud")
	}
	queried := false
	for command := range commands {
		if elsewhere[command] != "" {
			continue
		}
		if strings.HasPrefix(command, "bq query ") {
			if queried { // one that is run is enough: they differ in the query alone
				checkQuery(t, command)
				continue
			}
			queried = true
		}
		t.Run(regexp.MustCompile(`[^a-z0-9:_-]+`).ReplaceAllString(command, " "), func(t *testing.T) { runPrinted(t, command, sends[command]) })
	}
}

// queryCommand is how every query is printed.
var queryCommand = regexp.MustCompile(`(?s)^bq query --use_legacy_sql=false .*FROM .*(planwright_audit|audit\.dataset_id\})\.`)

func checkQuery(t *testing.T, command string) {
	t.Helper()
	if !queryCommand.MatchString(command) {
		t.Errorf("%s is not as the query that is run", command)
	}
}

func runPrinted(t *testing.T, command string, wants []string) {
	tool, _, _ := strings.Cut(command, " ")
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("SKIPPED, NOT TESTED WITH %s: it is not installed", strings.ToUpper(tool))
	}
	if tool == "bq" {
		wants = []string{`POST bigquery.googleapis.com/bigquery/v2/projects/shop-1/jobs .*FROM .*planwright_audit.*"useLegacySql": false`}
	}
	var mu sync.Mutex
	var calls []string
	environment := intercept(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		call := r.Method + " " + r.Host + r.URL.EscapedPath() + " ?" + r.URL.RawQuery
		mu.Lock()
		calls = append(calls, call+" "+string(body))
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		for pattern, answer := range commandAnswers {
			if regexp.MustCompile("^" + pattern + "( |$)").MatchString(call) {
				io.WriteString(w, answer)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error": {"code": 404, "message": "the test has no answer for %s"}}`, call)
	}))
	program := exec.CommandContext(t.Context(), "bash", "-c", names.Replace(command))
	program.Dir, program.Env = t.TempDir(), append(withToken(t), append(environment, "CLOUDSDK_CORE_PROJECT=shop-1")...)
	program.Stdin = strings.NewReader("PRIVATE+KEY")
	output, err := program.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s\nafter %s", err, output, strings.Join(calls, "\n"))
	}
	for _, want := range wants {
		if !slices.ContainsFunc(calls, func(call string) bool { return regexp.MustCompile("(?s)^" + want).MatchString(call) }) {
			t.Errorf("nothing was sent like %s\n%s\nbut %s", want, output, strings.Join(calls, "\n"))
		}
	}
}

// TestPrintedCalls makes the calls of the planner that README.md and next_steps
// print, with curl: each proves twice who calls, to Cloud Run and to the planner.
func TestPrintedCalls(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("SKIPPED, NOT TESTED WITH CURL: it is not installed")
	}
	called := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		called <- strings.Join([]string{r.Method, r.URL.Path, r.Header.Get("X-Serverless-Authorization"), r.Header.Get("Authorization"), string(body)}, "|")
	}))
	defer server.Close()
	printed := 0
	for file, want := range map[string]string{
		"README.md":  `^GET\|/v1/executions\|Bearer the.token\|Bearer the.token\|$`,
		"outputs.tf": `^POST\|/v1/plans\|Bearer the.token\|Bearer the.token\|\{"instruction": "[^"]{5,}", "execution_id": "fitness_up_10pct_v1"\}$`,
	} {
		text := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(read(t, file), "")
		for _, command := range regexp.MustCompile(`(?m)^\s*curl .*$`).FindAllString(text, -1) {
			printed++
			command = strings.NewReplacer(`$(terraform -chdir=terraform output -raw planner_url)`, server.URL, `${local.addresses["planner"]}`, server.URL).Replace(command)
			run(t, ".", []string{"TOKEN=the.token"}, "bash", "-c", command)
			var calls []string
			for range len(called) {
				calls = append(calls, <-called)
			}
			if len(calls) != 1 || !regexp.MustCompile(want).MatchString(calls[0]) {
				t.Errorf("%s: %s called %q", file, command, calls)
			}
		}
	}
	if printed != 2 {
		t.Errorf("%d calls are printed, and 2 are known", printed)
	}
}
