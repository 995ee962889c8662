package table

import (
	"slices"
	"strings"
	"testing"
)

func TestContentType(t *testing.T) {
	for file, want := range map[string]string{
		"p.csv": "text/csv", "P.CsV": "text/csv", "a.b.csv": "text/csv",
		"p.tsv": "text/tab-separated-values", "p.TAB": "text/tab-separated-values", "p.Txt": "text/plain",
		"": "", ".csv": "", "csv": "", "p.csv.part": "", "p.xlsx": "", "p.json": "", "pcsv": "",
	} {
		if got, isTable := ContentType(file); got != want || isTable != (want != "") {
			t.Errorf("ContentType(%q) = %q, %v; want %q", file, got, isTable, want)
		}
	}
}

func TestEveryExtensionIsNamed(t *testing.T) {
	for _, known := range Extensions {
		if !slices.Contains(ContentTypes(), known.ContentType) || !strings.Contains(Endings, known.Ending) {
			t.Errorf("%s, %s is not among %q and %q", known.Ending, known.ContentType, ContentTypes(), Endings)
		}
	}
}
