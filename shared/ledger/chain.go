package ledger

import (
	"fmt"
	"slices"
)

// CheckChain follows the documents of an execution from the hash of the newest, which it
// returns: each must have the content that it was written with, and the one before it be
// there. The documents of what was skipped point at the chain and are no part of it. The
// error says what is wrong, for people; where the newest is none the less there and all
// documents are as they were written, it comes too.
func CheckChain(documents []AuditDocument, head string) (newest *AuditDocument, err error) {
	linked := map[string]AuditDocument{}
	for _, document := range documents {
		if !document.Intact() {
			return nil, fmt.Errorf("the %s document of upload %s does not have the content it was written with", document.Status, document.Upload.ID)
		}
		linked[document.SHA256] = document
	}
	for at := head; at != ""; {
		document, ok := linked[at]
		if !ok || document.Status == Skipped {
			return newest, fmt.Errorf("the chain is broken: there is no document with the hash %s", at)
		}
		if at == head {
			newest = &document
		}
		delete(linked, at)
		at = document.PreviousSHA256
	}
	for _, document := range linked {
		if document.Status != Skipped {
			return newest, fmt.Errorf("the %s document of upload %s is not part of the chain",
				document.Status, document.Upload.ID)
		}
		// a newer table was proposed in its place before anything was settled
		if document.PreviousSHA256 == "" {
			continue
		}
		if !slices.ContainsFunc(documents,
			func(d AuditDocument) bool { return d.SHA256 == document.PreviousSHA256 }) {
			return newest, fmt.Errorf("the skipped document of upload %s points at none that is there",
				document.Upload.ID)
		}
	}
	return newest, nil
}
