package plannerapi_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plannerapi"
)

// What a spreadsheet may compute is escaped, whatever stands before its sign.
func TestDownloadsEscapeFormulas(t *testing.T) {
	for cell, want := range map[string]bool{
		"=1+1": true, "+1+1": true, "-1+1": true, "@SUM(A1)": true, "-": true, "--5-oz": true, "-1e5": true, "+12": true,
		" =1+1": true, "\t=1+1": true, "\r\n=1+1": true, "\u00a0=1+1": true, "\u3000=1+1": true, "\u2007=1+1": true,
		"\u200b=1+1": true, "\ufeff=1+1": true, "\u202e=1+1": true, "\x00=1+1": true, "\x0b \u00a0=1+1": true,
		"＝1+1": true, "＋1": true, "－1": true, "＠SUM": true, " ＝1": true, "﹦1": true, "−1": true, "\tMat": true, "\rMat": true,
		"": false, " ": false, "Mat": false, " Mat": false, "12.50": false, "-12.5": false, "-33": false, "A=B": false, "Men's": false,
	} {
		if plannerapi.IsFormula(cell) != want {
			t.Errorf("%q: want escaped: %v", cell, want)
		}
	}
}
