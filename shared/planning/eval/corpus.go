// Package eval scores planners against corpora of instructions: how many they
// plan right, how many they plan wrong without saying so, and how many they
// refuse with reason.
package eval

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// The files of instructions.
const (
	Own      = "own"      // written beside a reader, or of its candidates
	Open     = "open"     // of authors who had not seen one; what is misread is read and learned from
	Sealed   = "sealed"   // the same, but never printed, so that nothing learns from them
	Refusals = "refusals" // open, and nothing that has a plan
)

// Kind says what a batch is scored with.
type Kind string

// The kinds of batches.
const (
	Written  Kind = "own"      // beside the first grammar
	Reviewed Kind = "reviewed" // candidates that a person looked through
	Plain    Kind = "plain"    // what a shop's owner types, and near misses that must be refused
	Hard     Kind = "hard"     // spoken English, much said around the rule, reasons, lists
	Refused  Kind = "refusals" // nothing that has a plan
	Names    Kind = "names"    // names as people type them, and words beside names that no plan can express
	Tables   Kind = "tables"   // beside a table, of whose names they speak as people do
	Mails    Kind = "mails"    // with a greeting, reasons, chat and a signature
)

// Batch is what one author wrote.
type Batch struct {
	Name      string `json:"hand"` // the files are as they were when they were sealed
	File      string `json:"file"`
	Kind      Kind   `json:"kind"`
	Rows      int    `json:"rows"`
	Plannable int    `json:"plannable"` // of the rows
	Source    string `json:"source"`    // who wrote it, and what was put right since
	// FirstSight is what the reader of that day made of it, before anything was
	// learned from it.
	FirstSight *Sight `json:"first_sight,omitempty"`
}

// Sight is what a run planned of what has a plan, and how many rows it planned wrong.
type Sight struct {
	Planned   int `json:"planned"`
	Plannable int `json:"plannable"`
	Wrong     int `json:"wrong"`
	Rows      int `json:"rows"`
}

// ExecutionID and created stand in every plan of an evaluation.
const ExecutionID = "plan_evaluation_v1"

var created = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Case is one instruction with what must come of it.
type Case struct {
	Batch       string          `json:"hand"`
	ID          string          `json:"id"`     // unique in its batch
	Frozen      bool            `json:"frozen"` // written before the first grammar, and not changed since
	Class       string          `json:"class"`  // what it tries, or the class of question it needs
	Group       string          `json:"group"`  // instructions that say the same in other words
	Instruction string          `json:"instruction"`
	Categories  []string        `json:"categories"`
	Brands      []string        `json:"brands"`
	Tags        []string        `json:"tags"`
	SKUs        []string        `json:"skus"`
	Products    []string        `json:"products"`
	Whole       bool            `json:"whole"` // the lists are all names of a table
	Refuse      bool            `json:"refuse"`
	Expect      string          `json:"expect"` // "plan", "ask", "refuse" or "either", in place of refuse
	Operations  json.RawMessage `json:"operations"`
	Offer       json.RawMessage `json:"offer"` // of a candidate that a question may well offer
	Want        *plan.Plan      `json:"-"`     // nil where it must be refused
	WantOffer   *plan.Plan      `json:"-"`     // nil where no candidate is natural
	// other rules that do what the plan that is wanted or offered does
	Forms []*plan.Plan `json:"-"`
	By    *Batch       `json:"-"`
}

// Request is what a planner is asked.
func (c *Case) Request() planning.Request {
	names := planning.Names{
		Categories: c.Categories,
		Brands:     c.Brands,
		Tags:       c.Tags,
		SKUs:       c.SKUs,
		Products:   c.Products,
		Whole:      c.Whole,
	}
	return planning.Request{
		Instruction: c.Instruction,
		ExecutionID: ExecutionID,
		Names:       names,
		CreatedAt:   created,
	}
}

//go:embed testdata/manifest.json testdata/own.jsonl testdata/open.jsonl testdata/sealed.jsonl testdata/refusals.jsonl testdata/forms.jsonl
var corpora embed.FS

// Batches returns all batches, file by file in the order in which they were written.
func Batches() ([]*Batch, error) {
	text, err := corpora.ReadFile("testdata/manifest.json")
	if err != nil {
		return nil, err
	}
	var batches []*Batch
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return batches, decoder.Decode(&batches)
}

// Load reads files of instructions. It checks that every case is either refused
// or has a valid plan, that no batch has an id or an instruction twice, and that
// the manifest has each row's batch with as many rows as there are.
func Load(files ...string) ([]*Case, error) {
	batches, err := Batches()
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for _, name := range files {
		text, err := corpora.ReadFile("testdata/" + name + ".jsonl")
		if err != nil {
			return nil, err
		}
		read, err := read(name, text, batches)
		if err != nil {
			return nil, fmt.Errorf("%s.jsonl: %w", name, err)
		}
		cases = append(cases, read...)
	}
	return cases, addForms(cases)
}

