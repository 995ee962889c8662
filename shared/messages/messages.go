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
	"github.com/planwright/planwright/shared/plannerapi"
)

// Sender posts what is due.
type Sender struct {
	Store  ledger.Store
	Config Config
	Client *http.Client
	// Post reaches the webhook; nil posts by the client.
	Post func(context.Context, Notice) error
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
	for page := (ledger.Page{}); ; {
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
		err = s.post(ctx, record, owed.Notice)
	}
	now, note := s.Now(), error(nil)
	ctx, cancel := ledger.Afterwards(ctx)
	defer cancel()
	switch {
	case err != nil && now.Before(owed.At.Add(keepTrying)):
		s.Log.WarnContext(ctx, "a notice could not be posted and will be again", "post", owed.ID, "tries", owed.Tries+1, "cause", err.Error())
		note = ledger.DelayPost(ctx, s.Store, record.ExecutionID, owed, now.Add(waitAfter(owed.Tries)))
	case err != nil:
		s.Log.ErrorContext(ctx, "a notice was given up", "alert", "post_given_up", "post", owed.ID, "execution_id", record.ExecutionID, "cause", err.Error())
		fallthrough
	default:
		note = ledger.NotePosted(ctx, s.Store, record.ExecutionID, owed)
	}
	if note != nil {
		s.Log.WarnContext(ctx, "what came of a post could not be noted: it is posted again", "post", owed.ID, "cause", note.Error())
	}
	return cmp.Or(err, note)
}

func waitAfter(tries int) time.Duration {
	return min(firstWait<<min(tries, 20), longestWait)
}

func (s *Sender) post(ctx context.Context, record ledger.Execution, owed ledger.Notice) error {
	notice, err := s.notice(ctx, record, owed)
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

// Notice is what the webhook reads of a notice.
type Notice struct {
	ledger.Notice
	ExecutionID string
	Roles       []plannerapi.Role // for whom it is
	Names       []string          // those who have these roles by name, and who made the plan
	Instruction string
	Headline    string
	Effect      string // in one line; "" where the result is not there any more
	Link        string
}

// kinds say of each kind of post whom it is for, and what has happened.
var kinds = map[ledger.NoticeKind]struct {
	roles    []plannerapi.Role
	headline string
}{
	ledger.NoticeProposed:   {[]plannerapi.Role{plannerapi.RoleApprover}, "A plan waits for an approval."},
	ledger.NoticeScheduled:  {[]plannerapi.Role{plannerapi.RolePlanner}, "A plan waits for its time."},
	ledger.NoticeApproved:   {[]plannerapi.Role{plannerapi.RolePlanner}, "A plan was approved."},
	ledger.NoticeRejected:   {[]plannerapi.Role{plannerapi.RolePlanner}, "A plan was rejected. No price and no stock was changed."},
	ledger.NoticeWithdrawn:  {[]plannerapi.Role{plannerapi.RoleApprover}, "A plan was taken back by who had asked for it. No price and no stock was changed."},
	ledger.NoticeExpired:    {[]plannerapi.Role{plannerapi.RolePlanner, plannerapi.RoleOperator}, "A plan was not approved in time. No price and no stock was changed."},
	ledger.NoticeFailed:     {[]plannerapi.Role{plannerapi.RolePlanner, plannerapi.RoleOperator}, "A plan could not be carried out. No price and no stock was changed."},
	ledger.NoticeSuperseded: {[]plannerapi.Role{plannerapi.RolePlanner}, "A table was skipped: another one is proposed in its place."},
	ledger.NoticeCompleted:  {[]plannerapi.Role{plannerapi.RolePlanner, plannerapi.RoleViewer}, "A plan was carried out."},
}

// notice adds to a notice what the plan says, which never changes, and what the record
// says of the result.
func (s *Sender) notice(ctx context.Context, record ledger.Execution, owed ledger.Notice) (Notice, error) {
	about, executionID := kinds[owed.Kind], record.ExecutionID
	n := Notice{
		Notice: owed, ExecutionID: executionID, Roles: about.roles, Headline: about.headline,
		Effect: record.EffectOf(owed), Link: s.Config.PublicURL + "/executions/" + executionID,
	}
	for _, role := range n.Roles {
		n.Names = append(n.Names, s.Config.Names[role]...)
	}
	stored, err := s.Store.Plan(ctx, executionID)
	if err != nil && errs.KindOf(err) != errs.NotFound { // a table can fail for want of a plan
		return n, err
	}
	if slices.Contains(n.Roles, plannerapi.RolePlanner) && stored.CreatedBy != "" {
		n.Names = append(n.Names, stored.CreatedBy)
	}
	slices.Sort(n.Names)
	n.Names = slices.Compact(n.Names)
	if read, err := ledger.ReadPlan(stored); err == nil { // of a damaged plan there is still something to tell
		n.Instruction = read.Plan.SourceInstruction
	}
	return n, nil
}
