package dialect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// encoded are the encodings of tables that Python's codecs wrote, by the codec.
var encoded = map[string]Encoding{"cp932": "Shift_JIS", "gb18030": "GB18030", "gbk": "GBK", "big5": "Big5", "euc_kr": "EUC-KR", "cp949": "EUC-KR", "cp1251": "windows-1251"}

// TestEncodings reads tables that another program wrote as that program does, where
// somebody says the encoding. Where nobody does, it must be said of cells that are not
// ASCII, and the right one is among those that are offered.
func TestEncodings(t *testing.T) {
	files, err := filepath.Glob("testdata/encoded/*.csv")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		name, piped := strings.CutSuffix(name, "-pipe")
		language, codec, _ := strings.Cut(strings.Replace(name, "zh-", "zh", 1), "-")
		said, err := os.ReadFile("testdata/encoded/" + strings.Replace(language, "zh", "zh-", 1) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		want := string(said)
		if piped {
			want = strings.NewReplacer(",", "|", ";", "|").Replace(want)
		}
		d := Detect(raw, Dialect{Encoding: encoded[codec]})
		if got := d.Text(raw); got != want {
			t.Errorf("%s is read as\n%s\nwant\n%s", file, got, want)
		}
		if !d.ComesBack(raw) && codec != "big5" { // of which a character has several codes
			t.Errorf("%s is written in other bytes", file)
		}
		found := Detect(raw, Dialect{})
		if found.Encoding != Windows1252 || found.EncodingSaid {
			t.Errorf("%s is found to be %s", file, found.Encoding)
		}
		for _, cell := range strings.FieldsFunc(want, func(r rune) bool { return strings.ContainsRune(",;|\n", r) }) {
			bytes, _ := d.Bytes(cell)
			alike := func(r Reading) bool { return r.Says == cell }
			if found.Unclear(bytes) && !slices.ContainsFunc(Readings(bytes), alike) {
				t.Errorf("%s: %s is offered as %v alone", file, cell, Readings(bytes))
			}
		}
	}
}

// TestUnclear: texts of Western Europe are plainly Windows-1252, and others are asked about.
func TestUnclear(t *testing.T) {
	western := Detect([]byte("name,price\nGr\xf6\xdfe,1\n"), Dialect{})
	for _, text := range []string{
		"Crème brûlée", "Äpfel", "Größen", "Maçãs e pães", "INFORMAÇÃO", "Sää ja jää", "ÄÄNI", "Smørrebrød", "Niño ¿qué?", "3 €", "“Quoted” – it’s fine…", "Brand™ ®",
		"Þæginda púði", "Fiancées créées", "Size 3½\"", "20°C–30°C", "plain",
	} {
		raw, ok := western.Bytes(text)
		if !ok || western.Unclear(raw) {
			t.Errorf("%q is asked about", text)
		}
	}
	for encoding, text := range map[Encoding]string{"windows-1251": "Фитнес", "KOI8-R": "Йога", "windows-1253": "Γιόγκα", "Shift_JIS": "運動", "EUC-KR": "요가", "windows-874": "โยคะ"} {
		raw, ok := Dialect{Encoding: encoding}.Bytes(text)
		if !ok || !western.Unclear(raw) {
			t.Errorf("%s (%s) is taken for Windows-1252", text, encoding)
		}
		said := Detect(raw, Dialect{Encoding: encoding})
		if said.Unclear(raw) || said.Text(raw) != text {
			t.Errorf("%s: %q, though it is said", encoding, said.Text(raw))
		}
	}
	escaped := Detect([]byte("name,price\n\x1b$B1?F0\x1b(B,1\n"), Dialect{})
	if !escaped.Unclear([]byte("\x1b$B1?F0\x1b(B")) || escaped.Unclear([]byte("Mat")) {
		t.Error("an escape counts as not ASCII, and nothing else")
	}
}

// TestEncodingsOfSingleBytes writes every character of a byte as that byte.
func TestEncodingsOfSingleBytes(t *testing.T) {
	for encoding, want := range map[Encoding]string{Windows1252: "³", "windows-1250": "ł", "windows-1251": "і", "windows-1254": "³", "ISO-8859-2": "ł", "ISO-8859-9": "³", "ISO-8859-15": "³", "IBM850": "│", "KOI8-U": "Ё"} {
		d := Detect([]byte("a,b\n\xb3,1\n"), Dialect{Encoding: encoding})
		if got := d.Text([]byte("\xb3")); got != want {
			t.Errorf("%s: %q, want %q", encoding, got, want)
		}
		for b := range 256 {
			text := d.Text([]byte{byte(b)})
			if raw, ok := d.Bytes(text); text != "\ufffd" && (!ok || string(raw) != string([]byte{byte(b)})) {
				t.Errorf("%s: byte %x is %q, which is %x", encoding, b, text, raw)
			}
		}
	}
	for _, other := range []Encoding{"ISO-2022-JP", "IBM037", "UTF-7", "HZ-GB-2312"} {
		if slices.Contains(Encodings(), other) {
			t.Errorf("%s has bytes below 0x80 that are not ASCII", other)
		}
	}
}
