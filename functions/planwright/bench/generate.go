package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
)

// The tables of the benchmark: rows of about 27 bytes, and rows of about 250
// bytes in 14 columns with quoted descriptions that hold commas, doubled
// quotes and line breaks. A seed gives the same table everywhere.
const (
	narrowHeader = "sku,category,price,in_stock\n"
	wideHeader   = "id,sku,title,description,brand,category,tags,price,in_stock,ean,weight_g,colour,image,updated_at\n"
)

var (
	categories = []string{
		"fitness",
		"yoga",
		"accessories",
		"running",
		"cycling",
		"outdoor",
		"swimming",
		"boxing",
		"recovery",
		"apparel",
	}
	colours = []string{"black", "white", "red", "navy blue", "olive", "grey"}
	brands  = []string{"Northpeak", "Øster & Søn", "Kinetic", "Plainfield", "Tidal", "Umbra"}
	phrases = []string{
		"made for every day", "6 mm thick, rolls up, stays flat", `the ""classic"" shape`,
		"washable at 30 degrees", "recycled material",
		"for indoors and outdoors, in all weathers", "ships within two days", "tested by athletes",
		"fits most, from small to large", "five years of guarantee",
	}
)

// generate writes a table of about size bytes and returns its data rows.
func generate(to io.Writer, shape string, size int64, seed uint64) (rows int64, err error) {
	random := rand.New(rand.NewPCG(seed, 0))
	header, row := narrowHeader, narrowRow
	switch shape {
	case "narrow":
	case "wide":
		header, row = wideHeader, wideRow
	default:
		return 0, fmt.Errorf("no table of the shape %q: choose narrow or wide", shape)
	}
	out := bufio.NewWriterSize(to, 256<<10)
	written := int64(len(header))
	_, _ = out.WriteString(header) // bufio keeps the first error for Flush
	var line []byte
	for written < size {
		rows++
		line = row(line[:0], random, rows)
		_, _ = out.Write(line)
		written += int64(len(line))
	}
	return rows, out.Flush()
}

func narrowRow(line []byte, random *rand.Rand, row int64) []byte {
	line = appendSKU(line, row)
	line = append(append(line, ','), pick(random, categories)...)
	line = appendPrice(append(line, ','), random)
	line = strconv.AppendBool(append(line, ','), random.IntN(10) < 7)
	return append(line, '\n')
}

func wideRow(line []byte, random *rand.Rand, row int64) []byte {
	category, colour := pick(random, categories), pick(random, colours)
	line = strconv.AppendInt(line, 1_000_000+row, 10)
	line = appendSKU(append(line, ','), row)
	line = fmt.Appendf(line, ",%s %s %d,\"", category, colour, random.IntN(1000))
	for i := range 1 + random.IntN(3) {
		if i > 0 {
			line = append(line, ",\n"[random.IntN(2)])
		}
		line = append(line, pick(random, phrases)...)
	}
	line = fmt.Appendf(line, "\",%s,%s,\"%s, %s\",", pick(random, brands), category, category, colour)
	line = appendPrice(line, random)
	line = strconv.AppendBool(append(line, ','), random.IntN(10) < 7)
	return fmt.Appendf(
		line,
		",%013d,%d,%s,https://cdn.example.com/p/%d/%d.jpg,2026-%02d-%02dT%02d:00:00Z\n",
		random.Int64N(1e13),
		random.IntN(20_000),
		colour,
		row,
		random.IntN(9),
		1+random.IntN(12),
		1+random.IntN(28),
		random.IntN(24),
	)
}

func appendSKU(line []byte, row int64) []byte { return fmt.Appendf(line, "S%d", row) }

func appendPrice(line []byte, random *rand.Rand) []byte {
	cents := random.IntN(10_000)
	line = strconv.AppendInt(line, int64(cents/100), 10)
	return append(line, '.', byte('0'+cents/10%10), byte('0'+cents%10))
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }
