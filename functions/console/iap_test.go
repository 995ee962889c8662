package console_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"

	"github.com/planwright/planwright/functions/browsertest"
	_ "github.com/planwright/planwright/functions/console" // registers the function
	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/identity"
	"github.com/planwright/planwright/shared/identity/identitytest"
)

const (
	pagesAccount = "shop-console@demo.iam.gserviceaccount.com"
	ana, ben     = "ana@example.com", "ben@example.com"
)

// team is an installation with pages for a team: behind a stand-in for Identity-Aware
// Proxy, over the planner behind one for Cloud Run, with a webhook.
type team struct {
	deployed
	testing.TB
	issuer, forger identitytest.Issuer
	console        string // past the proxy
	proxy          string // the public address
	cloudRun       string // the planner's address
	sessionRun     string // the session function's
	hook           *hooks
	buckets        *buckets
}

func newTeam(t *testing.T) *team {
	t.Helper()
	issuer := identitytest.New(t)
	googleKeys(t, issuer)
	x := &team{deployed: deploy(t), TB: t, issuer: issuer, forger: identitytest.New(t), hook: &hooks{}}
	x.buckets = serveBuckets(t, x.storage)
	x.cloudRun, x.sessionRun = serve(t, x.invokedBy(x.planner, pagesAccount, ana)), serve(t, x.invokedBy(x.sessions, pagesAccount))
	x.console = frameworktest.Serve(t, "Console")
	x.proxy = serve(t, x.identityAware(x.console))
	for name, value := range map[string]string{
		"STORAGE_EMULATOR_HOST": x.buckets.host, "UPLOADERS": ana, "APPROVERS": ana + "," + ben, "APPROVAL_BY_ANOTHER": "true",
		"TOKEN_AUDIENCES": x.cloudRun + "," + x.sessionRun, "SESSION_URL": x.sessionRun, "APPROVAL_GCLOUD_TOKENS": "false", "CONSOLE_ACCOUNT": pagesAccount, "IAP_AUDIENCE": identitytest.IAPAudience,
		"PLANNER_URL": x.cloudRun, "PUBLIC_URL": x.proxy, "GCE_METADATA_HOST": strings.TrimPrefix(serve(t, x.metadata()), "http://"),
		"NOTIFY_URL": serve(t, x.hook), "NOTIFY_SECRET": "0123456789abcdef",
	} {
		t.Setenv(name, value)
	}
	return x
}

func serve(t testing.TB, handler http.Handler) string {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// forward sends what comes to another server, under the name that it came to.
func forward(t testing.TB, to string) http.Handler {
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}}
}

// metadata is the server by which a program at Google gets its account's tokens.
func (x *team) metadata() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Metadata-Flavor", "Google")
		if strings.HasSuffix(r.URL.Path, "/identity") {
			io.WriteString(w, x.issuer.Identity(x, pagesAccount, r.URL.Query().Get("audience")))
			return
		}
		io.WriteString(w, "demo")
	})
}

// invokedBy lets some accounts through to a function, as Cloud Run does: by the token in
// X-Serverless-Authorization, or else that in Authorization, whose signature it takes off.
func (x *team) invokedBy(function string, accounts ...string) http.Handler {
	next := forward(x, function)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		verifier, err := identity.NewVerifier(&http.Client{Transport: x.issuer}, x.cloudRun, x.sessionRun)
		if err != nil {
			x.Error(err)
		}
		checked := r.Clone(r.Context())
		if first := r.Header.Get("X-Serverless-Authorization"); first != "" {
			checked.Header.Set("Authorization", first)
		} else if given := r.Header.Get("Authorization"); given != "" {
			r.Header.Set("Authorization", given[:strings.LastIndexByte(given, '.')+1]+"SIGNATURE_REMOVED_BY_GOOGLE")
		}
		if name, err := verifier.Caller(checked); err != nil || !slices.Contains(accounts, name) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// identityAware is the proxy: who has signed in, by a cookie of its own, comes through with
// its word, and nobody else does.
func (x *team) identityAware(pages string) http.Handler {
	who := func(r *http.Request) string {
		if cookie, err := r.Cookie("iap"); err == nil {
			return cookie.Value
		}
		return ""
	}
	next := x.issuer.Proxy(x, forward(x, pages), who)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, ok := strings.CutPrefix(r.URL.Path, "/sign-in/"); ok {
			http.SetCookie(w, &http.Cookie{Name: "iap", Value: name, Path: "/"})
			return
		}
		if who(r) == "" {
			http.Error(w, "sign in first", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hooks keeps what a webhook is told.
type hooks struct {
	mu   sync.Mutex
	told []string
}

func (h *hooks) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, string(body))
}

func (h *hooks) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.told, "\n")
}

