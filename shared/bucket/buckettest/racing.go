package buckettest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/expect"
)

const racers = 64

func testGoroutines(t *testing.T, s Subject) {
	uploads := make([]bucket.Upload, racers)
	for i := range uploads {
		uploads[i] = s.upload(t, "id_12345/p.csv", bucket.CreateOptions{}, []byte(racerText(i)))
	}
	found := make([]bucket.Object, racers)
	winner := expect.OneWinner(t, racers, errs.Conflict, func(i int) (err error) {
		found[i], err = uploads[i].Commit()
		return err
	})
	for _, object := range found {
		checkObject(t, "the object a racer was told of", object, found[winner])
	}
	s.checkBytes(t, s.stat(t, "id_12345/p.csv"), racerText(winner))
	s.checkContents(t, "id_12345/p.csv")
}

// racerText is longer than a page and differs in every line.
func racerText(i int) string { return strings.Repeat(fmt.Sprintf("racer %d\n", i), 1000) }

// addressVariable tells a process started by the suite which bucket to open.
const addressVariable = "PLANWRIGHT_BUCKETTEST_ADDRESS"

const processNames = 40

// QuickExit, in the environment of a process that a test starts, keeps the race
// detector from sleeping for a second as the process ends.
const QuickExit = "GORACE=atexit_sleep_ms=0"

// Main runs the tests, or, in a process that the suite has started, takes part
// in a race for names in the bucket that open opens by its address.
func Main(m *testing.M, open func(address string) (bucket.Bucket, error)) {
	address := os.Getenv(addressVariable)
	if address == "" {
		os.Exit(m.Run())
	}
	b, err := open(address)
	if err == nil {
		err = race(b, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// race opens an upload for every name, says so, waits for a line, commits them
// one after the other and prints "won name" or "lost name".
func race(b bucket.Bucket, in io.Reader, out io.Writer) error {
	uploads := make([]bucket.Upload, processNames)
	for i := range uploads {
		upload, err := b.Create(context.Background(), processName(i), bucket.CreateOptions{})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(upload, racerText(os.Getpid())); err != nil {
			return err
		}
		uploads[i] = upload
	}
	fmt.Fprintln(out, "ready")
	if _, err := bufio.NewReader(in).ReadString('\n'); err != nil {
		return err
	}
	for i, upload := range uploads {
		_, err := upload.Commit()
		switch errs.KindOf(err) {
		case "":
			fmt.Fprintln(out, "won", processName(i))
		case errs.Conflict:
			fmt.Fprintln(out, "lost", processName(i))
		default:
			return err
		}
	}
	return nil
}

func processName(i int) string { return fmt.Sprintf("race_%02d/p.csv", i) }

func testProcesses(t *testing.T, s Subject) {
	var processes []*racer
	for range 2 {
		processes = append(processes, startRacer(t, s.Address))
	}
	for _, p := range processes {
		p.expect(t, "ready")
	}
	for _, p := range processes {
		fmt.Fprintln(p.in)
	}
	wins := make(map[string]int) // name to the winner's process id
	for _, p := range processes {
		for _, name := range p.finish(t) {
			if other, taken := wins[name]; taken {
				t.Errorf("%s was won by %d and by %d", name, other, p.command.Process.Pid)
			}
			wins[name] = p.command.Process.Pid
		}
	}
	var names []string
	for i := range processNames {
		name := processName(i)
		names = append(names, name)
		s.checkBytes(t, s.stat(t, name), racerText(wins[name]))
	}
	s.checkContents(t, names...)
}

// racer is a process of this test's binary.
type racer struct {
	command *exec.Cmd
	in      io.Writer
	out     *bufio.Scanner
}

func startRacer(t *testing.T, address string) *racer {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), addressVariable+"="+address, QuickExit)
	command.Stderr = os.Stderr
	in := expect.Result(command.StdinPipe())(t)
	out := expect.Result(command.StdoutPipe())(t)
	expect.NoError(t, command.Start())
	return &racer{command, in, bufio.NewScanner(out)}
}

func (r *racer) expect(t *testing.T, want string) {
	t.Helper()
	if !r.out.Scan() || r.out.Text() != want {
		t.Fatalf("the process said %q, want %q (%v)", r.out.Text(), want, r.out.Err())
	}
}

func (r *racer) finish(t *testing.T) []string {
	t.Helper()
	var won []string
	for r.out.Scan() {
		if name, ok := strings.CutPrefix(r.out.Text(), "won "); ok {
			won = append(won, name)
		}
	}
	if err := r.command.Wait(); err != nil {
		t.Fatalf("the process failed: %v", err)
	}
	return won
}
