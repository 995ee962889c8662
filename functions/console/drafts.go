package console

import (
	"crypto/rand"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/table"
)

// Limits of the tables that are being looked at. They lie on disk, the oldest
// goes first.
const (
	maxTableBytes  = 4 << 30
	maxDraftsBytes = 8 << 30
	maxDrafts      = 50
)

// draft is a table that somebody is looking at.
type draft struct {
	Token string
	File  string // its name
	Size  int64
	path  string
}

// TooLarge reports whether the table can only be looked at as a proposal.
func (d draft) TooLarge() bool { return d.Size > plannerapi.MaxPreviewBytes }

// drafts are the tables that are being looked at, in a folder of their own.
type drafts struct {
	folder string
	mu     sync.Mutex
	held   []draft // oldest first
}

func newDrafts() (*drafts, error) {
	folder, err := os.MkdirTemp("", "planwright-console-")
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err, "There is no folder for the tables that are being looked at: check the permissions of the temporary folder (TMPDIR).")
	}
	return &drafts{folder: folder}, nil
}

// Close removes them all.
func (d *drafts) Close() error { return os.RemoveAll(d.folder) }

// receive keeps the table of a form.
func (d *drafts) receive(w http.ResponseWriter, r *http.Request) (draft, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxTableBytes+1<<20)
	parts, err := r.MultipartReader()
	if err != nil {
		return draft{}, errs.Wrap(errs.Invalid, err, "Choose a table first.")
	}
	for {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return draft{}, errs.New(errs.Invalid, "Choose a table first.")
		case err != nil:
			return draft{}, broken(err)
		case part.FormName() == "table" && part.FileName() != "":
			return d.keep(part)
		}
	}
}

func (d *drafts) keep(part *multipart.Part) (draft, error) {
	kept := draft{Token: rand.Text(), File: fileName(part.FileName())}
	if _, isTable := table.ContentType(kept.File); !isTable {
		_, _ = io.Copy(io.Discard, part) // so that the answer reaches the sender
		return draft{}, errs.New(errs.Invalid, "%s is no table. Export it as a file that ends in %s, and drop that.", kept.File, table.Endings)
	}
	kept.path = filepath.Join(d.folder, kept.Token)
	file, err := os.OpenFile(kept.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return draft{}, errs.Wrap(errs.Unavailable, err, "The table cannot be kept: is the disk full?")
	}
	kept.Size, err = io.Copy(file, part)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(kept.path)
		return draft{}, broken(err)
	}
	d.add(kept)
	return kept, nil
}

func broken(err error) error {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return errs.Wrap(errs.Invalid, err, "The table is larger than 4 GiB, the most that is taken here. Split it, or apply the plan with planwright apply.")
	}
	return errs.Wrap(errs.Invalid, err, "The table broke off before its end. Drop it again.")
}

// add keeps a table and lets go of the oldest where there are too many.
func (d *drafts) add(kept draft) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held = append(d.held, kept)
	total := int64(0)
	for i, one := range slices.Backward(d.held) {
		total += one.Size
		if len(d.held)-i > maxDrafts || total > maxDraftsBytes && i < len(d.held)-1 {
			for _, old := range d.held[:i+1] {
				os.Remove(old.path)
			}
			d.held = slices.Clone(d.held[i+1:])
			return
		}
	}
}

// open returns a table. NotFound: it is no longer there.
func (d *drafts) open(token string) (draft, *os.File, error) {
	d.mu.Lock()
	at := slices.IndexFunc(d.held, func(one draft) bool { return one.Token == token })
	var kept draft
	if at >= 0 {
		kept = d.held[at]
	}
	d.mu.Unlock()
	gone := errs.New(errs.NotFound, "The table is no longer held here. Drop it again.")
	if at < 0 {
		return draft{}, nil, gone
	}
	file, err := os.Open(kept.path)
	if err != nil {
		return draft{}, nil, gone
	}
	return kept, file, nil
}

// fileName is the last part of a name that a browser gives, without what no
// object's name may have.
func fileName(given string) string {
	given = given[strings.LastIndexAny(given, `/\`)+1:]
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(given, "")), ".")
}
