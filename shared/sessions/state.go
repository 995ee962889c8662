package sessions

import (
	"encoding/json"
	"maps"
	"strings"

	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
)

// layers is state by who shares it, keys without their prefixes.
type layers struct {
	app, user, session map[string]any
}

// split sorts the keys of a delta into the layers. Keys that begin with temp:
// live as long as the turn and are left out.
func split(delta map[string]any) layers {
	l := layers{map[string]any{}, map[string]any{}, map[string]any{}}
	l.take(delta)
	return l
}

func (l layers) take(delta map[string]any) {
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
		into *map[string]any
	}{{s.App.State, &l.app}, {s.User.State, &l.user}, {s.Session.State, &l.session}} {
		*part.into = map[string]any{}
		if part.text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(part.text), part.into); err != nil {
			return layers{}, errs.Wrap(errs.Internal, err, "The stored state of the session cannot be read.")
		}
	}
	return l, nil
}

// with returns the layers with those of a delta over them.
func (l layers) with(delta layers) layers {
	return layers{over(l.app, delta.app), over(l.user, delta.user), over(l.session, delta.session)}
}

func over(state, delta map[string]any) map[string]any {
	all := make(map[string]any, len(state)+len(delta))
	maps.Copy(all, state)
	maps.Copy(all, delta)
	return all
}

// merged is state as agents and clients see it, keys with their prefixes.
func (l layers) merged() map[string]any {
	all := make(map[string]any, len(l.session)+len(l.app)+len(l.user))
	for prefix, layer := range map[string]map[string]any{
		"":                    l.session,
		session.KeyPrefixApp:  l.app,
		session.KeyPrefixUser: l.user,
	} {
		for key, value := range layer {
			all[prefix+key] = value
		}
	}
	return all
}

// maxStateBytes is the most that a session's state may take. With its recent
// events it must fit into one Firestore document of 1 MiB.
const maxStateBytes = 700 << 10

// encodeState writes one layer as JSON within the limit.
func encodeState(state map[string]any) (string, error) {
	text, err := json.Marshal(state)
	if err != nil {
		return "", errs.Wrap(errs.Invalid, err, "The state cannot be written as JSON.")
	}
	if len(text) > maxStateBytes {
		return "", &TooLarge{What: "The state of the session", Bytes: len(text), Limit: maxStateBytes}
	}
	return string(text), nil
}

// changed returns the scope with its new state, nil where nothing of it changed.
func (s Scope) changed(state, delta map[string]any) (*Scope, error) {
	if len(delta) == 0 {
		return nil, nil
	}
	text, err := encodeState(state)
	if err != nil {
		return nil, err
	}
	return &Scope{State: text, Revision: s.Revision}, nil
}
