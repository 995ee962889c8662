package terraform_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
)

// object is a resource or a message, as JSON.
type object = map[string]any

// googleAPI stands in for the APIs of Google that the configuration is applied
// to. It keeps what it is sent under the names that the APIs give, and answers
// as they do where that differs from what was sent. What Google would refuse it
// refuses (refusal_test.go). It makes nothing run.
type googleAPI struct {
	t         *testing.T
	mu        sync.Mutex
	resources map[string]object   // by host and path
	policies  map[string]any      // of IAM, by host and path
	storage   *fakestorage.Server // of objects
	serial    int
	refusals
}

// collection is where resources are made by POST, and what becomes of them.
type collection struct {
	host, path string                             // path is a pattern
	id         func(*http.Request, object) string // "" is one of the server's own
	operation  bool                               // the answer is a finished operation
	answer     func(api *googleAPI, name string, o object)
}

func inQuery(key string) func(*http.Request, object) string {
	return func(r *http.Request, _ object) string { return r.URL.Query().Get(key) }
}

func inBody(keys ...string) func(*http.Request, object) string {
	return func(_ *http.Request, o object) string {
		for _, key := range keys[:len(keys)-1] {
			o, _ = o[key].(object)
		}
		id, _ := o[keys[len(keys)-1]].(string)
		return id
	}
}

func given(*http.Request, object) string { return "" }

var collections = []collection{
	{"artifactregistry.googleapis.com", `/v1/projects/[^/]+/locations/[^/]+/repositories`, inQuery("repository_id"), true, named},
	{"cloudscheduler.googleapis.com", `/v1/projects/[^/]+/locations/[^/]+/jobs`, jobID, false, scheduled},
	{"iam.googleapis.com", `/v1/projects/[^/]+/locations/global/workloadIdentityPools`, inQuery("workloadIdentityPoolId"), true, pool},
	{"iam.googleapis.com", `/v1/projects/[^/]+/locations/global/workloadIdentityPools/[^/]+/providers`, inQuery("workloadIdentityPoolProviderId"), true, pool},
	{"cloudfunctions.googleapis.com", `/v2/projects/[^/]+/locations/[^/]+/functions`, inQuery("functionId"), true, deployed},
	{"run.googleapis.com", `/v2/projects/[^/]+/locations/[^/]+/services`, inQuery("serviceId"), true, served},
	{"firestore.googleapis.com", `/v1/projects/[^/]+/databases`, inQuery("databaseId"), true, named},
	{"firestore.googleapis.com", `/v1/projects/[^/]+/databases/[^/]+/collectionGroups/[^/]+/indexes`, given, true, indexed},
	{"firestore.googleapis.com", `/v1/projects/[^/]+/databases/[^/]+/backupSchedules`, given, false, named},
	{"bigquery.googleapis.com", `/bigquery/v2/projects/[^/]+/datasets`, inBody("datasetReference", "datasetId"), false, dataset},
	{"bigquery.googleapis.com", `/bigquery/v2/projects/[^/]+/datasets/[^/]+/tables`, inBody("tableReference", "tableId"), false, table},
	{"logging.googleapis.com", `/v2/projects/[^/]+/metrics`, inBody("name"), false, nil},
	{"monitoring.googleapis.com", `/v3/projects/[^/]+/(notificationChannels|alertPolicies)`, given, false, monitored},
	{"monitoring.googleapis.com", `/v1/projects/[^/]+/dashboards`, given, false, monitored},
	{"iam.googleapis.com", `/v1/projects/[^/]+/serviceAccounts`, accountID, false, account},
	{"iam.googleapis.com", `/v1/projects/[^/]+/roles`, inBody("roleId"), false, role},
	{"storage.googleapis.com", `/storage/v1/b`, inBody("name"), false, bucket},
	{"storage.googleapis.com", `/storage/v1/b/[^/]+/notificationConfigs`, given, false, notificationConfig},
	{"billingbudgets.googleapis.com", `/v1/billingAccounts/[^/]+/budgets`, given, false, named},
}

