package changelog

import (
	"bufio"
	"io"
	"time"

	"github.com/planwright/planwright/shared/pricing"
)

// Limits of what is listed of the changes, so that they fit an audit document.
// The changes file is complete.
const (
	MaxListed      = 1_000
	maxListedBytes = 256 << 10 // as JSON, and of the SKUs listed beside them
)

// Listing is what an audit document lists of the changes.
type Listing struct {
	SKUs      []string
	Changes   []pricing.Change
	Truncated bool
}

// listingBytes hold all lines that a listing can have, and of the one after
// them enough to know that it is there.
const listingBytes = maxListedBytes + MaxListed + 64<<10

// List is Listing for a changes file of which nothing else is read.
func List(file io.Reader) (Listing, error) {
	return NewDocumentReader(file, "", time.Time{}).Listing()
}

// listHead lists the changes of the head of a file, which may be all of it.
func listHead(head io.Reader, all bool) (Listing, error) {
	var listing Listing
	lines, room := bufio.NewReaderSize(head, 16<<10), maxListedBytes
	seen := map[string]bool{}
	for {
		line, err := readLine(lines)
		switch {
		case err == io.EOF:
			return listing, nil
		case err != nil && !all: // a line that is longer than there is room
			listing.Truncated = true
			return listing, nil
		case err != nil:
			return Listing{}, err
		}
		change, err := parseChange(line)
		if err != nil {
			return Listing{}, err
		}
		if room -= len(line) - 1; !seen[change.SKU] {
			room -= len(change.SKU)
		}
		if room < 0 || len(listing.Changes) == MaxListed {
			listing.Truncated = true
			return listing, nil
		}
		listing.Changes = append(listing.Changes, change)
		if !seen[change.SKU] {
			seen[change.SKU] = true
			listing.SKUs = append(listing.SKUs, change.SKU)
		}
	}
}
