package terraform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Times pass ten times as fast here as at Google, for whom 60 s are not enough
// for a build's grants.
const (
	faster      = 10
	apiKnown    = 60 * time.Second / faster
	grantKnown  = 180 * time.Second / faster
	fieldChange = 300 * time.Millisecond
)

// lateness is after how long an API and a grant are known.
type lateness struct{ api, grant time.Duration }

// refusals are what the APIs of Google refuse: callers without the right, an API
// that was enabled just now, an agent that was never made, what rests on a grant
// that is not known yet, and a change of a field while another is made.
type refusals struct {
	roles      []string             // of the caller on the project; nil: the owner
	enabled    map[string]time.Time // by API
	agents     map[string]bool      // that were generated, by API
	grants     map[string]time.Time // by resource, role, member and condition
	operations map[string]pending
	said       []string // refusals, in order
	refused    func()   // is told of each
	late       lateness
}

type pending struct {
	until    time.Time
	name     string
	database string
	result   object
}

// now is the operation as it is answered now.
func (p pending) now() object {
	if time.Now().Before(p.until) {
		return object{"name": p.name, "done": false}
	}
	return object{"name": p.name, "done": true, "response": p.result}
}

func newRefusals() refusals {
	long := time.Time{}
	return refusals{
		refused: func() {}, late: lateness{apiKnown, grantKnown}, agents: map[string]bool{}, grants: map[string]time.Time{}, operations: map[string]pending{},
		// Those that the README has people enable by hand.
		enabled: map[string]time.Time{"cloudresourcemanager.googleapis.com": long, "serviceusage.googleapis.com": long, "storage.googleapis.com": long, "cloudbilling.googleapis.com": long},
	}
}

// agentAddresses are Google's own accounts, which are there once generated.
var agentAddresses = map[string]string{
	"artifactregistry.googleapis.com": "service-123456789012@gcp-sa-artifactregistry.iam.gserviceaccount.com",
	"cloudfunctions.googleapis.com":   "service-123456789012@gcf-admin-robot.iam.gserviceaccount.com",
	"iap.googleapis.com":              "service-123456789012@gcp-sa-iap.iam.gserviceaccount.com",
	"firestore.googleapis.com":        "service-123456789012@gcp-sa-firestore.iam.gserviceaccount.com",
	"pubsub.googleapis.com":           "service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
	"run.googleapis.com":              "service-123456789012@serverless-robot-prod.iam.gserviceaccount.com",
	"storage.googleapis.com":          "service-123456789012@gs-project-accounts.iam.gserviceaccount.com",
}

// rolePermissions are those that the roles hold of the permissions used here, as
// patterns, from https://cloud.google.com/iam/docs/roles-permissions.
var rolePermissions = map[string]string{
	"roles/artifactregistry.admin":              `artifactregistry\..*`,
	"roles/bigquery.admin":                      `bigquery\..*`,
	"roles/cloudfunctions.admin":                `cloudfunctions\..*`,
	"roles/cloudscheduler.admin":                `cloudscheduler\..*`,
	"roles/datastore.owner":                     `datastore\..*`,
	"roles/iap.admin":                           `iap\..*`,
	"roles/iam.roleAdmin":                       `iam\.roles\..*`,
	"roles/iam.serviceAccountAdmin":             `iam\.serviceAccounts\.(create|delete|get|list|update|getIamPolicy|setIamPolicy)`,
	"roles/iam.serviceAccountUser":              `iam\.serviceAccounts\.(actAs|get|list)`,
	"roles/iam.workloadIdentityPoolAdmin":       `iam\.(workloadIdentityPools|providers)\..*`,
	"roles/logging.configWriter":                `logging\.metrics\..*`,
	"roles/monitoring.editor":                   `monitoring\..*`,
	"roles/pubsub.admin":                        `pubsub\..*`,
	"roles/resourcemanager.projectIamAdmin":     `resourcemanager\.projects\.(get|getIamPolicy|setIamPolicy)`,
	"roles/run.admin":                           `run\..*`,
	"roles/secretmanager.admin":                 `secretmanager\..*`,
	"roles/serviceusage.serviceUsageAdmin":      `serviceusage\.services\..*`,
	"roles/storage.admin":                       `storage\..*|resourcemanager\.projects\.get`,
	"roles/billing.costsManager on the account": `billing\..*`,
	"roles/cloudkms.admin on the key":           `cloudkms\..*`,
}

func allows(role, permission string) bool {
	return regexp.MustCompile("^(?:" + rolePermissions[role] + ")$").MatchString(permission)
}

// products are what permissions call an API.
var products = map[string]string{"firestore": "datastore", "billingbudgets": "billing", "cloudresourcemanager": "resourcemanager", "cloudbilling": "resourcemanager"}

var verbs = map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPut: "create", http.MethodPatch: "update", http.MethodDelete: "delete"}

