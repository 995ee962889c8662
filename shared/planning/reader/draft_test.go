package reader

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

var update = flag.Bool("update", false, "write the drafts anew")

// noon is a Thursday, in winter.
var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

var corner = planning.Names{
	Categories: []string{"Mugs", "Plates", "Lamps", "Throws", "Candles", "Tablets", "Gift Sets"},
	Brands:     []string{"Samsung", "Hario", "Stan"},
}

func draftOf(said string) planning.Draft {
	return New().Draft(planning.DraftRequest{Request: planning.Request{Instruction: said, Names: corner, CreatedAt: noon}})
}

// meant is what an instruction may mean: the class of its question, and the rules of the plan or
// of each choice of the first open part that has some.
func meant(said string, names planning.Names) (class string, all [][]plan.Operation) {
	request := planning.Request{Instruction: said, Names: names, CreatedAt: noon}
	u := New().Read(request)
	if u.Asked == nil {
		return "", [][]plan.Operation{u.Candidates[0].Operations}
	}
	d := New().Draft(planning.DraftRequest{Request: request})
	for i, part := range d.Open {
		if part.Class == planning.OpenProducts {
			continue
		}
		for choice := range part.Choices {
			all = append(all, d.Choose(i, choice).Rules())
		}
		if all != nil {
			break
		}
	}
	return u.Asked.Class, all
}

// shown is a draft as a person reads it: its rules, and what is open with its choices.
func shown(d planning.Draft) string {
	var b strings.Builder
	for i, rule := range d.Operations {
		action, err := json.Marshal(rule.Action)
		filter, failed := json.Marshal(rule.Filter)
		options, last := json.Marshal(rule.Options)
		if err != nil || failed != nil || last != nil {
			panic("a rule is not JSON")
		}
		fmt.Fprintf(&b, "%d. %s %s %s", i+1, filter, action, options)
		for _, ask := range rule.Ask {
			fmt.Fprintf(&b, " ?%s", ask.Slot)
		}
		b.WriteByte('\n')
	}
	for _, part := range d.Open {
		fmt.Fprintf(&b, "open %s: %q\n", part.Class, part.Text)
		for _, choice := range part.Choices {
			fmt.Fprintf(&b, "   %s\n", choice.Label)
		}
	}
	if d.ApplyAt != "" || d.RevertAt != "" {
		fmt.Fprintf(&b, "from %s until %s\n", d.ApplyAt, d.RevertAt)
	}
	return b.String()
}

