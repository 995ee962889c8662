package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

type object = map[string]any

// plans writes the plans that are measured and returns their paths: some
// changes about 7% of the rows, every changes all of them, and hundred has 100
// operations and as many SKUs as a plan can hold.
func (b *bench) plans() map[string]string {
	raise := func(id string, filter object) object {
		return object{
			"operation_id": id,
			"filter":       filter,
			"action":       object{"type": "percent_increase", "value": 10},
		}
	}
	inStock := object{"categories": []string{"fitness"}, "in_stock": true}
	var hundred []object
	for i := range 100 {
		var skus []string
		for j := range 430 {
			skus = append(skus, fmt.Sprintf("S%d", 1+(i*430+j)*37))
		}
		hundred = append(hundred, raise(fmt.Sprintf("op%d", i), object{"skus": skus}))
	}
	hundred[99] = raise("op99", inStock)
	paths := map[string]string{}
	for name, operations := range map[string][]object{
		"some": {raise("op1", inStock)}, "every": {raise("op1", object{})}, "hundred": hundred,
	} {
		data, err := json.Marshal(object{
			"execution_id": "plan_bench_" + name + "_v1", "created_at": "2026-01-01T00:00:00Z",
			"source_instruction": "Increase prices by 10%.", "operations": operations,
		})
		check(err)
		paths[name] = filepath.Join(b.dir, name+".json")
		check(os.WriteFile(paths[name], data, 0o644))
	}
	return paths
}
