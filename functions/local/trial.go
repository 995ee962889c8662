package main

import (
	"cmp"
	"context"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/planwright/planwright/shared/firestoretest"
)

// trialFirestore is where a trial has Google's Firestore emulator. The functions of one
// trial share it.
const trialFirestore = "127.0.0.1:8686"

// trial are the variables of a function that has no project. ../README.md has the
// commands that start what they name.
var trial = []struct{ variable, value string }{
	{"GOOGLE_CLOUD_PROJECT", "demo-planwright"},
	{"FIRESTORE_EMULATOR_HOST", trialFirestore},
	{"STORAGE_EMULATOR_HOST", "127.0.0.1:4443"},
	{"INBOX_BUCKET", "inbox"},
	{"OUTBOX_BUCKET", "outbox"},
	{"AUDIT_BUCKET", "audit"},
}

// try sets the variables of a trial that are not set, and starts the Firestore emulator
// where none answers. That ends with this process, and what is in it is gone then.
func try(ctx context.Context) error {
	var said []string
	for _, set := range trial {
		value := cmp.Or(strings.TrimSpace(os.Getenv(set.variable)), set.value)
		if err := os.Setenv(set.variable, value); err != nil {
			return err
		}
		said = append(said, set.variable+"="+value)
	}
	log.Printf("GOOGLE_CLOUD_PROJECT is not set. This is a trial with %s", strings.Join(said, " "))
	if host := os.Getenv("FIRESTORE_EMULATOR_HOST"); host != trialFirestore || listens(host) {
		return nil
	}
	return startFirestore(ctx)
}

// startFirestore starts the emulator of a trial, one at a time: two of them can listen on
// one port, and each would have half of the records.
func startFirestore(ctx context.Context) error {
	lock, err := os.OpenFile(
		filepath.Join(os.TempDir(), "planwright-trial.lock"),
		os.O_CREATE|os.O_RDWR,
		0o600,
	)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	if listens(trialFirestore) { // another function was quicker
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, firestoretest.StartTimeout)
	defer cancel()
	if _, err := firestoretest.StartAt(ctx, trialFirestore); err != nil {
		return err
	}
	log.Printf(
		"Google's Firestore emulator was started on %s. It forgets everything when this ends.",
		trialFirestore,
	)
	return nil
}

func listens(host string) bool {
	connection, err := net.Dial("tcp", host)
	if err != nil {
		return false
	}
	connection.Close()
	return true
}
