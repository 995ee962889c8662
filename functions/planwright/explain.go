package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/planning"
)

// printMeanings writes all that an instruction can mean with how it was read, and why it is
// asked about, if it is.
func printMeanings(w io.Writer, u planning.Understanding) {
	for i, candidate := range u.Candidates {
		fmt.Fprintf(w, "meaning %d of %d\n", i+1, len(u.Candidates))
		for _, sentence := range slices.Concat(candidate.Sentences, candidate.Assumes) {
			fmt.Fprintf(w, "  %s\n", sentence)
		}
		if candidate.Derivation != nil {
			printDerivation(w, "  ", "  ", candidate.Derivation)
		}
	}
	if u.Asked == nil {
		return
	}
	fmt.Fprintf(w, "asked      %s\n", u.Asked.Class)
	for _, question := range u.Asked.Questions {
		fmt.Fprintf(w, "  %s\n", question)
	}
}

// printDerivation writes a tree: a node after head, those below it after rest.
func printDerivation(w io.Writer, head, rest string, d *planning.Derivation) {
	fmt.Fprintf(w, "%s%s %q\n", head, d.Symbol, d.Text)
	for i, part := range d.Parts {
		if i < len(d.Parts)-1 {
			printDerivation(w, rest+"├─ ", rest+"│  ", part)
		} else {
			printDerivation(w, rest+"└─ ", rest+"   ", part)
		}
	}
}
