// Package paging asks for lists a page at a time: how long a page is, where the next one
// begins, and what came. It stores nothing. What a token means is the store's alone: nobody
// reads or makes one elsewhere.
package paging

// Limits of a page.
const (
	DefaultSize = 100
	MaxSize     = 500
)

// Page asks for part of a list. Size 0 means DefaultSize; more than MaxSize means MaxSize.
// Token is the NextPageToken of the page before, opaque and only good for the same list;
// a wrong one is Invalid.
type Page struct {
	Size  int
	Token string
}

// Limit returns the number of elements asked for.
func (p Page) Limit() int {
	if p.Size <= 0 {
		return DefaultSize
	}
	return min(p.Size, MaxSize)
}

// List is a page of a list.
type List[T any] struct {
	Items         []T
	NextPageToken string // "" on the last page
}

// Each is the page with what is made of each of its elements.
func Each[T, U any](page List[T], as func(T) U) List[U] {
	made := List[U]{make([]U, len(page.Items)), page.NextPageToken}
	for i, item := range page.Items {
		made.Items[i] = as(item)
	}
	return made
}