// addForms gives cases the other forms of their plans that forms.jsonl has. The other
// files stay as they were when they were sealed.
func addForms(cases []*Case) error {
	text, err := corpora.ReadFile("testdata/forms.jsonl")
	if err != nil {
		return err
	}
	byID := map[string]*Case{}
	for _, c := range cases {
		byID[c.Batch+"/"+c.ID] = c
	}
	for line := range bytes.Lines(text) {
		var form struct {
			Batch, ID  string
			Operations json.RawMessage
		}
		if err := json.Unmarshal(line, &form); err != nil {
			return fmt.Errorf("forms.jsonl: %w", err)
		}
		c := byID[form.Batch+"/"+form.ID]
		if c == nil {
			continue // of a file that is not asked for
		}
		p, err := c.planOf(form.Operations)
		if err != nil {
			return fmt.Errorf("forms.jsonl: %s/%s: %w", form.Batch, form.ID, err)
		}
		c.Forms = append(c.Forms, p)
	}
	return nil
}

// IsWanted reports whether a plan is the one that is wanted, in one of its forms.
func (c *Case) IsWanted(p *plan.Plan) bool {
	return c.Want != nil && slices.ContainsFunc(append([]*plan.Plan{c.Want}, c.Forms...),
		func(form *plan.Plan) bool { return planning.Same(p, form) })
}

// LoadHand reads one author's instructions from a file of theirs, which no manifest has.
func LoadHand(path string) ([]*Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readCases(text, func(c *Case) { c.Batch, c.By = filepath.Base(path), &Batch{File: Open} })
}

func read(file string, text []byte, batches []*Batch) ([]*Case, error) {
	byName, left := map[string]*Batch{}, map[string]int{}
	for _, h := range batches {
		if h.File == file {
			byName[h.Name], left[h.Name] = h, h.Rows
		}
	}
	cases, err := readCases(text, func(c *Case) { c.By = byName[c.Batch]; left[c.Batch]-- })
	if err != nil {
		return nil, err
	}
	for _, c := range cases {
		if c.By == nil {
			return nil, fmt.Errorf("%s/%s: the manifest has no such batch in this file", c.Batch, c.ID)
		}
	}
	for name, rows := range left {
		if rows != 0 {
			return nil, fmt.Errorf("the manifest says %d rows more of %s than there are", rows, name)
		}
	}
	return cases, nil
}

// readCases decodes a case a line, and says of each by whom it is.
func readCases(text []byte, by func(*Case)) ([]*Case, error) {
	var cases []*Case
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		c := &Case{}
		if err := json.Unmarshal(line, c); err != nil {
			return nil, fmt.Errorf("row %d: %w", len(cases)+1, err)
		}
		by(c)
		for _, key := range []string{
			"id " + c.ID, "instruction " + c.Instruction + fmt.Sprint(c.Categories),
		} {
			if key = c.Batch + " " + key; seen[key] {
				return nil, fmt.Errorf("%s/%s: its id or its instruction is there twice", c.Batch, c.ID)
			}
			seen[key] = true
		}
		if err := c.expect(); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", c.Batch, c.ID, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// either reports whether a plan and a question are both fine.
func (c *Case) either() bool { return c.Expect == "either" }

// expect decodes the expected operations into plans.
func (c *Case) expect() (err error) {
	if c.Expect != "" {
		c.Refuse = c.Expect == "ask" || c.Expect == "refuse"
	}
	if c.WantOffer, err = c.planOf(c.Offer); err != nil {
		return fmt.Errorf("the offer: %w", err)
	}
	if c.Want, err = c.planOf(c.Operations); err != nil {
		return err
	}
	if c.Refuse != (c.Want == nil) {
		return fmt.Errorf("it must either be refused or have operations")
	}
	return nil
}

// planOf is the plan of some operations; nil where there are none.
func (c *Case) planOf(operations json.RawMessage) (*plan.Plan, error) {
	if len(operations) == 0 || string(operations) == "null" || string(operations) == "[]" {
		return nil, nil
	}
	text, err := json.Marshal(map[string]any{
		"execution_id":       ExecutionID,
		"created_at":         created.Format(time.RFC3339),
		"source_instruction": c.Instruction,
		"operations":         operations,
	})
	if err != nil {
		return nil, err
	}
	p, err := plan.Decode(text)
	p.SettleDirections() // as code does with each plan
	return p, err
}

// Every returns each nth case, from the first: a sample for a quick run.
func Every(n int, cases []*Case) []*Case {
	var sample []*Case
	for i := 0; i < len(cases); i += n {
		sample = append(sample, cases[i])
	}
	return sample
}
