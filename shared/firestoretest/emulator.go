package firestoretest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Emulator is a running emulator. It ends with Stop, and at the latest with
// the process that started it, however that ends.
type Emulator struct {
	Host     string // host:port
	lifeline io.Closer
	ended    chan struct{} // closed once it is gone
}

// supervise runs its arguments until its standard input closes, which the
// death of the process at the other end does too: no Java is left behind.
const supervise = `
exec 3<&0
"$@" </dev/null 3<&- & java=$!
(cat <&3; kill -9 $java) >/dev/null 2>&1 & watch=$!
exec 3<&-
wait $java
kill $watch 2>/dev/null`

// Start starts the emulator on a free port of this machine and returns once
// it answers. The error says what is missing where it cannot be started.
func Start(ctx context.Context) (emulator *Emulator, err error) {
	for range 3 { // another program may take the free port first
		var port int
		if port, err = freePort(); err != nil {
			return nil, err
		}
		if emulator, err = StartAt(ctx, fmt.Sprintf("127.0.0.1:%d", port)); err == nil || ctx.Err() != nil ||
			errors.Is(err, errMissing) {
			return emulator, err
		}
	}
	return nil, err
}

// errMissing says that something is not installed.
var errMissing = errors.New("it is not installed")

// StartAt is Start on a host:port of this machine.
func StartAt(ctx context.Context, address string) (*Emulator, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, fmt.Errorf("the Firestore emulator needs Java: %w", errMissing)
	}
	jar, err := findJar(ctx)
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer // read once the command has ended
	command := exec.Command("sh", "-c", supervise, "sh", java, "-Duser.language=en", "-cp", jar,
		"com.google.cloud.datastore.emulator.firestore.CloudFirestore", "--host="+host, "--port="+port)
	command.Stdout, command.Stderr = &output, &output
	lifeline, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	emulator := &Emulator{Host: address, lifeline: lifeline, ended: make(chan struct{})}
	go func() {
		command.Wait()
		close(emulator.ended)
	}()
	if err := emulator.answer(ctx); err != nil {
		emulator.Stop()
		return nil, fmt.Errorf("the Firestore emulator does not start: %w; it said: %s", err, output.String())
	}
	return emulator, nil
}

// Stop ends the emulator and returns once it is gone.
func (e *Emulator) Stop() {
	e.lifeline.Close()
	<-e.ended
}

func (e *Emulator) answer(ctx context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ask(ctx, "http://"+e.Host+"/")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-e.ended:
			return errors.New("it ended at once")
		case <-tick.C:
		}
	}
}

func ask(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 100))
	if err == nil && strings.TrimSpace(string(body)) != "Ok" {
		err = fmt.Errorf("it answers %q", body)
	}
	return err
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// findJar looks where gcloud and where Firebase's command line keep it.
func findJar(ctx context.Context) (string, error) {
	var found []string
	if home, err := os.UserHomeDir(); err == nil {
		found, _ = filepath.Glob(filepath.Join(
			home, ".cache/firebase/emulators/cloud-firestore-emulator-*.jar",
		))
		slices.Sort(found)
	}
	if root, err := exec.CommandContext(ctx, "gcloud", "info",
		"--format=value(installation.sdk_root)").Output(); err == nil {
		found = append(found, filepath.Join(
			strings.TrimSpace(string(root)), "platform/cloud-firestore-emulator/cloud-firestore-emulator.jar",
		))
	}
	for _, jar := range slices.Backward(found) {
		if _, err := os.Stat(jar); err == nil {
			return jar, nil
		}
	}
	return "", fmt.Errorf(
		"the Firestore emulator needs gcloud components install cloud-firestore-emulator; %w", errMissing)
}
