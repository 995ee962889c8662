package pricing_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/setting"
)

// conformance are the cases of two public sets for readers of CSV, csv-spectrum
// and csv-test-data, written anew as product tables: what a set tests in its
// cells stands here in the column note. A table is carried out, with the price
// 10.00 raised and every other byte as it came, or refused.
var conformance = []struct {
	name    string
	table   string // with commas and newlines, which other dialects have others for
	refused string // part of the message; "": carried out
}{
	// https://github.com/maxogden/csv-spectrum
	{"csv-spectrum simple", "sku,category,price,in_stock,note\nA,mat,10.00,true,1\n", ""},
	{"csv-spectrum comma_in_quotes", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"Springfield, Virginia\"\n", ""},
	{"csv-spectrum empty", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"\"\nB,bag,3,true,\n", ""},
	{"csv-spectrum escaped_quotes", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"ha \"\"ha\"\" ha\"\n", ""},
	{"csv-spectrum json", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"{\"\"type\"\": \"\"Point\"\", \"\"coordinates\"\": [102.0, 0.5]}\"\n", ""},
	{"csv-spectrum newlines", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"Once upon \na time\"\nB,bag,3,true,x\n", ""},
	{"csv-spectrum quotes_and_newlines", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"ha \n\"\"ha\"\" \nha\"\n", ""},
	{"csv-spectrum utf8", "sku,category,price,in_stock,note\nA,mat,10.00,true,café ñ ß\n", ""},

	// https://github.com/sineemore/csv-test-data
	{"csv-test-data all-empty", "\n\n", "row 1"},
	{"csv-test-data all-empty, as a row", "sku,category,price,in_stock,note\n,,,,\nA,mat,10.00,true,x\n", ""},
	{"csv-test-data bad-header-less-fields", "sku,category,price,in_stock\nA,mat,10.00,true,x\n", "field"},
	{"csv-test-data bad-header-more-fields", "sku,category,price,in_stock,note\nA,mat,10.00,true\n", "field"},
	{"csv-test-data bad-header-no-header", "", "row 1"},
	{"csv-test-data bad-header-no-header, but rows", "A,mat,10.00,true,x\nB,bag,3,true,x\n", "row 1"},
	{"csv-test-data bad-header-wrong-header", "a,b,c,d,e\nA,mat,10.00,true,x\n", "row 1"},
	{"csv-test-data bad-missing-quote", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"x\nB,bag,3,true,x\n", "never closed"},
	{"csv-test-data bad-quotes-with-unescaped-quote", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"x \"y z\"\n", "after a closing quote"},
	{"csv-test-data bad-unescaped-quote", "sku,category,price,in_stock,note\nA,mat,10.00,true,x \"y z\n", ""},
	{"csv-test-data empty-field", "sku,category,price,in_stock,note,more\nA,mat,10.00,true,,x\n", ""},
	{"csv-test-data empty-one-column", "note\n\n", "row 1"},
	{"csv-test-data header-no-rows", "sku,category,price,in_stock,note", "no rows below the header"},
	{"csv-test-data header-simple", "sku,category,price,in_stock,note\nA,mat,10.00,true,field\n", ""},
	{"csv-test-data leading-space", "sku,category,price,in_stock,note\nA,mat,10.00,true, x\n", ""},
	{"csv-test-data one-column", "note\nx\n", "row 1"},
	{"csv-test-data trailing-newline-one-field", "note\n1\n", "row 1"},
	{"csv-test-data quotes-empty", "sku,category,price,in_stock,note,more\nA,mat,10.00,true,\"\",\"\"\n", ""},
	{"csv-test-data quotes-with-comma", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"x,y\"\n", ""},
	{"csv-test-data quotes-with-escaped-quote", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"x \"\"y\"\" z\"\n", ""},
	{"csv-test-data quotes-with-newline", "sku,category,price,in_stock,note\nA,mat,10.00,true,\"x\ny\"\n", ""},
	{"csv-test-data quotes-with-space", "sku,category,price,in_stock,note\nA,mat,10.00,true,\" x \"\n", ""},
	{"csv-test-data simple-lf and simple-crlf, without a last line end", "sku,category,price,in_stock,note\nA,mat,10.00,true,x", ""},
	{"csv-test-data trailing-newline", "sku,category,price,in_stock,note\nA,mat,10.00,true,x\n\n", ""},
	{"csv-test-data trailing-space", "sku,category,price,in_stock,note\nA,mat,10.00,true,x \n", ""},
	{"csv-test-data utf8", "sku,category,price,in_stock,note\nA,mat,10.00,true,é ü ½\n", ""},
	{"csv-test-data quoted header and prices", "\"sku\",\"category\",\"price\",\"in_stock\",\"note\"\n\"A\",\"mat\",\"10.00\",\"true\",\"x\"\n", ""},
}

// TestConformanceSets carries the same plan out over each case in each dialect.
func TestConformanceSets(t *testing.T) {
	p := mustPlan(t, `[{"operation_id": "a", "filter": {"categories": ["mat"], "in_stock": true}, "action": {"type": "percent_increase", "value": 10}}]`)
	for _, test := range conformance {
		for _, d := range pricingtest.Dialects() {
			input, writable := pricingtest.InDialect(test.table, d)
			if !writable {
				continue
			}
			settings := table.Settings{Unmatched: setting.UnmatchedAllow}
			if d.Delimiter == dialect.Pipe && d.Encoding == dialect.Windows1252 { // it must be said
				settings.Dialect.Encoding = d.Encoding
			}
			e, err := pricing.Compile(p, settings)
			if err != nil {
				t.Fatal(err)
			}
			var out, changes bytes.Buffer
			_, err = e.Run(t.Context(), bytes.NewReader(input), &out, &changes)
			var refused *table.InputError
			switch {
			case test.refused != "":
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.refused) || out.Len() > len(input) {
					t.Errorf("%s, %v: %v; want a refusal that says %q", test.name, d, err, test.refused)
				}
			case err != nil:
				t.Errorf("%s, %v: %v", test.name, d, err)
			default:
				want, _ := pricingtest.InDialect(strings.ReplaceAll(test.table, "10.00", "11.00"), d)
				if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("%s, %v:\n%q\nwant\n%q", test.name, d, out.Bytes(), want)
				}
			}
		}
	}
}

// mustPlan returns a plan with operations in JSON.
func mustPlan(t testing.TB, operations string) *plan.Plan {
	t.Helper()
	p, err := plan.Decode([]byte(`{"execution_id": "conformance_1", "created_at": "2026-01-05T09:00:00Z", "source_instruction": "a plan for tests", "operations": ` + operations + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
