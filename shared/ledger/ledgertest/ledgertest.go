// Package ledgertest is the suite that every ledger.Store passes: what the
// port's comments promise, and the rules of the claim carried out on the store.
// Time is given, nothing sleeps.
package ledgertest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/test/expect"
)

// Run runs the suite. open returns an empty store that is closed by the test's cleanup.
func Run(t *testing.T, open func(t *testing.T) ledger.Store) {
	RunProtocol(t, open)
	run(t, open, []group{
		{"Plan", planTests},
		{"Executions", listTests},
		{"Changes", changeTests},
		{"SKU", skuTests},
		{"Largest", largestTests},
		{"Context", contextTests},
		{"Race", raceTests},
		{"Leaves", leafTests},
		{"ShopRace", postingRaceTests},
		{"Imports", importTests},
	})
}

// RunProtocol runs the part of the suite that the execution of a plan rests
// on, without the lists and without concurrency. It is for the store of a
// simulation, which lets one worker run at a time.
func RunProtocol(t *testing.T, open func(t *testing.T) ledger.Store) {
	run(t, open, []group{
		{"Execution", executionTests},
		{"Outcome", outcomeTests},
		{"Claim", claimTests},
		{"Lease", leaseTests},
		{"Proposal", proposalTests},
		{"Undo", undoTests},
		{"Due", dueTests},
		{"Owed", owedTests},
		{"Postings", postingTests},
		{"LostReply", lostReplyTests},
	})
}

type group struct {
	name  string
	tests []test
}

func run(t *testing.T, open func(t *testing.T) ledger.Store, groups []group) {
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
			}
		})
	}
}

type test struct {
	name string
	run  func(t *testing.T, store ledger.Store)
}

const (
	executionID = "plan_fitness_increase_v1"
	otherID     = "plan_yoga_discount_v1"
)

// noon is when the suite takes place. Its nanoseconds are more than a store
// keeps, its zone is not UTC.
var noon = time.Date(2026, 3, 1, 13, 0, 0, 123456789, time.FixedZone("CET", 3600))

// as is the store as one of another kind, which it has to be.
func as[Kind any](t *testing.T, store ledger.Store) Kind {
	t.Helper()
	kind, ok := store.(Kind)
	if !ok {
		t.Fatalf("a %T is no %T", store, (*Kind)(nil))
	}
	return kind
}

func source(generation int64) ledger.Source {
	return ledger.Source{
		Upload: ledger.Upload{
			Bucket:     "inbox",
			Object:     executionID + "/products.csv",
			Generation: generation,
		},
		UploadedAt: noon.Add(-time.Minute),
		Settings: table.Settings{
			Columns:    setting.Columns{SKU: "Variant SKU", Price: "Variant Price"},
			BlankPrice: profile.BlankPriceKeep,
		},
	}
}

// record is an execution record with every field set.
func record(id string) ledger.Execution {
	var e ledger.Execution
	fill(reflect.ValueOf(&e).Elem())
	e.ExecutionID, e.Status = id, ledger.Failed
	return e
}

func fullProposal() *ledger.Proposal { return record(executionID).Proposal }

// fill sets every field that is stored.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(noon))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"value":10.50,"text":"<&>\u2028 é"}`))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				fill(v.Field(i))
			}
		}
	case reflect.String:
		v.SetString("<&> é €")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint32:
		v.SetUint(1<<32 - 1)
	default:
		v.SetInt(1 << 60)
	}
}

func fullSeal() *ledger.Seal {
	return &ledger.Seal{
		Result: ledger.Result{
			PlanSHA256: "aa",
			Settings: table.Settings{
				Profile: "plain",
				Columns: setting.Columns{Price: "sale"},
				Dialect: dialect.Dialect{Encoding: dialect.Windows1252},
			},
			Output: ledger.File{
				Bucket: "outbox",
				Object: executionID + "/products.csv",
				Size:   1 << 33,
				CRC32C: 1<<32 - 1,
			},
			Changes: ledger.File{
				Bucket: "audit",
				Object: "changes/" + executionID + ".jsonl",
				Size:   12,
				CRC32C: 34,
				SHA256: "bb",
			},
			Summary: pricing.Counts{
				RowsTotal:   7,
				RowsChanged: 2,
				Operations:  []pricing.OperationCount{{OperationID: "op_02"}},
			},
		},
		ExecutedAt: noon.Add(time.Second), Attempt: 3, EngineBuild: "1", PreviousSHA256: "cc",
	}
}

