// Package tokens says who sends a request to a server on one machine or in one
// office, by tokens that its owner hands out. Each has a name, which is the one
// on record.
//
// They are kept in one file, 0600, as SHA-256 hashes, a line each: who made it,
// when, for whom, and when it ended. Nothing in it is ever changed or removed.
package tokens

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// FileName is the file's name in a data folder.
const FileName = "state.tokens"

// entry is a line of the file.
type entry struct {
	Name   string    `json:"name"`
	SHA256 string    `json:"sha256,omitempty"` // of the token; "" ends all that the name has
	At     time.Time `json:"at"`
	By     string    `json:"by"` // the user of the machine
	// Serve says that a server made it for its own user; the next one it makes
	// takes its place.
	Serve bool `json:"serve,omitempty"`
}

// File is the tokens of one data folder. It is read whenever one is asked about: others
// may add to it meanwhile.
type File struct{ path string }

// New returns the tokens in a file, which need not be there yet.
func New(path string) *File { return &File{path} }

var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$`)

// CheckName refuses what cannot be on record as somebody's name.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return errs.New(errs.Invalid, "%q is no name for a token: it has 1 to 64 letters, digits and . _ @ + -, and begins with a letter or digit.", name)
	}
	return nil
}

// Mint makes a token for a name and returns it, the only time that it is seen.
func (f *File) Mint(name, by string, at time.Time, serve bool) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	token := rand.Text()
	return token, f.add(entry{Name: name, SHA256: hash(token), At: at.UTC(), By: by, Serve: serve})
}

// Revoke ends all tokens of a name. NotFound: it has none.
func (f *File) Revoke(name, by string, at time.Time) error {
	names, err := f.names()
	if err != nil {
		return err
	}
	for _, known := range names {
		if known == name {
			return f.add(entry{Name: name, At: at.UTC(), By: by})
		}
	}
	return errs.New(errs.NotFound, "%s has no token here.", name)
}

// Name returns whose token it is. Unauthenticated: it is nobody's.
func (f *File) Name(token string) (string, error) {
	names, err := f.names()
	if err != nil {
		return "", err
	}
	name, known := names[hash(token)]
	if !known {
		return "", errs.New(errs.Unauthenticated, "This token is not one of this server, or not any more.")
	}
	return name, nil
}

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func (f *File) add(line entry) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return errs.Wrap(errs.Denied, err, "%s cannot be written: is it yours, and is the folder there?", FileName)
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errs.Wrap(errs.Unavailable, err, "%s cannot be written: is the disk full?", FileName)
	}
	return nil
}

// names are those of the tokens that have not ended, by hash.
func (f *File) names() (map[string]string, error) {
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err, "%s cannot be read: is it yours?", FileName)
	}
	names, err := valid(text)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "%s is damaged. Move it away and make new tokens.", FileName)
	}
	return names, nil
}

// valid returns the names by the hashes of the tokens that have not ended.
func valid(text []byte) (map[string]string, error) {
	names, served := map[string]string{}, map[string]string{}
	for line := range bytes.Lines(text) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		if e.SHA256 == "" {
			for sum, name := range names {
				if strings.EqualFold(name, e.Name) {
					delete(names, sum)
				}
			}
			continue
		}
		if e.Serve {
			delete(names, served[e.Name])
			served[e.Name] = e.SHA256
		}
		names[e.SHA256] = e.Name
	}
	return names, nil
}
