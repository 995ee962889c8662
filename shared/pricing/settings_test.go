package pricing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/errs"
)

func TestSettingsFromMetadata(t *testing.T) {
	defaults := Settings{Columns: Columns{SKU: "id"}, BlankPrice: BlankPriceKeep, AllowFormulaCells: true}
	for _, test := range []struct {
		name     string
		metadata map[string]string
		want     Settings
		refused  bool
	}{
		{"none", nil, defaults, false},
		{"others", map[string]string{"execution-id": "x", "allow_formula_cells": "false"}, defaults, false},
		{"columns take the place of the default's", map[string]string{"columns": "price=Net"}, Settings{Columns: Columns{Price: "Net"}, BlankPrice: BlankPriceKeep, AllowFormulaCells: true}, false},
		{"blank_price", map[string]string{"blank_price": "error"}, Settings{Columns: Columns{SKU: "id"}, BlankPrice: BlankPriceError, AllowFormulaCells: true}, false},
		{"bad columns", map[string]string{"columns": "price"}, Settings{}, true},
		{"bad blank_price", map[string]string{"blank_price": "Keep"}, Settings{}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := SettingsFromMetadata(test.metadata, defaults)
			if refused := errs.KindOf(err) == errs.Invalid; refused != test.refused {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" && !test.refused {
				t.Error(diff)
			}
		})
	}
}
