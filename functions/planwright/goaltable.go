package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// printDraft shows a plan for a goal as a table; no plan shows nothing.
func printDraft(out io.Writer, d *goal.Draft) {
	if d == nil {
		return
	}
	fmt.Fprintf(out, "\n%s\n", oneLine(d.Title))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  MILESTONE\tTASK\tDATE\tHOURS")
	for _, milestone := range d.Milestones {
		name := milestone.Title
		for _, task := range milestone.Tasks {
			fmt.Fprintf(
				table,
				"  %s\t%s\t%s\t%s\n",
				oneLine(name),
				oneLine(task.Title),
				oneLine(task.Date),
				number(task.EstimatedHours),
			)
			name = "" // once for all of its tasks
		}
	}
	fmt.Fprintf(table, "  \t\tin all\t%s\n", number(d.Hours()))
	_ = table.Flush() // the terminal is gone where it fails
	fmt.Fprintln(out)
}

func number(hours float64) string { return strconv.FormatFloat(hours, 'f', -1, 64) }

// oneLine shows text of a model or a client without what would break a line or
// command the terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// lines is oneLine for text that may have several.
func lines(text string) string {
	split := strings.Split(text, "\n")
	for i := range split {
		split[i] = oneLine(split[i])
	}
	return strings.Join(split, "\n")
}
