package dialect

import (
	"bytes"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	lines := func(n int, line string) string { return strings.Repeat(line, n) }
	wide := func(units, even, odd int) string { // so many units, and zeros at even and at odd places
		text := bytes.Repeat([]byte("\xe9\xe9"), units)
		for i := range even {
			text[2*i] = 0
		}
		for i := range odd {
			text[2*i+1] = 0
		}
		return string(text)
	}
	long := strings.Repeat("a", HeadBytes-5)
	for _, test := range []struct {
		name, head string
		said       Dialect
		want       string
	}{
		{"plain", "sku,price\nA,1\n", Dialect{}, "comma, LF, UTF-8"},
		{"a tie goes to the earlier delimiter", "a;b,c\n1;2,3\n", Dialect{}, "comma, LF, UTF-8"},
		{"of as many records the one with more fields", "a;b;c,d\n1;2;3,4\n", Dialect{}, "semicolon, LF, UTF-8"},
		{"more records", "a,b;c;d\n1;2;3\n", Dialect{}, "semicolon, LF, UTF-8"},
		{"one field is none", "a|b\n1\n2|3\n", Dialect{}, "pipe, LF, UTF-8"},
		{"one empty field more", "a;b,x\n1;2;\n", Dialect{}, "semicolon, LF, UTF-8, a delimiter at the end of rows"},
		{"one empty field more, CRLF", "a;b,x\r\n1;2;\r\n", Dialect{}, "semicolon, CRLF, UTF-8, a delimiter at the end of rows"},
		{"one empty field more in commas", "a,b\n1,2,\n", Dialect{}, "comma, LF, UTF-8"},
		{"inch marks", "a\tb\n3/4\" x\t2\n", Dialect{}, "tab, LF, UTF-8, quotes as they stand"},
		{"inch marks and a quoted cell", "a\tb\n3/4\" x\t2\n\"x\"\t1\n", Dialect{}, "tab, LF, UTF-8"},
		{"inch marks in commas", "a,b\n3/4\" x,2\n", Dialect{}, "comma, LF, UTF-8, quotes as they stand"},
		{"in commas, and a quoted cell behind a blank", "a,b\n3/4\" x,2\nx, \"y\"\n", Dialect{}, "comma, LF, UTF-8"},
		{"inch marks in pipes", "a|b\n3/4\" x|2\n", Dialect{}, "pipe, LF, UTF-8"},
		{"one field more that is not empty", "a;b,x\n1;2;3\n", Dialect{}, "comma, LF, UTF-8"},
		{"one field more that is not empty, CRLF", "a;b,x\r\n1;2;3\r\n", Dialect{}, "comma, CRLF, UTF-8"},
		{"one field less", "a;b;c,x\n1;\n2,3\n", Dialect{}, "comma, LF, UTF-8"},
		{"behind a hundred records nothing is compared", "a;b,c\n" + lines(99, "1;2\n") + lines(200, "1,2\n"), Dialect{}, "semicolon, LF, UTF-8"},
		{"delimiters in quotes", "a;b\n\"1,2\";3\n\"4,5\";6\n", Dialect{}, "semicolon, LF, UTF-8"},
		{"empty lines first", "\n\r\na,b\n", Dialect{}, "comma, LF, UTF-8"},
		{"a return and a newline first", "\r\na,b\r\n", Dialect{}, "comma, CRLF, UTF-8"},

		{"CRLF", "a,b\r\n1,2\r\n", Dialect{}, "comma, CRLF, UTF-8"},
		{"no line end", "a,b", Dialect{}, "comma, LF, UTF-8"},
		{"CR", "a,b\r1,2\r", Dialect{}, "comma, CR, UTF-8"},
		{"CR CR LF", "a,b\r\r\n1,2\r\r\n", Dialect{}, "comma, CRCRLF, UTF-8"},
		{"CR, then CR CR LF", "a\rb,c\r\r\n", Dialect{}, "comma, LF, UTF-8"},
		{"a quote within a value", "a;b\n2\" x,y;1\n\"c\";2\n", Dialect{}, "semicolon, LF, UTF-8"},
		{"one line, and CR", "a,b\r", Dialect{}, "comma, LF, UTF-8"},
		{"CR, then CRLF", "a\rb,c\r\n1,2\r\n", Dialect{}, "comma, LF, UTF-8"},
		{"CRLF in quotes", "\"a\r\nb\",c\n1,2\n", Dialect{}, "comma, LF, UTF-8"},

		{"sep= line", "sep=|\na;b|c\n1;2|3\n", Dialect{}, "pipe, LF, UTF-8, a sep= line"},
		{"sep= line, CRLF", "sep=;\r\na;b\r\n", Dialect{}, "semicolon, CRLF, UTF-8, a sep= line"},
		{"sep= line alone", "sep=;", Dialect{}, "semicolon, LF, UTF-8"},
		{"sep= line of another delimiter than is said", "sep=;\na;b\n", Dialect{Delimiter: Pipe}, "pipe, LF, UTF-8"},
		{"sep= line of the delimiter that is said", "sep=;\na;b\n", Dialect{Delimiter: Semicolon}, "semicolon, LF, UTF-8, a sep= line"},
		{"sep= line with CR", "sep=;\ra;b\r\n1;2\r\n", Dialect{}, "semicolon, CR, UTF-8, a sep= line"},
		{"sep= line with another line end than is said", "sep=;\ra;b\r", Dialect{LineEnd: LF}, "semicolon, LF, UTF-8, a sep= line"},
		{"CR alone behind a sep= line with LF", "sep=;\na;b\r1;2", Dialect{}, "semicolon, LF, UTF-8, a sep= line"},

		{"UTF-16LE by its zeros", wide(20, 0, 3), Dialect{LineEnd: LF}, "comma, LF, UTF-16LE"},
		{"too few zeros for it", wide(20, 0, 2), Dialect{}, "comma, LF, windows-1252"},
		{"with a tenth at the other places", wide(40, 2, 20), Dialect{LineEnd: LF}, "comma, LF, UTF-16LE"},
		{"with more at the other places", wide(40, 3, 20), Dialect{}, "comma, LF, windows-1252"},
		{"UTF-16BE by its zeros", wide(20, 3, 0), Dialect{LineEnd: LF}, "comma, LF, UTF-16BE"},
		{"too few zeros for it, BE", wide(20, 2, 0), Dialect{}, "comma, LF, windows-1252"},
		{"with a tenth at the other places, BE", wide(40, 20, 2), Dialect{LineEnd: LF}, "comma, LF, UTF-16BE"},
		{"with more at the other places, BE", wide(40, 20, 3), Dialect{}, "comma, LF, windows-1252"},

		{"more UTF-8 than not", "\u00e9\u00e9\xff,a\n", Dialect{}, "comma, LF, UTF-8"},
		{"as much", "\u00e9\xff,aaaaaaaaaa\n", Dialect{}, "comma, LF, windows-1252"},
		{"the character for what cannot be read", "\ufffd,a\n", Dialect{}, "comma, LF, UTF-8"},
		{"the head ends within a character", long + "aaaa\xc3", Dialect{}, "comma, LF, UTF-8"},
		{"it does, with as much UTF-8 as not", long + "\xff\u00e9a\xc3", Dialect{}, "comma, LF, UTF-8"},
		{"it does, with less UTF-8 than not", long + "\xff\xffaa\xc3", Dialect{}, "comma, LF, windows-1252"},
		{"the table ends within a character", long + "aaa\xc3", Dialect{}, "comma, LF, windows-1252"},
	} {
		if got := Detect([]byte(test.head), test.said).String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestSepLines(t *testing.T) {
	for text, want := range map[string]map[LineEnd]int{
		"sep=;\r\na;b": {LF: 7, CRLF: 7, CR: 6}, "sep=;\n\na;b": {LF: 6}, "sep=;\ra;b": {CR: 6}, "sep=;\na;b": {LF: 6}, "": {CR: 0}, "a;b\r": {CR: 0},
	} {
		for end, size := range want {
			if got := (Dialect{SepLine: true, LineEnd: end}).SepSize([]byte(text)); got != size {
				t.Errorf("%q has a line of %d bytes where %s ends lines, want %d", text, got, end, size)
			}
			if got := (Dialect{LineEnd: end}).SepSize([]byte(text)); got != 0 {
				t.Errorf("%q has a line of %d bytes though it is said to have none", text, got)
			}
		}
	}
}
