package plan_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// FuzzDecode: nothing makes the decoder panic, what it refuses it refuses with
// its one error, and what it takes comes back the same from its canonical form.
func FuzzDecode(f *testing.F) {
	for _, text := range slices.Concat(shortPlans(f, "valid"), shortPlans(f, "invalid")) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := plan.Decode(text)
		var invalid *plan.InvalidError
		switch {
		case err == nil:
			checkRoundTrip(t, p)
			plan.Explain(p)
		case p != nil || !errors.As(err, &invalid) || len(invalid.Problems) == 0:
			t.Fatalf("plan %v with error %v", p, err)
		}
	})
}

// TestSchemaAgreesOnMutations swaps values of the corpus for one another and
// renames and repeats fields, and compares the two judges.
func TestSchemaAgreesOnMutations(t *testing.T) {
	schema := compile(t, decodeJSON(t, plan.SchemaJSON))
	random := rand.New(rand.NewPCG(1, 2))
	valid, all := shortPlans(t, "valid"), slices.Concat(shortPlans(t, "valid"), shortPlans(t, "invalid"))
	agreed := 0
	for range 8_000 {
		text := mutate(random, pick(random, valid), all)
		_, err := plan.Decode([]byte(text))
		accepted := schemaError(t, schema, []byte(text)) == nil
		switch {
		case err == nil:
			agreed++
			if !accepted {
				t.Fatalf("only the schema refuses %s: %v", text, schemaError(t, schema, []byte(text)))
			}
		case accepted && !goOnly(err):
			t.Fatalf("only Decode refuses %s: %v", text, err)
		}
	}
	if agreed < 400 {
		t.Errorf("only %d mutations are valid: they prove little", agreed)
	}
}

// shortPlans returns a folder's plans that are quick to read, always in the
// same order.
func shortPlans(t testing.TB, folder string) (texts []string) {
	t.Helper()
	for _, text := range readPlans(t, corpus+folder) {
		if len(text) < 2_000 {
			texts = append(texts, string(text))
		}
	}
	slices.Sort(texts)
	return texts
}

// goOnly reports whether one of the problems is among what the schema cannot
// say, as its description lists it.
func goOnly(err error) bool {
	var invalid *plan.InvalidError
	return errors.As(err, &invalid) && slices.ContainsFunc(invalid.Problems, func(p strictjson.Problem) bool {
		for _, reason := range []string{
			"no price is in that range", "no quantity is in that range", "than the", "is already the id of", "exponent", "digits after the point", "twice",
			"surrogate", "UTF-8", "but is -0", "but is 2e0", "not after apply_at", "the plan's own", "a letter or a digit", "below round_step",
		} {
			if strings.Contains(p.Message, reason) {
				return true
			}
		}
		return false
	})
}

// mutate puts, up to three times, a scalar or name of another text in the
// place of one of the text's own.
func mutate(random *rand.Rand, text string, texts []string) string {
	for range 1 + random.IntN(3) {
		from, to := tokens(text), tokens(pick(random, texts))
		if len(from) == 0 || len(to) == 0 {
			continue
		}
		at, with := pick(random, from), pick(random, to)
		text = text[:at.start] + with.text + text[at.start+len(at.text):]
	}
	return text
}

type token struct {
	start int
	text  string
}

// tokens finds the scalars and names of a text that is more or less JSON.
func tokens(text string) []token {
	var found []token
	for i := 0; i < len(text); {
		length := 1
		switch {
		case text[i] == '"':
			for i+length < len(text) && text[i+length] != '"' {
				if text[i+length] == '\\' {
					length++
				}
				length++
			}
			length = min(length+1, len(text)-i)
			found = append(found, token{i, text[i : i+length]})
		case !strings.ContainsRune(" \t\r\n,:[]{}", rune(text[i])):
			for i+length < len(text) && !strings.ContainsRune(" \t\r\n,:[]{}\"", rune(text[i+length])) {
				length++
			}
			found = append(found, token{i, text[i : i+length]})
		}
		i += length
	}
	return found
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// largePlan is valid and just under the limit of 512 KiB.
func largePlan(t testing.TB) *plan.Plan {
	t.Helper()
	text, err := os.ReadFile("../../testdata/example_plan.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	skus := make([]string, 0, plan.MaxFilterValues)
	for range plan.MaxFilterValues {
		skus = append(skus, "SKU-0123456789-0123456789-0123456789-0123456789")
	}
	p.Operations[0].Filter.SKUs = skus
	p.SummaryPrompt = "x"
	p.SummaryPrompt = strings.Repeat("x", plan.MaxCanonicalBytes-len(p.Canonical())+1)
	return p
}

func TestSizeLimit(t *testing.T) {
	p := largePlan(t)
	if n := len(p.Canonical()); n != plan.MaxCanonicalBytes {
		t.Fatalf("canonical form of %d bytes, want %d", n, plan.MaxCanonicalBytes)
	}
	spaced := bytes.ReplaceAll(p.Canonical(), []byte(`","`), []byte(`" , "`))
	if _, err := plan.Decode(spaced); err != nil {
		t.Errorf("at the limit, with spaces: %v", err)
	}
	p.SummaryPrompt += "x"
	want := "The plan is not valid: the plan is 513 KiB long in canonical form, more than 512 KiB: split it into several plans."
	if err := p.Validate(); err == nil || err.Error() != want {
		t.Errorf("a byte over: %v, want %q", err, want)
	}
	if _, err := plan.Decode(p.Canonical()); err == nil || err.Error() != want {
		t.Errorf("a byte over, decoded: %v, want %q", err, want)
	}
}

// Plans of a few bytes too many, of the shapes that take the most and the fewest bytes
// for each of their texts, are found too.
func TestSizeLimitOfAnyShape(t *testing.T) {
	for name, text := range map[string]struct{ fill, least int }{"short names": {0, 3}, "escaped names": {500, 3}} {
		p := largePlan(t)
		p.SummaryPrompt = ""
		price := plan.MustDecimal("123456789012345678.123456")
		template := plan.Operation{
			Action:  plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
			Options: plan.Options{MinPrice: &price, MaxPrice: &price, RoundTo: new(6)},
		}
		p.Operations = nil
		for i := range plan.MaxOperations {
			template.OperationID = fmt.Sprintf("op_%d", i)
			p.Operations = append(p.Operations, template)
		}
		size := len(p.Canonical()) + plan.MaxOperations*len(`"skus":[`)
		for i := 0; size <= plan.MaxCanonicalBytes; i++ {
			fill := min(text.fill, (plan.MaxCanonicalBytes-size)/6)
			sku := fmt.Sprintf("%0*d", text.least, i%1000) + strings.Repeat("\x01", fill)
			op := &p.Operations[i%plan.MaxOperations]
			op.Filter.SKUs = append(op.Filter.SKUs, sku)
			size += text.least + 6*fill + len(`"",`)
		}
		if n := len(p.Canonical()); n <= plan.MaxCanonicalBytes || n > plan.MaxCanonicalBytes+200 {
			t.Fatalf("%s: canonical form of %d bytes", name, n)
		}
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "512 KiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	text := largePlan(b).Canonical()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := plan.Decode(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	p := largePlan(b)
	b.SetBytes(plan.MaxCanonicalBytes)
	for b.Loop() {
		p.Canonical()
	}
}