// buckets is Cloud Storage as a browser meets it: the address of an upload may be used by
// pages of the origin that it was opened for, and says how far it has come. One part of
// each upload gets lost.
type buckets struct {
	host    string
	mu      sync.Mutex
	uploads map[string]*opened // by id
}

type opened struct {
	origin string
	come   int
	lost   bool
}

var partRange = regexp.MustCompile(`^bytes (?:(\d+)-(\d+)|\*)/(\d+)$`)

func serveBuckets(t *testing.T, storage *fakestorage.Server) *buckets {
	b := &buckets{uploads: map[string]*opened{}}
	next := storage.HTTPHandler()
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		upload := b.uploads[r.URL.Query().Get("upload_id")]
		b.mu.Unlock()
		if upload != nil {
			b.part(w, r, upload, next)
			return
		}
		origin := r.Header.Get("Origin")
		r.Header.Del("Origin")
		if origin == "" || r.URL.Query().Get("uploadType") != "resumable" {
			next.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		location, err := url.Parse(answer.Header().Get("Location"))
		if err != nil {
			t.Error(err)
		}
		b.mu.Lock()
		b.uploads[location.Query().Get("upload_id")] = &opened{origin: origin}
		b.mu.Unlock()
		w.Header().Set("Location", "http://"+r.Host+location.RequestURI())
		w.WriteHeader(answer.Code)
	}))
	b.host = strings.TrimPrefix(address, "http://")
	return b
}

func (b *buckets) part(w http.ResponseWriter, r *http.Request, upload *opened, next http.Handler) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if from := r.Header.Get("Origin"); from == upload.origin {
		w.Header().Set("Access-Control-Allow-Origin", from)
		w.Header().Set("Access-Control-Expose-Headers", "Range")
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "PUT")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Range")
		return
	}
	said := partRange.FindStringSubmatch(r.Header.Get("Content-Range"))
	switch {
	case said != nil && said[1] == "": // how far it has come is asked
		if upload.come > 0 {
			w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", upload.come-1))
		}
		w.WriteHeader(http.StatusPermanentRedirect)
	case !upload.lost && said != nil && said[1] != "0":
		upload.lost = true
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		r.Header.Del("Origin")
		if said != nil { // else all comes at once
			last, err := strconv.Atoi(said[2])
			if err != nil {
				panic(err)
			}
			upload.come = last + 1
		}
		next.ServeHTTP(w, r)
	}
}

// inItsOwnProcess reports whether the test is alone in its process, and runs it there where
// it is not: a deployed function is built once in a process, with what it is given then.
func inItsOwnProcess(t *testing.T) bool {
	t.Helper()
	const alone = "CONSOLE_TEST_ALONE"
	if os.Getenv(alone) != "" {
		return true
	}
	firestoretest.Project(t) // or there is no emulator, which the test says here
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), alone+"=1")
	output, err := command.CombinedOutput()
	if err != nil || !bytes.Contains(output, []byte("--- PASS: "+t.Name())) {
		t.Errorf("%v\n%s", err, output)
	}
	return false
}

// person opens a browser and signs somebody in.
func (x *team) person(t *testing.T, name string) tab {
	t.Helper()
	b := tab{browsertest.New(t), x.proxy, nil}
	b.open("/sign-in/" + name)
	b.open("/")
	b.Shows(name)
	return b
}

// TestATeamBehindIdentityAwareProxy has Ana ask and propose, and Ben, for whom the webhook
// hears of it, decide on the page that the link leads to.
func TestATeamBehindIdentityAwareProxy(t *testing.T) {
	browsertest.New(t) // or there is none
	if !inItsOwnProcess(t) {
		return
	}
	x := newTeam(t)
	a := x.person(t, ana)

	rows := strings.Repeat("X,yoga,19.99,false\n", 500_000) // 9.5 MB, in two parts
	for i := range 3 {
		rows += fmt.Sprintf("A10%d,fitness,29.99,true\n", i)
	}
	a.give("products.csv", "sku,category,price,in_stock\n"+rows)
	a.Shows("New change", "products.csv")
	a.open("/")
	a.Shows("Change prices in products.csv")

	a.begin("small.csv", products, "Increase fitness prices by 10%.")
	a.Shows("of 4 change")
	a.press("Ask for approval")
	a.Shows("Starting")
	x.announce(t)
	a.Shows("Increase fitness prices by 10%.", "Waiting for "+ben)
	page := browsertest.Eval[string](a.Browser, "location.pathname")

	x.sweep(t)
	told := x.hook.all()
	link := x.proxy + page
	if !strings.Contains(told, `"link":"`+link+`"`) || !strings.Contains(told, `"names":["`+ana+`","`+ben+`"],`) || strings.Contains(told, "A101") {
		t.Fatalf("the webhook was told %s", told)
	}
	b := x.person(t, ben)
	b.open(strings.TrimPrefix(link, x.proxy))
	b.Shows("waiting for you", ben, "Approve it?")

	x.strangersAreRefused(t, page)
	b.press("Approve")
	b.Shows("Approved by " + ben)
	x.sweep(t)
	a.Shows("Done. 3 prices are in the file.", "Approved by "+ben)
	if output := a.fetch(`document.querySelector("a[href$='/files/output']").href`); !strings.Contains(output, "A101,fitness,32.99,true") {
		t.Errorf("downloaded\n%s", output)
	}
	record := x.request(t, http.MethodGet, "/v1"+page, "", nil)
	for _, want := range []string{`"by":"` + ben + `"`, `"author":"` + ana + `"`, `"uploaded_by":"` + ana + `"`} {
		if !strings.Contains(record, want) {
			t.Errorf("the record has no %s: %s", want, record)
		}
	}
	if strings.Contains(record, pagesAccount) {
		t.Errorf("the pages themselves are on record: %s", record)
	}
	x.anotherTime(t, a)
	x.withoutScript(t)
	x.goals(t, a, b)
}

