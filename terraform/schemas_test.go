package terraform_test

import (
	"encoding/json"
	"fmt"
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

// TestSchemasReadWhatIsWritten reads the lines of both kinds of audit files
// by the schemas of their tables.
func TestSchemasReadWhatIsWritten(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	state := pricing.State{ // a column that nothing looks at is null
		Price: new("29.99"), InStock: new(true), Stock: new("17"), Quoted: true,
		SalePrice: new("19.99"), CompareAt: new("39.99"), OnSale: new("yes"), SaleFrom: new("2026-03-01"), SaleUntil: new("2026-03-31"), Quantity: new("0"),
		SalePriceQuoted: true, CompareAtQuoted: true,
	}
	change, err := json.Marshal(ledger.Change{Row: 2, SKU: "A101", OperationIDs: []string{"op_01"}, Before: state, After: state})
	if err != nil {
		t.Fatal(err)
	}
	document := ledger.AuditDocument{
		ExecutionID: "plan_fitness_v1", ExecutedAt: at, Status: ledger.Completed,
		Explanation: []string{"Increase the price."}, Warnings: []string{"matched nothing"},
		Operations: []ledger.OperationCount{{OperationID: "op_01"}},
		Upload:     ledger.AuditUpload{ID: "id", Source: ledger.Source{UploadedAt: at}, Size: 1, BLAKE3: "aa"},
		Outputs:    []ledger.File{{Size: 1}},
		Policy:     ledger.Policy{Approval: ledger.ApproveOver, OverRows: 100, OverPercent: "12.5"},
		Approval:   &ledger.Approval{By: "ann@shop.example", At: at, Note: "fine"},
		Undoes:     "plan_sale_v1", RowsStale: 1, Stale: []pricing.StaleRow{{Row: 2, SKU: "A101", Given: state, Found: &state}},
	}
	for table, line := range map[string][]byte{"executions": document.Chained("").Line(), "changes": change} {
		t.Run(table, func(t *testing.T) {
			var columns []column
			if err := json.Unmarshal([]byte(read(t, "schemas/"+table+".json")), &columns); err != nil {
				t.Fatal(err)
			}
			var row map[string]any
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
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
