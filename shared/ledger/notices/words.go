package notices

import "strings"

// Words are the sentences of notices, by what they say: headlines by their kind, and what
// else is told of an outcome. An audit document keeps codes, arguments and the hash of what
// was told with them, so words can be chosen anew.
var Words = map[string]string{
	string(Proposed):   "A plan waits for an approval. No price and no stock was changed.",
	string(Scheduled):  "A plan waits for its time. No price and no stock was changed.",
	string(Approved):   "A plan was approved.",
	string(Rejected):   "A plan was rejected. No price and no stock was changed.",
	string(Withdrawn):  "A plan was taken back by who had asked for it. No price and no stock was changed.",
	string(Expired):    "A plan was not approved in time. No price and no stock was changed.",
	string(Failed):     "A plan could not be carried out. No price and no stock was changed.",
	string(Superseded): "A table was skipped: another one is proposed in its place. Where this one was approved, that counts no more.",
	string(Skipped):    "A table was skipped: its plan has been carried out already, and a plan is carried out once.",
	string(Completed):  "A plan was carried out.",

	"no plan":           "(there is no plan)",
	"drop again":        "To have it computed and proposed again, drop the file into the same folder again.",
	"undo again":        "Nothing is to be dropped: this is the table that the plan wrote, and its undo took it by itself. See what became of the plan that was to be undone, and where it is still to be, ask for its undo again.",
	"make the plan":     "Make the plan, or drop the file into the folder that is named after the plan that you mean.",
	"name what is":      "Make a new plan with the names that the table has, and drop the file into the new plan's folder. Where the table is only a part of the catalogue, drop it here again with the setting named above; so too where names that look the same are different things.",
	"correct it":        "Correct what is named above and drop the file into the same folder again. The plan stands as it is; you need no new one.",
	"plan again":        "If this file was dropped by mistake, nothing. To apply the same instruction to another file, ask for a new plan (the same instruction gives one with the next free id) and drop the file into that plan's folder.",
	"take the place":    "If the other file is the right one, nothing. Otherwise drop this file into the same folder again: it then takes the other's place.",
	"stale row":         "%s was given %s and %s",
	"stale row is gone": "is not in the table",
	"stale row has":     "has %s",
}

// states are notices in a word or two, by the code of a failure or by their kind: what lists
// and pages call where an execution stands.
var states = map[string]string{
	string(Proposed):   "Waiting for approval",
	string(Scheduled):  "Scheduled",
	string(Approved):   "Approved",
	string(Rejected):   "Sent back",
	string(Withdrawn):  "Withdrawn",
	string(Expired):    "Expired",
	string(Failed):     notPossible,
	string(Superseded): "Replaced",
	string(Skipped):    "Left alone",
	string(Completed):  "Done",

	"undone_already": "Undone already",
	"stale":          "Waits for your answer",
}

const notPossible = "Not possible"

// State is the step in a word or two.
func (s Step) State() string {
	if state, known := states[s.Code]; known {
		return state
	}
	return states[string(s.Kind)]
}

// Mark is the step as a mark of one word for programs: the code of a failure that has words
// of its own, or the kind.
func (s Step) Mark() string {
	if _, known := states[s.Code]; known {
		return s.Code
	}
	return string(s.Kind)
}

// undoPrefix begins the instruction of an undo.
const undoPrefix = "Undo: "

// Title is what people call an execution with an instruction. An undo of an undo is the
// change once more.
func Title(instruction string) string {
	undone, times := withoutUndos(instruction)
	switch {
	case times == 0 || undone == "":
		return undone
	case TakesBack(instruction):
		return undoPrefix + undone
	}
	return "Again: " + undone
}

// TakesBack reports whether an execution with an instruction takes a change back: it is an
// undo, and no undo of one.
func TakesBack(instruction string) bool {
	_, times := withoutUndos(instruction)
	return times%2 == 1
}

// withoutUndos is the instruction of what was undone, and how often it was.
func withoutUndos(instruction string) (undone string, times int) {
	for strings.HasPrefix(instruction, undoPrefix) {
		instruction, times = strings.TrimPrefix(instruction, undoPrefix), times+1
	}
	return instruction, times
}
