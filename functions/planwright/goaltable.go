package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// goalDraft is what is shown of a plan for a goal.
type goalDraft struct {
	Title      string `json:"title"`
	Milestones []struct {
		Title string `json:"title"`
		Tasks []struct {
			Title          string  `json:"title"`
			Date           string  `json:"date"`
			EstimatedHours float64 `json:"estimatedHours"`
		} `json:"tasks"`
	} `json:"milestones"`
}

// print shows the plan as a table; no plan shows nothing.
func (d *goalDraft) print(out io.Writer) {
	if d == nil {
		return
	}
	fmt.Fprintf(out, "\n%s\n", oneLine(d.Title))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  MILESTONE\tTASK\tDATE\tHOURS")
	total := 0.0
	for _, milestone := range d.Milestones {
		name := milestone.Title
		for _, task := range milestone.Tasks {
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\n", oneLine(name), oneLine(task.Title), oneLine(task.Date), number(task.EstimatedHours))
			total += task.EstimatedHours
			name = "" // once for all of its tasks
		}
	}
	fmt.Fprintf(table, "  \t\tin all\t%s\n", number(total))
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
