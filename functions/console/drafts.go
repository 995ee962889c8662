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

// tableIn finds the table in a form, of at most so many bytes, and its name.
func tableIn(w http.ResponseWriter, r *http.Request, most int64) (*multipart.Part, string, error) {
	r.Body = http.MaxBytesReader(w, r.Body, most+1<<20)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, "", errs.Wrap(errs.Invalid, err, "Choose a table first.")
	}
	for {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return nil, "", errs.New(errs.Invalid, "Choose a table first.")
		case err != nil:
			return nil, "", broken(err, most)
		case part.FormName() == "table" && part.FileName() != "":
			name := fileName(part.FileName())
			if _, isTable := table.ContentType(name); !isTable {
				_, _ = io.Copy(io.Discard, part) // so that the answer reaches the sender
				return nil, "", errs.New(errs.Invalid, "%s is no table. Export it as a file that ends in %s, and drop that.", name, table.Endings)
			}
			return part, name, nil
		}
	}
}

// receive keeps the table of a form, and returns it to be read.
func (d *drafts) receive(w http.ResponseWriter, r *http.Request) (draft, *os.File, error) {
	part, name, err := tableIn(w, r, maxTableBytes)
	if err != nil {
		return draft{}, nil, err
	}
	kept := draft{Token: rand.Text(), File: name}
	file, err := os.CreateTemp("", "planwright-console-") // has mode 0600
	if err == nil {
		err = os.Remove(file.Name())
	}
	if err != nil {
		return draft{}, nil, errs.Wrap(errs.Unavailable, err, "The table cannot be kept: is the disk full, or the temporary folder (TMPDIR) closed to this user?")
	}
	kept.held = file
	if kept.Size, err = io.Copy(file, part); err != nil {
		file.Close()
		return draft{}, nil, broken(err, maxTableBytes)
	}
	d.add(kept)
	return d.open(kept.Token)
}

// broken is why the table of a form, of at most so many bytes, did not come whole.
func broken(err error, most int64) error {
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) && most < maxTableBytes {
		return errs.Wrap(errs.Invalid, err, "The table is larger than %d MiB, the most that a form may send here. Allow scripts on this page: a table of up to 4 GiB is then sent in parts.", most>>20)
	}
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
