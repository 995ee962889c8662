package terraform_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	_ "github.com/planwright/planwright/functions/executor"
	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger/tree"
)

// delivery is an upload on its way through what was applied: the notification of
// the bucket, the subscription of its topic, and the function that is called, run
// by the functions framework with the variables that it was given. Each of them
// needs its grants.
type delivery struct {
	*installation
	project  string
	function object
	account  string // as whom the function runs
	url      string // of the framework
	denied   []string
}

const executorFunction = "cloudfunctions.googleapis.com/v2/projects/test-project-1/locations/us-central1/functions/planwright-executor"

// deliver serves the applied executor, over Google's Firestore emulator.
func (in *installation) deliver() *delivery {
	in.t.Helper()
	firestoretest.Project(in.t)
	d := &delivery{installation: in, project: "projects/test-project-1", function: in.google.resources[executorFunction]}
	service := d.function["serviceConfig"].(object)
	d.account = fmt.Sprint("serviceAccount:", service["serviceAccountEmail"])
	for name, value := range service["environmentVariables"].(object) {
		in.t.Setenv(name, fmt.Sprint(value))
	}
	for _, secret := range service["secretEnvironmentVariables"].([]any) {
		key, err := tree.Generate()
		if err != nil {
			in.t.Fatal(err)
		}
		s := secret.(object)
		if !d.may("secretmanager.googleapis.com/v1/"+d.project+"/secrets/"+fmt.Sprint(s["secret"]), d.account, "roles/secretmanager.secretAccessor") {
			in.t.Errorf("the executor may not read the secret %v", s["secret"])
		}
		in.t.Setenv(fmt.Sprint(s["key"]), key)
	}
	in.t.Setenv("STORAGE_EMULATOR_HOST", d.storeFor(d.account))
	d.url = frameworktest.Serve(in.t, fmt.Sprint(d.function["buildConfig"].(object)["entryPoint"]))
	return d
}

// may reports whether the policy of a resource gives a member one of some roles.
func (d *delivery) may(resource, member string, roles ...string) bool {
	policy, _ := d.google.policies[resource].(object)
	bindings, _ := policy["bindings"].([]any)
	return slices.ContainsFunc(bindings, func(one any) bool {
		binding := one.(object)
		members, _ := binding["members"].([]any)
		return slices.Contains(roles, fmt.Sprint(binding["role"])) && slices.Contains(members, any(member))
	})
}

var verbRoles = map[string][]string{
	http.MethodGet:  {"roles/storage.objectViewer", "roles/storage.objectUser"},
	http.MethodPost: {"roles/storage.objectCreator", "roles/storage.objectUser"},
	http.MethodPut:  {"roles/storage.objectCreator", "roles/storage.objectUser"},
}

var inBucket = regexp.MustCompile(`^(?:/upload|/download)*(?:/storage/v1/b)?/([^/]+)/`)

// storeFor serves Cloud Storage as a member may use it.
func (d *delivery) storeFor(member string) (host string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if bucket := inBucket.FindStringSubmatch(r.URL.Path); bucket != nil && !strings.Contains(r.URL.Path, "/resumable/") {
			d.google.mu.Lock()
			allowed := d.may("storage.googleapis.com/storage/v1/b/"+bucket[1], member, verbRoles[r.Method]...)
			if !allowed {
				d.denied = append(d.denied, fmt.Sprintf("%s of %s takes %v", r.Method, bucket[1], verbRoles[r.Method]))
			}
			d.google.mu.Unlock()
			if !allowed {
				http.Error(w, `{"error": {"code": 403, "message": "`+member+` may not"}}`, http.StatusForbidden)
				return
			}
		}
		d.google.storage.HTTPHandler().ServeHTTP(w, r)
	}))
	d.t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// publish brings the newest generation of an object to the executor, as its bucket,
