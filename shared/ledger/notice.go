package ledger

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/faults"
)

// Words are what the ledger tells people about outcomes, by what is said. A
// document keeps codes, arguments and the hash of what was told with them: words
// can be chosen anew.
var Words = map[string]string{
	"failed":            "This file was not applied. No price and no stock was changed.",
	"drop again":        "To have it computed and proposed again, drop the file into the same folder again.",
	"undo again":        "Nothing is to be dropped: this is the table that the plan wrote, and its undo took it by itself. See what became of the plan that was to be undone, and where it is still to be, ask for its undo again.",
	"make the plan":     "Make the plan, or drop the file into the folder that is named after the plan that you mean.",
	"name what is":      "Make a new plan with the names that the table has, and drop the file into the new plan's folder. Where the table is only a part of the catalogue, drop it here again with the setting named above; so too where names that look the same are different things.",
	"correct it":        "Correct what is named above and drop the file into the same folder again. The plan stands as it is; you need no new one.",
	"skipped":           "This file was skipped: its plan has been carried out already, and a plan is carried out once.",
	"plan again":        "If this file was dropped by mistake, nothing. To apply the same instruction to another file, ask for a new plan (the same instruction gives one with the next free id) and drop the file into that plan's folder.",
	"superseded":        "This file was skipped: another file for the same plan is proposed in its place. Where this one was approved, that counts no more.",
	"take the place":    "If the other file is the right one, nothing. Otherwise drop this file into the same folder again: it then takes the other's place.",
	"no plan":           "(there is no plan)",
	"stale row":         "%s was given %s and %s",
	"stale row is gone": "is not in the table",
	"stale row has":     "has %s",
}

// Notice is what the person who dropped a file is told of its outcome. A completed
// upload speaks for itself: "".
func (d AuditDocument) Notice() string {
	file := d.Upload.Bucket + "/" + d.Upload.Object
	switch {
	case d.Status == Failed && d.Error != nil:
		instruction := d.SourceInstruction
		if instruction == "" {
			instruction = Words["no plan"]
		}
		return Paragraphs(Words["failed"], "File", file, "Execution", d.ExecutionID, "Instruction", instruction,
			"What is wrong", *d.Error, "Changed since", changedSince(d.stale()), "What to do", Words[d.remedy()])
	case d.Status == Skipped:
		why, remedy := "skipped", "plan again"
		if d.Code() == CodeSuperseded {
			why, remedy = "superseded", "take the place"
		}
		return Paragraphs(Words[why], "File", file, "Execution", d.ExecutionID, "What to do", Words[remedy])
	}
	return ""
}

// remedy is what is said of what to do after a failure.
func (d AuditDocument) remedy() string {
	if d.Upload.OutputOf != "" {
		return "undo again"
	}
	switch d.Code() {
	case CodeRejected, CodeWithdrawn, CodeExpired:
		return "drop again"
	case CodePlanMissing:
		return "make the plan"
	case table.CodeUnknownNames:
		return "name what is"
	}
	return "correct it"
}

// maxNoticeRows is how many rows a notice lists.
const maxNoticeRows = 20

// changedSince lists the first rows that an undo would have left alone.
func changedSince(rows []pricing.StaleRow) string {
	var lines []string
	for _, stale := range rows[:min(len(rows), maxNoticeRows)] {
		found := Words["stale row is gone"]
		if stale.Found != nil {
			found = fmt.Sprintf(Words["stale row has"], stale.Found)
		}
		lines = append(lines, fmt.Sprintf(Words["stale row"], faults.Shown(stale.SKU), stale.Given, found))
	}
	return strings.Join(lines, "\n")
}

// Paragraphs are a headline and titled paragraphs under it. One that is empty is
// left out with its title.
func Paragraphs(headline string, titled ...string) string {
	var b strings.Builder
	b.WriteString(headline + "\n")
	for i := 0; i < len(titled); i += 2 {
		if titled[i+1] != "" {
			fmt.Fprintf(&b, "\n%s:\n  %s\n", titled[i], strings.ReplaceAll(titled[i+1], "\n", "\n  "))
		}
	}
	return b.String()
}
