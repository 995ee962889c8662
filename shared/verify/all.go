package verify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/execution/ranges"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/files"
)

// Subject is one execution, or what is of no one execution, with its findings.
type Subject struct {
	Name     string    `json:"name"`
	Findings []Finding `json:"findings"`
}

// All compares everything there is, of every execution, and hands each to
// report.
func (v Verifier) All(ctx context.Context, report func(Subject)) error {
	all := &comparison{Verifier: v}
	if err := all.findFiles(); err != nil { // before the records: a file has its record first
		return err
	}
	all.check(ctx, "the database's own tables", v.Records)
	all.check(ctx, "every object and its description", all.described)
	all.check(ctx, "every signed head, every tile and every leaf of the tree", all.wholeTree)
	all.check(ctx, "what was signed before the records were put back", all.checkRestored)
	all.check(ctx, "that the tree goes on from the head that was noted", all.noted)
	page := paging.Page{Size: paging.MaxSize}
	for {
		found, err := v.Ledger.Executions(ctx, "", page)
		if err != nil {
			return err
		}
		for _, record := range found.Items {
			c, err := v.execution(ctx, record)
			if err != nil {
				return err
			}
			all.claimed(c)
			report(Subject{record.ExecutionID, c.findings})
		}
		if page.Token = found.NextPageToken; page.Token == "" {
			break
		}
	}
	all.check(ctx, "that every leaf is of an execution that is there", all.noneMissing)
	all.check(ctx, "that every file in outbox and audit is of an execution that is there", all.noneAdded)
	if v.Log != nil {
		all.check(ctx, "the lines of the audit log", v.Log)
	}
	report(Subject{"everything together", all.findings})
	return nil
}

// wholeTree checks the tree and keeps what its leaves are of.
func (c *comparison) wholeTree(ctx context.Context) error {
	if c.Tree == nil {
		return c.noTree(ctx)
	}
	leaves, err := c.Tree.All(ctx)
	c.leaves = leaves
	for _, leaf := range leaves {
		if !slices.Contains(c.missing, leaf.ExecutionID) {
			c.missing = append(c.missing, leaf.ExecutionID)
		}
	}
	return err
}

// noTree is the fault that there is no signed tree, which there need not be as
// long as nothing was settled.
func (c *comparison) noTree(ctx context.Context) error {
	state, err := c.Leaves.Tree(ctx)
	if err != nil {
		return err
	}
	if state.Size == 0 {
		return errNotKept
	}
	return differs("the records have %d audit documents in a signed tree, and there is none in %s",
		state.Size, c.TreeIn)
}

// noted holds the tree against a head that somebody kept elsewhere.
func (c *comparison) noted(ctx context.Context) error {
	switch {
	case c.Noted == "":
		return errNotKept
	case c.Tree == nil:
		return differs("there is no signed tree to hold it against")
	}
	return c.Tree.Noted(ctx, c.Noted)
}

// findFiles lists a server's folders, but for the tree, which is compared as it is.
func (c *comparison) findFiles() error {
	if c.Folder == nil {
		return nil
	}
	c.unknown = map[string]bool{}
	return fs.WalkDir(c.Folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		first, rest, _ := strings.Cut(name, "/")
		switch {
		case strings.HasPrefix(entry.Name(), ".") || rest == "log" ||
			first != c.Outbox.Name() && first != c.Audit.Name():
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir():
			c.unknown[name] = true
		}
		return nil
	})
}

// described compares the objects with their descriptions, and takes notices that
// are of no execution out of the files that nobody wrote. Those about proposals
// are left to their executions.
func (c *comparison) described(ctx context.Context) error {
	if c.Objects == nil {
		return errNotKept
	}
	c.written = map[string]bool{}
	for _, bucket := range slices.Sorted(maps.Keys(c.Objects)) {
		written, err := c.Objects[bucket](ctx)
		if err != nil {
			// nobody can tell
			maps.DeleteFunc(c.unknown, func(name string, _ bool) bool {
				return isProposal(name) || c.withoutOutcome(name)
			})
			return err
		}
		for name := range written {
			c.written[path.Join(bucket, name)] = true
		}
	}
	maps.DeleteFunc(c.unknown, func(name string, _ bool) bool {
		return c.written[name] && c.withoutOutcome(name)
	})
	return nil
}

// withoutOutcome reports whether a name is that of a notice about a file that is
// no table, or that is for no execution.
func (c *comparison) withoutOutcome(name string) bool {
	of, _, failed := strings.Cut(path.Base(name), ".failed-")
	_, isTable := files.ContentType(of)
	return failed && !isTable || strings.Contains(path.Base(name), execution.NotTaken) ||
		path.Dir(name) == path.Join(c.Outbox.Name(), plan.UnclaimedFolder)
}

// isProposal reports whether a name is that of a notice about a proposal.
func isProposal(name string) bool {
	matches, _ := path.Match("*.proposed-*.txt", path.Base(name))
	return matches
}

