package reference

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/table/profile"
)

// namesIn returns the names that a category's cell gives: the cell itself, the
// entries of its list, and the segments of their paths.
func namesIn(cell string, as profile.NameColumn) (names []string) {
	names = append(names, cell)
	lists := strings.Split(as.List, "")
	if as.List == "" && as.Path != "" {
		lists = []string{""}
	}
	for _, list := range lists {
		for _, entry := range splitAt(cell, list, as.Escape) {
			names = append(names, unescaped(entry, as))
			for _, segment := range splitAt(entry, as.Path, as.Escape) {
				names = append(names, unescaped(segment, as))
			}
		}
	}
	filled := names[:0]
	for _, name := range names {
		if name != "" {
			filled = append(filled, name)
		}
	}
	return filled
}

// splitAt splits at a separator with no escape before it.
func splitAt(text, separator, escape string) (parts []string) {
	if separator == "" {
		return []string{strings.TrimSpace(text)}
	}
	start := 0
	for at := 0; at+len(separator) <= len(text); {
		switch {
		case !strings.HasPrefix(text[at:], separator):
			at++
		case escape != "" && strings.HasSuffix(text[start:at], escape):
			at += len(separator)
		default:
			parts = append(parts, strings.TrimSpace(text[start:at]))
			at += len(separator)
			start = at
		}
	}
	return append(parts, strings.TrimSpace(text[start:]))
}

func unescaped(name string, as profile.NameColumn) string {
	for _, separator := range []string{as.List, as.Path} {
		if separator != "" && as.Escape != "" {
			name = strings.ReplaceAll(name, as.Escape+separator, separator)
		}
	}
	return name
}

var quantity = regexp.MustCompile(`^('?-)?([0-9]{1,18})(?:[.,]([0-9]{1,18}))?$`)

// grouped reports whether a cell is a number whose thousands are grouped.
func grouped(cell string) bool {
	both := read(strings.TrimPrefix(strings.TrimPrefix(cell, "'-"), "-"))
	return both.point != nil && both.point.group != "" || both.comma != nil && both.comma.group != ""
}

func inStock(cell string, as profile.StockColumn) (in, ok bool) {
	word := strings.ToLower(cell)
	if in, ok = usual[word]; ok && !as.Quantity {
		return in, true
	}
	if in, ok = as.Words[word]; ok {
		return in, true
	}
	if in, ok = as.Words[spaced(cell)]; ok {
		return in, true
	}
	m := quantity.FindStringSubmatch(cell)
	switch {
	case !as.Quantity, m == nil && !grouped(cell):
		return false, false
	case m == nil:
		return cell[0] != '-' && cell[0] != '\'', true
	}
	return m[1] == "" && strings.Trim(m[2]+m[3], "0") != "", true
}

// usual are the words that every stock column may have.
var usual = map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false}

func isQuantity(cells []string, counts bool) bool {
	if all := strings.Join(cells, ""); counts && strings.Trim(all, "01") == "" &&
		!slices.ContainsFunc(cells, func(cell string) bool { return len(cell) > 1 }) {
		return all != ""
	}
	numbers := false
	for _, cell := range cells {
		if _, word := usual[strings.ToLower(cell)]; word || cell == "" {
			continue
		}
		if !quantity.MatchString(cell) && !grouped(cell) {
			return false
		}
		numbers = true
	}
	return numbers
}

// stockLike writes a state in the place of a cell that had the other one.
func stockLike(old string, in bool, as profile.StockColumn, restock *int64) (text string, ok bool) {
	word := as.Out
	if in {
		word = as.In
	}
	_, known := as.Words[strings.ToLower(old)]
	switch {
	case known && word != "":
		return word, true
	case as.Quantity && !in:
		return "0", true
	case as.Quantity && restock == nil:
		return "", false
	case as.Quantity:
		return strconv.FormatInt(*restock, 10), true
	}
	return usualLike(old, in)
}

// usualLike writes a state in the form and case of a usual word.
func usualLike(old string, in bool) (text string, ok bool) {
	pairs := map[string][2]string{"true": {"false", "true"}, "1": {"0", "1"}, "yes": {"no", "yes"}}
	pairs["false"], pairs["0"], pairs["no"] = pairs["true"], pairs["1"], pairs["yes"]
	pair, ok := pairs[strings.ToLower(old)]
	if !ok {
		return "", false
	}
	word := pair[0]
	if in {
		word = pair[1]
	}
	switch old {
	case strings.ToUpper(old):
		return strings.ToUpper(word), true
	case strings.ToUpper(old[:1]) + strings.ToLower(old[1:]):
		return strings.ToUpper(word[:1]) + word[1:], true
	default:
		return word, true
	}
}
