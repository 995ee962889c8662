package gcs_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
)

// TestReceive has somebody without any right send an object, in two parts, to the
// address that was opened for it.
func TestReceive(t *testing.T) {
	box := subject(t, gcs.Options{}).Bucket.(*gcs.Bucket)
	receiver, err := gcs.NewReceiver(t.Context(), box)
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Repeat([]byte("a row of a table\n"), 40_000)
	address, err := receiver.Receive(t.Context(), "held/one/table", bucket.CreateOptions{ContentType: "text/csv", Metadata: map[string]string{"sender": "ana"}}, int64(len(data)), "https://console.example")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := box.Stat(t.Context(), "held/one/table"); errs.KindOf(err) != errs.NotFound {
		t.Errorf("before a byte was sent: %v", err)
	}
	half := 256 << 10
	send(t, address, data[:half], "bytes 0-262143/680000", http.StatusPermanentRedirect)
	send(t, address, data[half:], "bytes 262144-679999/680000", http.StatusOK)
	object, err := box.Stat(t.Context(), "held/one/table")
	if err != nil || object.Size != int64(len(data)) || object.Metadata["sender"] != "ana" || object.ContentType != "text/csv" {
		t.Fatalf("%+v, %v", object, err)
	}
	in, _, err := box.Open(t.Context(), object.Name, object.Generation)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestReceiveRefused(t *testing.T) {
	box := subject(t, gcs.Options{}).Bucket.(*gcs.Bucket)
	t.Setenv(emulatorHost, os.Getenv(emulatorHost)+"/nowhere")
	receiver, err := gcs.NewReceiver(t.Context(), box)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := receiver.Receive(t.Context(), "held/one/table", bucket.CreateOptions{}, 1, ""); errs.KindOf(err) != errs.Internal {
		t.Errorf("a server that opens no upload: %v", err)
	}
	if _, err := receiver.Receive(t.Context(), "../x", bucket.CreateOptions{}, 1, ""); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a name that no object has: %v", err)
	}
}

func send(t *testing.T, address string, part []byte, span string, want int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, bytes.NewReader(part))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Range", span)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != want {
		t.Fatalf("%s was answered with %d, want %d", span, answer.StatusCode, want)
	}
}
