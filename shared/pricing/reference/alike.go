package reference

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

// countNames counts a row for its names, where an operation is for its state: for
// one that the plan does not have, unless it has one of the plan's that looks the same.
func (t *run) countNames(row int64, has names, inStock, oddStock bool) {
	if !oddStock && !slices.ContainsFunc(t.plan.Operations,
		func(op plan.Operation) bool { return op.Filter.InStock == nil || *op.Filter.InStock == inStock }) {
		return
	}
	for i, e := range t.exceptions() {
		f := t.plan.Operations[e.of].Filter
		if only, _ := asks(f, e.column); only != nil {
			t.excepted[i] = t.excepted[i] || namesMatchBut(f, has, e.column, e.name) && !namesMatch(f, has)
			continue
		}
		f.ExcludeSKUs = nil
		f.ExcludeCategories = nil
		f.ExcludeBrands = nil
		f.ExcludeTags = nil
		f.ExcludeNameContains = nil
		f.Where = slices.DeleteFunc(slices.Clone(f.Where), func(w plan.Where) bool {
			return w.Kind == plan.WhereIsNot
		})
		t.excepted[i] = t.excepted[i] || namesMatch(f, has) && slices.Contains(has[e.column], e.name)
	}
	for _, role := range nameRoles {
		named := func(op plan.Operation) bool {
			only, except := op.Filter.Names(role.column)
			return len(only)+len(except) > 0
		}
		if role.missed && (has[role.column][0] == "" || has[role.column][0] == notKnown) && !t.orphan &&
			slices.ContainsFunc(t.plan.Operations, named) && !t.planHas(role.column, "") {
			t.blank = append(t.blank, row)
		}
	}
	for column, names := range has {
		if t.having[column] == nil {
			t.having[column] = map[string]int{}
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
			meant := func(other string) bool {
				return t.planHas(column, other) && t.isLike(column, other, name)
			}
			if t.planHas(column, name) || !slices.ContainsFunc(names, meant) {
				t.having[column][name]++
			}
		}
	}
}

// exception is a name that an operation leaves out, and none is for.
type exception struct {
	of     int
	column plan.Column
	name   string
}

// exceptions are the first of them, as many as are looked for.
func (t *run) exceptions() (all []exception) {
	for i, op := range t.plan.Operations {
		columns := []plan.Column{
			plan.ColumnSKU, plan.ColumnCategory, plan.ColumnBrand, plan.ColumnTags, plan.ColumnName,
		}
		for _, w := range t.wheres {
			columns = append(columns, w.column)
		}
		for _, column := range columns {
			_, except := asks(op.Filter, column)
			for k, name := range except {
				asked := slices.Contains(except[:k], name) ||
					slices.ContainsFunc(t.plan.Operations, func(other plan.Operation) bool {
						only, _ := asks(other.Filter, column)
						return slices.Contains(only, name)
					})
				if !asked && len(t.plan.Operations)+len(all) < 128 {
					all = append(all, exception{i, column, name})
				}
			}
		}
	}
	return all
}

// idle are the exceptions that leave no row out, of names that some row has.
func (t *run) idle() (idle []string) {
	for i, e := range t.exceptions() {
		if t.seen[string(e.column)+" "+e.name] && !t.excepted[i] {
			idle = append(idle, fmt.Sprint(
				t.plan.Operations[e.of].OperationID, " ", titleOf(e.column), " ", e.name,
			))
		}
	}
	return idle
}

// firstRows says how many rows there are, and the first of them; nothing for none.
func firstRows(rows []int64) string {
	if len(rows) == 0 {
		return ""
	}
	return fmt.Sprint(len(rows), rows[:min(len(rows), 20)])
}

// planHas reports whether an operation names a name.
func (t *run) planHas(column plan.Column, name string) bool {
	return slices.ContainsFunc(t.plan.Operations, func(op plan.Operation) bool {
		only, except := asks(op.Filter, column)
		return slices.Contains(only, name) || slices.Contains(except, name)
	})
}

