package reader

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// A table has columns that instructions have no words for. Their titles and values are read where
// they stand in an instruction: draft products, the compare-at price of CF16, a stock under 5. Each
// is a supposition, so that it is asked about before it is planned.

// otherColumns adds what words may be meant for by the table's other columns.
func (t *text) otherColumns() {
	var found []columnValue
	for _, value := range t.known.given.Values {
		found = append(found, t.valuesAt(value)...)
	}
	for _, value := range t.valuesTogether(found) {
		t.columnValue(value)
	}
	for i := range t.tokens {
		t.columnTitles(i)
	}
	t.piecesInStock()
}

// guessedEdge adds an edge for words that are supposed to be meant so.
func (t *text) guessedEdge(symbol string, words piece, said clause, note string) {
	t.addSet(symbol, words.from, words.end, &meaning{cost: costGuess, clause: said, guess: note})
}

// condition adds a condition on products, before them and after them.
func (t *text) condition(words piece, s set, note string) {
	t.guessedEdge("NOTONSALE", words, clause{sets: []set{s}}, note)
}

// columnValue is words that are values of a column.
type columnValue struct {
	piece
	title  string
	values []string
}

// valuesAt are the words that are a value of a column. A value alone must have a word that is
// otherwise unknown, or beside which the column's title stands.
func (t *text) valuesAt(value planning.ColumnValue) (found []columnValue) {
	said := norms(value.Value)
	for from := range t.tokens {
		end := from + len(said)
		if len(said) == 0 || end > len(t.tokens) || !t.says(from, said) {
			continue
		}
		words, titled := t.withTitle(piece{from, end}, columnWords(value.Title))
		if titled || t.unexplained(words) {
			found = append(found, columnValue{words, value.Title, []string{value.Value}})
		}
	}
	return found
}

// valuesTogether adds values of one column that are joined: draft or archived.
func (t *text) valuesTogether(found []columnValue) []columnValue {
	for i := 0; i < len(found); i++ {
		for _, next := range found {
			joins := found[i].end < next.from &&
				(t.joinedBy(found[i].end, next.from) || t.norm(found[i].end) == "or")
			if one := found[i].title == next.title; one && joins && next.from <= found[i].end+2 &&
				len(found) < maxColumnValues {
				found = append(
					found,
					columnValue{
						piece{found[i].from, next.end},
						next.title,
						joined(slices.Clip(found[i].values), next.values),
					},
				)
			}
		}
	}
	return found
}

// columnValue adds the condition that a column has one of some values.
func (t *text) columnValue(value columnValue) {
	s := set{where: []plan.Where{{Column: value.title, Kind: plan.WhereIs, Values: value.values}}}
	note := "products whose " + quote(value.title) + " is " + some(value.values)
	t.condition(value.piece, s, note)
	t.guessedEdge("TRAIT", value.piece, clause{sets: []set{s}}, note)
}

// maxColumnValues is how many values of other columns are looked at, alone and together.
const maxColumnValues = 40

// norms are the words of a text, as those of an instruction are compared.
func norms(text string) (words []string) {
	for _, token := range tokenize(text) {
		words = append(words, token.norm)
	}
	return words
}

// says reports whether some words stand from a token on.
func (t *text) says(from int, words []string) bool {
	for i, word := range words {
		if t.norm(from+i) != word {
			return false
		}
	}
	return true
}

// withTitle are words with the column's title before or behind them: status is draft, draft status.
func (t *text) withTitle(words piece, title []string) (piece, bool) {
	at := words.from
	if t.phrase(at-1, "BE", "EQUALS") || t.norm(at-1) == ":" {
		at--
	}
	titled := func(from int) bool {
		for i, word := range title {
			if from < 0 || from+i >= len(t.tokens) || singular(t.norm(from+i)) != word {
				return false
			}
		}
		return len(title) > 0
	}
	switch {
	case titled(at - len(title)):
		return piece{at - len(title), words.end}, true
	case titled(words.end):
		return piece{words.from, words.end + len(title)}, true
	}
	return words, false
}

