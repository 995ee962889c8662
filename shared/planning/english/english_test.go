package english

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokenize(t *testing.T) {
	kinds := map[Kind]string{Word: "w", Number: "n", Malformed: "?", Code: "c", Quoted: "q", Mark: "m", Stray: "!"}
	for text, want := range map[string]string{
		"in-stock":             "w:in m:- w:stock",
		"don’t":                "w:don’t",
		"A101's price":         "c:A101 m:' w:s w:price",
		"FIT-001, B_2-XL.":     "c:FIT-001 m:, c:B_2-XL m:.",
		"$1,299.50 off":        "m:$ n:1,299.50 w:off",
		"10,50":                "?:10,50",
		"1.2.3":                "?:1.2.3",
		".99 and 5.":           "n:.99 w:and n:5 m:.",
		"10%-20%":              "n:10 m:% m:- n:20 m:%",
		"15-30":                "n:15 m:- n:30",
		"978-0141439518 15-07": "c:978-0141439518 c:15-07",
		"5-dollar 10usd 50c":   "n:5 m:- w:dollar n:10 w:usd n:50 w:c",
		"500g 1st":             "c:500g c:1st",
		`say "10%" or "a b"`:   "w:say n:10 m:% w:or q:a b",
		`5" wide`:              `n:5 m:" w:wide`,
		"a\u200bb":             "w:a !:\u200b w:b",
		"a\u00a0b\tc":          "w:a w:b w:c",
		"\xff":                 "!:\xff",
		"A1..A9 -> b":          "c:A1 m:.. c:A9 m:-> w:b",
		"women's 'old' shoes":  "w:women's q:old w:shoes",
	} {
		var got []string
		for _, token := range Tokenize(text) {
			got = append(got, kinds[token.Kind]+":"+token.Text)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("Tokenize(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func FuzzTokenize(f *testing.F) {
	f.Add("Set A101's price to $1,299.00 (was .99)")
	f.Add("“a ‘b \"c 'd")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, token := range Tokenize(text) {
			if token.Start < end || token.End <= token.Start || token.End > len(text) {
				t.Fatalf("token %+v after byte %d of %q", token, end, text)
			}
			if missed := strings.Trim(text[end:token.Start], " \t\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\"'`“”„«»‘’"); missed != "" {
				t.Fatalf("%q of %q is in no token", missed, text)
			}
			end = token.End
		}
	})
}

func TestReadAmount(t *testing.T) {
	units := map[Unit]string{NoUnit: "", Percent: "%", Money: "$"}
	for text, want := range map[string]string{
		"10": "10", "10%": "10%", "10 percent": "10%", "10 per cent": "10%", "-5%": "-5%", "+5 %": "+5%", "$20": "20$", "20 dollars": "20$",
		"usd 20": "20$", "us$ 20": "20$", "$-3": "-3$", "50 cents": "0.5$", "99¢": "0.99$", "50p": "0.5$", "5 dollars and 50 cents": "5.5$", "a dollar": "1$",
		"ten": "10", "twenty-five percent": "25%", "one hundred and twenty": "120", "two thousand five hundred dollars": "2500$", "a hundred": "100",
		"two and a half percent": "2.5%", "three point five percent": "3.5%", "half": "50%", "a third": "33.333333333%", "two thirds": "66.666666667%",
		"three quarters": "75%", "1/3": "33.333333333%", "1,299.00": "1299", ".99": "0.99", "5-dollar": "5$", "€5": "5$", "20 eur": "20$",
		"₹1,450": "1450$", "Rs. 50": "50$", "Rs.50": "50$", "50 rupees": "50$", "50 paise": "0.5$", "four pounds ninety-nine": "4.99$", "a dollar twenty-five": "1.25$", "one pound fifty": "1.5$",
		"a percent": "1%", "a percent and a half": "1.5%", "two pounds and a half": "2.5$", "three per cent and a half": "3.5%",
	} {
		tokens := Tokenize(text)
		value, end := readAmount(tokens, 0)
		sign := map[int8]string{-1: "-", 0: "", 1: "+"}[value.Sign]
		if got := sign + value.Number.String() + units[value.Unit]; got != want || end != len(tokens) {
			t.Errorf("readAmount(%q) = %s, %d of %d tokens, want %s", text, got, end, len(tokens), want)
		}
	}
	for _, text := range []string{"", "yoga", "a mat", "percent", "$", "- 5", "the", "usd $"} {
		if value, end := readAmount(Tokenize(text), 0); end != 0 {
			t.Errorf("readAmount(%q) = %+v, want none", text, value)
		}
	}
}

func TestCategoriesFind(t *testing.T) {
	c := NewCategories([]string{"Home & Garden", "Accessories", "Men's Shoes", "Box", "yoga", "Yoga Mats", "YOGA"})
	for text, want := range map[string]string{
		"home and garden": "Home & Garden", "HOME & GARDEN": "Home & Garden", "accessory": "Accessories", "accesories": "Accessories", "men shoes": "Men's Shoes",
		"boxes": "Box", "yoga": "yoga", "YOGA": "YOGA", "yoga mat": "Yoga Mats", "yoga-mats": "Yoga Mats",
		"Yoga": "", "garden": "", "shoes": "", "bix": "", "": "",
	} {
		if got, ok := c.Find(text); got != want || ok != (want != "") {
			t.Errorf("Find(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestCategoriesNamedTwice(t *testing.T) {
	c := NewCategories([]string{"Footwear", "Yoga", "yoga", "Footwear", "Yoga"})
	if got, ok := c.Find("footware"); got != "Footwear" || !ok {
		t.Errorf("Find() = %q, %v, want the name that the list has twice", got, ok)
	}
	if got := c.Names(); len(got) != 3 {
		t.Errorf("Names() = %q, want each once", got)
	}
}

func TestCorrect(t *testing.T) {
	for text, want := range map[string]string{
		"incraese prcies by 10 pecent": "increase prices by 10 percent",
		"dicsount prodcuts":            "discount products",
		"stcok":                        "stock",
		"rice socks boots":             "rice socks boots",
		"through":                      "through",
		"A1O1 yoga":                    "A1O1 yoga",
	} {
		written := NewText(text)
		var got []string
		for _, token := range written.With(written.Corrections(nil)).Tokens {
			if token.Kind == Word {
				got = append(got, token.Norm)
				continue
			}
			got = append(got, token.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Corrections(%q) = %q, want %q", text, strings.Join(got, " "), want)
		}
	}
	known := NewCategories([]string{"Prizes"})
	if corrections := NewText("raise prizes").Corrections(known); corrections != nil {
		t.Errorf("a word of the category list is put right: %v", corrections)
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"price", "price", 0}, {"price", "prcie", 1}, {"price", "prices", 1}, {"price", "prize", 1}, {"price", "rice", 1},
		{"increase", "decrease", 2}, {"yoga", "toys", 3}, {"", "ab", 2}, {"abc", "", 3}, {"ca", "abc", 3},
	} {
		if got := Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestIsRange(t *testing.T) {
	for code, want := range map[string]bool{"A101-A110": true, "FIT-001-FIT-009": true, "A101-105": true, "A1xx": true, "A1XX": false, "FIT-001": false, "A101-XL": false, "A101-B102": false, "A105-101": false} {
		if got := IsRange(code); got != want {
			t.Errorf("IsRange(%q) = %v, want %v", code, got, want)
		}
	}
}