// topic and subscription say, and returns what stands in the way.
func (d *delivery) publish(bucket, name string) error {
	uploaded, err := d.google.storage.GetObject(bucket, name)
	if err != nil {
		return err
	}
	topic, err := d.notified(bucket)
	if err != nil {
		return err
	}
	endpoint, err := d.pushedTo(topic)
	if err != nil {
		return err
	}
	said, _ := json.Marshal(object{"bucket": bucket, "name": name, "generation": fmt.Sprint(uploaded.Generation), "size": fmt.Sprint(uploaded.Size), "timeCreated": time.Now().UTC().Format(time.RFC3339Nano)})
	message, err := json.Marshal(object{"subscription": "planwright-executor", "message": object{
		"messageId": rand.Text(), "publishTime": time.Now().UTC().Format(time.RFC3339Nano), "data": said,
		"attributes": object{"eventType": "OBJECT_FINALIZE", "payloadFormat": "JSON_API_V1", "bucketId": bucket},
	}})
	if err != nil {
		return err
	}
	response, err := http.Post(endpoint, "application/json", bytes.NewReader(message))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if answer, _ := io.ReadAll(response.Body); response.StatusCode/100 != 2 {
		return fmt.Errorf("%d %s; refused were %v", response.StatusCode, answer, d.denied)
	}
	return nil
}

// notified is the topic to which a bucket publishes.
func (d *delivery) notified(bucket string) (string, error) {
	for where, config := range d.google.resources {
		if !strings.HasPrefix(where, "storage.googleapis.com/storage/v1/b/"+bucket+"/notificationConfigs/") || !strings.Contains(fmt.Sprint(config["event_types"]), "OBJECT_FINALIZE") {
			continue
		}
		topic := strings.TrimPrefix(fmt.Sprint(config["topic"]), "//pubsub.googleapis.com/")
		if agent := "serviceAccount:" + agentAddresses["storage.googleapis.com"]; !d.may("pubsub.googleapis.com/v1/"+topic, agent, "roles/pubsub.publisher") {
			return "", fmt.Errorf("%s lacks roles/pubsub.publisher on %s", agent, topic)
		}
		return topic, nil
	}
	return "", fmt.Errorf("nothing is published about %s", bucket)
}

// pushedTo is where a subscription pushes what a topic has, at the framework.
func (d *delivery) pushedTo(topic string) (string, error) {
	uri := fmt.Sprint(d.function["serviceConfig"].(object)["uri"])
	for where, subscription := range d.google.resources {
		push, ok := subscription["pushConfig"].(object)
		if !ok || !strings.Contains(where, "/subscriptions/") || subscription["topic"] != topic {
			continue
		}
		token, _ := push["oidcToken"].(object)
		account, endpoint := fmt.Sprint(token["serviceAccountEmail"]), fmt.Sprint(push["pushEndpoint"])
		agent := "serviceAccount:" + agentAddresses["pubsub.googleapis.com"]
		switch {
		case !d.may("iam.googleapis.com/v1/"+d.project+"/serviceAccounts/"+account, agent, "roles/iam.serviceAccountOpenIdTokenCreator"):
			return "", fmt.Errorf("%s lacks roles/iam.serviceAccountOpenIdTokenCreator on %s", agent, account)
		case !d.may("run.googleapis.com/v2/"+d.project+"/locations/us-central1/services/"+path.Base(executorFunction), "serviceAccount:"+account, "roles/run.invoker"):
			return "", fmt.Errorf("%s lacks roles/run.invoker on the executor", account)
		case token["audience"] != uri || !strings.HasPrefix(endpoint, uri+"/"):
			return "", fmt.Errorf("a token for %v is sent to %s, and the executor is %s", token["audience"], endpoint, uri)
		}
		return d.url + strings.TrimPrefix(endpoint, uri), nil
	}
	return "", fmt.Errorf("nobody is subscribed to %s", topic)
}

