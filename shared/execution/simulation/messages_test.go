package simulation

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/messages"
)

func (s *store) putMessage(m ledger.Message) {
	s.count(m.ExecutionID)
	m = m.Rounded()
	m.Revision = strconv.FormatInt(s.puts, 10)
	s.messages[m.ID] = m
}

// DueMessages implements ledger.MessageStore.
func (s *store) DueMessages(_ context.Context, at time.Time, limit int) ([]ledger.Message, error) {
	var due []ledger.Message
	for _, m := range s.messages {
		if !m.DueAt.IsZero() && !m.DueAt.After(at) {
			due = append(due, m)
		}
	}
	place := func(m ledger.Message) string { return m.DueAt.Format("2006-01-02T15:04:05.000000Z ") + m.ID }
	slices.SortFunc(due, func(a, b ledger.Message) int { return strings.Compare(place(a), place(b)) })
	return due[:min(len(due), limit)], nil
}

// UpdateMessage implements ledger.MessageStore.
func (s *store) UpdateMessage(_ context.Context, next ledger.Message) error {
	if s.messages[next.ID].Revision != next.Revision {
		return errs.New(errs.Stale, "message %s was changed", next.ID)
	}
	s.putMessage(next)
	return nil
}

func (s workerStore) DueMessages(ctx context.Context, at time.Time, limit int) (due []ledger.Message, err error) {
	err = s.w.Call("due messages", func() (err error) { due, err = s.Store.(ledger.MessageStore).DueMessages(ctx, at, limit); return err })
	return due, err
}

func (s workerStore) UpdateMessage(ctx context.Context, next ledger.Message) error {
	return s.w.Call("update message", func() error { return s.Store.(ledger.MessageStore).UpdateMessage(ctx, next) })
}

var everybody = func() messages.Config {
	settings := map[string]string{"PUBLIC_URL": "https://shop.example"}
	for _, role := range []messages.Role{messages.Planners, messages.Approvers} {
		settings[string(role)] = "https://hooks.example/" + string(role)
	}
	return messages.ReadConfig(config.Read(config.Map(settings)))
}()

// tell begins a run that sends what is due: whatever may happen to a call may happen
// to what it sends.
func (w *world) tell() *worker {
	one := w.hire()
	w.say("%s tells people", one.name)
	sender := messages.Sender{
		Store: one.store(w.store).(messages.Store), Config: everybody, Log: logging.Discard, Now: func() time.Time { return w.now },
		Send: func(_ context.Context, _ messages.Target, text messages.Text) error {
			return one.Call("send "+text.ID, func() error { w.sent[text.ID]++; return nil })
		},
	}
	return w.begin(one, func() error { _, err := sender.Run(context.Background()); return err })
}

// tellAll: without further faults everybody is told of everything that has happened.
func (w *world) tellAll() {
	due := func(m ledger.Message) bool { return !m.DueAt.IsZero() }
	for runs := 0; runs < 3 && slices.ContainsFunc(slices.Collect(maps.Values(w.store.messages)), due); runs++ {
		w.now = w.now.Add(6 * time.Hour)
		w.finishing(w.tell())
	}
	for id, m := range w.store.messages {
		if !m.DueAt.IsZero() || len(m.GivenUp) == 0 && w.sent[id] == 0 {
			w.fail("nobody was told %s: %+v", id, m)
		}
	}
}

// checkMessages: what is proposed, decided and ended has its message from the very
// commit on, and there is none of anything else.
func (w *world) checkMessages(id string, record ledger.Execution) {
	missing := func(of string, kinds ...ledger.MessageKind) {
		if !slices.ContainsFunc(kinds, func(kind ledger.MessageKind) bool {
			_, there := w.store.messages[id+"."+of+"."+string(kind)]
			return there
		}) {
			w.fail("nobody will be told that %s is %v", id, kinds)
		}
	}
	if record.Status == ledger.Proposed && record.Proposal.ApprovalDue {
		missing(record.Proposal.ProposalSHA256, ledger.ToldProposed)
	} else if record.Status == ledger.Proposed {
		missing(record.Proposal.ProposalSHA256, ledger.ToldScheduled)
	}
	if record.Approval != nil {
		missing(record.Approval.ProposalSHA256, ledger.ToldApproved)
	}
	for upload, d := range w.store.outcomes[id] {
		switch d.Status {
		case ledger.Completed:
			missing(upload, ledger.ToldCompleted)
		case ledger.Failed:
			missing(upload, ledger.ToldFailed, ledger.ToldRejected, ledger.ToldExpired)
		}
	}
	for _, m := range w.store.messages {
		of, _, _ := strings.Cut(strings.TrimPrefix(m.ID, id+"."), ".")
		if d, ended := w.store.outcomes[id][of]; m.ExecutionID == id && (m.Kind == ledger.ToldCompleted) != (ended && d.Status == ledger.Completed) {
			w.fail("%s is told, and what came of it is %s", m.ID, d.Status)
		}
	}
}
