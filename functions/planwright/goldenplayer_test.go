package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/sweeper"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

// player types a script.
type player struct {
	t        *testing.T
	dir      string
	out      *strings.Builder
	tried    attempts
	network  *memory
	remarked bool   // the line before is a remark
	said     string // the last answers, for ${name}
	server   func() int
}

// filled is ${name} in what is typed: the last value that an answer gave it, in JSON
// or as a flag.
var filled = regexp.MustCompile(`\$\{(\w+)\}`)

func (p *player) fill(text string) string {
	return filled.ReplaceAllStringFunc(text, func(name string) string {
		key := filled.FindStringSubmatch(name)[1]
		values := regexp.MustCompile(`(?:"`+key+`": "|--`+key+` )([\w-]+)`).FindAllStringSubmatch(p.said, -1)
		if len(values) == 0 {
			p.t.Fatalf("no answer before has %s", name)
		}
		return values[len(values)-1][1]
	})
}

// answer types one thing, a second after the one before.
func (p *player) answer(block string) {
	p.t.Helper()
	time.Sleep(time.Second)
	if p.out.Len() > 0 && !p.remarked {
		fmt.Fprintln(p.out)
	}
	p.remarked = block[0] == '#'
	fmt.Fprintln(p.out, block)
	switch text := p.fill(block); text[0] {
	case '$':
		p.command(text)
	case '>':
		p.request(strings.Split(text, "\n"))
	case '#':
	default:
		p.t.Fatalf("%q is neither a command nor a request nor a remark", block)
	}
}

// say writes an answer, indented, without what is another on another machine.
func (p *player) say(text string) {
	p.said += text
	text = strings.ReplaceAll(text, p.dir, "/shop")
	for _, other := range elsewhere {
		if !other.byPath || p.server == nil {
			text = other.is.ReplaceAllString(text, other.shown)
		}
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(p.out, strings.TrimRight("  "+line, " \n"))
	}
}

// elsewhere is what another machine or another run says otherwise: a record of commands
// has whole paths, and so have the hashes over it. A server's has none.
var elsewhere = []struct {
	is     *regexp.Regexp
	shown  string
	byPath bool
}{
	{regexp.MustCompile(`\bgo1\.\d+(\.\d+|rc\d+)?`), "go1.x", false},
	{regexp.MustCompile(`"language_version": "[^"]*"`), `"language_version": "1.x"`, false},
	{regexp.MustCompile(`demo-\d+`), "demo-N", false},
	{regexp.MustCompile(`process \d+`), "process N", false},
	// Words may change: those of a message in JSON, of a notice, and of a command about itself.
	{regexp.MustCompile(`"message": "(?:[^"\\]|\\.)+"`), `"message": "..."`, false},
	{regexp.MustCompile(`(?s)(\.skipped-\d+\.txt\n).*\n(Look further)`), "${1}\n${2}", false},
	{regexp.MustCompile(`(?s)^exit 0\n.*\n(Usage:\n)`), "exit 0\n${1}", false},
	{regexp.MustCompile(`(?m)^(  +(?:-\w, +)?--[\w-]+(?: [a-zA-Z]+)?)  .*?(\(default .*\))?$`), "${1}  ${2}", false},
	{regexp.MustCompile(`("(?:previous_|proposal_)?sha256": "|--proposal |it proposes )[0-9a-f]{64}`), "${1}HASH", true},
	{regexp.MustCompile(`("id": "\d{20}-)[0-9a-f]{8}`), "${1}HASH", true},
	// It is of figures that stand beside it.
	{regexp.MustCompile(`("preview_sha256": ")[0-9a-f]{64}`), "${1}HASH", false},
}

// shellWords splits a command line as a shell does, with "..." and '...'.
var shellWords = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)

func (p *player) command(line string) {
	p.t.Helper()
	args := shellWords.FindAllString(line[1:], -1)
	for i, arg := range args {
		args[i] = strings.Trim(arg, `"'`)
	}
	variables := map[string]string{}
	for strings.Contains(args[0], "=") {
		name, value, _ := strings.Cut(args[0], "=")
		variables[name], args = value, args[1:]
	}
	switch args[0] {
	case "planwright":
		p.planwright(args[1:], variables)
	case "stop":
		p.say(fmt.Sprintf("exit %d\n", p.stop()))
	case "wait":
		wait, err := time.ParseDuration(args[1])
		if err != nil {
			p.t.Fatal(err)
		}
		time.Sleep(wait)
	case "cp":
		write(p.t, args[2], read(p.t, args[1]))
	case "rm":
		remove(p.t, args[1])
	case "cat":
		p.say(read(p.t, args[1]))
	default:
		p.t.Fatalf("%q is no command", line)
	}
}