// drop uploads a file with gcloud, as next_steps prints it.
func (d *delivery) drop(id, file, content string) error {
	d.t.Helper()
	dir := d.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
		d.t.Fatal(err)
	}
	steps := run(d.t, d.folder, d.environment, "terraform", "output", "-raw", "next_steps")
	command := regexp.MustCompile(`gcloud storage cp products\.csv gs://([^/]+)/fitness_up_10pct_v1/`).FindStringSubmatch(steps)
	if command == nil {
		d.t.Fatalf("the next steps print no upload:\n%s", steps)
	}
	run(d.t, dir, append(d.environment, "CLOUDSDK_CONFIG="+dir, "CLOUDSDK_CORE_PROJECT=test-project-1", "CLOUDSDK_CORE_DISABLE_PROMPTS=1"), "sh", "-c",
		strings.NewReplacer("products.csv", file, "fitness_up_10pct_v1", id).Replace(command[0]))
	return d.publish(command[1], id+"/"+file)
}

// uploadGoesThrough drops a plan and a table into the applied inbox. The result,
// its audit file and its changes appear in the applied buckets. Then it takes away
// one grant after the other on which that rests: the delivery stops, and says so.
func (in *installation) uploadGoesThrough() {
	in.t.Helper()
	d := in.deliver()
	id := "applied_" + strings.ToLower(rand.Text())
	plan := `{"execution_id":"` + id + `","created_at":"2026-03-01T10:00:00Z","source_instruction":"Increase fitness prices by 10%.",
		"operations":[{"operation_id":"op_01","filter":{"categories":["fitness"]},"action":{"type":"percent_increase","value":10}}]}`
	for _, file := range []struct{ name, content string }{{"plan.json", plan}, {"products.csv", "sku,category,price,in_stock\nA101,fitness,29.99,true\n"}} {
		if err := d.drop(id, file.name, file.content); err != nil {
			in.t.Fatalf("%s: %v", file.name, err)
		}
	}
	if database := fmt.Sprintf("%s/databases/%s", d.project, os.Getenv("FIRESTORE_DATABASE")); !d.entersDatabase(database) {
		in.t.Errorf("%s may not create, get, list and update in %s", d.account, database)
	}
	for bucket, wants := range map[string]map[string]string{
		os.Getenv("OUTBOX_BUCKET"): {id + "/products.csv": "sku,category,price,in_stock\nA101,fitness,32.99,true\n"},
		os.Getenv("AUDIT_BUCKET"):  {"executions/" + id + ".jsonl": "", "changes/" + id + ".jsonl": "", "executions/first.jsonl": "{}\n", "changes/first.jsonl": "{}\n"},
	} {
		for name, want := range wants {
			got, err := in.google.storage.GetObject(bucket, name)
			if err != nil || want != "" && string(got.Content) != want {
				in.t.Errorf("%s/%s holds %q, %v; want %q", bucket, name, got.Content, err, want)
			}
		}
	}
	d.auditorVerifies(id)
	d.eachGrantIsNeeded()
}

// auditorVerifies runs what README.md prints for auditors, as one of them: where
// everything is comes from what is printed, and what may be read from the grants.
func (d *delivery) auditorVerifies(id string) {
	d.t.Helper()
	const auditor = "group:finance@example.com"
	printed := regexp.MustCompile("`(eval \"[^`]*verify_environment\\)\")`, then `(planwright verify --cloud) ").FindStringSubmatch(read(d.t, "README.md"))
	if printed == nil {
		d.t.Fatal("README.md does not say how an auditor verifies")
	}
	bin := d.t.TempDir()
	run(d.t, "..", nil, "go", "build", "-o", bin, "./functions/planwright")
	verify := func() (string, error) {
		command := exec.CommandContext(d.t.Context(), "bash", "-c", printed[1]+" && "+printed[2]+" "+id)
		command.Dir = filepath.Dir(d.folder)
		for _, name := range []string{"HOME", "TF_CLI_CONFIG_FILE", firestoretest.HostVariable} {
			command.Env = append(command.Env, name+"="+os.Getenv(name))
		}
		command.Env = append(command.Env, "PATH="+bin+":"+os.Getenv("PATH"), "STORAGE_EMULATOR_HOST="+d.storeFor(auditor))
		output, err := command.CombinedOutput()
		return string(output), err
	}
	if output, err := verify(); err != nil {
		d.t.Errorf("%s: %v\n%s", printed[0], err, output)
	}
	if database := d.project + "/databases/" + os.Getenv("FIRESTORE_DATABASE"); !slices.Contains(d.inDatabase(auditor, database), "roles/datastore.viewer") {
		d.t.Errorf("%s may not read %s", auditor, database)
	}
	giveBack := d.take(auditor, "roles/storage.objectViewer")
	defer giveBack()
	if output, err := verify(); err == nil {
		d.t.Errorf("who may not read verifies: %s", output)
	}
}

