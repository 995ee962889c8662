package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"
)

// report prints the medians as a Markdown table, each contender beside its
// floor, in time and in the work of all cores together, and its peak of memory over
// what the program takes that does nothing.
func report(to io.Writer, shape, size string, contenders []*contender) error {
	fmt.Fprintf(to, "\n%s of %s rows\n\n", size, shape)
	table := tabwriter.NewWriter(to, 0, 0, 1, ' ', 0)
	fmt.Fprintf(table,
		"| \t| wall, s\t| CPU, s\t| peak, MiB\t| over idle\t| wall / floor\t| CPU / floor\t|\n")
	fmt.Fprintf(table, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|\n")
	for _, c := range contenders {
		m := median(c.measured)
		over := ""
		if c.idle != nil {
			over = strconv.FormatInt((m.peak-median(c.idle.measured).peak)>>20, 10)
		}
		fmt.Fprintf(
			table,
			"| %s\t| %s\t| %s\t| %d\t| %s\t|",
			c.name,
			seconds(m.wall),
			seconds(m.cpu),
			m.peak>>20,
			over,
		)
		if c.floor == nil {
			fmt.Fprintf(table, " \t| \t|\n")
			continue
		}
		floor := median(c.floor.measured)
		fmt.Fprintf(
			table,
			" %.2f\t| %.2f\t|\n",
			m.wall.Seconds()/floor.wall.Seconds(),
			m.cpu.Seconds()/floor.cpu.Seconds(),
		)
	}
	return table.Flush()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }
