package planning_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

// understands is a reader with one understanding, for those who know the categories.
type understands struct {
	categories []string
	read       planning.Understanding
}

func (u understands) Read(r planning.Request) planning.Understanding {
	if !slices.Equal(r.Categories, u.categories) {
		return planning.Understanding{Asked: &planning.ClarificationError{Class: "unknown_words"}}
	}
	return u.read
}

func (u understands) Plan(context.Context, planning.Request) (planning.Planned, error) {
	panic("nothing is planned")
}

// Who confirms a reading is recorded with what the reading leaves out, as the
// instruction says it and whatever was sent.
func TestAConfirmedReadingIsFoundByReadingAgain(t *testing.T) {
	ten, twenty := planOf("", plan.PercentDecrease, "10", "Tyres"), planOf("", plan.PercentDecrease, "20", "Tyres")
	leavesOut := planning.Reading{
		By: planning.ByReader, Operations: ten.draft.Plan.Operations,
		LeavesOut: []string{"Hello there", "black"}, Assumes: []string{`Read "tires" as "Tyres".`},
	}
	asked := planning.Understanding{Readings: []planning.Reading{{By: planning.ByReader}, leavesOut}, Asked: &planning.ClarificationError{}}
	confirmed := ledger.PlannedBy{
		Model: "grammar", Attempts: 1, Agreement: "grammar", Assumes: leavesOut.Assumes,
		Confirmed: &ledger.Confirmation{By: "ann", LeavesOut: leavesOut.LeavesOut},
	}
	for _, tc := range []struct {
		name   string
		names  []string
		reader understands
		sent   scripted
		want   ledger.PlannedBy
	}{
		{"one of the readings", []string{"Tyres", "Tubes"}, understands{[]string{"Tyres", "Tubes"}, asked}, ten, confirmed},
		{"one that needs the plan's names", planning.NamesOf(ten.draft.Plan).Categories, understands{[]string{"Tyres"}, asked}, ten, confirmed},
		{"none of them", nil, understands{nil, asked}, twenty, ledger.PlannedBy{}},
		{"the only reading: nobody chose", nil, understands{nil, planning.Understanding{Readings: []planning.Reading{leavesOut}}}, ten, ledger.PlannedBy{}},
		{"no reading", nil, understands{[]string{"Shoes"}, asked}, ten, ledger.PlannedBy{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, planning.Confirmed(tc.reader.Read, tc.sent.draft.Plan, "ann", planning.Names{Categories: tc.names})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	want := []string{`Read "tires" as "Tyres".`, `Confirmed by ann, who leaves out of the instruction: "Hello there", "black".`}
	if diff := cmp.Diff(want, confirmed.Caveats()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// Each reading that the reader itself offers is recognised when it is sent.
func TestEveryReadingOfAQuestionCanBeConfirmed(t *testing.T) {
	for _, instruction := range []string{"Raise mugs by 10", "5% off yoga products and toys under $20"} {
		r := planning.Request{Instruction: instruction}
		asked := reader.New().Read(r).Asked
		if asked == nil || len(asked.Readings) < 2 {
			t.Fatalf("%q is no longer asked about: %+v", instruction, asked)
		}
		for _, reading := range asked.Readings {
			chosen := &plan.Plan{SourceInstruction: instruction, Operations: reading.Operations}
			by := planning.Confirmed(reader.New().Read, chosen, "ann", planning.Names{}, planning.NamesOf(chosen))
			if by.Confirmed == nil || by.Confirmed.By != "ann" || by.Agreement != planning.AgreementGrammar {
				t.Errorf("%q, %v: %+v", instruction, reading.Sentences, by)
			}
		}
	}
}

// Of a name that is two things in a table, each was chosen by whoever saw the table. The
// one that the words alone say is nobody's choice without it.
func TestTheOtherThingThatANameIsWasChosen(t *testing.T) {
	both := planning.Names{Categories: []string{"Mugs", "Lamps"}, Brands: []string{"Mugs"}, Whole: true}
	const instruction = "Raise mugs by 7%"
	asked := reader.New().Read(planning.Request{Instruction: instruction, Names: both}).Asked
	if asked == nil || len(asked.Readings) != 2 {
		t.Fatalf("%+v", asked)
	}
	for _, reading := range asked.Readings {
		chosen := &plan.Plan{SourceInstruction: instruction, Operations: reading.Operations}
		if by := planning.Confirmed(reader.New().Read, chosen, "ann", both); by.Confirmed == nil {
			t.Errorf("%v: %+v", reading.Sentences, by)
		}
		if by := planning.Confirmed(reader.New().Read, chosen, "ann", planning.Names{}, planning.NamesOf(chosen)); by.Confirmed != nil {
			t.Errorf("%v, without its table: %+v", reading.Sentences, by)
		}
	}
}

// A model's reading is the plan of the person who chooses it.
func TestAModelsReadingIsVouchedForByNobodyElse(t *testing.T) {
	by := planning.Reading{By: planning.ByModel}.ConfirmedBy("ann")
	if diff := cmp.Diff(ledger.PlannedBy{Confirmed: &ledger.Confirmation{By: "ann"}}, by); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
