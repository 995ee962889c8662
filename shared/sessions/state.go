package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// layers is state by who shares it, keys without their prefixes.
type layers struct {
	app, user, session fields
}

// fields are the keys of one layer, each value as it is stored: a turn decodes
// what it looks at, and writes what it did not change as it was.
type fields map[string]json.RawMessage

// encode writes the values of a delta as JSON.
func encode(delta map[string]any) (fields, error) {
	encoded := make(fields, len(delta))
	text := make([]byte, 0, 1<<10)
	for key, value := range delta {
		start := len(text)
		var err error
		if text, err = strictjson.AppendPlain(text, value); err != nil {
			return nil, errs.Wrap(errs.Invalid, err, "The state cannot be written as JSON.")
		}
		encoded[key] = slices.Clip(text[start:])
	}
	return encoded, nil
}

// split sorts the keys of a delta into layers. Keys that begin with temp: live
// as long as the turn and are left out.
func (f fields) split() layers {
	l := layers{fields{}, fields{}, fields{}}
	for key, value := range f {
		if name, ok := strings.CutPrefix(key, session.KeyPrefixApp); ok {
			l.app[name] = value
		} else if name, ok := strings.CutPrefix(key, session.KeyPrefixUser); ok {
			l.user[name] = value
		} else if !strings.HasPrefix(key, session.KeyPrefixTemp) {
			l.session[key] = value
		}
	}
	return l
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
		if err := part.into.cut([]byte(part.text)); err != nil {
			return layers{}, errs.Wrap(errs.Internal, err, unreadable)
		}
	}
	return l, nil
}

// cut takes the text of an object apart. encoding/json would do so as well,
// and copy each value.
func (f fields) cut(text []byte) error {
	text = bytes.TrimSpace(text)
	if !json.Valid(text) || text[0] != '{' {
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
				if err := json.Unmarshal(text[from:i+1], &name); err != nil {
					return err
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
				f[name], start = bytes.TrimSpace(text[start:i:i]), 0
			}
			if c != ',' {
				depth--
			}
		}
	}
	return nil
}

const unreadable = "The stored state of the session cannot be read."

// with returns the layers with a delta applied.
func (l layers) with(delta layers) layers {
	return layers{l.app.with(delta.app), l.user.with(delta.user), l.session.with(delta.session)}
}

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
	text := f.append(nil)
	if len(text) > maxStateBytes {
		return "", &TooLarge{What: "The state of the session", Bytes: len(text), Limit: maxStateBytes}
	}
	return string(text), nil
}

// append writes the fields as an object, each value as it is.
func (f fields) append(dst []byte) []byte {
	dst = append(slices.Grow(dst, f.size()), '{')
	for i, name := range slices.Sorted(maps.Keys(f)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(strictjson.AppendString(dst, name), ':'), f[name]...)
	}
	return append(dst, '}')
}

// size is how many bytes append adds, what escapes in names add not counted.
func (f fields) size() int {
	size := len("{}")
	for name, value := range f {
		size += len(name) + len(value) + len(`"":,`)
	}
	return size
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