// claimed takes an execution out of those that are missing, and its files out
// of those that are of none.
func (c *comparison) claimed(of *comparison) {
	id := of.record.ExecutionID
	c.missing = slices.DeleteFunc(c.missing, func(missing string) bool { return missing == id })
	for _, d := range of.documents {
		if name, text := execution.Notice(d); text != "" {
			delete(c.unknown, path.Join(c.Outbox.Name(), name))
		}
	}
	maps.DeleteFunc(c.unknown, func(name string, _ bool) bool {
		_, rest, _ := strings.Cut(name, "/")
		return strings.HasPrefix(rest, ranges.Folder+"/"+id+"/") || // of one that was computed in ranges
			c.written[name] && isProposal(name) && path.Dir(rest) == id
	})
	if seal := of.record.Seal; seal != nil {
		delete(c.unknown, path.Join(c.Outbox.Name(), seal.Output.Object))
		delete(c.unknown, path.Join(c.Audit.Name(), seal.Changes.Object))
		delete(c.unknown, path.Join(c.Audit.Name(), execution.AuditName(id)))
	}
}

func (c *comparison) noneAdded(context.Context) error {
	if c.Folder == nil {
		return errNotKept
	}
	for _, name := range slices.Sorted(maps.Keys(c.unknown)) {
		return differs("%d files were put there by no execution, such as %s", len(c.unknown), name)
	}
	return nil
}

// checkRestored checks that what was signed before a restore is still there.
func (c *comparison) checkRestored(ctx context.Context) error {
	if c.Tree == nil {
		return errNotKept
	}
	if epoch, err := c.Tree.Epoch(ctx); err != nil || epoch == 0 {
		return cmp.Or(err, errNotKept)
	}
	return c.Tree.CheckRestored(ctx, c.leaves)
}

func (c *comparison) noneMissing(context.Context) error {
	if len(c.missing) > 0 {
		return differs("%d executions of the tree are gone, such as %s", len(c.missing), c.missing[0])
	}
	return nil
}

// inTree proves that the execution's documents are leaves of the signed tree,
// and that the tree has no other of this execution.
func (c *comparison) inTree(ctx context.Context) error {
	if c.Tree == nil {
		if err := c.noTree(ctx); err != errNotKept || len(c.documents) == 0 {
			return err
		}
		return differs("there is no signed tree with them")
	}
	head, err := c.Tree.Newest(ctx)
	if err != nil {
		return err
	}
	for _, document := range c.documents {
		if err := c.Tree.Includes(ctx, head, document); err != nil {
			return err
		}
	}
	leaves, err := c.Tree.Store.LeavesOf(ctx, c.record.ExecutionID)
	if err == nil && len(leaves) != len(c.documents) {
		err = differs("the tree has %d documents of it, and %d are there", len(leaves), len(c.documents))
	}
	return err
}

// recordEnded reports whether the record is of an execution that has ended, for
// now; one that runs or is proposed shows what no document has yet.
func (c *comparison) recordEnded() bool {
	return c.record.Status == ledger.Completed || c.record.Status == ledger.Failed
}

// documentsEnded reports whether a document says that there is nothing more to do: what
// has completed stays so, and an upload has one outcome.
func (c *comparison) documentsEnded() bool {
	return slices.ContainsFunc(c.documents, func(d ledger.AuditDocument) bool {
		return d.Status == ledger.Completed || d.Upload.ID == c.record.Source.Upload.ID()
	})
}

// shown compares what the record shows beside its seal with the document at the
// head of the chain.
func (c *comparison) shown(context.Context) error {
	switch {
	case !c.recordEnded() && c.documentsEnded():
		return differs("it is %s, and its documents say that it has ended", c.record.Status)
	case !c.recordEnded():
		return nil
	case c.head == nil:
		return differs("there is no document to compare it with")
	}
	d := c.head
	want := ledger.Execution{
		ExecutionID: d.ExecutionID,
		Status:      d.Status,
		CreatedAt:   d.CreatedAt,
		Source:      d.Upload.Source,
		Seal:        c.record.Seal,
		AuditHead:   d.SHA256,
	}
	if d.Status == ledger.Failed && d.Failure != nil && d.Error != nil {
		failure := *d.Failure
		failure.Message = *d.Error
		want.Error = &failure
	}
	got := ledger.Execution{
		ExecutionID: c.record.ExecutionID,
		Status:      c.record.Status,
		CreatedAt:   c.record.CreatedAt,
		Source:      c.record.Source,
		Seal:        c.record.Seal,
		AuditHead:   c.record.AuditHead,
		Error:       c.record.Error,
	}
	want.Rejected, got.Rejected = c.wasRejected(), c.record.Rejected
	return sameJSON("record", got, want)
}

// storedAs compares the plan, and what is stored of who made it, with the
// document at the head of the chain.
func (c *comparison) storedAs(ctx context.Context) error {
	if c.head == nil || c.head.PlanSHA256 == "" {
		return nil // there was none
	}
	stored, err := plans.Load(ctx, c.Ledger, c.record.ExecutionID)
	if err == nil &&
		(stored.SHA256 != c.head.PlanSHA256 || stored.RecordSHA256() != c.head.PlanRecordSHA256) {
		err = differs("it is not the plan that the audit document has, or was not made as it says")
	}
	return err
}

// maxNotice is longer than a notice is.
const maxNotice = 16 << 20

// notices compares what was said to who dropped a file that was not applied.
func (c *comparison) notices(ctx context.Context) error {
	for _, d := range c.documents {
		name, text := execution.Notice(d)
		if text == "" {
			continue
		}
		got, err := bucket.ReadLive(ctx, c.Outbox, name, maxNotice)
		sum := sha256.Sum256(got)
		switch {
		case err != nil:
			return err
		case string(got) == text:
		case hex.EncodeToString(sum[:]) == d.NoticeSHA256:
			c.note("%s was written by an older wording", name)
		default:
			return differs("%s does not say what it said", name)
		}
	}
	return nil
}
