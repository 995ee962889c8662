package names

import (
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/recognize"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"Linen Shirt":                  "linen shirt",
		"  Yoga-Mat, 6 mm (blue)  ":    "yoga mat 6 mm blue",
		"Women's":                      "women s",
		"Women\u2019s":                 "women s",
		"1.5 kg, 2,5 l, 3. 4.":         "1.5 kg 2,5 l 3 4",
		"v2.0.1":                       "v2.0.1",
		"100% Cotton":                  "100 % cotton",
		"C++/C#":                       "c + + c #",
		"AT&T":                         "at & t",
		"Nike™ Air® ©":                 "nike air",
		"ÉTÉ":                          "été",
		"e\u0301te\u0301":              "été",
		"Straße":                       "strasse",
		"½ inch":                       "1 2 inch",
		"Soft\u00adware no\u00a0break": "software no break",
		"靴 スニーカー":                      "靴 スニーカー",
		"🎁":                            "",
	} {
		var w Words
		w.Read(dialect.Dialect{}, []byte(text))
		if got := strings.TrimSuffix(string(w.Text), " "); got != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
		if len(w.Starts) != len(strings.Fields(want)) {
			t.Errorf("%q has %d words", text, len(w.Starts))
		}
	}
}

func TestPhrasesIn(t *testing.T) {
	for _, test := range []struct {
		name    string
		phrases []string
		want    string
	}{
		{"Linen Shirt", []string{"linen", "SHIRT", "linen shirt", "shirt linen", "lin", "linens"}, "linen SHIRT linen shirt"},
		{"Yoga-mat 6 mm", []string{"yoga mat", "mat 6", "6 mm thick", "mm"}, "yoga mat mat 6 mm"},
		{"Tea 2.5 kg", []string{"5 kg", "2.5 kg", "2", "kg"}, "2.5 kg kg"},
		{"100 tea bags", []string{"100%", "100"}, "100"},
		{"100% tea", []string{"100%", "100"}, "100% 100"},
		{"C++ for beginners", []string{"c", "c++", "C#"}, "c c++"},
		{"the the cat", []string{"the cat", "the the the"}, "the cat"},
		{"", []string{"a", "%%"}, ""},
		{"a%", []string{"%b a"}, ""},
		{"1 %B-A", []string{"% b a"}, "% b a"},
		{"0,5 l", []string{"0,5 L"}, "0,5 L"},
	} {
		l := newLookup(recognize.RuleOf(recognize.RoleName), []Condition{{recognize.RoleName: {Only: test.phrases}}}, false)
		var w Words
		w.Read(dialect.Dialect{}, []byte(test.name))
		found := map[int32]bool{}
		l.Words.In(&w, func(id int32) { found[id] = true })
		var got []string
		if len(found) > 0 && !l.Words.MayBeIn([]byte(test.name)) {
			t.Errorf("%q is passed over", test.name)
		}
		for id, n := range l.Named {
			if found[int32(id)] {
				got = append(got, n.Text)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q has %q, want %q", test.name, got, test.want)
		}
	}
}