// unexplained reports whether one of some words is of no name and of no phrase, or of one that says
// what no plan can.
func (t *text) unexplained(words piece) bool {
	for at := words.from; at < words.end; at++ {
		refused := slices.ContainsFunc(
			t.refused,
			func(e edge) bool { return e.end == at && e.meaning.problem == "outside_data" },
		)
		if (t.useOf(at) == unknown || refused) && !t.inName(at) {
			return true
		}
	}
	return false
}

// columnName is how a column may be called.
type columnName struct {
	column plan.Column
	words  []string
}

// ownNames are how plans call the columns that they change.
var ownNames = []columnName{
	{
		plan.ColumnCompareAt,
		[]string{"compare", "at", "price"},
	}, {plan.ColumnCompareAt, []string{"compare", "at"}},
	{plan.ColumnQuantity, []string{"quantity"}}, {plan.ColumnQuantity, []string{"stock"}},
}

// columnNames are how the table's columns of prices, costs and stock may be called: as plans call
// them, and by their titles, with and without what many titles begin with.
func (c *index) columnNames() []columnName {
	if c.column != nil {
		return c.column
	}
	all := []columnName{}
	begins := map[string]int{}
	for _, title := range c.given.Titles {
		if words := titleOf(title).words; len(words) > 1 {
			begins[words[0]]++
		}
	}
	for i, title := range c.given.Titles[:min(len(c.given.Titles), len(c.given.Columns))] {
		column := map[string]plan.Column{
			"compare_at": plan.ColumnCompareAt,
			"quantity":   plan.ColumnQuantity,
			"in_stock":   plan.ColumnQuantity,
			"cost":       plan.ColumnCost,
		}[c.given.Columns[i]]
		words := titleOf(title).words
		if last := len(words) - 1; column == "" && last > 0 && words[last] == "cost" && !c.tells("cost") {
			column = plan.ColumnCost // which is asked about
		}
		if column == "" || len(words) == 0 {
			continue
		}
		if all = append(all, columnName{column, words}); len(words) > 1 && begins[words[0]] > 2 { // Variant
			all = append(all, columnName{column, words[1:]})
		}
	}
	for _, own := range ownNames {
		counted := own.column != plan.ColumnQuantity || c.tells("quantity", "in_stock")
		if c.given.Columns == nil || counted && (own.column == plan.ColumnQuantity || c.tells("compare_at")) {
			all = append(all, own)
		}
	}
	c.column = all
	return all
}

// columnAt is the column whose name stands at a token, and where the longest such name ends.
func (t *text) columnAt(at int) (column plan.Column, end int) {
	for _, name := range t.known.columnNames() {
		fits := at >= 0 && at+len(name.words) <= len(t.tokens)
		for i := 0; fits && i < len(name.words); i++ {
			fits = singular(t.norm(at+i)) == singular(name.words[i])
		}
		if fits && at+len(name.words) > end {
			column, end = name.column, at+len(name.words)
		}
	}
	return column, end
}

// columnTitles lets the name of a column stand for it: as a price does where rules change it, and
// for its last word where that is the cost.
func (t *text) columnTitles(at int) {
	column, end := t.columnAt(at)
	words := piece{at, end}
	switch {
	case end == 0 || t.inName(at):
	case column == plan.ColumnCost:
		for _, e := range t.edges[end-1] {
			if end > at+1 && slices.Contains([]string{"COSTPLUS", "OURCOST"}, e.meaning.symbol) {
				t.guessedEdge(
					e.meaning.symbol,
					piece{at, e.end},
					e.meaning.clause,
					"the column "+quote(t.source(at, end)),
				)
			}
		}
	default:
		for _, symbol := range []string{"PRICE", "NEWPRICE"} {
			t.guessedEdge(symbol, words, clause{column: column}, columnNotes[column])
		}
		t.columnAmount(t.after(end, "BE", "EQUALS"))
	}
}

// columnAmount takes a number behind the name of a column for what it is to be.
func (t *text) columnAmount(at int) {
	if t.norm(at) == ":" || t.norm(at) == "to" {
		at++
	}
	if at >= len(t.tokens) {
		return
	}
	for _, e := range t.edges[at] {
		if number := e.meaning.amount.number; e.meaning.symbol == "NUMBER" &&
			!t.phrase(e.end, "PCT", "CENT") {
			t.addSet("MONEY", at, e.end, &meaning{clause: clause{amount: amount{money, number}}})
			return
		}
	}
}