// planwright runs one command line. Files are as old as the clock says.
func (p *player) planwright(args []string, variables map[string]string) {
	p.t.Helper()
	p.settle()
	beside := slices.Contains(args, "&")
	args = slices.DeleteFunc(args, func(arg string) bool { return arg == "&" })
	in := ""
	if at := slices.Index(args, "<"); at >= 0 {
		in, args = read(p.t, args[at+1]), args[:at]
	}
	var out, err logBuffer // a server writes to them while they are read
	env := environment{
		stdin: strings.NewReader(in), stdout: &out, stderr: &err,
		lookup:   func(name string) (string, bool) { value, ok := variables[name]; return value, ok },
		listener: func(context.Context, string) (net.Listener, error) { return p.network.listen(), nil },
	}
	if beside {
		p.start(args, env)
		p.tried.add(args[0], true)
		time.Sleep(apart)
		p.say(withoutPage(out.String()))
		return
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute) // one that serves, too, comes to an end
	defer cancel()
	code := run(ctx, args, env)
	if len(args) > 0 {
		p.tried.add(args[0], code == exitDone)
	}
	p.say(fmt.Sprintf("exit %d\n%s", code, printed(withoutPage(out.String()))))
	for line := range strings.Lines(err.String()) {
		p.say(regexp.MustCompile(`(?m)^`).ReplaceAllString(strings.TrimSuffix(printed(line), "\n"), "! ") + "\n")
	}
}

// apart keeps what is typed from the moments at which a server looks around, which are
// quarters of a second from its start: which of two came first would be another each time.
const apart = 100 * time.Millisecond

// withoutPage is what serve prints without the page that is the answer to GET /, too.
func withoutPage(text string) string {
	if line, _, serves := strings.Cut(text, "\nOpen it"); serves {
		return line + "\n"
	}
	return text
}

// printed shows JSON as a person reads it, and other text as it is.
func printed(text string) string {
	var shown strings.Builder
	for line := range strings.Lines(text) {
		shown.WriteString(shortIndented(line))
	}
	return shown.String()
}

// innermost is an object or list of simple values, over several lines.
var innermost = regexp.MustCompile(`([\[{])\n\s*([^\[\]{}]*?)\s*\n\s*([\]}])`)

// emptyBar is one of a distribution that no row is in.
var emptyBar = regexp.MustCompile(`\n *\{ "from_percent": [^}]*"rows": 0 \},?`)

// shortIndented is JSON over several lines, but what is innermost on one if it is short,
// and without empty bars. Other text is as it was.
func shortIndented(text string) string {
	var lines bytes.Buffer
	if !strings.ContainsAny(text[:1], "{[") || json.Indent(&lines, []byte(text), "", "  ") != nil {
		return text
	}
	short := innermost.ReplaceAllStringFunc(lines.String(), func(value string) string {
		if line := regexp.MustCompile(`\n\s*`).ReplaceAllString(value, " "); len(line) < 100 {
			return line
		}
		return value
	})
	return emptyBar.ReplaceAllString(short, "")
}

// settle gives the files in the folder the clock's time: it is recorded of a table.
func (p *player) settle() {
	files, err := filepath.Glob("*.*")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Chtimes(file, time.Now(), time.Now()); err != nil {
			p.t.Fatal(err)
		}
	}
}

// start begins a command that goes on until it is stopped.
func (p *player) start(args []string, env environment) {
	ctx, cancel := context.WithCancel(p.t.Context())
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, args, env) }()
	p.server = func() int {
		cancel()
		return <-ended
	}
}

// stop ends the server, if there is one.
func (p *player) stop() (code int) {
	if p.server != nil {
		code = p.server()
	}
	p.server = nil
	return code
}

func (p *player) request(lines []string) {
	p.t.Helper()
	for i := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(lines[i], ">"), " ")
	}
	method, path, _ := strings.Cut(lines[0], " ")
	header, body := p.content(lines[1:])
	r, err := http.NewRequestWithContext(p.t.Context(), method, "http://"+goldenAddress+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header = header
	r.Header.Set(web.RequestIDHeader, "golden")
	answer, err := p.transport(path).RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	p.note(method, r.URL.Path, answer.StatusCode)
	p.show(answer, string(text), path)
}