// The resources that are read and not made.
func existing(project string) map[string]object {
	return map[string]object{
		"cloudbilling.googleapis.com/v1/projects/" + project + "/billingInfo":       {"billingAccountName": "billingAccounts/012345-6789AB-CDEF01", "billingEnabled": true},
		"cloudresourcemanager.googleapis.com/v1/projects/" + project:                {"projectId": project, "projectNumber": "123456789012", "lifecycleState": "ACTIVE", "name": project},
		"storage.googleapis.com/storage/v1/projects/" + project + "/serviceAccount": {"email_address": "service-123456789012@gs-project-accounts.iam.gserviceaccount.com"},
	}
}

// serveGoogle starts the API. The variables make Terraform, its providers and
// gcloud use it, as somebody with a token.
func serveGoogle(t *testing.T, project string) (api *googleAPI, environment []string) {
	t.Helper()
	storage, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, Writer: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	api = &googleAPI{t: t, resources: existing(project), policies: map[string]any{}, storage: storage, refusals: newRefusals()}
	return api, append(intercept(t, api), "GOOGLE_OAUTH_ACCESS_TOKEN=none", "CHECKPOINT_DISABLE=1")
}

// intercept starts a proxy that ends TLS and has a handler answer for all of
// Google's hosts.
func intercept(t *testing.T, handler http.Handler) (environment []string) {
	t.Helper()
	certificate, authority := certify(t)
	inside := connections{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: handler}
	go server.Serve(inside)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "only TLS", http.StatusMethodNotAllowed)
			return
		}
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		io.WriteString(connection, "HTTP/1.1 200 Connection established\r\n\r\n")
		select {
		case inside.made <- tls.Server(connection, &tls.Config{Certificates: []tls.Certificate{certificate}}):
		case <-inside.closed:
			connection.Close()
		}
	}))
	t.Cleanup(proxy.Close)
	t.Cleanup(func() { server.Close() })
	return []string{
		"HTTPS_PROXY=" + proxy.URL, "SSL_CERT_FILE=" + authority, "REQUESTS_CA_BUNDLE=" + authority, "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE=" + authority, "CURL_CA_BUNDLE=" + authority,
	}
}

// connections is a listener of connections that come by the proxy.
type connections struct {
	made   chan net.Conn
	closed chan struct{}
}

func (c connections) Accept() (net.Conn, error) {
	select {
	case connection := <-c.made:
		return connection, nil
	case <-c.closed:
		return nil, net.ErrClosed
	}
}

func (c connections) Close() error {
	close(c.closed)
	return nil
}

func (c connections) Addr() net.Addr { return &net.TCPAddr{} }

// certify makes a certificate for Google's hosts and the file of the authority
// that signed it.
func certify(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	valid := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), BasicConstraintsValid: true}
	authority, server := valid, valid
	authority.Subject, authority.IsCA, authority.KeyUsage = pkix.Name{CommonName: "a test's authority"}, true, x509.KeyUsageCertSign
	server.Subject, server.DNSNames, server.KeyUsage = pkix.Name{CommonName: "a test"}, []string{"*.googleapis.com"}, x509.KeyUsageDigitalSignature
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}

	sign := func(certificate *x509.Certificate, signer *ecdsa.PrivateKey) ([]byte, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if signer == nil {
			signer = key
		}
		der, err := x509.CreateCertificate(rand.Reader, certificate, &authority, &key.PublicKey, signer)
		if err != nil {
			t.Fatal(err)
		}
		return der, key
	}
	root, rootKey := sign(&authority, nil)
	leaf, leafKey := sign(&server, rootKey)
	file := t.TempDir() + "/authority.pem"
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{leaf}, PrivateKey: leafKey}, file
}

// ServeHTTP answers one request: of an object as Cloud Storage does, of anything
// else with JSON.
func (api *googleAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, answer := 0, any(nil)
	if objectPath.MatchString(r.URL.Path) && r.Host == "storage.googleapis.com" {
		if status, answer = api.refuseObject(r); status == 0 {
			api.storage.HTTPHandler().ServeHTTP(w, r)
			return
		}
	} else {
		status, answer = api.answer(r)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		api.t.Error(err)
	}
}