// permission is what a call takes: API, kind of resource and verb.
func permission(r *http.Request) string {
	api := strings.TrimSuffix(r.Host, ".googleapis.com")
	if product, ok := products[api]; ok {
		api = product
	}
	where, verb := strings.TrimPrefix(r.URL.Path, "/upload"), verbs[r.Method]
	if method := iamMethod.FindStringSubmatch(r.Host + where); method != nil {
		where, verb = strings.TrimPrefix(method[1], r.Host), "getIamPolicy"
		if method[2] == "set" || r.Method == http.MethodPut {
			verb = "setIamPolicy"
		}
	}
	var kind string
	switch segments := strings.Split(strings.Trim(where, "/"), "/"); {
	case api == "storage":
		kind = map[bool]string{true: "objects", false: "buckets"}[strings.Contains(where, "/o")]
	case api == "logging":
		kind = "metrics" // their names have slashes
	case api == "resourcemanager":
		kind = "projects"
	case api == "serviceusage":
		kind, verb = "services", map[bool]string{true: "get", false: "enable"}[r.Method == http.MethodGet]
	case verb == "create" && r.Method == http.MethodPost:
		kind = segments[len(segments)-1]
	default:
		kind = segments[max(0, len(segments)-2)]
	}
	return api + "." + kind + "." + verb
}

// refuse says what Google would refuse of a call, by its status; 0: nothing.
func (f *refusals) refuse(r *http.Request, body object) (int, any) {
	if r.Host == "openidconnect.googleapis.com" || r.Host == "compute.googleapis.com" {
		return fault(http.StatusNotFound, "tools ask here who is calling, and go on without an answer")
	}
	reason := f.missingRight(r, body)
	status := http.StatusForbidden
	if reason == "" {
		reason = f.unknownAPI(r.Host)
	}
	if reason == "" {
		status, reason = http.StatusBadRequest, f.notReady(r, body)
	}
	if reason == "" {
		f.note(r, body)
		return 0, nil
	}
	f.said = append(f.said, reason)
	f.refused()
	return fault(status, reason)
}

func (f *refusals) missingRight(r *http.Request, body object) string {
	needed := []string{permission(r)}
	if r.Header.Get("X-Goog-User-Project") != "" {
		needed = append(needed, "serviceusage.services.use")
	}
	text, _ := json.Marshal(body)
	if r.Method != http.MethodGet && regexp.MustCompile(`"(serviceAccountEmail|serviceAccount)":"[^"]`).Match(text) {
		needed = append(needed, "iam.serviceAccounts.actAs")
	}
	for _, permission := range needed {
		if f.roles != nil && !slices.ContainsFunc(f.roles, func(role string) bool { return allows(role, permission) }) {
			return "the caller lacks " + permission + ", which " + strings.Join(rolesWith(permission), " or ") + " has"
		}
	}
	return ""
}

func rolesWith(permission string) (roles []string) {
	for role := range rolePermissions {
		if allows(role, permission) {
			roles = append(roles, role)
		}
	}
	return roles
}

func (f *refusals) unknownAPI(host string) string {
	if at, ok := f.enabled[host]; !ok || time.Since(at) < f.late.api {
		return host + " has not been used in project 123456789012 before or it is disabled: wait for time_sleep.services"
	}
	return ""
}

var bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$`)

// notReady says what a call rests on that is not there yet.
func (f *refusals) notReady(r *http.Request, body object) string {
	text, _ := json.Marshal(body)
	switch {
	case strings.Contains(permission(r), "setIamPolicy"):
		for api, address := range agentAddresses {
			if api != "storage.googleapis.com" && !f.agents[api] && strings.Contains(string(text), address) {
				return "Service account " + address + " does not exist: generate the identity of " + api
			}
		}
	case r.Method == http.MethodGet || r.Method == http.MethodDelete:
	case strings.Contains(string(text), "/cryptoKeys/") && agentAddresses[r.Host] != "" && r.Host != "storage.googleapis.com" && !f.agents[r.Host]:
		return "Service account " + agentAddresses[r.Host] + " does not exist: generate the identity of " + r.Host
	case strings.Contains(string(text), "/cryptoKeys/") && !f.granted("cryptoKeys", "roles/cloudkms.cryptoKeyEncrypterDecrypter", agentAddresses[r.Host], ""):
		return agentAddresses[r.Host] + " may not use the key yet: wait for time_sleep.kms_grants"
	case strings.HasSuffix(r.URL.Path, "/notificationConfigs"):
		if !f.granted("/topics/", "roles/pubsub.publisher", agentAddresses["storage.googleapis.com"], "") {
			return "Cloud Storage's agent may not publish to the topic yet: wait for time_sleep.grants"
		}
	case r.URL.Path == "/storage/v1/b" && !bucketName.MatchString(fmt.Sprint(body["name"])):
		return fmt.Sprintf("Invalid bucket name: %v", body["name"])
	case strings.HasSuffix(r.URL.Path, "/functions"):
		return f.unbuildable(string(text))
	case strings.Contains(r.URL.Path, "/fields/"):
		for _, other := range f.operations {
			if strings.HasPrefix(r.URL.Path, other.database+"/") && time.Now().Before(other.until) {
				return "another change of a field of " + other.database + " is under way: change one after the other"
			}
		}
	}
	return ""
}

// unbuildable says what a function's build and its start lack.
func (f *refusals) unbuildable(function string) string {
	for _, api := range []string{"artifactregistry.googleapis.com", "cloudfunctions.googleapis.com", "run.googleapis.com"} {
		if !f.agents[api] {
			return "Service account " + agentAddresses[api] + " does not exist: generate the identity of " + api
		}
	}
	builder := regexp.MustCompile(`"serviceAccount":"projects/[^/]+/serviceAccounts/([^"]+)"`).FindStringSubmatch(function)
	if builder == nil {
		return "the function is built under the default account"
	}
	copied := `resource.name == "projects/_/buckets/gcf-v2-sources-123456789012-us-central1"`
	if strings.Contains(function, "/cryptoKeys/") {
		copied = `resource.name.startsWith("projects/_/buckets/gcf-v2-sources-123456789012-us-central1-")`
	}
	for _, grant := range [][3]string{
		{"/repositories/", "roles/artifactregistry.writer", ""}, {"/b/", "roles/storage.objectViewer", ""},
		{"/projects/", "roles/logging.logWriter", ""}, {"/projects/", "roles/storage.objectViewer", copied},
	} {
		if !f.granted(grant[0], grant[1], builder[1], grant[2]) {
			return "the build of the function fails: " + builder[1] + " has " + grant[1] + " on " + grant[0] + " not yet: wait for time_sleep.grants"
		}
	}
	var asked struct {
		ServiceConfig struct {
			ServiceAccountEmail        string
			SecretEnvironmentVariables []struct{ Secret string }
		}
	}
	if err := json.Unmarshal([]byte(function), &asked); err != nil {
		return err.Error()
	}
	for _, secret := range asked.ServiceConfig.SecretEnvironmentVariables {
		if account := asked.ServiceConfig.ServiceAccountEmail; !f.granted("/secrets/"+secret.Secret, "roles/secretmanager.secretAccessor", account, "") {
			return account + " may not read the secret " + secret.Secret + " yet: wait for time_sleep.grants"
		}
	}
	return ""
}

// granted reports whether a grant is known by now.
func (f *refusals) granted(on, role, member, condition string) bool {
	for grant, at := range f.grants {
		if strings.Contains(grant, on) && strings.Contains(grant, " "+role+" ") && strings.Contains(grant, member+" ") && strings.Contains(grant, condition) && time.Since(at) >= f.late.grant {
			return true
		}
	}
	return false
}

// note keeps since when a policy grants what.
func (f *refusals) note(r *http.Request, body object) {
	policy, ok := body["policy"].(object)
	if !ok {
		policy = body
	}
	bindings, _ := policy["bindings"].([]any)
	for _, one := range bindings {
		binding, _ := one.(object)
		members, _ := binding["members"].([]any)
		condition, _ := binding["condition"].(object)
		for _, member := range members {
			grant := fmt.Sprintf("%s%s %v %v %v", r.Host, r.URL.Path, binding["role"], member, condition["expression"])
			if _, there := f.grants[grant]; !there {
				f.grants[grant] = time.Now()
			}
		}
	}
}

// later answers a change of a field by an operation that takes a while.
func (f *refusals) later(r *http.Request, result object) object {
	name := fmt.Sprintf("change-%d", len(f.operations))
	database, _, _ := strings.Cut(r.URL.Path, "/collectionGroups/")
	f.operations[name] = pending{until: time.Now().Add(fieldChange), name: resourceName(database) + "/operations/" + name, database: database, result: result}
	return f.operations[name].now()
}

// services answers Service Usage: what is enabled, and by and by what was asked.
func (f *refusals) services(r *http.Request, body object) any {
	name, method, _ := strings.Cut(path.Base(r.URL.Path), ":")
	asked := []any{name}
	switch {
	case method == "batchEnable":
		asked, _ = body["serviceIds"].([]any)
		fallthrough
	case method == "enable":
		for _, one := range asked {
			if _, there := f.enabled[fmt.Sprint(one)]; !there {
				f.enabled[fmt.Sprint(one)] = time.Now()
			}
		}
		return operation(object{})
	case method == "generateServiceIdentity":
		f.agents[name] = true
		return operation(object{"@type": "type.googleapis.com/google.api.serviceusage.v1beta1.ServiceIdentity", "email": agentAddresses[name], "uniqueId": "1"})
	case name == "services":
		var enabled []object
		for api := range f.enabled {
			enabled = append(enabled, object{"name": "projects/123456789012/services/" + api, "state": "ENABLED", "config": object{"name": api}})
		}
		return object{"services": enabled}
	default:
		state := "DISABLED"
		if _, there := f.enabled[name]; there {
			state = "ENABLED"
		}
		return object{"name": "projects/123456789012/services/" + name, "state": state}
	}
}