// inDatabase are the roles that a member has on a database alone.
func (d *delivery) inDatabase(member, database string) (roles []string) {
	policy, _ := d.google.policies["cloudresourcemanager.googleapis.com/v1/"+d.project].(object)
	bindings, _ := policy["bindings"].([]any)
	for _, one := range bindings {
		binding := one.(object)
		members, _ := binding["members"].([]any)
		condition, _ := binding["condition"].(object)
		if slices.Contains(members, any(member)) && condition["expression"] == `resource.name == "`+database+`"` {
			roles = append(roles, fmt.Sprint(binding["role"]))
		}
	}
	return roles
}

// entersDatabase reports whether the account's role has the rights that an
// execution takes.
func (d *delivery) entersDatabase(database string) bool {
	return slices.ContainsFunc(d.inDatabase(d.account, database), func(role string) bool {
		rights := fmt.Sprint(d.google.resources["iam.googleapis.com/v1/"+role]["includedPermissions"])
		return !slices.ContainsFunc([]string{"create", "get", "list", "update"}, func(verb string) bool { return !strings.Contains(rights, "datastore.entities."+verb) })
	})
}

// eachGrantIsNeeded takes every grant of those that deliver, one at a time, from
// under a plan that is none: it is read, and a notice is written.
func (d *delivery) eachGrantIsNeeded() {
	d.t.Helper()
	trigger := "serviceAccount:planwright-trigger@test-project-1.iam.gserviceaccount.com"
	for _, grant := range [][2]string{
		{"serviceAccount:" + agentAddresses["storage.googleapis.com"], "roles/pubsub.publisher"},
		{"serviceAccount:" + agentAddresses["pubsub.googleapis.com"], "roles/iam.serviceAccountOpenIdTokenCreator"},
		{trigger, "roles/run.invoker"},
		{d.account, "roles/storage.objectViewer"},
		{d.account, "roles/storage.objectCreator"},
	} {
		giveBack := d.take(grant[0], grant[1])
		d.denied = nil
		id := "denied_" + strings.ToLower(rand.Text())
		d.google.storage.CreateObject(fakestorage.Object{Content: []byte("sku\n"), ObjectAttrs: fakestorage.ObjectAttrs{BucketName: os.Getenv("INBOX_BUCKET"), Name: id + "/plan.json"}})
		if err := d.publish(os.Getenv("INBOX_BUCKET"), id+"/plan.json"); err == nil || !strings.Contains(err.Error(), grant[1]) {
			d.t.Errorf("without %s of %s: %v", grant[1], grant[0], err)
		}
		giveBack()
	}
}

// take removes a member's role from every policy.
func (d *delivery) take(member, role string) (giveBack func()) {
	d.google.mu.Lock()
	defer d.google.mu.Unlock()
	before := map[string]any{}
	for resource, policy := range d.google.policies {
		before[resource] = policy
		text, _ := json.Marshal(policy)
		changed := object{}
		if err := json.Unmarshal(text, &changed); err != nil {
			d.t.Fatal(err)
		}
		bindings, _ := changed["bindings"].([]any)
		for _, one := range bindings {
			if binding := one.(object); binding["role"] == role {
				members, _ := binding["members"].([]any)
				binding["members"] = slices.DeleteFunc(members, func(other any) bool { return other == member })
			}
		}
		d.google.policies[resource] = changed
	}
	return func() {
		d.google.mu.Lock()
		defer d.google.mu.Unlock()
		d.google.policies = before
	}
}