// objectPath are the paths of objects, and of all that a bucket holds.
var objectPath = regexp.MustCompile(`^(?:/upload|/download|/resumable)*/storage/v1/b/([^/]+)/o(?:/(.+))?$|^/upload/resumable/`)

func (api *googleAPI) refuseObject(r *http.Request) (int, any) {
	api.mu.Lock()
	defer api.mu.Unlock()
	return api.refuse(r, object{})
}

var iamMethod = regexp.MustCompile(`^(.*?)(?::(get|set)IamPolicy|/iam)$`)

func (api *googleAPI) answer(r *http.Request) (status int, answer any) {
	body, err := readJSON(r)
	if err != nil {
		return fault(http.StatusBadRequest, err.Error())
	}
	api.mu.Lock()
	defer api.mu.Unlock()
	key := r.Host + r.URL.Path
	if status, refused := api.refuse(r, body); status != 0 {
		return status, refused
	}
	if method := iamMethod.FindStringSubmatch(key); method != nil {
		return http.StatusOK, api.policy(method[1], body)
	}
	if strings.HasPrefix(r.Host, "serviceusage.") {
		return http.StatusOK, api.services(r, body)
	}
	switch r.Method {
	case http.MethodGet:
		if o, ok := api.operations[path.Base(key)]; ok {
			return http.StatusOK, o.now()
		}
		if o, ok := api.resources[key]; ok {
			return http.StatusOK, o
		}
		if strings.HasSuffix(key, ":listAttestationRules") {
			return http.StatusOK, object{}
		}
		return fault(http.StatusNotFound, "there is no "+key)
	case http.MethodPut, http.MethodPatch: // a dataset's update keeps what it does not name, too
		return http.StatusOK, api.patch(r, key, body)
	case http.MethodPost:
		return api.create(r, body)
	case http.MethodDelete:
		if reason := api.protection(r, key); reason != "" {
			return fault(http.StatusPreconditionFailed, reason)
		}
		also := serviceOf(resourceName(r.URL.Path)) // a function takes its service with it
		maps.DeleteFunc(api.resources, func(other string, _ object) bool {
			return other == key || strings.HasPrefix(other, key+"/") || other == also
		})
		return http.StatusOK, operation(object{})
	default:
		return fault(http.StatusMethodNotAllowed, r.Method)
	}
}

// protection says what keeps a resource from being deleted.
func (api *googleAPI) protection(r *http.Request, key string) string {
	if api.resources[key]["deleteProtectionState"] == "DELETE_PROTECTION_ENABLED" {
		return key + " is protected"
	}
	if parent, name := path.Split(r.URL.Path); r.Host == "storage.googleapis.com" && parent == "/storage/v1/b/" {
		if held, err := api.storage.ListObjectsWithOptionsPaginated(name, fakestorage.ListOptions{Versions: true}); err != nil || len(held.Objects) > 0 {
			return fmt.Sprintf("the bucket %s is not empty: %d objects, %v", name, len(held.Objects), err)
		}
	}
	return ""
}

func (api *googleAPI) create(r *http.Request, body object) (int, any) {
	if job, ok := strings.CutSuffix(r.Host+r.URL.Path, ":resume"); ok {
		return http.StatusOK, api.resources[job]
	}
	if strings.HasSuffix(r.URL.Path, "/documents:runQuery") {
		return http.StatusOK, []object{{"readTime": "2026-03-01T10:00:00Z"}} // nothing is found
	}
	for _, c := range collections {
		if r.Host != c.host || !regexp.MustCompile("^"+c.path+"$").MatchString(r.URL.Path) {
			continue
		}
		id := c.id(r, body)
		if id == "" {
			api.serial++
			id = fmt.Sprint(api.serial)
		}
		where := r.URL.Path + "/" + id
		if _, there := api.resources[r.Host+where]; there {
			return fault(http.StatusConflict, where+" exists already")
		}
		if inner, ok := body["role"].(object); ok {
			body = inner
		}
		if inner, ok := body["serviceAccount"].(object); ok {
			body = inner
		}
		if c.answer != nil {
			c.answer(api, resourceName(where), body)
		}
		api.resources[r.Host+where] = body
		if c.operation {
			return http.StatusOK, operation(body)
		}
		return http.StatusOK, body
	}
	return fault(http.StatusNotFound, "no collection at "+r.Host+r.URL.Path)
}