// goals has Ana plan a goal, which is hers alone.
func (x *team) goals(t *testing.T, a, b tab) {
	t.Helper()
	a.open("/goal")
	a.fill("message", "Build a web shop.")
	a.fill("hours", "20")
	a.press("Send")
	a.Shows("Build a web shop.", "The plan so far", "of 20 h that you have")
	address := strings.TrimPrefix(browsertest.Eval[string](a.Browser, "location.href"), x.proxy)
	b.open(address)
	b.Shows("Not found", "There is no such conversation of yours.")
	path := "/apps/goal_planning_agent/users/" + ana + "/sessions/" + regexp.MustCompile(`session=([\w-]+)`).FindStringSubmatch(address)[1]
	own := "Bearer " + x.issuer.Identity(t, pagesAccount, x.sessionRun)
	for who, want := range map[string]string{ana: "{", ben: "403 "} {
		header := http.Header{"Authorization": {own}, "X-Serverless-Authorization": {own}, identity.AssertionHeader: {x.issuer.Assertion(t, who, nil)}}
		if got := call(t, http.MethodGet, x.sessionRun+path, "", header); !strings.HasPrefix(got, want) {
			t.Errorf("%s reads Ana's conversation: %.300s", who, got)
		}
	}
}

// request calls the planner as Ana does by command line, and returns the answer's status
// and body, or the body where it is a good one.
func (x *team) request(t *testing.T, method, path, body string, header http.Header) string {
	t.Helper()
	token := "Bearer " + x.issuer.Identity(t, ana, x.cloudRun)
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	for _, name := range []string{"Authorization", "X-Serverless-Authorization"} {
		if header.Get(name) == "" {
			header.Set(name, token)
		}
	}
	return call(t, method, x.cloudRun+path, body, header)
}

func call(t *testing.T, method, address, body string, header http.Header) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header.Clone()
	if request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Host = cmp.Or(header.Get("Host"), request.Host)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Sprintf("%d %s %s", answer.StatusCode, answer.Header.Get("Location"), text)
	}
	return string(text)
}