// alike returns the plan's names that rows have beside others that look the
// same, where one of these is not named by the same operation.
func (t *run) alike() (warnings []string) {
	for _, column := range t.nameColumns() {
		if ofParts(column) {
			continue // its words are compared without case
		}
		has := t.had(column)
		for _, op := range t.plan.Operations {
			only, except := asks(op.Filter, column)
			all := slices.Concat(only, except)
			for i, name := range all {
				same := t.alikeIn(column, has, name)
				unnamed := func(other string) bool { return !slices.Contains(all, other) }
				if i >= len(only) && !t.seen[string(column)+" "+name] && t.isConfirmed(name) ||
					!slices.ContainsFunc(same, unnamed) {
					continue
				}
				text := fmt.Sprintf("%s %s, left out %t:", titleOf(column), name, i >= len(only))
				for _, other := range same[:min(len(same), 10)] {
					text += fmt.Sprintf(" %s=%d", other, has[other])
				}
				warnings = append(warnings, text)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(warnings)))
}

// disguised reports whether rows have names that look the same as one that none has, and that
// its operation does not name.
func (t *run) disguised(op plan.Operation, column plan.Column, name string) bool {
	only, except := asks(op.Filter, column)
	return !ofParts(column) && t.settings.NearNames != table.NearNamesExact &&
		slices.ContainsFunc(t.alikeIn(column, t.had(column), name), func(other string) bool {
			return !slices.Contains(slices.Concat(only, except), other)
		})
}

// isConfirmed reports whether somebody said in so many words that what is left out under a
// name may be repriced.
func (t *run) isConfirmed(name string) bool {
	let, _ := csv.NewReader(strings.NewReader(string(t.settings.Unmatched))).Read()
	return slices.Contains(let, setting.Reprice(name))
}

// had are the names of a column with their rows; of those of the plan also such as have none
// that matter.
func (t *run) had(column plan.Column) map[string]int {
	has := maps.Clone(t.having[column])
	if has == nil {
		has = map[string]int{}
	}
	for _, op := range t.plan.Operations {
		only, except := asks(op.Filter, column)
		for _, name := range slices.Concat(only, except) {
			if _, counted := has[name]; !counted && t.seen[string(column)+" "+name] {
				has[name] = 0
			}
		}
	}
	return has
}

// alikeIn returns the names that look the same as one, the most frequent first.
func (t *run) alikeIn(column plan.Column, has map[string]int, name string) (same []string) {
	for other := range has {
		if t.isLike(column, name, other) && (other != "" || name == "") {
			same = append(same, other)
		}
	}
	slices.SortFunc(same, func(a, b string) int { return cmp.Or(has[b]-has[a], strings.Compare(a, b)) })
	return same
}

// samePlainly reports whether names of a column look the same.
func samePlainly(column plan.Column, a, b string) bool {
	return plainly(column, a) == plainly(column, b)
}

// plainly is a name in the plainest letters and signs that look the same.
func plainly(column plan.Column, name string) string {
	for range 3 {
		name = html.UnescapeString(name)
	}
	var text strings.Builder
	for _, r := range norm.NFD.String(visible(dashes.Replace(name))) {
		switch {
		case unicode.IsSpace(r) || r == '\u2800':
			text.WriteRune(' ')
		case strings.ContainsRune(foreign, r):
			at := utf8.RuneCountInString(foreign[:strings.IndexRune(foreign, r)])
			text.WriteByte(latin[at])
		default:
			text.WriteRune(r)
		}
	}
	plain := strings.ReplaceAll(norm.NFC.String(dashes.Replace(text.String())), "&", " and ")
	plain = strings.Join(strings.Fields(plain), " ")
	if column == plan.ColumnSKU {
		for len(plain) > 1 && plain[0] == '0' && plain[1] >= '0' && plain[1] <= '9' {
			plain = plain[1:]
		}
	}
	return plain
}

// foreign are letters that look like those of latin, one for one.
const (
	foreign = "авсԁеһніјкӏморԛѕтуүѵԝхԍαβεζηικνορτυχϳıɑɡſ"
	latin   = "abcdehhijklmopqstyyvwxgabezhiknoptyxjiags"
)

// dashes writes dashes and quotes as ASCII does.
var dashes = func() *strings.Replacer {
	var pairs []string
	for plain, others := range map[string]string{"'": "´‘’‚‛‹›ʹʻʼʽˈ′‵＇`", `"`: "“”„‟«»″‶〝〞＂"} {
		for _, other := range others {
			pairs = append(pairs, string(other), plain)
		}
	}
	for _, other := range "−⁃˗‐‑‒–—―⸺⸻﹘﹣－" {
		pairs = append(pairs, string(other), "-")
	}
	return strings.NewReplacer(pairs...)
}()

// visible is how a word looks: in small letters, with a space for a no-break one,
// and without what does not show.
func visible(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, invisible...) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return strings.TrimSpace(norm.NFKC.String(strings.ReplaceAll(foldCase(name), "ß", "ss")))
}

// invisible are the characters that do not show.
var invisible = []*unicode.RangeTable{
	unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point,
}

// separators part several names in a cell, and a category from those above it.
var separators = regexp.MustCompile("[,;|>/]")

// findAmong finds the cells of a plain table in which one of the plan's names stands among
// others, though they are not taken for several: each with the first such name.
func (t *run) findAmong() {
	t.among = map[plan.Column]map[string]string{}
	if t.columns.profile.Name != profile.Plain || t.settings.NearNames == table.NearNamesExact {
		return
	}
	for _, role := range nameRoles {
		if role.worded || role.column == plan.ColumnSKU {
			continue
		}
		t.among[role.column] = map[string]string{}
		wanted := func(name string) bool { return t.planHasAlike(role.column, strings.TrimSpace(name)) }
		for _, column := range t.columns.names[role.column] {
			for _, r := range t.rows {
				text := r.text(column.at)
				if r.empty || slices.ContainsFunc(namesIn(text, column.as), wanted) {
					continue
				}
				parts := separators.Split(text, -1)
				says := func(part string) bool { return strings.TrimSpace(part) != "" && wanted(part) }
				if at := slices.IndexFunc(parts, says); at >= 0 && len(parts) > 1 {
					t.among[role.column][text] = strings.TrimSpace(parts[at])
				}
			}
		}
	}
}

// isLike reports whether a name of the table looks the same as one of the plan's, or has it
// among others.
func (t *run) isLike(column plan.Column, own, name string) bool {
	part, among := t.among[column][name]
	return samePlainly(column, own, name) || among && samePlainly(column, own, part)
}

// planHasAlike reports whether the plan has a name that looks the same as one.
func (t *run) planHasAlike(column plan.Column, name string) bool {
	return slices.ContainsFunc(t.plan.Operations, func(op plan.Operation) bool {
		only, except := asks(op.Filter, column)
		return slices.ContainsFunc(slices.Concat(only, except), func(own string) bool {
			return samePlainly(column, own, name)
		})
	})
}