// patch merges what was sent. Fields of Firestore are there before anybody
// made them. What is made by an operation changes by one.
func (api *googleAPI) patch(r *http.Request, key string, body object) any {
	o := api.resources[key]
	if o == nil {
		o = object{}
		api.resources[key] = o
	}
	maps.Copy(o, body)
	if r.Host != "storage.googleapis.com" {
		named(api, resourceName(r.URL.Path), o)
	}
	for _, c := range collections {
		if c.operation && r.Host == c.host && regexp.MustCompile("^"+c.path+"$").MatchString(path.Dir(r.URL.Path)) {
			c.answer(api, resourceName(r.URL.Path), o)
			return operation(o)
		}
	}
	if strings.Contains(key, "/fields/") {
		if ttl, ok := o["ttlConfig"].(object); ok {
			ttl["state"] = "ACTIVE"
		}
		return api.later(r, o)
	}
	return o
}

// policy reads or, where there is one in the body, writes a policy.
func (api *googleAPI) policy(key string, body object) any {
	if policy, ok := body["policy"]; ok {
		api.policies[key] = policy
	} else if _, ok := body["bindings"]; ok {
		api.policies[key] = body
	}
	if policy, ok := api.policies[key]; ok {
		return policy
	}
	return object{"version": 1, "etag": "BwY="}
}

func operation(response object) object {
	return object{"name": "operations/finished", "done": true, "response": response}
}

func fault(status int, message string) (int, any) {
	return status, object{"error": object{"code": status, "message": message, "errors": []object{{"reason": "notFound"}}}}
}

func readJSON(r *http.Request) (object, error) {
	o := object{}
	data, err := io.ReadAll(r.Body)
	if err != nil || len(data) == 0 {
		return o, err
	}
	return o, json.Unmarshal(data, &o)
}

// resourceName is a path without the API's version.
func resourceName(p string) string {
	return regexp.MustCompile(`^/v\d\w*/`).ReplaceAllString(p, "")
}

func jobID(_ *http.Request, o object) string { return path.Base(fmt.Sprint(o["name"])) }

// scheduled is a job with what the API says of tries where none are asked for.
func scheduled(_ *googleAPI, name string, o object) {
	o["name"], o["state"] = name, "ENABLED"
	o["retryConfig"] = object{"maxRetryDuration": "0s", "minBackoffDuration": "5s", "maxBackoffDuration": "3600s", "maxDoublings": 5}
}

func pool(_ *googleAPI, name string, o object) { o["name"], o["state"] = name, "ACTIVE" }

func named(_ *googleAPI, name string, o object) { o["name"] = name }

func accountID(r *http.Request, o object) string {
	project := strings.Split(r.URL.Path, "/")[3]
	return fmt.Sprintf("%s@%s.iam.gserviceaccount.com", o["accountId"], project)
}

func account(_ *googleAPI, name string, o object) {
	o["name"], o["email"], o["uniqueId"], o["projectId"] = name, path.Base(name), "1", strings.Split(name, "/")[1]
}

// role and database keep what they were sent, under their name.
func role(_ *googleAPI, name string, o object) {
	o["name"], o["stage"] = name, "GA"
	delete(o, "roleId")
}

func indexed(_ *googleAPI, name string, o object) { o["name"], o["state"] = name, "READY" }

// serviceOf is the Cloud Run service of a function.
func serviceOf(function string) string {
	return "run.googleapis.com/v2/" + strings.Replace(function, "/functions/", "/services/", 1)
}

// served is a service of Cloud Run, which runs the image of a function as it stands.
func served(api *googleAPI, name string, o object) {
	text := fmt.Sprint(o["template"])
	built := slices.ContainsFunc(slices.Collect(maps.Values(api.resources)), func(other object) bool {
		return other["buildConfig"] != nil && strings.Contains(text, "image:"+builtImage(other)+" ")
	})
	if !built {
		api.t.Errorf("%s runs an image that nothing has built: %s", name, text)
	}
	running(name, o)
}

