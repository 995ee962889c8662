package pricing

import "fmt"

// WarnNoLastLineEnd is the code of a warning of a table whose last row has no
// line end: many programs write none, and a file that was cut off has none either.
const WarnNoLastLineEnd = "no_last_line_end"

func (r *run) lastLine() []Warning {
	if !r.inLine {
		return nil
	}
	return []Warning{{
		Code: WarnNoLastLineEnd, Rows: 1, FirstRows: []int64{r.place.rows},
		Message: fmt.Sprintf("Row %d is the last and has no line end: if the file was cut off while it was copied, that row may not be whole and others may be missing.", r.place.rows),
	}}
}