// outcome is an audit document with every field set.
func outcome(id string, generation int64, status ledger.Status, at time.Time) ledger.AuditDocument {
	var document ledger.AuditDocument
	fill(reflect.ValueOf(&document).Elem())
	from := &document.Upload.Source
	from.Upload = source(generation).Upload
	document.ExecutionID, document.ExecutedAt, document.Status, document.Upload.ID = id, at, status, from.ID()
	if status != ledger.Failed {
		document.Error = nil
	}
	return document.Chained("previous")
}

// change is of a price, in every other row of the stock too, and in every fifth of all
// that a state can say.
func change(row int64, sku string) pricing.Change {
	c := pricing.Change{
		Row: row, SKU: sku, OperationIDs: []string{"op_01"},
		Before: pricing.State{Price: new("29.99"), InStock: new(true)},
		After: pricing.State{
			Price:   new(fmt.Sprintf("%d.00", row)),
			InStock: new(row%2 == 0),
			Quoted:  row%3 == 0,
		},
	}
	if row%2 == 1 {
		c.Before.Stock, c.After.Stock = new("yes"), new("no")
	}
	if row%5 == 4 {
		c.Before, c.After = fullState("before"), fullState("after")
	}
	return c
}

// fullState has something in each of its fields, so that a store that forgets one fails.
func fullState(said string) (s pricing.State) {
	fields := reflect.ValueOf(&s).Elem()
	for i := range fields.NumField() {
		switch field := fields.Field(i).Addr().Interface().(type) {
		case **string:
			*field = new(fmt.Sprint(said, i))
		case **bool:
			*field = new(true)
		case *bool:
			*field = true
		default:
			panic("a state has a field of another kind: " + fields.Type().Field(i).Name)
		}
	}
	return s
}

func documentOf(id string, number int, at time.Time, changes ...pricing.Change) changelog.Document {
	text, err := json.Marshal(changes)
	if err != nil {
		panic(err) // a change always encodes
	}
	return changelog.Document{Number: number, ExecutionID: id, ExecutedAt: at, Changes: text}
}

func completed(t *testing.T, store ledger.Store, id string, at time.Time, documents ...changelog.Document) {
	t.Helper()
	stored := create(t, store, ledger.Execution{
		ExecutionID: id,
		Status:      ledger.Running,
		CreatedAt:   at,
		Seal:        &ledger.Seal{ExecutedAt: at},
	})
	put(t, store, id, documents...)
	stored.Status = ledger.Completed
	update(t, store, stored, ledger.Settlement{})
}

func create(t *testing.T, store ledger.Store, first ledger.Execution) ledger.Execution {
	t.Helper()
	return expect.Result(store.CreateExecution(t.Context(), first))(t)
}

func update(
	t *testing.T, store ledger.Store, next ledger.Execution, with ledger.Settlement,
) ledger.Execution {
	t.Helper()
	return expect.Result(store.UpdateExecution(t.Context(), next, with))(t)
}

func read(t *testing.T, store ledger.Store, id string) ledger.Execution {
	t.Helper()
	return expect.Result(store.Execution(t.Context(), id))(t)
}

func put(t *testing.T, store ledger.Store, id string, documents ...changelog.Document) {
	t.Helper()
	expect.NoError(t, store.PutChanges(t.Context(), id, sequence(documents...)))
}

func sequence(documents ...changelog.Document) func(func(changelog.Document, error) bool) {
	return func(yield func(changelog.Document, error) bool) {
		for _, document := range documents {
			if !yield(document, nil) {
				return
			}
		}
	}
}

// lister reads a page of a list.
type lister[T any] func(context.Context, paging.Page) (paging.List[T], error)

// idsOf lists the ids of what another lists.
func idsOf(list lister[ledger.Execution]) lister[string] {
	return func(ctx context.Context, page paging.Page) (paging.List[string], error) {
		found, err := list(ctx, page)
		return paging.Each(found, func(e ledger.Execution) string { return e.ExecutionID }), err
	}
}

// pages reads a list to its end and returns the pages, at most 1,000.
func pages[T any](t *testing.T, size int, read lister[T]) [][]T {
	t.Helper()
	var found [][]T
	page := paging.Page{Size: size}
	for range 1_000 {
		list := expect.Result(read(t.Context(), page))(t)
		found = append(found, list.Items)
		if page.Token = list.NextPageToken; page.Token == "" {
			return found
		}
	}
	t.Fatal("the list does not end")
	return nil
}

// wantKind fails unless err is of the kind and was given a text for people.
func wantKind(t *testing.T, err error, kind errs.Kind) {
	t.Helper()
	expect.ErrorIf(t, errs.KindOf(err) != kind, "got error %v of kind %q, want %s",
		err, errs.KindOf(err), kind)
}
