package console

import (
	"crypto/rand"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/sys/unix"

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
	held  *os.File
}

// TooLarge reports whether the table can only be looked at as a proposal.
func (d draft) TooLarge() bool { return d.Size > plannerapi.MaxPreviewBytes }

// drafts are the tables that are being looked at: files in the temporary folder
// that have no name any more, so that their room is free when the process ends,
// however it does.
type drafts struct {
	mu   sync.Mutex
	held []draft // oldest first
}

// Close lets go of them all.
func (d *drafts) Close() (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, kept := range d.held {
		err = errors.Join(err, kept.held.Close())
	}
	d.held = nil
	return err
}

// receive keeps the table of a form, and returns it to be read.
func (d *drafts) receive(w http.ResponseWriter, r *http.Request) (draft, *os.File, error) {
	kept, err := d.receivePart(w, r)
	if err != nil {
		return draft{}, nil, err
	}
	return d.open(kept.Token)
}

// rename has a table go by another token.
func (d *drafts) rename(token, to string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.held {
		if d.held[i].Token == token {
			d.held[i].Token = to
		}
	}
}

func (d *drafts) receivePart(w http.ResponseWriter, r *http.Request) (draft, error) {
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
	file, err := os.CreateTemp("", "planwright-console-") // has mode 0600
	if err == nil {
		err = os.Remove(file.Name())
	}
	if err != nil {
		return draft{}, errs.Wrap(errs.Unavailable, err, "The table cannot be kept: is the disk full, or the temporary folder (TMPDIR) closed to this user?")
	}
	kept.held = file
	if kept.Size, err = io.Copy(file, part); err != nil {
		file.Close()
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
	for i, kept := range slices.Backward(d.held) {
		total += kept.Size
		if len(d.held)-i > maxDrafts || total > maxDraftsBytes && i < len(d.held)-1 {
			for _, old := range d.held[:i+1] {
				old.held.Close()
			}
			d.held = slices.Clone(d.held[i+1:])
			return
		}
	}
}

// open returns a table, which stays readable when it is let go of; its offset is
// everybody's. NotFound: it is no longer there.
func (d *drafts) open(token string) (draft, *os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := slices.IndexFunc(d.held, func(kept draft) bool { return kept.Token == token })
	if at < 0 {
		return draft{}, nil, errs.New(errs.NotFound, "The table is no longer held here. Drop it again.")
	}
	again, err := unix.FcntlInt(d.held[at].held.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return draft{}, nil, errs.Wrap(errs.Unavailable, err, "The table cannot be read at this moment: too many files are open.")
	}
	return d.held[at], os.NewFile(uintptr(again), token), nil
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
