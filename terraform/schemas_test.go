package terraform_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

// column is a column of a BigQuery table's schema.
type column struct {
	Name, Type, Mode string
	Fields           []column
}

// beside are the columns of documents from before there was a result, and firstForm is one.
var beside = []string{"warnings", "attempt", "upload", "outputs", "operations", "policy", "approval", "undoes", "rows_stale", "stale", "plan_sha256", "changes_sha256"}

const firstForm = `{"execution_id":"plan_fitness_v1","source_instruction":"Undo it.","executed_at":"2026-03-01T10:00:00Z","status":"completed","error":null,` +
	`"operations_count":0,"rows_total":7,"rows_changed":1,"skus_changed":[],"changes":[],"plan_snapshot":null,"explanation":["It is undone."],"attempt":1,` +
	`"upload":{"id":"id","bucket":"inbox","object":"plan_fitness_v1/p.csv","generation":"1","uploaded_at":"2026-03-01T10:00:00Z","size":1,"blake3":"aa"},` +
	`"outputs":[{"bucket":"outbox","object":"plan_fitness_v1/p.csv","size":1,"crc32c":2}],"operations":[{"operation_id":"op_01","rows_matched":1,"rows_changed":1}],` +
	`"warnings":["There is one."],"undoes":"plan_sale_v1","rows_stale":1,"stale":[{"row":2,"sku":"A101","before":{"price":"1","in_stock":true},` +
	`"given":{"price":"2","in_stock":true},"found":{"price":"3","in_stock":true}}],"policy":{"approval":"over","over_rows":100,"over_percent":"12.5"},` +
	`"approval":{"proposal_sha256":"bb","by":"ann@shop.example","at":"2026-03-01T10:00:00Z","note":"fine"},` +
	`"plan_sha256":"cc","changes_sha256":"dd","previous_sha256":"","sha256":"ee"}`

// TestSchemasReadWhatIsWritten reads the lines of both kinds of audit files
// by the schemas of their tables.
func TestSchemasReadWhatIsWritten(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	state := pricing.State{ // a column that nothing looks at is null
		Price: new("29.99"), InStock: new(true), Stock: new("17"), Quoted: true,
		SalePrice: new("19.99"), CompareAt: new("39.99"), OnSale: new("yes"), SaleFrom: new("2026-03-01"), SaleUntil: new("2026-03-31"), Quantity: new("0"),
		SalePriceQuoted: true, CompareAtQuoted: true,
	}
	change, err := json.Marshal(pricing.Change{Row: 2, SKU: "A101", OperationIDs: []string{"op_01"}, Before: state, After: state})
	if err != nil {
		t.Fatal(err)
	}
	document := ledger.AuditDocument{
		ExecutionID: "plan_fitness_v1", ExecutedAt: at, Status: ledger.Completed, Explanation: []string{"Increase the price."},
		Outcome: ledger.Outcome{
			Upload:   ledger.AuditUpload{ID: "id", Source: ledger.Source{UploadedAt: at}},
			Policy:   ledger.Policy{Approval: ledger.ApproveOver, OverRows: 100, OverPercent: "12.5"},
			Approval: &ledger.Approval{By: "ann@shop.example", At: at, Note: "fine"},
			Undoes:   "plan_sale_v1",
			Result: ledger.Result{
				Input: ledger.File{Size: 1, Generation: 1, BLAKE3: "aa"}, Output: ledger.File{Size: 1}, Changes: ledger.File{Size: 1, SHA256: "bb"},
				Summary: pricing.Counts{
					Operations: []pricing.OperationCount{{OperationID: "op_01"}},
					RowsStale:  1, Stale: []pricing.StaleRow{{Row: 2, SKU: "A101", Given: state, Found: &state}},
				},
				Warnings: []pricing.Warning{{Code: pricing.WarnNoPrice, Rows: 1, FirstRows: []int64{2}, OperationIDs: []string{"op_01"}, Arguments: []string{"a"}}},
			},
		},
	}
	for _, test := range []struct {
		table string
		line  []byte
		has   func(column string) bool
	}{
		{"executions", document.Chained("").Line(), func(column string) bool { return column == "result" || !slices.Contains(beside, column) }},
		{"executions", []byte(firstForm), func(column string) bool { return column != "result" }},
		{"changes", change, func(string) bool { return true }},
	} {
		table, line := test.table, test.line
		t.Run(table, func(t *testing.T) {
			var columns []column
			if err := json.Unmarshal([]byte(read(t, "schemas/"+table+".json")), &columns); err != nil {
				t.Fatal(err)
			}
			var row map[string]any
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
			columns = slices.DeleteFunc(columns, func(c column) bool { return !test.has(c.Name) })
			for _, fault := range misfits(table, columns, row) {
				t.Error(fault)
			}
		})
	}
}

// misfits returns the columns that a row does not have, or has otherwise.
func misfits(path string, columns []column, row map[string]any) []string {
	var faults []string
	for _, c := range columns {
		name := path + "." + c.Name
		value, ok := row[c.Name]
		if list, repeated := value.([]any); c.Mode == "REPEATED" && repeated && len(list) > 0 {
			value = list[0]
		} else if c.Mode == "REPEATED" {
			ok = false
		}
		if !ok || !c.reads(value) {
			faults = append(faults, fmt.Sprintf("%s is %s %s, and %v is written", name, c.Mode, c.Type, row[c.Name]))
			continue
		}
		if c.Type == "RECORD" {
			faults = append(faults, misfits(name, c.Fields, value.(map[string]any))...)
		}
	}
	return faults
}

// reads reports whether BigQuery reads a JSON value into the column.
func (c column) reads(value any) bool {
	switch value := value.(type) {
	case string:
		_, err := time.Parse(time.RFC3339Nano, value)
		return c.Type == "STRING" || c.Type == "TIMESTAMP" && err == nil
	case float64:
		return c.Type == "INTEGER"
	case bool:
		return c.Type == "BOOLEAN"
	case map[string]any:
		return c.Type == "RECORD"
	default:
		return false
	}
}
