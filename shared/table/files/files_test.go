package files

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

// A spreadsheet's file is no table, whatever its case, and the way on is said.
func TestWhyNoTable(t *testing.T) {
	for file, want := range map[string]string{
		"p.xlsx": "is a workbook (.xlsx)", "P.XLSX": "is a workbook (.xlsx)", "a.b.xlsm": "is a workbook (.xlsm)", "p.xlsb": "is a workbook (.xlsb)", "p.xls": "is a workbook (.xls)",
		"p.ods": "is a workbook (.ods)", "p.numbers": "is a workbook (.numbers)", ".xlsx": "is a workbook (.xlsx)",
		"p.json": "does not end in .csv", "xlsx": "does not end in .csv", "p": "does not end in .csv", "": "does not end in .csv", "p.csv.part": "does not end in .csv",
	} {
		if got := WhyNoTable(file); !strings.HasPrefix(got, want) || !strings.Contains(got, "as CSV") {
			t.Errorf("%q %s, want %q", file, got, want)
		}
	}
}

func TestEveryExtensionIsNamed(t *testing.T) {
	for _, known := range extensions {
		if !slices.Contains(ContentTypes(), known.ContentType) || !strings.Contains(Endings, known.Ending) {
			t.Errorf("%s, %s is not among %q and %q", known.Ending, known.ContentType, ContentTypes(), Endings)
		}
	}
}
