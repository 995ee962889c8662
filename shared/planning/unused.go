package planning

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plan"
)

// Checked returns a planner whose plans have every number and every name of the table that
// stands in the instruction: in the operations, or in their terms. What a plan lacks is an
// open part. The reader has used each word of what it vouches for, by a rule or as filler
// that it knows, so only plans that a model made alone are looked through. Common reports
// whether a word is an ordinary one of instructions, so that a name of such words alone is
// none here.
func Checked(planner Planner, common func(word string) bool) Planner {
	return checked{planner, common}
}

type checked struct {
	Planner
	common func(string) bool
}

// Plan implements Planner.
func (c checked) Plan(ctx context.Context, r Request) (Planned, error) {
	planned, err := c.Planner.Plan(ctx, r)
	if err != nil || planned.Planner.Agreement != AgreementModel {
		return planned, err
	}
	open := Unused(r, planned.Plan.Operations, c.common)
	if len(open) == 0 {
		return planned, nil
	}
	asked := &ClarificationError{
		Class: open[0].Class,
		Draft: &Draft{Operations: RulesOf(planned.Plan.Operations), Open: open},
	}
	for _, part := range open {
		asked.Questions = append(asked.Questions, part.Question)
	}
	asked.Draft.Model = rulesOfModel(planned.Planner, planned.Plan.Operations)
	return Planned{}, asked
}

// Unused are the numbers and the names of the table that stand in an instruction, and of which
// nothing is in the operations or their terms.
func Unused(r Request, ops []plan.Operation, common func(word string) bool) []OpenPart {
	said := contentOf(ops)
	var open []OpenPart
	add := func(at Span, class, question string) {
		text := r.Instruction[at.Start:at.End]
		open = append(
			open,
			OpenPart{
				Span:     at,
				Text:     text,
				Class:    class,
				Question: fmt.Sprintf(question, text),
				Choices:  []DraftChoice{},
			},
		)
	}
	names := namesIn(r, common)
	isName := func(at Span) bool {
		return slices.ContainsFunc(
			names,
			func(name Span) bool { return name.Start < at.End && at.Start < name.End },
		)
	}
	for _, at := range numbersIn(r.Instruction) {
		if isName(at) {
			continue
		}
		if text := r.Instruction[at.Start:at.End]; !said.hasNumber(text) && !r.inTimes(text) {
			add(at, OpenNumber, "No rule uses the number %q. What is it for?")
		}
	}
	for _, at := range names {
		if !said.hasName(r.Instruction[at.Start:at.End]) {
			add(at, OpenName, "%q is a name in the table, and no rule uses it. Which products are meant?")
		}
	}
	slices.SortStableFunc(open, func(a, b OpenPart) int { return a.Start - b.Start })
	return open
}

// content is what stands in operations.
type content struct {
	numbers []*big.Rat
	digits  int      // of rounding
	lists   []int    // how many names each list has
	texts   []string // names, phrases and values, as their words
}

func contentOf(ops []plan.Operation) *content {
	c := &content{}
	for _, op := range ops {
		var fields struct{ Action, Filter, Options any }
		decoder := json.NewDecoder(bytes.NewReader(op.Canonical()))
		decoder.UseNumber()
		if err := decoder.Decode(&fields); err != nil {
			panic("planning: an operation that is not JSON: " + err.Error())
		}
		c.add(fields.Action)
		c.add(fields.Filter)
		c.add(fields.Options)
		c.digits = op.Options.Digits()
	}
	return c
}

func (c *content) add(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, field := range value {
			c.add(field)
		}
	case []any:
		c.lists = append(c.lists, len(value))
		for _, element := range value {
			c.add(element)
		}
	case json.Number:
		if number, ok := new(big.Rat).SetString(value.String()); ok {
			c.numbers = append(c.numbers, number)
		}
	case string:
		c.texts = append(c.texts, asWords(value))
	}
}

// joined is a run of letters and digits, with what joins them.
var (
	joined    = regexp.MustCompile(`[\p{L}\p{N}_]+(?:[.,-][\p{L}\p{N}_]+)*`)
	digits    = regexp.MustCompile(`[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?`)
	withComma = regexp.MustCompile(`^([0-9]+),([0-9]{1,2})$`)
	listed    = regexp.MustCompile(`^[0-9]{1,2}[).:]?$`)
)

// numbersIn are the numbers and codes of a text, without those that count its lines.
func numbersIn(text string) (found []Span) {
	for _, at := range joined.FindAllStringIndex(text, -1) {
		if !strings.ContainsAny(text[at[0]:at[1]], "0123456789") {
			continue
		}
		begins := strings.TrimRight(text[:at[0]], " \t*-•(")
		counts := (begins == "" || strings.HasSuffix(begins, "\n")) &&
			listed.MatchString(text[at[0]:at[1]]) &&
			at[1] < len(text) &&
			strings.ContainsRune(").:", rune(text[at[1]]))
		if !counts {
			found = append(found, Span{at[0], at[1]})
		}
	}
	return found
}

// hasNumber reports whether the operations have a number, or have a name that it is part of.
func (c *content) hasNumber(text string) bool {
	words := asWords(text)
	if slices.ContainsFunc(c.texts, func(said string) bool { return within(said, words) }) {
		return true
	}
	var values []string
	if comma := withComma.FindStringSubmatch(text); comma != nil {
		values = []string{comma[1] + "." + comma[2]}
	} else {
		values = digits.FindAllString(text, -1)
	}
	return len(values) > 0 &&
		!slices.ContainsFunc(values, func(value string) bool { return !c.hasValue(value) })
}

