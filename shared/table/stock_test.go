package table

import "testing"

func TestStockForms(t *testing.T) {
	for in, out := range map[string]string{
		"true": "false", "TRUE": "FALSE", "True": "False", "1": "0", "yes": "no", "YES": "NO", "Yes": "No", "tRUE": "false", "yeS": "no",
	} {
		if got := string(appendStock(nil, []byte(in), false)); got != out {
			t.Errorf("%s out of stock is written %s, want %s", in, got, out)
		}
	}
	for in, out := range map[string]string{
		"false": "true", "FALSE": "TRUE", "False": "True", "0": "1", "no": "yes", "NO": "YES", "No": "Yes", "nO": "yes", "fALSE": "true",
	} {
		if got := string(appendStock(nil, []byte(in), true)); got != out {
			t.Errorf("%s in stock is written %s, want %s", in, got, out)
		}
	}
}
