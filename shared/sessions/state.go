package sessions

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// layers is state by who shares it, keys without their prefixes.
type layers struct {
	app, user, session fields
}

// fields are the keys of one layer: a turn decodes what it looks at, and writes
// what it did not change as it was.
type fields map[string]raw

// raw is a value as it is stored, JSON.
type raw string

// MarshalJSON returns the value, for it is JSON already.
func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// encode writes the values of a delta as JSON.
func encode(delta map[string]any) (fields, error) {
	f := make(fields, len(delta))
	for key, value := range delta {
		text, err := written(func(dst []byte) ([]byte, error) { return strictjson.AppendPlain(dst, value) })
		if err != nil {
			return nil, errs.Wrap(errs.Invalid, err, "The state cannot be written as JSON.")
		}
		f[key] = raw(text)
	}
	return f, nil
}

// written returns what write appends to a buffer, which others used before and
// has therefore grown to the size that it takes.
func written(write func(dst []byte) ([]byte, error)) (string, error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	text, err := write((*buffer)[:0])
	if err != nil {
		return "", err
	}
	*buffer = text
	return string(text), nil
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// take sorts the keys of a delta into the layers. Keys that begin with temp:
// live as long as the turn and are left out.
func (l layers) take(delta fields) {
	for key, value := range delta {
		if name, ok := strings.CutPrefix(key, session.KeyPrefixApp); ok {
			l.app[name] = value
		} else if name, ok := strings.CutPrefix(key, session.KeyPrefixUser); ok {
			l.user[name] = value
		} else if !strings.HasPrefix(key, session.KeyPrefixTemp) {
			l.session[key] = value
		}
	}
}

// read takes the layers of a snapshot apart.
func (s Snapshot) read() (layers, error) {
	var l layers
	for _, part := range []struct {
		text string
		into *fields
	}{{s.App.State, &l.app}, {s.User.State, &l.user}, {s.Session.State, &l.session}} {
		*part.into = fields{}
		if part.text == "" {
			continue
		}
		if err := part.into.cut(part.text); err != nil {
			return layers{}, errs.Wrap(errs.Internal, err, unreadable)
		}
	}
	return l, nil
}

// cut takes the text of an object apart. encoding/json would do so as well,
// and copy each value.
func (f fields) cut(text string) error {
	text = strings.TrimSpace(text)
	if !json.Valid([]byte(text)) || text[0] != '{' {
		return errors.New("it is not an object")
	}
	var name string
	depth, start := 0, 0 // start is where a member's value begins, 0 before its colon
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			from := i
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if depth == 1 && start == 0 {
				if name = text[from+1 : i]; strings.Contains(name, `\`) || !utf8.ValidString(name) {
					if err := json.Unmarshal([]byte(text[from:i+1]), &name); err != nil {
						return err
					}
				}
			}
		case '{', '[':
			depth++
		case ':':
			if depth == 1 {
				start = i + 1
			}
		case ',', '}', ']':
			if depth == 1 && start > 0 {
				f[name], start = raw(strings.TrimSpace(text[start:i])), 0
			}
			if c != ',' {
				depth--
			}
		}
	}
	return nil
}

const unreadable = "The stored state of the session cannot be read."

func (f fields) with(delta fields) fields {
	all := maps.Clone(f)
	maps.Copy(all, delta)
	return all
}

// merged is state as agents and clients see it, keys with their prefixes, the
// values as they are stored.
func (l layers) merged() map[string]any {
	all := make(map[string]any, len(l.session)+len(l.app)+len(l.user))
	for prefix, layer := range map[string]fields{"": l.session, session.KeyPrefixApp: l.app, session.KeyPrefixUser: l.user} {
		for key, value := range layer {
			all[prefix+key] = value
		}
	}
	return all
}

// maxStateBytes is the most that a session's state may take. With its recent
// events it must fit into one Firestore document of 1 MiB.
const maxStateBytes = 700 << 10

// document writes one layer as JSON within the limit.
func (f fields) document() (string, error) {
	text, err := written(func(dst []byte) ([]byte, error) { return f.append(dst), nil })
	if len(text) > maxStateBytes {
		return "", &TooLarge{What: "The state of the session", Bytes: len(text), Limit: maxStateBytes}
	}
	return text, err
}

// append writes the fields as an object, each value as it is.
func (f fields) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(f)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(strictjson.AppendString(dst, name), ':'), f[name]...)
	}
	return append(dst, '}')
}

// changed returns the scope with delta applied, nil where there is no delta.
func (s Scope) changed(have, delta fields) (*Scope, error) {
	if len(delta) == 0 {
		return nil, nil
	}
	text, err := have.with(delta).document()
	if err != nil {
		return nil, err
	}
	return &Scope{State: text, Revision: s.Revision}, nil
}
