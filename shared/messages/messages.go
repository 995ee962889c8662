// Package messages posts notices of what waits and of what became of it to one webhook.
//
// The commit that takes a step owes the webhook a post, which stands in the execution's
// record. The clock posts it and then takes it out, so each post arrives at least once.
// It has an id by which a receiver knows a second one. After two days a post is given up.
//
// A notice has the instruction, the effect in one line and a link. It has no row of a
// table.
package messages

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plannerapi"
)

// Sender posts what is due.
type Sender struct {
	Store  ledger.Store
	Config Config
	Client *http.Client
	// Post reaches the webhook; nil posts by the client.
	Post func(context.Context, notices.Notice) error
	Now  func() time.Time
	Log  *slog.Logger
}

// NewSender returns a sender with real time.
func NewSender(store ledger.Store, c Config, log *slog.Logger) *Sender {
	return &Sender{Store: store, Config: c, Client: &http.Client{}, Now: time.Now, Log: log}
}

// Times of posts. The wait for the next try doubles with each that failed. A run begins
// no post after runTime, so that the next run does not meet it.
const (
	postTimeout = 10 * time.Second
	runTime     = 45 * time.Second
	firstWait   = 30 * time.Second
	longestWait = time.Hour
	keepTrying  = 48 * time.Hour
)

// Run posts what is due and returns how many posts failed. An error is the store's.
func (s *Sender) Run(ctx context.Context) (failed int, err error) {
	at := s.Now()
	for page := (paging.Page{}); ; {
		found, err := s.Store.PostsDue(ctx, at, page)
		if err != nil {
			return failed, err
		}
		for _, record := range found.Items {
			for _, owed := range record.Owed {
				if ctx.Err() != nil || s.Now().Sub(at) >= runTime {
					return failed, ctx.Err()
				}
				if !owed.PostAt.IsZero() && !owed.PostAt.After(at) && s.tell(ctx, record, owed) != nil {
					failed++
				}
			}
		}
		if page.Token = found.NextPageToken; page.Token == "" {
			return failed, nil
		}
	}
}

// tell posts one notice and notes in the record what came of it. Where nobody listens
// there is nothing to post.
func (s *Sender) tell(ctx context.Context, record ledger.Execution, owed ledger.Owed) (err error) {
	if s.Config.URL != "" {
		err = s.post(ctx, record, owed.Step)
	}
	now, note := s.Now(), error(nil)
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	switch {
	case err != nil && now.Before(owed.At.Add(keepTrying)):
		s.Log.WarnContext(ctx, "a notice could not be posted and will be again",
			"post", owed.ID, "tries", owed.Tries+1, "cause", err.Error())
		note = ledger.DelayPost(ctx, s.Store, record.ExecutionID, owed, now.Add(waitAfter(owed.Tries)))
	case err != nil:
		s.Log.ErrorContext(ctx, "a notice was given up",
			"alert", "post_given_up", "post", owed.ID, "execution_id", record.ExecutionID,
			"cause", err.Error())
		fallthrough
	default:
		note = ledger.NotePosted(ctx, s.Store, record.ExecutionID, owed)
	}
	if note != nil {
		s.Log.WarnContext(ctx, "what came of a post could not be noted: it is posted again",
			"post", owed.ID, "cause", note.Error())
	}
	return cmp.Or(err, note)
}

func waitAfter(tries int) time.Duration {
	return min(firstWait<<min(tries, 20), longestWait)
}

func (s *Sender) post(ctx context.Context, record ledger.Execution, step notices.Step) error {
	notice, err := s.notice(ctx, record, step)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	if s.Post != nil {
		return s.Post(ctx, notice)
	}
	return s.send(ctx, notice)
}

// roles are those for whom each kind of notice is.
var roles = map[notices.Kind][]plannerapi.Role{
	notices.Proposed:   {plannerapi.RoleApprover},
	notices.Scheduled:  {plannerapi.RolePlanner},
	notices.Approved:   {plannerapi.RolePlanner},
	notices.Rejected:   {plannerapi.RolePlanner},
	notices.Withdrawn:  {plannerapi.RoleApprover},
	notices.Expired:    {plannerapi.RolePlanner, plannerapi.RoleOperator},
	notices.Failed:     {plannerapi.RolePlanner, plannerapi.RoleOperator},
	notices.Superseded: {plannerapi.RolePlanner},
	notices.Completed:  {plannerapi.RolePlanner, plannerapi.RoleViewer},
}

// notice is the notice of a step, with those for whom it is.
func (s *Sender) notice(
	ctx context.Context, record ledger.Execution, step notices.Step,
) (notices.Notice, error) {
	stored, err := s.Store.Plan(ctx, record.ExecutionID)
	if err != nil && errs.KindOf(err) != errs.NotFound { // a table can fail for want of a plan
		return notices.Notice{}, err
	}
	read, _ := plans.Read(stored) // of a damaged plan there is still something to tell
	n := record.NoticeOf(step, read)
	n.Link, n.Names = s.Config.PublicURL+"/executions/"+record.ExecutionID, []string{}
	for _, role := range roles[step.Kind] {
		n.Roles = append(n.Roles, string(role))
		n.Names = append(n.Names, s.Config.Names[role]...)
		if role == plannerapi.RolePlanner && stored.CreatedBy != "" {
			n.Names = append(n.Names, stored.CreatedBy)
		}
	}
	slices.Sort(n.Names)
	n.Names = slices.Compact(n.Names)
	return n, nil
}
