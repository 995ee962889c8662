// Package cursor makes the page tokens of the ledger's lists. A token holds
// the place of the last element of a page, so that what is inserted meanwhile
// neither repeats nor hides an element.
package cursor

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/paging"
)

// maxToken is far above any token made here.
const maxToken = 1024

type token[Place any] struct {
	List  string `json:"list"` // a hash of the list's name and what selects from it
	Place Place  `json:"place"`
}

// Token returns the token of the page after place.
func Token[Place any](list string, place Place) string {
	text, err := json.Marshal(token[Place]{mark(list), place})
	if err != nil {
		panic("cursor: a place that is not JSON: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// Place returns the place that a token of the list holds, or start for the
// empty token, which is that of the first page. A token of another list, or
// none of ours, is Invalid.
func Place[Place any](list, text string, start Place) (Place, error) {
	if text == "" {
		return start, nil
	}
	var read token[Place]
	if len(text) > maxToken || !decode(text, &read) || read.List != mark(list) {
		return start, errs.New(errs.Invalid,
			"the page token is not one of this list: leave it out to start from the first page")
	}
	return read.Place, nil
}

// Page reads a page of a list, of what read finds behind a place. It asks for one
// element more than the page has, to know whether there is a next one; place is
// that of an element.
func Page[T, P any](
	list string, page paging.Page, start P, read func(after P, limit int) ([]T, error), place func(last T) P,
) (paging.List[T], error) {
	after, err := Place(list, page.Token, start)
	if err != nil {
		return paging.List[T]{}, err
	}
	limit := page.Limit()
	found, err := read(after, limit+1)
	if err != nil || len(found) <= limit {
		return paging.List[T]{Items: found}, err
	}
	return paging.List[T]{Items: found[:limit], NextPageToken: Token(list, place(found[limit-1]))}, nil
}

// mark is short however long the list's name is: a SKU is part of one.
func mark(list string) string {
	sum := sha256.Sum256([]byte(list))
	return hex.EncodeToString(sum[:8])
}

func decode(text string, into any) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into) == nil && !decoder.More()
}
