package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/pricing"
)

// PostKind is what a post tells of.
type PostKind string

// What the webhook is told of.
const (
	PostProposed   PostKind = "proposed"  // it waits for an approval
	PostScheduled  PostKind = "scheduled" // it waits for its time alone
	PostApproved   PostKind = "approved"
	PostRejected   PostKind = "rejected"
	PostWithdrawn  PostKind = "withdrawn" // by who had asked for it
	PostExpired    PostKind = "expired"
	PostFailed     PostKind = "failed"
	PostSuperseded PostKind = "superseded" // another upload is proposed in this one's place
	PostCompleted  PostKind = "completed"
)

// Post is what the webhook is owed of one step in the life of an execution. The commit
// that takes the step adds the post to the record; the clock posts it and then takes
// it out. A post has no row of a table and no cell of one.
type Post struct {
	// ID names what the post tells of: a proposal's hash, or an upload, with the kind.
	// A receiver that gets one twice can drop the second.
	ID     string    `json:"id"`
	Kind   PostKind  `json:"kind"`
	At     time.Time `json:"at"`
	By     string    `json:"by,omitempty"`     // who decided
	Note   string    `json:"note,omitempty"`   // what they said
	Effect string    `json:"effect,omitempty"` // in one line
	Code   string    `json:"code,omitempty"`   // of a failure

	// DueAt is when the post is tried next. Tries counts the times that it failed.
	DueAt time.Time `json:"due_at"`
	Tries int       `json:"tries,omitempty"`
}

// NotePosted takes a post out of its record: it has arrived, or nobody tries it again.
func NotePosted(ctx context.Context, store Store, executionID string, posted Post) error {
	return editPost(ctx, store, executionID, posted, func(posts []Post, i int) []Post { return slices.Delete(posts, i, i+1) })
}

// DelayPost takes note that a post failed, and when it is tried again.
func DelayPost(ctx context.Context, store Store, executionID string, failed Post, until time.Time) error {
	return editPost(ctx, store, executionID, failed, func(posts []Post, i int) []Post {
		posts[i].DueAt, posts[i].Tries = until, failed.Tries+1
		return posts
	})
}

// editPost edits one post of a record, and nothing else: not even when the record is
// due. A post that is gone, or that was owed anew since, stays as it is.
func editPost(ctx context.Context, store Store, executionID string, post Post, edit func([]Post, int) []Post) error {
	_, err := decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		i := slices.IndexFunc(record.Posts, func(p Post) bool { return p.ID == post.ID && p.At.Equal(post.At) })
		if i < 0 {
			return record, Settlement{}, errDecided
		}
		record.Posts = edit(slices.Clone(record.Posts), i)
		record.PostAt = record.firstPost()
		return record, Settlement{}, nil
	})
	return err
}

// firstPost is when the first of the posts is due; zero where none is owed.
func (e Execution) firstPost() time.Time {
	if len(e.Posts) == 0 {
		return time.Time{}
	}
	return slices.MinFunc(e.Posts, func(a, b Post) int { return a.DueAt.Compare(b.DueAt) }).DueAt
}

// replace commits an edit of a record as it was read. The clock may have noted posts
// in it meanwhile: then the edit is made on the record as it is now, so that nobody
// waits for the webhook. Any other change since is Stale.
func replace(ctx context.Context, store Store, record Execution, with Settlement, edit func(Execution) Execution) (Execution, error) {
	for tries := 1; ; tries++ {
		updated, refusal := store.UpdateExecution(ctx, edit(record), with)
		if errs.KindOf(refusal) != errs.Stale || tries == maxDecisions {
			return updated, refusal
		}
		now, err := store.Execution(ctx, record.ExecutionID)
		if err != nil || now.Revision == record.Revision || !record.equalsButPosts(now) {
			return Execution{}, refusal
		}
		record = now
	}
}

func (e Execution) equalsButPosts(other Execution) bool {
	for _, record := range []*Execution{&e, &other} {
		record.Posts, record.PostAt = nil, time.Time{}
	}
	return hashJSON(e.Rounded()) == hashJSON(other.Rounded())
}

// owePost adds a post.
func (e *Execution) owePost(kind PostKind, of string, at time.Time, p Post) {
	p.ID, p.Kind, p.At, p.DueAt = e.ExecutionID+"."+of+"."+string(kind), kind, at, at
	others := slices.DeleteFunc(slices.Clone(e.Posts), func(owed Post) bool { return owed.ID == p.ID })
	e.Posts = append(others, p)
}

// postProposal adds the post of a proposal. An again that is not "" tells it apart
// from the first post of the same proposal.
func (e *Execution) postProposal(at time.Time, again string) {
	kind := PostScheduled
	if e.Proposal.ApprovalDue {
		kind = PostProposed
	}
	e.owePost(kind, e.Proposal.ProposalSHA256+again, at, Post{Effect: EffectLine(e.Proposal.Summary, &e.Proposal.Effect)})
}

// postApproval adds the post of the approval that the record has by now.
func (e *Execution) postApproval() {
	e.owePost(PostApproved, e.Approval.ProposalSHA256, e.Approval.At, Post{
		By: e.Approval.By, Note: e.Approval.Note, Effect: EffectLine(e.Proposal.Summary, &e.Proposal.Effect),
	})
}

// postFailure adds the post of a failure, with who decided it where somebody did.
func (e *Execution) postFailure(outcome AuditDocument, at time.Time, by, note string) {
	kind := PostFailed
	switch outcome.ErrorCode {
	case CodeRejected:
		kind = PostRejected
	case CodeWithdrawn:
		kind = PostWithdrawn
	case CodeExpired:
		kind = PostExpired
	}
	e.owePost(kind, outcome.Upload.ID, at, Post{Code: outcome.ErrorCode, By: by, Note: note})
}

// EffectLine says in one line, without any row, what a result does to a table.
func EffectLine(s Summary, effect *pricing.Effect) string {
	line := fmt.Sprintf("%d of %d rows change", s.RowsChanged, s.RowsTotal)
	if effect == nil {
		return line
	}
	var parts []string
	for _, part := range []struct {
		rows int64
		text string
	}{
		{effect.RowsRaised, "%d prices rise"}, {effect.RowsLowered, "%d prices fall"}, {effect.RowsRegular, "%d regular prices change during a sale"},
		{effect.RowsIntoStock, "%d come into stock"}, {effect.RowsOutOfStock, "%d go out of stock"},
	} {
		if part.rows > 0 {
			parts = append(parts, fmt.Sprintf(part.text, part.rows))
		}
	}
	if len(parts) == 0 {
		return line
	}
	return line + ": " + strings.Join(parts, ", ")
}
