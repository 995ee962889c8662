package tablestore

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/planning"
)

// storedDraft is what is kept of a draft.
type storedDraft struct {
	By    string               `json:"by"` // who asked for it
	Model *planning.ModelRules `json:"model"`
}

func draftName(id string) string { return id + "/draft" }

// KeepDraft keeps the rules of a draft that a model made, for as long as tables are held, for
// whoever asked for it, and returns the draft's id.
func (s *Tables) KeepDraft(
	ctx context.Context, by string, model *planning.ModelRules,
) (id string, err error) {
	text, err := json.Marshal(storedDraft{by, model})
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "The draft cannot be kept.")
	}
	id = s.NewID()
	_, err = bucket.Put(ctx, s.Bucket, draftName(id),
		bucket.CreateOptions{ContentType: "application/json"}, bytes.NewReader(text))
	return id, err
}

// Draft returns the rules of a draft that a model made. NotFound: it is not kept, or not any
// more. Denied: another asked for it.
func (s *Tables) Draft(ctx context.Context, id, who string) (*planning.ModelRules, error) {
	gone := errs.New(errs.NotFound, "The draft %q is not kept (any more): drafts are kept for a day. Ask for a plan of the instruction again.", id)
	if !idForm.MatchString(id) {
		return nil, gone
	}
	in, object, err := bucket.OpenLive(ctx, s.Bucket, draftName(id))
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return nil, gone
	case err != nil:
		return nil, err
	}
	defer in.Close()
	var kept storedDraft
	if err := json.NewDecoder(in).Decode(&kept); err != nil || kept.Model == nil {
		return nil, errs.Wrap(errs.Internal, err, "The draft %s cannot be read.", id)
	}
	switch {
	case !s.Now().Before(object.CreatedAt.Add(For)):
		return nil, gone
	case !strings.EqualFold(kept.By, who):
		return nil, errs.New(errs.Denied,
			"Somebody else asked for the draft %s. Ask for a plan of the instruction yourself.", id)
	}
	return kept.Model, nil
}