// strangersAreRefused comes past the proxy, with words that the proxy has not said, and
// through it from elsewhere, to approve of what waits.
func (x *team) strangersAreRefused(t *testing.T, page string) {
	t.Helper()
	host := strings.TrimPrefix(x.proxy, "http://")
	good := x.issuer.Assertion(t, ben, nil)
	sha := regexp.MustCompile(`"proposal_sha256":"(\w+)"`).FindStringSubmatch(x.request(t, http.MethodGet, "/v1"+page, "", nil))
	if sha == nil {
		t.Fatal("nothing waits")
	}
	form := "proposal_sha256=" + sha[1] + "&note=x"
	posted := func(pairs ...string) http.Header {
		h := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Host": {host}, "Origin": {x.proxy}, "Sec-Fetch-Site": {"same-origin"}}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	pages := map[string]http.Header{
		"past the proxy":                      posted(),
		"past it, with a forged assertion":    posted(identity.IAPHeader, x.forger.Assertion(t, ben, nil)),
		"past it, with one that is over":      posted(identity.IAPHeader, x.issuer.Assertion(t, ben, map[string]any{"exp": time.Now().Add(-time.Second).Unix()})),
		"past it, with another service's":     posted(identity.IAPHeader, x.issuer.Assertion(t, ben, map[string]any{"aud": "/projects/1/locations/europe-west1/services/other"})),
		"past it, with an identity token":     posted(identity.IAPHeader, x.issuer.Identity(t, ben, identitytest.IAPAudience), "Authorization", "Bearer "+x.issuer.Identity(t, ben, x.cloudRun)),
		"past it, with the planner's header":  posted(identity.AssertionHeader, good),
		"past it, with the proxy's old names": posted("X-Goog-Authenticated-User-Email", "accounts.google.com:"+ben),
	}
	for what, header := range pages {
		if got := call(t, http.MethodPost, x.console+page+"/approve", form, header); !strings.HasPrefix(got, "403 ") {
			t.Errorf("%s: %s", what, got)
		}
	}
	through := map[string]http.Header{
		"without signing in":                             posted(),
		"from a page of another site, with Ben's cookie": posted("Cookie", "iap="+ben, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"),
		"under another name, with Ben's cookie":          posted("Cookie", "iap="+ben, "Host", "evil.example"),
		"as Ana, with Ben's word in every header": posted("Cookie", "iap="+ana, identity.IAPHeader, good, identity.AssertionHeader, good,
			"Authorization", "Bearer "+x.issuer.Identity(t, ben, x.cloudRun), "X-Serverless-Authorization", "Bearer "+x.issuer.Identity(t, ben, x.cloudRun)),
	}
	for what, header := range through {
		if got := call(t, http.MethodPost, x.proxy+page+"/approve", form, header); !strings.HasPrefix(got, "40") {
			t.Errorf("%s: %s", what, got)
		}
	}
	decision := `{"proposal_sha256": "` + sha[1] + `"}`
	own := "Bearer " + x.issuer.Identity(t, pagesAccount, x.cloudRun)
	of := func(token, assertion string) http.Header {
		return http.Header{"Authorization": {token}, "X-Serverless-Authorization": {token}, identity.AssertionHeader: {assertion}}
	}
	for what, header := range map[string]http.Header{
		"Ana by command line":                 nil,
		"Ana by command line, with Ben's":     {identity.AssertionHeader: {good}},
		"the pages with a forged assertion":   of(own, x.forger.Assertion(t, ben, nil)),
		"the pages for nobody":                of(own, ""),
		"Ben, whom Cloud Run does not let in": of("Bearer "+x.issuer.Identity(t, ben, x.cloudRun), ""),
	} {
		if got := x.request(t, http.MethodPost, "/v1"+page+":approve", decision, header); !strings.HasPrefix(got, "403 ") {
			t.Errorf("%s: %s", what, got)
		}
	}
}

// anotherTime has Ana propose once more, and change the time: the planner hands the table
// in anew, in her name.
func (x *team) anotherTime(t *testing.T, a tab) {
	t.Helper()
	a.begin("small.csv", products, "Discount all yoga products by 5%.")
	a.Shows("of 4 change", "You changed this file once already.")
	a.press("No, on the original")
	a.press("Ask for approval")
	a.Shows("Starting")
	x.announce(t)
	a.Shows("Waiting for " + ben)
	before := browsertest.Eval[string](a.Browser, "location.pathname")
	a.Until(`(document.querySelectorAll("details").forEach(one => one.open = true), true)`)
	a.fill("apply_at", time.Now().Add(48*time.Hour).Format("2006-01-02T15:04"))
	a.press("Save the new times")
	a.Until(`location.pathname !== "` + before + `"`)
	a.Shows("Starting")
	x.announce(t)
	a.Shows("Waiting for " + ben)
	after := x.request(t, http.MethodGet, "/v1"+browsertest.Eval[string](a.Browser, "location.pathname"), "", nil)
	if !strings.Contains(after, `"uploaded_by":"`+ana+`"`) || !strings.Contains(after, `"apply_at"`) {
		t.Errorf("%s", after)
	}
	if rejected := x.request(t, http.MethodGet, "/v1"+before, "", nil); !strings.Contains(rejected, "Its time was changed") {
		t.Errorf("%s", rejected)
	}
}

// withoutScript sends tables by form.
func (x *team) withoutScript(t *testing.T) {
	t.Helper()
	for size, want := range map[int]string{1 << 20: "303 /new?table=", 32 << 20: "422 "} {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		file, err := form.CreateFormFile("table", "products.csv")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(file, "sku,category,price,in_stock\n"+strings.Repeat("X,yoga,19.99,false\n", size/19))
		form.Close()
		header := http.Header{"Content-Type": {form.FormDataContentType()}, "Cookie": {"iap=" + ana}, "Origin": {x.proxy}, "Sec-Fetch-Site": {"same-origin"}}
		got := call(t, http.MethodPost, x.proxy+"/tables", body.String(), header)
		if !strings.HasPrefix(got, want) || want == "422 " && !strings.Contains(got, "larger than 30 MiB") {
			t.Errorf("%d bytes: %.2000s", size, got)
		}
	}
}