// content is what a request has below its first line.
func (p *player) content(lines []string) (header http.Header, body string) {
	header = http.Header{}
	for _, line := range lines {
		if name, value, is := strings.Cut(line, ": "); is && !strings.ContainsAny(name, " {\"") {
			header.Add(name, value)
			continue
		}
		if file, is := strings.CutPrefix(line, "@"); is {
			line = read(p.t, file)
		}
		body += line
	}
	if body != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json")
	}
	return header, body
}

// show writes the status of an answer, where it leads, and its body.
func (p *player) show(answer *http.Response, text, path string) {
	p.say(fmt.Sprintf("%d\n", answer.StatusCode))
	for _, name := range []string{"Location", "Retry-After", "Allow", "Content-Type"} {
		if value := answer.Header.Get(name); value != "" && !strings.HasPrefix(value, "application/json") {
			p.say(name + ": " + value + "\n")
		}
	}
	switch {
	case strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html"):
	case answer.StatusCode == http.StatusOK && strings.HasSuffix(path, ".json"): // as it is in the tree
		p.say(fmt.Sprintf("%d bytes\n", len(text)))
	default:
		p.say(printed(text))
	}
}

// note says which call was made.
func (p *player) note(method, path string, status int) {
	for _, call := range goldenCalls(p.t) {
		pattern := regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(call), `[^/:]+`)
		if regexp.MustCompile("^" + pattern + "$").MatchString(method + " " + path) {
			p.tried.add(call, status < http.StatusBadRequest)
		}
	}
}

// transport leads to the server, and calls of the deployed sweeper to one over the
// folder of a server that was stopped.
func (p *player) transport(path string) http.RoundTripper {
	if !strings.HasPrefix(path, "/sweeper/") {
		return network
	}
	return web.InProcess(http.HandlerFunc(p.sweep))
}

func (p *player) sweep(w http.ResponseWriter, r *http.Request) {
	store, err := sqlite.Open(r.Context(), "local/"+emulator.StateName, sqlitedb.Options{})
	if err != nil {
		p.t.Error(err)
		return
	}
	defer store.Close()
	var buckets execution.Buckets
	for name, b := range map[string]*bucket.Bucket{emulator.InboxName: &buckets.Inbox, emulator.OutboxName: &buckets.Outbox, emulator.AuditName: &buckets.Audit} {
		opened, err := folder.Open("local/"+name, folder.Options{Name: name})
		if err != nil {
			p.t.Error(err)
			return
		}
		defer opened.Close()
		*b = opened
	}
	x := execution.New(store, buckets, execution.Config{}, logging.Discard)
	handler := sweeper.NewHandler(sweeper.Dependencies{
		Executor: x, Inbox: buckets.Inbox.(*folder.Bucket).List,
		Round:    func(context.Context) (ledger.InboxRound, error) { return ledger.InboxRound{}, nil },
		SetRound: func(context.Context, ledger.InboxRound) error { return nil },
	})
	web.Service{Name: "sweeper"}.Serve(http.StripPrefix("/sweeper", handler)).ServeHTTP(w, r)
}

// memory is a network of one server, in this process: its clock is the test's.
type memory struct {
	dialed chan net.Conn
	closed chan struct{} // of the listener that there is
}

func newMemory() *memory {
	m := &memory{dialed: make(chan net.Conn), closed: make(chan struct{})}
	close(m.closed)
	return m
}

func (m *memory) listen() net.Listener {
	m.closed = make(chan struct{})
	return memoryListener{m, m.closed}
}

// dial connects to the server. That takes a moment, in which one that has just begun has
// looked around.
func (m *memory) dial(context.Context, string, string) (net.Conn, error) {
	time.Sleep(time.Millisecond)
	here, there := net.Pipe()
	select {
	case m.dialed <- there:
		return here, nil
	case <-m.closed:
		return nil, errors.New("connection refused")
	}
}

type memoryListener struct {
	*memory
	closed chan struct{}
}

func (l memoryListener) Accept() (net.Conn, error) {
	select {
	case connection := <-l.dialed:
		return connection, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l memoryListener) Close() error { close(l.closed); return nil }

func (l memoryListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
}
