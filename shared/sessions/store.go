// Package sessions keeps the conversations of the agents: an ADK
// session.Service in which a turn is one transaction, with one read before it
// and one commit after it.
//
// Service holds the rules; Store is the port under it, which firestore/ and
// sqlite/ implement and the suite of sessionstest/ proves. What is stored, by
// key, ids encoded:
//
//	apps/{app}                                            state shared by its users
//	apps/{app}/users/{user}                               state shared by the user's sessions
//	apps/{app}/users/{user}/sessions/{session}            Record: all that a turn reads
//	apps/{app}/users/{user}/sessions/{session}/events/..  Event, append-only, read by GET alone
//	apps/{app}/users/{user}/sessions/{session}/turns/..   Turn: which message gave which events
//
// An epoch, random per creation of a session, is part of every event's key and
// in every turn: what a deleted session left behind is never read again.
package sessions

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
)

// Key names a session.
type Key struct {
	App     string `json:"app"`
	User    string `json:"user"`
	Session string `json:"session"`
}

// maxID is the most bytes of an id. Percent-encoded it stays below the 1,500
// bytes of a Firestore document id.
const maxID = 128

// Check returns an error of kind Invalid that names the first part of the key
// that is not 1 to 128 bytes of UTF-8 without control characters.
func (k Key) Check() error {
	for _, part := range []struct{ name, value string }{
		{"app", k.App}, {"user id", k.User}, {"session id", k.Session},
	} {
		if err := CheckID(part.name, part.value); err != nil {
			return err
		}
	}
	return nil
}

// CheckID is Check for one id, called name in the error.
func CheckID(name, id string) error {
	switch {
	case id == "":
		return errs.New(errs.Invalid, "The %s is missing.", name)
	case len(id) > maxID:
		return errs.New(errs.Invalid, "The %s is longer than %d bytes.", name, maxID)
	case !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl):
		return errs.New(errs.Invalid, "The %s must be UTF-8 text without control characters.", name)
	}
	return nil
}

// Record is a session as it is stored, under these names where it is a document:
// what a turn reads of it, and nothing that grows with its history.
type Record struct {
	Key
	Epoch     string    `json:"epoch"`    // random per creation
	State     string    `json:"state"`    // a JSON object, without app:, user: and temp: keys
	Recent    string    `json:"recent"`   // what turns read of the newest events, JSON, one on a line
	NextSeq   int64     `json:"next_seq"` // the number of events ever; the next one's number
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	ExpireAt  time.Time `json:"expire_at"`
	Revision  string    `json:"-"` // where it was read; "" says that there is none
}

// Event is one event of a session.
type Event struct {
	Seq  int64  `json:"seq"`
	JSON string `json:"json"` // as ADK encodes it
}

// Turn says which events one message of a client gave, or that it is being answered.
type Turn struct {
	ID       string `json:"-"`     // hex SHA-256 of the message's id
	Epoch    string `json:"epoch"` // of the session that it belongs to
	FirstSeq int64  `json:"first_seq"`
	LastSeq  int64  `json:"last_seq"`
	// of what was asked, so that another request is not given this answer
	RequestSHA256 string `json:"request_sha256"`
	// LeaseUntil is how long one delivery of the message may work on it alone. It is
	// zero once the turn is stored.
	LeaseUntil time.Time `json:"lease_until,omitzero"`
	Revision   string    `json:"-"` // "" says that there is none
}

// Scope is state that is shared: by an app, or by a user's sessions in it.
type Scope struct {
	State    string `json:"state"` // a JSON object, keys without their prefix; "" is empty
	Revision string `json:"-"`     // "" says that there is none
}

// Snapshot is what one read finds. What is not there has no Revision.
type Snapshot struct {
	Session Record
	Turn    Turn
	App     Scope
	User    Scope
}

// Change is what one commit writes, all of it or nothing. Each part is written
// only if the stored one is at the Revision given here; "" creates it. A part
// that is written as it was may keep its revision.
type Change struct {
	Session Record
	Turn    *Turn   // nil writes none
	Events  []Event // to create; a leftover under the same key is an error
	App     *Scope  // nil leaves it as it is
	User    *Scope
	// ChildrenExpireAt is when events and turns may be deleted. A back end's
	// expiry of a session does not reach them.
	ChildrenExpireAt time.Time
}

// Place is a session's place in a list; the zero Place is before all sessions.
type Place struct {
	UpdatedAt time.Time `json:"updated_at"`
	User      string    `json:"-"`
	Session   string    `json:"session"`
}

// Place returns the record's place in a list.
func (r Record) Place() Place { return Place{r.UpdatedAt, r.User, r.Session} }

// Store is the port. Keys are already checked. Every error has a kind of
// package errs; where no kind is named it is Unavailable, Deadline, Exhausted,
// Denied or Internal, and whether a Commit took effect is then not known.
// Times come back in UTC, rounded to microseconds.
type Store interface {
	// Load reads, in one round trip, a session, one turn of it (none where
	// turnID is ""), and the state of its app and user. Expired sessions are read like others.
	Load(ctx context.Context, key Key, turnID string) (Snapshot, error)
	// Commit writes a change in one round trip. Stale: a part is not at its
	// revision; nothing is written.
	Commit(ctx context.Context, change Change) error
	// Claim writes a turn with a lease, in one round trip: it creates the turn
	// where its Revision is "", else it replaces the turn at that revision. It returns
	// the turn's new revision. Stale: the turn is not at its revision; nothing is
	// written. The turn may be deleted once its lease has ended.
	Claim(ctx context.Context, key Key, turn Turn) (revision string, err error)
	// Events reads the events of one epoch with from <= Seq <= to, in order.
	// Those that are gone are left out.
	Events(ctx context.Context, key Key, epoch string, from, to int64) ([]Event, error)
	// List reads the sessions of a user, or of all users of the app where user
	// is "", that come after a place, at most limit. They are ordered by
	// UpdatedAt, the newest first, and those of one moment by user and session.
	// Recent is left out.
	List(ctx context.Context, app, user string, after Place, limit int) ([]Record, error)
	// Delete removes a session, then the events and turns of its epoch; another
	// session that takes its place meanwhile keeps its own. Where it fails
	// half-way the session is gone and leftovers may stay. A session that is not
	// there is no error.
	Delete(ctx context.Context, key Key) error
}

// EventName returns the key of an event within its session: the epoch and the
// number, so that names sort as events came.
func EventName(epoch string, seq int64) string { return fmt.Sprintf("%s-%012d", epoch, seq) }
