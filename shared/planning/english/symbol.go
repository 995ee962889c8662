package english

// Class is the part that a symbol can play in an instruction.
type Class uint8

// The classes. A word or phrase of the vocabulary has one of them; the context
// decides the rest.
const (
	Unknown  Class = iota // no rule consumes it
	Name                  // words outside the vocabulary: a category, if the context asks for one
	Category              // words that match the closed category list
	SKU                   // a code, or whatever follows the word SKU
	Amount                // a number with its unit
	Noise                 // politeness, articles, what adds nothing
	Up                    // raise; Sense 1 where it cannot begin a rule ("up", "higher")
	Down                  // lower; Sense likewise
	Do                    // set, make, put, mark: the rest of the rule says what
	Change                // change, adjust: a change without a direction
	Times                 // halve (Sense 50, down), double (Sense 100, up)
	Stock                 // in stock (Sense 1) or out of stock (Sense 0)
	Restock               // a verb that means: mark as in stock
	Copula                // is, should be, costs
	Rel                   // that are, which cost: a condition follows
	If                    // if, when, as long as: a condition follows
	OnSale                // beside an amount and a verb only
	Unless                // a condition follows, reversed
	By                    // prepositions, each a class: they decide what an amount means
	To
	At
	For
	From
	Of
	In // in, on, across, within
	With
	As
	And
	But
	Then
	Comma
	Colon
	Stop // the end of a sentence
	All
	Everything
	Rest      // everything else
	Pronoun   // them, it
	Only      //
	Product   // products, items
	Price     // price, prices
	CatNoun   // category, section
	SKUNoun   // SKU, product code
	Under     // strictly below the amount that follows
	Over      // strictly above
	AtLeast   //
	AtMost    //
	Exactly   //
	Between   //
	AndUp     // after an amount: or more
	AndDown   // after an amount: or less
	Dash      // between amounts: a range
	Except    // but not, excluding
	DoNot     // do not, never
	Leave     // leave, keep
	Alone     // alone, unchanged
	Skip      // skip, exclude
	NoChange  // no changes
	Floor     // never below
	Cap       // never above
	NotUnder  // not below: a floor after an amount, a condition beside a target
	NotOver   //
	Round     // round, rounded
	Nearest   // to the nearest
	RoundUnit // a unit prices can be rounded to; Sense is the fraction digits
	Digits    // decimals, decimal places
	NoDigits  // no decimals
	EndIn     // end in; Sense 1 for "ending in"
	Again     // same for: the rule before again
	Otherwise // for what the condition of the rule before leaves out
	Respectively
	Arrived // have arrived, too cheap: tells of products that a rule follows for
	Report  // says, wants: somebody asks for what follows
	Which   // a further rule for what was just left out
	Cause   // because, due to: a reason follows
	Fact    // our supplier, went up: what it stands in states something
	Refused // a word that no plan can express; Refusal says why
)

// Refusal says why an instruction with a word of class Refused has no plan.
type Refusal uint8

// The refusals, in the terms that the questions are written for.
const (
	NotRefused Refusal = iota
	Vague
	VagueAmount
	Schedule
	OutsideData
	DeleteRows
	Free
	Machine
	Foreign
	Unsupported
	Ambiguous
	Unclear
	OneOrTwo // a name of the category list, or two of them
)

// Unit is what a number counts.
type Unit uint8

const (
	NoUnit Unit = iota
	Percent
	Money
)

// Symbol is a run of tokens that the vocabulary or a lexical rule has named.
type Symbol struct {
	Class    Class
	Refusal  Refusal
	Sense    int32
	From, To int    // tokens
	Text     string // as written; for a Category the list's spelling
	Amount   Value  // where Class is Amount
}
