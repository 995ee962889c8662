package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// maxSlow is the largest table that is given the plan that changes every row,
// whose changes file is five times the table.
const maxSlow = 100e6

// contenders returns those that take part for a table. The floor copies the
// table and the changes file that apply makes of it, so apply runs before; a
// plan that changes every row has a floor of its own. What another build takes is
// measured beside each.
func (b *bench) contenders(ctx context.Context, table, shape string, size int64) []*contender {
	plans := b.plans()
	idle := &contender{name: "planwright --help", args: []string{b.binary, "--help"}}
	apply := func(name, plan string, more ...string) *contender {
		return &contender{name: name, idle: idle, args: append(b.apply(plans[plan], table), more...)}
	}
	some := apply("apply", "some", "--sync=false")
	floor := b.floor(ctx, "the floor: cat twice", table, some)
	all := []*contender{
		floor,
		some,
		apply("apply, synced", "some"),
		apply("apply, 100 operations of 512 KiB", "hundred", "--sync=false", "--unmatched=allow"),
	}
	for _, c := range all[1:] {
		c.floor = floor
	}
	if size <= maxSlow {
		every := apply("apply, every row changes", "every", "--sync=false")
		every.floor = b.floor(ctx, "the floor of that: cat twice", table, every)
		all = append(all, every.floor, every)
	}
	all = append(all, idle)
	if b.beside != "" {
		all = withBuild(all, b.beside, idle)
	}
	if b.peers {
		for _, peer := range peers {
			if args := peer.command(shape, table); args != nil && peer.installed() {
				all = append(all, &contender{name: peer.name, args: args, floor: floor, once: size > maxSlow})
			}
		}
	}
	return all
}

// apply is the command line that carries a plan out over a table.
func (b *bench) apply(plan, table string) []string {
	return []string{b.binary, "apply", "--plan", plan, "--csv", table,
		"--out", "out.csv", "--audit", "audit.jsonl", "--db", "executions.db", "--changes", "changes.jsonl"}
}

// withBuild adds, behind each contender that is this build, another build.
func withBuild(all []*contender, binary string, idle *contender) (with []*contender) {
	other := map[*contender]*contender{
		idle: {name: idle.name + ", the other build", args: []string{binary, "--help"}},
	}
	for _, c := range all {
		with = append(with, c)
		if c.idle != nil {
			other[c] = &contender{
				name:  c.name + ", the other build",
				args:  append([]string{binary}, c.args[1:]...),
				floor: c.floor,
				idle:  other[idle],
			}
		}
		if other[c] != nil {
			with = append(with, other[c])
		}
	}
	return with
}

// floor returns the contender that copies the table, and the changes file that
// the other made of it.
func (b *bench) floor(ctx context.Context, name, table string, of *contender) *contender {
	_, err := of.run(ctx, b.dir)
	check(err)
	changes := filepath.Join(b.dir, filepath.Base(table)+"."+strings.ReplaceAll(of.name, " ", "-")+".jsonl")
	check(os.Rename(filepath.Join(b.dir, "outputs", "changes.jsonl"), changes))
	return &contender{
		name: name,
		args: []string{"sh", "-c", `cat "$0" > out.csv && cat "$1" > changes.jsonl`, table, changes},
	}
}

// peer is another tool, told to do the same to the table. None of them checks
// it, and only mawk is told to write the changes.
type peer struct {
	name, binary string
	install      string
	probe        []string // a command that fails where it is not installed
	command      func(shape, table string) []string
}

var peers = []peer{
	{"mawk", "mawk", "apt-get install mawk", nil, func(shape, table string) []string {
		if shape != "narrow" {
			return nil // it does not read quoted fields
		}
		return []string{"mawk", "-F,", "-v", "OFS=,", `$2 == "fitness" && $4 == "true" {
  old = $3; $3 = sprintf("%.2f", $3 * 1.1)
  printf "{\"row\":%d,\"sku\":\"%s\",\"operation_ids\":[\"op1\"],\"before\":{\"price\":\"%s\",\"in_stock\":true},\"after\":{\"price\":\"%s\",\"in_stock\":true}}\n", NR, $1, old, $3 > "changes.jsonl"
} { print > "out.csv" }`, table}
	}},
	{"Miller", "mlr", "apt-get install miller", nil, func(_, table string) []string {
		return []string{
			"sh",
			"-c",
			`mlr --csv put '$category == "fitness" && $in_stock == "true" {$price = fmtnum($price * 1.1, "%.2f")}' "$0" > out.csv`,
			table,
		}
	}},
	{
		"DuckDB",
		"node",
		"npm install --global @duckdb/node-api; export NODE_PATH=$(npm root --global)",
		[]string{"node", "-e", `require("@duckdb/node-api")`},
		func(_, table string) []string {
			return []string{"node", "-e", `const { DuckDBInstance } = require("@duckdb/node-api")
DuckDBInstance.create(":memory:").then((db) => db.connect()).then((connection) => connection.run(process.argv[1]))`,
				fmt.Sprintf(
					`COPY (SELECT * REPLACE (CASE WHEN category = 'fitness' AND in_stock THEN round(price * 1.1, 2) ELSE price END AS price)
FROM read_csv('%s', types = {'price': 'DECIMAL(18,2)', 'in_stock': 'BOOLEAN'})) TO 'out.csv' (HEADER)`,
					table,
				)}
		},
	},
	{
		"Polars",
		"node",
		"npm install --global nodejs-polars; export NODE_PATH=$(npm root --global)",
		[]string{"node", "-e", `require("nodejs-polars")`},
		func(_, table string) []string {
			return []string{"node", "-e", `const pl = require("nodejs-polars")
const row = pl.col("category").eq(pl.lit("fitness")).and(pl.col("in_stock"))
const price = pl.when(row).then(pl.col("price").mul(1.1).round(2)).otherwise(pl.col("price")).as("price")
pl.scanCSV(process.argv[1]).withColumns(price).sinkCSV("out.csv", { floatPrecision: 2 }).collectSync()`, table}
		},
	},
}

func (p peer) installed() bool {
	if _, err := exec.LookPath(p.binary); err != nil {
		return false
	}
	return p.probe == nil || exec.Command(p.probe[0], p.probe[1:]...).Run() == nil
}

// missingPeers says how to install the tools that are not there.
func missingPeers() (lines []string) {
	for _, peer := range peers {
		if !peer.installed() {
			lines = append(lines, fmt.Sprintf("%s: %s", peer.name, peer.install))
		}
	}
	return lines
}
