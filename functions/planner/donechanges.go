package planner

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// doneChanges answers with the changes that an execution made, with the names of the
// products and how far each price moved. They are read in the files that it wrote.
func (h handler) doneChanges(w http.ResponseWriter, r *http.Request, record ledger.Execution) (any, error) {
	var asked *wanted
	if err := web.ReadQuery(r, func(q *web.Query) {
		if figures, _ := q.Text("figures"); figures != "true" {
			q.Problem("figures", "must be true, but is %s", strictjson.Shorten(figures))
		}
		asked = readWanted(q, r)
	}); err != nil {
		return nil, err
	}
	if h.Outbox == nil || h.Audit == nil {
		return nil, web.NotImplemented("This planner does not read what executions wrote. Its operator lets it with OUTBOX_BUCKET and AUDIT_BUCKET.")
	}
	done := &doneFiles{handler: h, record: record, from: &tableSource{
		settings: record.Seal.ReadBy(record.Source),
		asked:    asked,
		open: func() (io.ReadCloser, error) {
			in, _, err := bucket.OpenLive(r.Context(), h.Outbox, record.Seal.Output.Object)
			return in, err
		},
	}}
	if asked.asCSV {
		to := beginCSV(w, record.ExecutionID)
		endCSV(r, to, done.from.label(r.Context(), func(label func(*plannerapi.SeenChange)) error {
			_, err := done.read(r.Context(), func(seen pricing.Seen) error {
				change := shownChange(&seen)
				label(&change)
				if asked.name = change.Name; !asked.has(&seen) {
					return nil
				}
				return to.Write(csvRow(&change))
			})
			return err
		}))
		return nil, nil
	}
	found := &changes{wanted: asked}
	var effect pricing.Effect
	err := done.from.named(r.Context(), found.see, func(see func(pricing.Seen) error) (err error) {
		effect, err = done.read(r.Context(), see)
		return err
	})
	if err != nil {
		return nil, err
	}
	shown, err := found.shown(r.Context(), done.from)
	return plannerapi.DoneChanges{
		Effect:    effect,
		RowsFound: found.found,
		Changes:   plannerapi.Changes[plannerapi.SeenChange]{Changes: shown, NextPageToken: found.next()},
	}, err
}

// doneFiles are the files that an execution wrote.
type doneFiles struct {
	handler
	record ledger.Execution
	from   *tableSource // what it wrote
}

// read hands the changes to see, one by one, and returns what they did to prices. A file
// that is not the one that was written is refused at its end.
func (d *doneFiles) read(ctx context.Context, see func(pricing.Seen) error) (pricing.Effect, error) {
	written, err := d.from.open()
	if err != nil {
		return pricing.Effect{}, err
	}
	defer written.Close()
	measure, err := pricing.NewMeasure(written, d.from.settings)
	if err != nil {
		return pricing.Effect{}, err
	}
	file := d.record.Seal.Changes
	in, _, err := bucket.OpenLive(ctx, d.Audit, file.Object)
	if err != nil {
		return pricing.Effect{}, err
	}
	defer in.Close()
	var read bucket.Digest
	lines := io.TeeReader(in, &read)
	for decoder := json.NewDecoder(lines); ; {
		var change pricing.Change
		if err := decoder.Decode(&change); err == io.EOF {
			break
		} else if err != nil {
			return pricing.Effect{}, d.edited(err)
		}
		if err := see(measure.See(change)); err != nil {
			return pricing.Effect{}, err
		}
	}
	if read.Size != file.Size || read.CRC32C != file.CRC32C {
		return pricing.Effect{}, d.edited(nil)
	}
	return measure.Effect(), nil
}

func (d *doneFiles) edited(cause error) error {
	return errs.Wrap(errs.Conflict, cause,
		"The file of changes of %s is not the one that was written: somebody replaced it.",
		d.record.ExecutionID)
}
