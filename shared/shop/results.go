package shop

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/postings"
)

// resultLine is what became of one row, as the results file of its batch has it.
type resultLine struct {
	ExecutionID string  `json:"execution_id"`
	Batch       int     `json:"batch"`
	Row         int64   `json:"row"`
	SKU         string  `json:"sku"`
	Name        string  `json:"name"`
	Group       string  `json:"group"`
	ID          string  `json:"id"`
	Result      Outcome `json:"result"`
	Before      Prices  `json:"before"`
	After       Prices  `json:"after"`
	Has         Prices  `json:"has"` // what the shop has, as far as is known
	Why         string  `json:"why"`
	End         int64   `json:"end"` // of the row's line in the changes file
}

// ResultsName is the object with the results of a batch.
func ResultsName(executionID string, batch int) string {
	return fmt.Sprintf("postings/%s-%06d.jsonl", executionID, batch)
}

func (l resultLine) row() changedRow {
	return changedRow{
		Row: l.Row, SKU: l.SKU, Name: l.Name, Group: l.Group, ID: l.ID, Before: l.Before, After: l.After,
		End: l.End,
	}
}

// left is how a posting lists the row.
func (l resultLine) left() postings.LeftRow {
	return postings.LeftRow{
		Row: l.Row, SKU: clip(l.SKU, 100), Name: clip(l.Name, 120), Result: string(l.Result),
		Wanted: clip(l.After.String(), 60), Has: clip(l.Has.String(), 60), Why: clip(l.Why, 300),
	}
}

// clip shortens a text to so many characters.
func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// storeResults creates the results file of a batch. Conflict: there is one.
func storeResults(ctx context.Context, audit bucket.Bucket, name string, lines []resultLine) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return errs.Wrap(errs.Internal, err, "A result cannot be written as JSON.")
		}
	}
	upload, err := audit.Create(ctx, name, bucket.CreateOptions{ContentType: "application/jsonl"})
	if err != nil {
		return err
	}
	defer upload.Abandon()
	if _, err := upload.Write(text.Bytes()); err != nil {
		return err
	}
	_, err = upload.Commit()
	return err
}

// readResults reads the results file of a batch. NotFound: there is none.
func readResults(ctx context.Context, audit bucket.Bucket, name string) (lines []resultLine, err error) {
	object, err := audit.Stat(ctx, name)
	if err != nil {
		return nil, err
	}
	in, _, err := audit.Open(ctx, name, object.Generation)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	decoder := json.NewDecoder(bufio.NewReader(in))
	for {
		var line resultLine
		if err := decoder.Decode(&line); err == io.EOF {
			return lines, nil
		} else if err != nil {
			return nil, errs.Wrap(errs.KindOf(err), err, "The results %s cannot be read.", name)
		}
		lines = append(lines, line)
	}
}

// count adds a batch's results to a posting, and lists what was left.
func count(p *postings.Posting, lines []resultLine) {
	for _, line := range lines {
		switch line.Result {
		case Written:
			p.Progress.Written++
		case Already:
			p.Progress.Already++
		case Stale:
			p.Progress.Stale++
		case Refused:
			p.Progress.Refused++
		case Gone:
			p.Progress.Gone++
		case Differs:
			p.Progress.Differs++
		}
		if line.Result != Written && line.Result != Already {
			p.Left = appendLeft(p.Left, line.left())
		}
	}
}

// maxLeftBytes bounds the rows that a posting lists: a Firestore document has 1 MiB.
const maxLeftBytes = 200 << 10

func appendLeft(left []postings.LeftRow, row postings.LeftRow) []postings.LeftRow {
	size := 0
	for _, r := range left {
		size += len(r.SKU) + len(r.Name) + len(r.Wanted) + len(r.Has) + len(r.Why) + 100
	}
	if len(left) >= postings.MaxLeftRows || size > maxLeftBytes {
		return left
	}
	return append(left, row)
}