// Three people type to their shop from a phone.
func TestDraftsOfPhoneMessages(t *testing.T) {
	var b strings.Builder
	for _, said := range []string{
		"hiya can u do mugs +5%, the waffle throws 72 and 20% off all Samsung from Friday until Sunday night but not the tablets. ta x",
		"Good morning. Candles are far too cheap. Please put them up to 9.95, and lamps by 10. We have 4 left of the big one.",
		"prices pls\n- Mugs: 12\n- Plates: 9.50\n- Gift sets: same as last year",
	} {
		fmt.Fprintf(&b, "> %s\n%s\n", strings.ReplaceAll(said, "\n", "\n> "), shown(draftOf(said)))
	}
	const golden = "testdata/drafts.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What has one candidate is complete, and is what the reader plans.
func TestADraftIsCompleteWhereTheReaderPlans(t *testing.T) {
	d := draftOf("Raise mugs by 5% and lamps by 3%")
	if !d.Complete || len(d.Open) != 0 || len(d.Operations) != 2 {
		t.Fatalf("the draft is %s", shown(d))
	}
	planned := New().Read(planning.Request{Instruction: "Raise mugs by 5% and lamps by 3%", Names: corner}).Candidates[0].Operations
	for i, rule := range d.Operations {
		got, want := rule.Operation(planned[i].OperationID), planned[i]
		if diff := cmp.Diff(string(want.Canonical()), string(got.Canonical())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestChoicesFinishADraft(t *testing.T) {
	d := draftOf("Throws: 72")
	if len(d.Operations) != 1 || d.Operations[0].Action.Type != "" || len(d.Open) == 0 {
		t.Fatalf("the draft is %s", shown(d))
	}
	part := slices.IndexFunc(d.Open, func(o planning.OpenPart) bool { return o.Class == planning.OpenDirection })
	if part < 0 {
		t.Fatalf("the draft is %s", shown(d))
	}
	d = d.Choose(part, 0)
	got := d.Operations[0].Operation("op_01")
	want := plan.Operation{OperationID: "op_01", Filter: plan.Filter{Categories: []string{"Throws"}}, Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("72")}}
	if diff := cmp.Diff(string(want.Canonical()), string(got.Canonical())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A number that a person mentions is no rule for everything.
func TestARemarkIsNoRule(t *testing.T) {
	for _, said := range []string{
		"65 becomes 65.95, they are too cheap", "I'm back in two weeks, thanks for all", "The supplier told me that it is about 8% dearer over there",
	} {
		for _, rule := range draftOf(said).Operations {
			t.Errorf("%q makes the rule %+v", said, rule)
		}
	}
}

func TestTimesAreProposed(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string][2]string{
		"Mugs up 5% from Friday until Sunday night":     {"2026-11-27T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		"tomorrow at 9 mugs up 5%":                      {"2026-11-27T09:00:00+01:00", ""},
		"Mugs up 5% on 1 March 2027 at 08:30":           {"2027-03-01T08:30:00+01:00", ""},
		"Mugs up 5% from tomorrow for three days":       {"2026-11-27T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		"mugs up 5% this weekend":                       {"2026-11-28T00:00:00+01:00", "2026-11-30T00:00:00+01:00"},
		"Mugs up 5% from 1 July 2027 until 3 July 2027": {"2027-07-01T00:00:00+02:00", "2027-07-04T00:00:00+02:00"},
		"Mugs up 5% next Friday":                        {},
		"Mugs up 5% on 28 March 2027 at 2:30":           {}, // which there is not
		"Mugs up 5% on 31 October 2027 at 2:30":         {}, // which is there twice
		"Mugs up 5% until Friday, from Saturday on":     {},
		"Mugs up 5% for black friday":                   {},
	} {
		d := New().Draft(planning.DraftRequest{Request: planning.Request{Instruction: said, Names: corner, CreatedAt: noon, Zone: berlin}})
		if got := [2]string{d.ApplyAt, d.RevertAt}; got != want {
			t.Errorf("%q is for %q, want %q", said, got, want)
		}
		if !slices.ContainsFunc(d.Open, func(o planning.OpenPart) bool { return o.Class == planning.OpenWhen }) {
			t.Errorf("%q does not ask when: %s", said, shown(d))
		}
	}
}

// A sale that begins on a weekday ends on one after it, whatever day today is.
func TestAWeekdayEndsAfterItsBeginning(t *testing.T) {
	const said = "Mugs up 5% from Friday until Sunday night"
	for today, want := range map[string][2]string{
		"2026-11-23": {"2026-11-27T00:00:00Z", "2026-11-30T00:00:00Z"}, // Monday
		"2026-11-28": {"2026-12-04T00:00:00Z", "2026-12-07T00:00:00Z"}, // Saturday
		"2026-11-29": {"2026-12-04T00:00:00Z", "2026-12-07T00:00:00Z"}, // Sunday
		"2026-11-27": {},                                               // Friday: today, or in a week?
	} {
		day, err := time.Parse(time.DateOnly, today)
		if err != nil {
			t.Fatal(err)
		}
		now := day.Add(12 * time.Hour)
		request := planning.Request{Instruction: said, Names: corner, CreatedAt: now, Zone: time.UTC}
		d := New().Draft(planning.DraftRequest{Request: request})
		if got := [2]string{d.ApplyAt, d.RevertAt}; got != want {
			t.Errorf("on %s it is for %q, want %q", today, got, want)
		}
	}
}

// checkDraft checks what holds for every draft.
func checkDraft(t *testing.T, said string, d planning.Draft) {
	t.Helper()
	u := New().Read(planning.Request{Instruction: said, Names: corner})
	if d.Complete != (u.Asked == nil) {
		t.Errorf("%q is complete: %t, and read as %v", said, d.Complete, u)
	}
	if u.Asked != nil && len(d.Open) == 0 {
		t.Errorf("%q leaves nothing open, and is a question", said)
	}
	in := func(s planning.Span) bool { return s.Start >= 0 && s.Start <= s.End && s.End <= len(said) }
	for _, part := range d.Open {
		if !in(part.Span) || part.Text != said[part.Start:part.End] || part.Operation != nil && *part.Operation >= len(d.Operations) {
			t.Errorf("%q: %+v is open", said, part)
		}
		for i := range part.Choices {
			d.Choose(slices.IndexFunc(d.Open, func(o planning.OpenPart) bool { return o.Span == part.Span && o.Class == part.Class }), i)
		}
	}
	for _, rule := range d.Operations {
		if len(rule.From) == 0 || slices.ContainsFunc(rule.From, func(s planning.Span) bool { return !in(s) }) {
			t.Errorf("%q: a rule is of %v", said, rule.From)
		}
	}
	if u.Asked != nil && utf8Readable(said) {
		checkEveryWord(t, said, d)
	}
}

func utf8Readable(said string) bool { return unreadable(said) == "" }

// checkEveryWord checks that each word is of a rule, open, or filler.
func checkEveryWord(t *testing.T, said string, d planning.Draft) {
	t.Helper()
	text, _, _ := carefully(said, indexed(corner), true)
	if text.known == nil {
		return
	}
	passed := make([]bool, len(text.tokens))
	for _, skips := range text.skips {
		for _, skip := range skips {
			for at := skip.from; at < skip.end && skip.from < skip.end; at++ {
				passed[at] = true
			}
		}
	}
	spans := []planning.Span{}
	for _, rule := range d.Operations {
		spans = append(spans, rule.From...)
	}
	for _, part := range d.Open {
		spans = append(spans, part.Span)
	}
	for at, token := range text.tokens {
		within := func(s planning.Span) bool { return s.Start <= token.start && token.end <= s.End }
		if token.kind != mark && !passed[at] && !slices.ContainsFunc(spans, within) {
			t.Errorf("%q: %q is of no rule and not open: %s", said, token.text, shown(d))
		}
	}
}

func TestDraftsKeepEveryWord(t *testing.T) {
	for _, said := range []string{
		"Leave the mugs alone and do whatever you like with plates", "In mugs, over $5: hmm, 10 or so", "Decrease lamps, no wait, plates by 3%",
		"Keep candles, zork the throws", "for Stan: something nice", "under $5 please",
	} {
		checkDraft(t, said, draftOf(said))
	}
}

func FuzzDraft(f *testing.F) {
	for _, said := range []string{
		"20% off all Samsung products from Friday until Sunday night, except the Galaxy tablets", "- Mugs: 12\n- Plates: 9", "Mugs up 5% for 3 days at 9",
		"Reduce bags and mugs by a quarter, with a floor of $40 for mugs", "Hats up, mugs 5", "on 31 February mugs 5%", "at 9 am: 12", "for a week",
	} {
		f.Add(said)
	}
	f.Fuzz(func(t *testing.T, said string) { checkDraft(t, said, draftOf(said)) })
}

// Products behind an action that has none are those of its rule; behind one that has others
// they are open, and never lost.
func TestProductsBehindAnAction(t *testing.T) {
	d := draftOf("cost plus 25% ending in .99 for Samsung")
	if len(d.Operations) != 1 || !slices.Equal(d.Operations[0].Filter.Brands, []string{"Samsung"}) {
		t.Errorf("the draft is %s", shown(d))
	}
	d = draftOf("set the margin of Mugs to 40 on Samsung")
	isOpen := slices.ContainsFunc(d.Open, func(part planning.OpenPart) bool { return strings.Contains(part.Text, "Samsung") })
	inRule := slices.ContainsFunc(d.Operations, func(r planning.DraftRule) bool { return slices.Contains(r.Filter.Brands, "Samsung") })
	if !isOpen && !inRule {
		t.Errorf("Samsung is lost: %s", shown(d))
	}
}

// A sale from today begins at once, and one until a weekday, said on that day, has both ends.
func TestTimesFromToday(t *testing.T) {
	for said, want := range map[string][]string{ // on Thursday, 26 November, at noon
		"10% off mugs from today until Sunday":   {" 2026-11-30T00:00:00Z"},
		"10% off mugs until Thursday night":      {" 2026-11-27T00:00:00Z", " 2026-12-04T00:00:00Z"},
		"10% off mugs from today until Thursday": {" 2026-11-27T00:00:00Z", " 2026-12-04T00:00:00Z"},
	} {
		var got []string
		for _, part := range draftOf(said).Open {
			for _, choice := range part.Choices {
				got = append(got, choice.Patch.ApplyAt+" "+choice.Patch.RevertAt)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", said, diff)
		}
	}
}

// An amount keeps its percent sign: the words beside it that nothing used do not make it money.
func TestAPercentSignIsNotPassedOver(t *testing.T) {
	d := draftOf("set the margin to 40% on Mugs")
	for _, rule := range d.Operations {
		if rule.Action.Value != nil && !rule.Action.Percent && rule.Action.Type == plan.SetPrice {
			t.Errorf("40%% is a price: %s", shown(d))
		}
	}
}
