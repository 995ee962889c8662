package reader

import (
	"encoding/csv"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/planwright/planwright/shared/planning"
)

// Instructions with a place for a word beside the name of a category.
var besideNames = []string{
	"_ Mugs 10% off", "10% off _ Mugs", "Raise _ Mugs by 10%", "_ Mugs to 2.50", "Set _ Mugs to $5", "_ Mugs up 5%",
	"Raise the _ Mugs by 10%", "10% off all _ Mugs", "Put _ Mugs up 5%", "Mark _ Mugs as out of stock", "All _ Mugs should cost $3.50",
	"Raise prices by 5% except _ Mugs", "Raise Lamps and _ Mugs by 5%", "_ Mugs 10% off, Lamps 5% off",
	"Mugs _ 10% off", "10% off Mugs _", "Raise Mugs _ by 10%", "Set Mugs _ to $5",
}

// Words that a candidate may do without, by the reason why.
var harmlessBeside = map[string]string{
	"said in any sentence":     "and the for next whole plus",
	"an order before the name": "apply boost bump chop cut drop lift list mark move nudge raise run set shave slash start stick trim press",
	"a part of the rule":       "extra moving move seen list",
	"the price of the name":    "price",
}

var every = flag.Int("every", 4, "take each nth word of the titles; 1: all")

// A word of a product's title beside a name narrows it: a plan that is the same without
// the word has swallowed it.
func TestNoWordNextToANameIsSwallowed(t *testing.T) {
	words, harmless := titleWords(t), strings.Fields(strings.Join(slices.Collect(maps.Values(harmlessBeside)), " "))
	if len(words) < 600 {
		t.Fatalf("there are %d words", len(words))
	}
	words = slices.Collect(func(yield func(string) bool) {
		for i := 0; i < len(words) && yield(words[i]); i += *every {
		}
	})
	for _, list := range [][]string{{"Mugs", "Lamps", "Green Tea"}, nil} {
		swallowed := map[string][]string{}
		for _, sentence := range besideNames {
			plain := New().Read(planning.Request{Instruction: strings.Join(strings.Fields(strings.Replace(sentence, "_", "", 1)), " "), Names: planning.Names{Categories: list}})
			if plain.Asked != nil {
				t.Fatalf("%s is asked about: %v", sentence, plain.Asked)
			}
			for _, word := range words {
				said := strings.Replace(sentence, "_", word, 1)
				u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: list}})
				if u.Asked == nil && planning.Same(planOf(u.Candidates[0]), planOf(plain.Candidates[0])) {
					swallowed[strings.ToLower(word)] = append(swallowed[strings.ToLower(word)], said)
				}
			}
		}
		for word, said := range swallowed {
			if !slices.Contains(harmless, word) {
				t.Errorf("with %d categories %q is swallowed: %q", len(list), word, said)
			}
		}
	}
}

// What a shop has not, and another word is spelt like, is not all that it has.
func TestAStrangeWordIsNotAllProducts(t *testing.T) {
	garden := planning.Names{Categories: []string{"Tools", "Plants", "Heating"}, SKUs: []string{"G-1"}, Products: []string{"Garden Rake", "Climbing Rose", "Wood Stove", "Wool Coat"}, Whole: true}
	reads(t, garden, map[string]string{
		"all coats up 5%": "", "5% off all rakes": "", "Raise the price of all coats by 5%": "", "all roses up 5%": "", "all seeds up 5%": "",
		"all boots up 5%": "", "Put the stove at $850": "", "Mark the stove as out of stock": "", "5% off limes": "", "5% off all tanks": "", "all receivers up 5%": "",
		"Rasie all prices by 5%":         "Increase the price by 5% for all products",
		"Raise all prodcuts by 5%":       "Increase the price by 5% for all products",
		"Raise teh price of tools by 5%": "Increase the price by 5% for products in category Tools",
		"Raise the pirce of tools by 5%": "Increase the price by 5% for products in category Tools",
	})
	u := New().Read(planning.Request{Instruction: "5% off all rakes", Names: garden})
	if len(u.Candidates) != 1 || !slices.Equal(u.Candidates[0].Operations[0].Filter.NameContains, []string{"rake"}) {
		t.Errorf("rakes are offered as %+v", u.Candidates)
	}
}

// Those that an exception with a rule of its own tells by a condition alone are of what the
// rule is for.
func TestAnExceptionsOwnRuleIsForSomeOfTheProducts(t *testing.T) {
	for said, want := range map[string]string{
		"Raise hats by 5%, except those over $50, which go up by 2%":     "Increase the price by 2% for products in category Hats that are priced 50.01 or more; round to 2 decimals, or as many as the prices have. Increase the price by 5% for products in category Hats that are priced 50 or less; round to 2 decimals, or as many as the prices have.",
		"Hats up 5% except those in stock, which are marked as sold out": "Increase the price by 5% for products in category Hats that are out of stock; round to 2 decimals, or as many as the prices have. Mark as out of stock for products in category Hats that are in stock.",
		"Hats up 5% except Nike, which go up 2%":                         "Increase the price by 5% for products in category Hats, except brand Nike; round to 2 decimals, or as many as the prices have. Increase the price by 2% for products in category Hats of brand Nike; round to 2 decimals, or as many as the prices have.",
		"Nike up 5% except hats, which go up 2%":                         "Increase the price by 5% for products of brand Nike, except category Hats; round to 2 decimals, or as many as the prices have. Increase the price by 2% for products in category Hats of brand Nike; round to 2 decimals, or as many as the prices have.",
		"Hats up 5% except A101, which goes up 2%":                       "Increase the price by 5% for products in category Hats, except SKU A101; round to 2 decimals, or as many as the prices have. Increase the price by 2% for products with SKU A101; round to 2 decimals, or as many as the prices have.",
		"Raise everything by 5%, but those over $50 by 2%":               "Increase the price by 2% for products that are priced 50.01 or more; round to 2 decimals, or as many as the prices have. Increase the price by 5% for products that are priced 50 or less; round to 2 decimals, or as many as the prices have.",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: outfitter})
		if u.Asked != nil || strings.Join(u.Candidates[0].Sentences, " ") != want {
			t.Errorf("%q is read as %+v (%v)", said, u.Candidates, u.Asked)
		}
	}
}

// titleWords are the words of testdata/title_words.txt and of the titles of the exports
// of all shop systems.
func titleWords(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/title_words.txt")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, line := range written(string(text)) {
		_, listed, _ := strings.Cut(line, ": ")
		words = append(words, strings.Fields(listed)...)
	}
	paths, err := filepath.Glob("../../../testdata/exports/*/*.csv")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no exports: %v", err)
	}
	for _, path := range paths {
		words = append(words, titlesOf(t, path)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func titlesOf(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil // another separator: others have the same titles
	}
	var words []string
	column := slices.IndexFunc(rows[0], func(name string) bool {
		return slices.Contains([]string{"title", "name", "product name", "item name"}, strings.ToLower(strings.TrimPrefix(name, "\ufeff")))
	})
	for _, row := range rows[1:] {
		if column < 0 || column >= len(row) {
			continue
		}
		for _, word := range strings.Fields(row[column]) {
			if word = strings.Trim(word, ",()"); len(word) > 2 && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
				words = append(words, word)
			}
		}
	}
	return words
}
