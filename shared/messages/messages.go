// Package messages tells people of what waits for them and what became of it: by
// e-mail and by webhook, for each role its own. What is to be told lies in the
// ledger, from the commit that it is about, until all who are to hear of it have: a
// message is sent at least once, and carries an id by which a second one is known.
//
// A message has the instruction, the effect in one line and a link. It has no row of
// a table, and no secret.
package messages

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// Store is what a sender needs of the ledger.
type Store interface {
	ledger.MessageStore
	ledger.Plans
}

// Sender sends what is due.
type Sender struct {
	Store  Store
	Config Config
	// Send reaches one target; nil does so over HTTP and SMTP.
	Send func(context.Context, Target, Text) error
	Now  func() time.Time
	Log  *slog.Logger
}

// NewSender returns a sender with real time that reaches people by client; nil is one
// of its own.
func NewSender(store Store, c Config, client *http.Client, log *slog.Logger) *Sender {
	post := poster{c, cmp.Or(client, &http.Client{Timeout: sendTimeout})}
	return &Sender{Store: store, Config: c, Send: post.send, Now: time.Now, Log: log}
}

// Times of a message that somebody could not be reached with: the waits double, and
// after two days nobody tries any more.
const (
	sendTimeout = 10 * time.Second
	firstWait   = time.Minute
	longestWait = 6 * time.Hour
	maxTries    = 16
	atOnce      = 50
)

// rolesOf are the roles that hear of what a message tells of.
var rolesOf = map[ledger.MessageKind][]Role{
	ledger.ToldProposed:  {Approvers},
	ledger.ToldScheduled: {Planners},
	ledger.ToldApproved:  {Planners},
	ledger.ToldRejected:  {Planners},
	ledger.ToldExpired:   {Planners, Operators},
	ledger.ToldFailed:    {Planners, Operators},
	ledger.ToldCompleted: {Planners, Viewers},
}

// Run sends what is due until nothing is, or the context ends, and returns how many
// messages did not reach everybody. Whoever cannot be reached is not tried again in
// this run, so that they keep nobody waiting. An error is the store's.
func (s *Sender) Run(ctx context.Context) (failed int, err error) {
	at, dead := s.Now(), map[string]bool{}
	for ctx.Err() == nil {
		due, err := s.Store.DueMessages(ctx, at, atOnce)
		if err != nil || len(due) == 0 {
			return failed, err
		}
		for _, m := range due {
			ended, err := s.tell(ctx, m, dead)
			if err != nil {
				return failed, err
			}
			if !ended {
				failed++
			}
		}
	}
	return failed, ctx.Err()
}

// tell sends one message to those who have not heard it, and reports whether nothing
// is left to be done.
func (s *Sender) tell(ctx context.Context, m ledger.Message, dead map[string]bool) (ended bool, err error) {
	targets := s.Config.targets(rolesOf[m.Kind])
	if len(targets) > 0 {
		text, err := s.text(ctx, m)
		if err != nil {
			return false, err
		}
		s.reach(ctx, &m, targets, text, dead)
	}
	missing := slices.DeleteFunc(targets, func(t Target) bool { return slices.Contains(m.Told, t.key()) })
	m.Tries++
	switch ended = len(missing) == 0; {
	case ended:
		m.DueAt = time.Time{}
	case m.Tries >= maxTries:
		m.DueAt = time.Time{}
		for _, t := range missing {
			m.GivenUp = append(m.GivenUp, t.key())
		}
		s.Log.ErrorContext(ctx, "people were not told", "alert", "message_given_up", "message", m.ID, "execution_id", m.ExecutionID, "targets", m.GivenUp)
	default:
		m.DueAt = s.Now().Add(min(firstWait<<(m.Tries-1), longestWait))
	}
	err = s.Store.UpdateMessage(ctx, m)
	if errs.KindOf(err) == errs.Stale { // another run took care of it, or it is to be told anew
		return true, nil
	}
	return ended, err
}

// reach sends a message to the targets that have not heard it, and notes those that have.
func (s *Sender) reach(ctx context.Context, m *ledger.Message, targets []Target, text Text, dead map[string]bool) {
	for _, t := range targets {
		if key := t.key(); slices.Contains(m.Told, key) || dead[key] {
			continue
		}
		attempt, cancel := context.WithTimeout(ctx, sendTimeout)
		err := s.Send(attempt, t, text)
		cancel()
		if err != nil {
			dead[t.key()] = true
			s.Log.WarnContext(ctx, "somebody could not be told and will be again", "message", m.ID, "target", t.key(), "cause", err.Error())
			continue
		}
		m.Told = append(m.Told, t.key())
	}
}

// Text is a message as it is read.
type Text struct {
	ledger.Message
	Instruction string
	Headline    string
	Link        string
}

var headlines = map[ledger.MessageKind]string{
	ledger.ToldProposed:  "A plan waits for an approval.",
	ledger.ToldScheduled: "A plan waits for its time.",
	ledger.ToldApproved:  "A plan was approved.",
	ledger.ToldRejected:  "A plan was rejected.",
	ledger.ToldExpired:   "A plan was not approved in time, and is not carried out.",
	ledger.ToldFailed:    "A table was not changed: its plan could not be carried out.",
	ledger.ToldCompleted: "A plan was carried out.",
}

// text is a message in words. The plan never changes, so that they do not either.
func (s *Sender) text(ctx context.Context, m ledger.Message) (Text, error) {
	t := Text{Message: m, Headline: headlines[m.Kind], Link: s.Config.PublicURL + "/executions/" + m.ExecutionID}
	stored, err := s.Store.Plan(ctx, m.ExecutionID)
	if errs.KindOf(err) == errs.NotFound {
		return t, nil // a table without a plan
	} else if err != nil {
		return t, err
	}
	read, err := ledger.ReadPlan(stored)
	if err == nil {
		t.Instruction = read.Plan.SourceInstruction
	}
	return t, nil // of a plan that is damaged there is still something to tell
}

// Lines are the text, without its headline and link.
func (t Text) Lines() (lines []string) {
	for _, line := range []struct{ title, text string }{
		{"Instruction", t.Instruction}, {"Effect", t.Effect}, {"By", t.By}, {"Note", t.Note}, {"Reason", t.Code}, {"Execution", t.ExecutionID},
	} {
		if line.text != "" {
			lines = append(lines, line.title+": "+oneLine(line.text))
		}
	}
	return lines
}

// Target is somewhere that a role hears of things.
type Target struct {
	form form
	to   string // an address, or a URL, which is a secret
}

// key names a target without telling its secret.
func (t Target) key() string {
	if t.form == byMail {
		return "mail:" + t.to
	}
	sum := sha256.Sum256([]byte(t.to))
	return fmt.Sprintf("%s:%s", t.form, hex.EncodeToString(sum[:6]))
}
