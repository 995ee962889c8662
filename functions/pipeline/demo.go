package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// What the demo carries out, and the tests.
const (
	demoID    = "plan_any_size_v1"
	demoTable = inboxName + "/" + demoID + "/products.csv"
	demoPlan  = `{
	"execution_id": "` + demoID + `",
	"created_at": "2026-03-01T10:00:00Z",
	"source_instruction": "Increase prices by 10% for all in-stock fitness products.",
	"operations": [{
		"operation_id": "op_01",
		"filter": {"categories": ["fitness"], "in_stock": true},
		"action": {"type": "percent_increase", "value": 10}
	}]
}`
	demoBytes   = 200_000_000
	demoRanges  = 8
	demoWorkers = 2
)

// writeTable writes a table of about so many bytes: a narrow one, or a wide one
// with line breaks, commas and doubled quotes inside its cells.
func writeTable(to io.Writer, wide bool, size int64) error {
	random := rand.New(rand.NewPCG(1, uint64(size)))
	categories := []string{"yoga", "running"}
	out := bufio.NewWriter(to)
	written := 0
	put := func(format string, values ...any) {
		n, _ := fmt.Fprintf(out, format, values...) // Flush returns the error
		written += n
	}
	if wide {
		put("id,sku,title,description,category,price,in_stock,tags,image\n")
	} else {
		put("sku,category,price,in_stock\n")
	}
	for row := 1; int64(written) < size; row++ {
		category := categories[random.IntN(2)]
		price := fmt.Sprintf("%d.%02d", random.IntN(200), random.IntN(100))
		stock := random.IntN(10) < 7
		if random.IntN(20) == 0 {
			category = "fitness"
		}
		if !wide {
			put("S%07d,%s,%s,%v\n", row, category, price, stock)
			continue
		}
		put(
			"%d,S%07d,\"Mat, \"\"%d\"\"\",\"made for every day,\n%s\n\nand \"\"more\"\"\",%s,%s,%v,\"a\n,b\",https://shop.example/%d.png\n",
			row,
			row,
			row,
			strings.Repeat("soft, ", random.IntN(40)),
			category,
			price,
			stock,
			row,
		)
	}
	return out.Flush()
}

// prepare makes a data folder with a stored plan and a table in its inbox.
func prepare(ctx context.Context, data string, wide bool, size int64) error {
	path := filepath.Join(data, filepath.FromSlash(demoTable))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := writeTable(file, wide, size); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(data, stateName), nil, 0o600); err != nil {
		return err
	}
	s, err := openFolder(ctx, data, func(string) (string, bool) { return "", false })
	if err != nil {
		return err
	}
	defer s.close()
	p, err := plan.Decode([]byte(demoPlan))
	if err != nil {
		return err
	}
	stored := plans.New(p)
	stored.CreatedAt = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	_, _, err = plans.Save(ctx, s.ledger, stored)
	return err
}

// demo shows the whole of it once, in a fresh folder.
func demo(ctx context.Context, parent string, log *slog.Logger) (string, error) {
	data, err := os.MkdirTemp(parent, "demo-")
	if err != nil {
		return "", err
	}
	fmt.Printf("Writing a table of %d MB into %s ...\n", demoBytes/1_000_000, data)
	if err := prepare(ctx, data, true, demoBytes); err != nil {
		return "", err
	}
	fmt.Printf(
		"planwright-pipeline --data %s --ranges=%d --workers=%d %s\n",
		data,
		demoRanges,
		demoWorkers,
		demoTable,
	)
	begun := time.Now()
	said, err := flags{
		runner:  "prism",
		data:    data,
		ranges:  demoRanges,
		workers: demoWorkers,
		retries: 3,
	}.run(
		ctx,
		demoTable,
		log,
	)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(
		"%s\nin %.1f s. To prove it: go run ./functions/planwright verify --db %s %s",
		said,
		time.Since(begun).Seconds(),
		filepath.Join(data, stateName),
		demoID,
	), nil
}
