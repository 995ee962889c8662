package console

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/identity"
)

// live is where the part of a page that changes is read anew.
func live(r *http.Request) string { return "/live" + r.URL.RequestURI() }

// liveExecutions answers with the list as it is now.
func (c *Console) liveExecutions(w http.ResponseWriter, r *http.Request) error {
	return c.refresh(w, r, "changes", func(r *http.Request) (any, bool, error) {
		shown, err := c.listed(r)
		return shown, false, err
	})
}

// liveExecution answers with an execution as it is now.
func (c *Console) liveExecution(w http.ResponseWriter, r *http.Request) error {
	return c.refresh(w, r, "change", func(r *http.Request) (any, bool, error) {
		shown, err := c.found(r)
		return shown, shown.settled(), err
	})
}

// Open pages ask again by themselves, ever less often while nothing changes. Reading the
// state and rendering it is what costs: pages of one address and one reader share a look
// for a second or, where it took long, for ten times as long as it took. Only maxLooks
// looks run at a time.
const (
	shareFor      = time.Second
	longestShared = 10 * time.Second
	maxLooks      = 8
	lookTime      = 30 * time.Second
)

// Headers of an answer to an open page: how many proposals wait for the reader, and
// whether nothing more changes by itself.
const waitingHeader, settledHeader = "X-Waiting", "X-Settled"

// refresh answers with the part "live" of a page, or with 304 where it is as the page has
// it already.
func (c *Console) refresh(w http.ResponseWriter, r *http.Request, name string, look looker) error {
	found, err := c.share(r, name, look)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("ETag", found.tag)
	header.Set(waitingHeader, strconv.Itoa(found.waiting))
	if found.settled {
		header.Set(settledHeader, "true")
	}
	if r.Header.Get("If-None-Match") == found.tag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	sendPacked(w, r, http.StatusOK, found.part, found.packed)
	return nil
}

// looker finds what a page shows, and whether nothing more comes by itself.
type looker func(*http.Request) (shown any, settled bool, err error)

// viewer is an address, and who looks at it: behind a proxy whom that has signed in.
type viewer struct{ address, person, cookie, authorization string }

// seen is what a look found, once it is done.
type seen struct {
	done    chan struct{}
	part    []byte
	packed  []byte // by gzip, once for all who share it
	tag     string
	waiting int
	settled bool
	err     error
}

// share takes part in a look that is under way or has just ended, or looks for all.
func (c *Console) share(r *http.Request, name string, look looker) (*seen, error) {
	key := viewer{
		r.URL.RequestURI(), identity.SignedIn(r.Context()), r.Header.Get("Cookie"),
		r.Header.Get("Authorization"),
	}
	c.mu.Lock()
	found, shared := c.seen[key]
	if !shared {
		found = &seen{
			done: make(chan struct{}),
			err:  errs.New(errs.Unavailable, "This page could not be refreshed. Load it again."),
		}
		c.seen[key] = found
	}
	c.mu.Unlock()
	if !shared {
		begun := time.Now()
		c.renderTurn(r, name, look, found)
		time.AfterFunc(min(max(shareFor, 10*time.Since(begun)), longestShared), func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.seen, key)
		})
	}
	select {
	case <-found.done:
		return found, found.err
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// renderTurn renders what is found, when few others do, also for a reader that has
// gone meanwhile: others may wait for it.
func (c *Console) renderTurn(r *http.Request, name string, look looker, found *seen) {
	defer close(found.done)
	c.looks <- struct{}{}
	defer func() { <-c.looks }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), lookTime)
	defer cancel()
	r = r.WithContext(ctx)
	shown, settled, err := look(r)
	if found.err = err; err != nil {
		return
	}
	found.part, found.settled, found.waiting = part(name, shown), settled, c.waiting(r)
	found.packed = packed(found.part)
	sum := sha256.Sum256(strconv.AppendInt(bytes.Clone(found.part), int64(found.waiting), 10))
	found.tag = `W/"` + hex.EncodeToString(sum[:8]) + `"`
}

// part renders the part of a page that changes.
func part(name string, shown any) []byte {
	var body bytes.Buffer
	if err := templates()[name].ExecuteTemplate(&body, "live", shown); err != nil {
		panic("console: page " + name + ": " + err.Error())
	}
	return body.Bytes()
}