// hasValue reports whether a value is in the operations: as it is, or next to it (under $5 is
// 4.99 at most); in hundredths (99 cents), as what is left of 100 percent or is more, or as a
// factor; as part of a number (89 dollars and 50 cents); as how many decimals there are, or
// their cents; or as how many names are listed.
func (c *content) hasValue(text string) bool {
	value, ok := new(big.Rat).SetString(strings.ReplaceAll(text, ",", ""))
	if !ok {
		return false
	}
	hundred := big.NewRat(100, 1)
	times := new(big.Rat).Mul(value, hundred)
	forms := []*big.Rat{
		value, new(big.Rat).Quo(value, hundred), new(big.Rat).Sub(hundred, value),
		new(big.Rat).Sub(value, hundred),
		new(big.Rat).Sub(times, hundred),
		new(big.Rat).Sub(hundred, times), new(big.Rat).Mul(value, big.NewRat(1000, 1)),
	}
	for _, number := range c.numbers {
		if slices.ContainsFunc(forms, func(form *big.Rat) bool { return isNext(form, number) }) {
			return true
		}
		whole, fraction, _ := strings.Cut(strings.TrimRight(number.FloatString(6), "0"), ".")
		if text == whole || fraction != "" && strings.HasSuffix(text, fraction) {
			return true
		}
	}
	count := func(n int) bool { return value.Cmp(big.NewRat(int64(n), 1)) == 0 }
	return count(c.digits) ||
		isNext(
			value,
			new(big.Rat).SetFrac(hundred.Num(), new(big.Int).Exp(
				big.NewInt(10), big.NewInt(int64(c.digits)), nil,
			)),
		) ||
		slices.ContainsFunc(c.lists, count)
}

// isNext reports whether two numbers differ by a cent at most.
func isNext(a, b *big.Rat) bool {
	between := new(big.Rat).Sub(a, b)
	return between.Abs(between).Cmp(big.NewRat(1, 100)) <= 0
}

// hasName reports whether the operations have a name, or part of it, or one that it is part of.
func (c *content) hasName(text string) bool {
	words := asWords(text)
	return slices.ContainsFunc(
		c.texts,
		func(said string) bool { return within(said, words) || within(words, said) },
	)
}

// within reports whether words stand in others, as they are or in the singular.
func within(all, words string) bool {
	return words != "" && strings.Contains(" "+all+" ", " "+words+" ")
}

// asWords are the words of a text in one form, each in the singular, with a blank between.
func asWords(text string) string {
	words := strings.FieldsFunc(fold.Letters(text), func(r rune) bool { return !isWordRune(r) })
	for i, word := range words {
		words[i] = singularOf(word)
	}
	return strings.Join(words, " ")
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func singularOf(word string) string {
	if stem, plural := strings.CutSuffix(word, "s"); plural && utf8.RuneCountInString(stem) > 2 &&
		!strings.HasSuffix(stem, "s") {
		return stem
	}
	return word
}

// namesIn are the names of the table that stand in the instruction, the longest of those that
// begin at a word.
func namesIn(r Request, common func(string) bool) (found []Span) {
	names := map[string][]string{} // by their first words
	values := make([]string, 0, len(r.Values))
	for _, value := range r.Values {
		values = append(values, value.Value)
	}
	for _, list := range [][]string{r.Categories, r.Brands, r.Tags, r.SKUs, values} {
		for _, name := range list {
			if name := asWords(name[strings.LastIndexByte(name, '>')+1:]); name != "" {
				first, _, _ := strings.Cut(name, " ")
				names[first] = append(names[first], name)
			}
		}
	}
	words := wordsIn(r.Instruction)
	for i := 0; i < len(words); {
		n := longestName(words[i:], names[words[i].text])
		ordinary := true
		for _, word := range words[i : i+n] {
			ordinary = ordinary && common(word.typed)
		}
		if n > 0 && !ordinary {
			found = append(found, Span{words[i].Start, words[i+n-1].End})
		}
		i += max(n, 1)
	}
	return found
}

// longestName is how many of the words the longest name has with which they begin; 0: none.
func longestName(words []typedWord, names []string) (n int) {
	for _, name := range names {
		parts := strings.Split(name, " ")
		if len(parts) <= n || len(parts) > len(words) {
			continue
		}
		same := true
		for i, part := range parts {
			same = same && words[i].text == part
		}
		if same {
			n = len(parts)
		}
	}
	return n
}

// typedWord is a word of an instruction: as it was typed, in lower case, and in one form.
type typedWord struct {
	Span
	typed, text string
}

func wordsIn(text string) (words []typedWord) {
	start := -1
	end := func(at int) {
		if start >= 0 {
			typed := fold.Letters(text[start:at])
			words = append(words, typedWord{Span{start, at}, typed, singularOf(typed)})
		}
		start = -1
	}
	for at, r := range text {
		if !isWordRune(r) {
			end(at)
		} else if start < 0 {
			start = at
		}
	}
	end(len(text))
	return words
}

// inTimes reports whether a number is of the times that the request gives with the
// instruction.
func (r Request) inTimes(text string) bool {
	zone := r.Zone
	if zone == nil {
		zone = time.UTC
	}
	number := digits.FindString(text)
	for _, given := range []string{r.Terms.ApplyAt, r.Terms.RevertAt} {
		at, err := time.Parse(time.RFC3339, given)
		if err != nil {
			continue
		}
		at = at.In(zone)
		for _, n := range []int{
			at.Year(), int(at.Month()), at.Day(), at.Hour(), (at.Hour()+11)%12 + 1, at.Minute(),
		} {
			if number == fmt.Sprint(n) || number == fmt.Sprintf("%02d", n) {
				return true
			}
		}
	}
	return false
}