// columnNotes say what a column is.
var columnNotes = map[plan.Column]string{
	plan.ColumnCompareAt: "the compare-at price", plan.ColumnQuantity: "the pieces in stock",
}

// piecesInStock adds conditions on how many pieces there are, for ranges of numbers that are said of
// pieces: where we have 10 or more, fewer than 5 left, a stock under 3.
func (t *text) piecesInStock() {
	if t.known.given.Columns != nil && !t.known.tells("quantity", "in_stock") || !t.speaksOfPieces() {
		return
	}
	c := newChart(t.lex.grammar, t.edges, t.skips)
	defer c.release()
	symbol := t.lex.grammar.numbers["bound"]
	type pieces struct {
		piece
		set
	}
	var counted []pieces
	for at := range t.tokens {
		for _, end := range c.ends(symbol, at) {
			words, counts := t.ofPieces(piece{at, end})
			if !counts {
				continue
			}
			for _, m := range c.meanings(symbol, at, end) {
				if s, whole := inPieces(m.sets); whole {
					counted = append(counted, pieces{words, s})
				}
			}
		}
	}
	for _, p := range counted {
		t.noPrices(p.piece)
		t.condition(p.piece, p.set, "the pieces in stock")
	}
	for at := range t.tokens {
		// with no stock
		if column, end := t.columnAt(at); column == plan.ColumnQuantity && t.phrase(at-1, "NO") {
			from := at - 1
			if t.phrase(from-1, "HAVING") {
				from--
			}
			t.condition(piece{from, end}, set{stock: no}, "what is out of stock")
		}
	}
}

// speaksOfPieces reports whether the text has a word by which a number may be one of pieces.
func (t *text) speaksOfPieces() bool {
	for at := range t.tokens {
		if column, _ := t.columnAt(at); column == plan.ColumnQuantity || t.phrase(at, "WEHAVE") {
			return true
		}
	}
	return slices.ContainsFunc(t.refused, func(e edge) bool { return e.meaning.problem == "quantity" })
}

// noPrices takes back that a number with "or more" and such is supposed to be a price.
func (t *text) noPrices(words piece) {
	for at := words.from; at < words.end; at++ {
		t.edges[at] = slices.DeleteFunc(t.edges[at], func(e edge) bool {
			return slices.Contains([]string{"LIKELY", "RANGE"}, e.meaning.symbol) && e.meaning.guess != ""
		})
	}
}

// inPieces is a range of prices as one of pieces in stock; false: its ends are no whole numbers.
func inPieces(sets []set) (set, bool) {
	if len(sets) != 1 || !sets[0].priced() {
		return set{}, false
	}
	s := set{least: sets[0].low, most: sets[0].high}
	return s, s.least.price.Scale() == 0 && s.most.price.Scale() == 0 && !s.empty()
}

// ofPieces are the words that say a range of numbers with those beside it by which it is one of
// pieces; false: there are none, or it is one of money.
func (t *text) ofPieces(words piece) (piece, bool) {
	for at := words.from; at < words.end; at++ {
		if slices.ContainsFunc(
			t.edges[at],
			func(e edge) bool { return e.meaning.currency != "" || e.meaning.amount.unit == percent },
		) {
			return words, false
		}
	}
	counts := false
	for from := max(0, words.from-maxNameWords); from < words.from; from++ {
		if slices.ContainsFunc(
			t.edges[from],
			func(e edge) bool { return e.meaning.symbol == "WEHAVE" && e.end == words.from },
		) {
			words.from, counts = from, true
			break
		}
	}
	named := words.from
	if t.phrase(named-1, "BE", "COSTING") || t.norm(named-1) == "of" {
		named--
	}
	for from := max(0, named-maxNameWords); from < named && !counts; from++ {
		if column, end := t.columnAt(from); column == plan.ColumnQuantity && end == named {
			words.from, counts = from, true
		}
	}
	for _, e := range t.refused { // left, in stock
		if e.meaning.problem == "quantity" && e.end <= words.end && e.meaning.to > words.from &&
			e.end >= words.from {
			words.end, counts = max(words.end, min(e.meaning.to, len(t.tokens))), true
		}
	}
	if counts && t.norm(words.from-1) == "with" {
		words.from--
	}
	return words, counts
}
