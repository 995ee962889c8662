package eval

// Hand is a corpus written by somebody who had not seen the grammar, in a file of
// testdata. Its first run is the score on unseen wording; what was asked about then
// has been learned from since, unless it is kept apart, and stays in the corpus as it
// was written.
type Hand struct {
	Name  string // in tables; the file is named after it
	Voice string // how its instructions are written, where that sets it apart
	First Sight
	Least float64 // the share planned to be met now
	Apart bool    // its rows are not printed, so that nothing learns from them
}

// Sight is what a run planned of what has a plan, and how many of all its cases it
// planned wrong.
type Sight struct{ Planned, Plannable, Wrong, Cases int }

// File is the corpus in testdata.
func (h Hand) File() string { return "instructions_" + h.Name + "_hand.jsonl" }

// Hands are all of them, in the order in which they were written. Where expected
// plans were put right that is said: of a limit that stands alone, which this project
// plans as a price that is set, and of a name whose capital only begins its sentence.
var Hands = []Hand{
	{"other", "", Sight{96, 122, 1, 230}, 0.98, false},
	{"third", "", Sight{101, 120, 3, 200}, 0.98, false},
	{"fourth", "", Sight{74, 90, 2, 150}, 0.98, false},
	{"fifth", "", Sight{66, 90, 1, 150}, 0.98, false}, // three expected plans were put right
	{"sixth", "", Sight{58, 90, 2, 150}, 0.97, false}, // three expected plans were put right
	// What it asked about has been seen since, and the wording of most was widened
	// for. Two expected plans were put right.
	{"seventh", "", Sight{87, 100, 1, 160}, 0.93, true},
	{"eighth", "as people speak", Sight{53, 100, 0, 160}, 0.97, false}, // three expected plans were put right
	{"ninth", "", Sight{71, 94, 4, 150}, 0.92, false},                  // three of the four wrong differed in a capital: put right
	{"tenth", "with much said around it", Sight{46, 94, 3, 150}, 0.82, false},
	{"eleventh", "", Sight{66, 95, 1, 150}, 0.95, false},
	{"twelfth", "", Sight{83, 100, 0, 160}, 0.8, true}, // nobody who has widened the grammar has seen it
	{"thirteenth", "", Sight{68, 100, 4, 160}, 0.88, false},
	{"fourteenth", "", Sight{68, 99, 1, 160}, 0.94, false},

	// From here on each is the sample that a reviewer would try: plain instructions
	// for everything that the planner is said to read, and near misses of them.
	{"fifteenth", "short", Sight{97, 100, 0, 160}, 0.98, false},
	{"sixteenth", "polite", Sight{85, 100, 1, 160}, 0.98, false},
	{"seventeenth", "mixed", Sight{98, 100, 1, 160}, 0.95, true}, // nobody who has widened the grammar has seen it
	{"eighteenth", "systematic", Sight{95, 100, 0, 160}, 0.98, false},
	{"nineteenth", "combined", Sight{94, 100, 0, 160}, 0.98, false},
	{"twentieth", "sceptical", Sight{89, 100, 0, 160}, 0.98, false},
	{"twentyfirst", "polite", Sight{84, 100, 0, 160}, 0.98, false},
	{"twentysecond", "as asked for", Sight{92, 100, 1, 160}, 0.97, false},
	{"twentythird", "mixed", Sight{91, 100, 0, 160}, 0.98, false},
	{"twentyfourth", "sceptical", Sight{90, 100, 1, 160}, 0.98, false},
	{"twentyfifth", "mixed", Sight{98, 100, 0, 160}, 0.95, true}, // nobody who has widened the grammar has seen it
	{"twentyninth", "without a list, of names that are verbs", Sight{89, 100, 1, 160}, 0.93, false},
	{"thirtieth", "by a checklist", Sight{97, 100, 0, 160}, 0.98, false},
	{"thirtysecond", "mixed", Sight{99, 100, 1, 160}, 0.98, false},
	{"thirtythird", "polite", Sight{96, 100, 0, 160}, 0.97, false},
	{"thirtyfourth", "polite and varied", Sight{91, 100, 0, 160}, 0.93, false},
	{"thirtysixth", "of several elements", Sight{92, 100, 0, 160}, 0.93, false},
	{"thirtyeighth", "everyday", Sight{98, 100, 0, 160}, 0.98, false},
	{"thirtyninth", "polite", Sight{92, 100, 0, 160}, 0.98, false},
	{"fortieth", "of several elements", Sight{82, 100, 0, 160}, 0.97, false},
	{"fortyfirst", "mixed, a third of several elements", Sight{96, 100, 0, 160}, 0.95, true}, // nobody who has widened the grammar has seen it
	{"fortysecond", "of several elements", Sight{81, 100, 1, 160}, 0.92, false},
	{"fortythird", "plain and polite", Sight{88, 100, 0, 160}, 0.97, false},
	{"fortyfourth", "polite", Sight{94, 100, 0, 160}, 0.97, false},
	{"fortyfifth", "of several elements", Sight{82, 100, 0, 160}, 0.92, false},
	{"fortysixth", "of several elements", Sight{84, 100, 1, 160}, 0.9, false},
	{"fortyseventh", "of several elements", Sight{74, 100, 2, 160}, 0.87, false},
	// Nobody who has widened the grammar has seen these.
	{"fortyninth", "mixed, a third of several elements", Sight{94, 100, 0, 160}, 0.93, true},
	{"fiftieth", "of somebody who tries it for the first time", Sight{100, 100, 0, 160}, 0.98, true},
	{"fiftyfirst", "of a reviewer, construct by construct", Sight{98, 100, 0, 160}, 0.97, true},
	{"fiftysecond", "of twenty shops", Sight{99, 100, 0, 160}, 0.98, true},

	// And these are refusals alone.
	{"twentysixth", "refusals of every kind", Sight{0, 0, 1, 150}, 0, false},
	// A price by the kilo, which is planned as the price it is, was left out.
	{"twentyseventh", "refusals a word away from a plan", Sight{0, 0, 2, 149}, 0, false},
	{"twentyeighth", "polite refusals", Sight{0, 0, 1, 150}, 0, false},
	{"thirtyfirst", "refusals of a word that is easily dropped", Sight{0, 0, 0, 150}, 0, false},
	{"thirtyfifth", "refusals without a list", Sight{0, 0, 5, 150}, 0, false},
	{"thirtyseventh", "refusals, most without a list", Sight{0, 0, 0, 120}, 0, false},
	{"fortyeighth", "refusals, polite or of several elements", Sight{0, 0, 1, 120}, 0, false},
}