func running(name string, o object) {
	o["name"], o["uid"], o["uri"] = name, "1", "https://"+path.Base(name)+"-hash-uc.a.run.app"
	o["terminalCondition"] = object{"type": "Ready", "state": "CONDITION_SUCCEEDED"}
}

// builtImage is the image of a function, another one for other source.
func builtImage(function object) string {
	build, _ := function["buildConfig"].(object)
	return fmt.Sprintf("us-central1-docker.pkg.dev/%v@sha256:%x", build["dockerRepository"], sha256.Sum256(fmt.Append(nil, build["source"])))
}

// deployed is a function with what the API fills in, and its service.
func deployed(api *googleAPI, name string, o object) {
	service := object{"template": object{"containers": []object{{"image": builtImage(o)}}}}
	running(strings.Replace(name, "/functions/", "/services/", 1), service)
	api.resources[serviceOf(name)] = service
	parts := strings.Split(name, "/")
	uri := "https://" + parts[5] + "-123456789012." + parts[3] + ".run.app"
	o["name"], o["state"], o["environment"], o["url"] = name, "ACTIVE", "GEN_2", uri
	config, _ := o["serviceConfig"].(object)
	config["uri"], config["service"], config["revision"] = uri, fmt.Sprintf("projects/%s/locations/%s/services/%s", parts[1], parts[3], parts[5]), parts[5]+"-00001"
	build, _ := o["buildConfig"].(object)
	build["build"], build["dockerRegistry"], build["automaticUpdatePolicy"] = "projects/1/builds/1", "ARTIFACT_REGISTRY", object{}
}

// dataset names people and groups by address, whatever they were granted as.
func dataset(_ *googleAPI, _ string, o object) {
	entries, _ := o["access"].([]any)
	for _, entry := range entries {
		e, _ := entry.(object)
		member, _ := e["iamMember"].(string)
		kind, address, _ := strings.Cut(member, ":")
		switch kind {
		case "user", "serviceAccount":
			e["userByEmail"] = address
			delete(e, "iamMember")
		case "group":
			e["groupByEmail"] = address
			delete(e, "iamMember")
		}
	}
	o["etag"], o["creationTime"], o["lastModifiedTime"] = "1", "1", "1"
}

func table(_ *googleAPI, _ string, o object) {
	o["etag"], o["creationTime"], o["lastModifiedTime"], o["type"] = "1", "1", "1", "EXTERNAL"
}

// monitored is a policy, a channel or a dashboard; policies' conditions have
// names too.
func monitored(_ *googleAPI, name string, o object) {
	o["name"], o["etag"] = name, "1"
	conditions, _ := o["conditions"].([]any)
	for i, condition := range conditions {
		condition.(object)["name"] = fmt.Sprintf("%s/conditions/%d", name, i)
	}
}

// bucket is written in capitals where it lies, and its retention has a
// beginning.
func bucket(api *googleAPI, name string, o object) {
	versioning, _ := o["versioning"].(object)
	api.storage.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: fmt.Sprint(o["name"]), VersioningEnabled: versioning["enabled"] == true})
	o["id"], o["location"] = o["name"], strings.ToUpper(fmt.Sprint(o["location"]))
	o["locationType"], o["storageClass"], o["projectNumber"], o["selfLink"] = "region", "STANDARD", "123456789012", "https://storage.googleapis.com/"+name
	for _, policy := range []string{"retentionPolicy", "softDeletePolicy"} {
		if p, ok := o[policy].(object); ok {
			p["effectiveTime"] = "2026-03-01T10:00:00Z"
		}
	}
}

func notificationConfig(_ *googleAPI, name string, o object) {
	o["id"], o["kind"] = path.Base(name), "storage#notification"
	if topic, ok := o["topic"].(string); ok && !strings.HasPrefix(topic, "//") {
		o["topic"] = "//pubsub.googleapis.com/" + topic
	}
}
