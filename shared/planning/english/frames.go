package english

// insertFrames adds what a wish may be put in anywhere in its sentence.
func (n node) insertFrames() {
	frame := &Symbol{Class: Noise}
	n.insertNew([]string{"please reflect that", "please reflect this", "reflect that", "please amend accordingly", "please adjust accordingly", "i'm afraid", "i am afraid", "we're afraid", "i'm afraid that", "i am afraid that", "at the same time", "in the same go", "in one go", "thank you ever so much", "thanks ever so much", "thank you kindly", "i reckon we should", "we reckon we should", "how about", "what about", "let's have", "let's go with", "give me", "give us", "gimme",
		"would you ever", "please be informed that", "kindly be informed that", "be informed that", "this is to inform you that", "please be advised that", "it has been decided that", "we've agreed to", "we have agreed to"}, frame)
}

// insertRegardless adds "whatever they cost now", "in stock or not" and their like,
// which say that no condition is meant.
func (n node) insertRegardless() {
	frame := &Symbol{Class: Noise}
	for _, all := range []string{"regardless of", "irrespective of", "no matter", "whatever"} {
		n.end(all).insertPriceNow(frame)
		n.end(all).insertNew([]string{"stock", "the stock", "stock status", "the stock status", "availability", "stock level"}, frame)
	}
	n.end("whatever").insertNew([]string{"it costs", "they cost", "it costs now", "they cost now", "it is now", "they are now", "it costs today", "they cost today", "it was", "they were"}, frame)
	for _, which := range []string{"it's", "it is", "they're", "they are", "", "currently"} {
		for _, ends := range []string{"in stock or not", "in stock or out of stock", "in stock or sold out", "available or not", "sold out or not", "out of stock or not"} {
			n.end("whether").end(which).insertNew([]string{ends}, frame)
			n.end(which).insertNew([]string{ends}, frame)
		}
		n.end("whether or not").end(which).insertNew([]string{"in stock", "available", "sold out", "out of stock"}, frame)
	}
}

// insertPlaces adds "that sit between" and "what currently costs", which a range of
// prices follows.
func (n node) insertPlaces() {
	condition := &Symbol{Class: Rel}
	for _, that := range []string{"that", "which", "what", "whatever"} {
		start := n.end(that)
		for _, now := range []string{"", "currently", "now", "presently", "still", "already", "at present", "at the moment", "right now", "today"} {
			start.end(now).insertNew([]string{"cost", "costs", "is priced", "are priced", "is priced at", "are priced at", "sell for", "sells for", "sell at", "sells at", "retail for", "retails for", "retail at", "retails at", "go for", "goes for", "list at", "lists at"}, condition)
		}
		for _, be := range []string{"is", "are"} {
			for _, now := range []string{"currently", "now", "presently", "still", "already", "at present", "at the moment", "right now"} {
				start.end(be).end(now).insertNew([]string{"", "priced", "priced at", "selling for", "selling at", "going for", "listed at"}, condition)
			}
		}
	}
	for _, that := range []string{"that", "which", "that currently", "which currently", "currently"} {
		for _, lie := range []string{"sit", "sits", "fall", "falls", "lie", "lies", "land", "lands", "come", "comes", "range", "ranges", "start", "starts", "sell", "sells"} {
			n.end(that).end(lie).insertNew([]string{"", "in", "within"}, condition)
		}
	}
	for _, that := range []string{"", "that", "which"} {
		for _, who := range []string{"we", "i"} {
			start := n.end(that).end(who)
			for _, now := range []string{"actually", "really", "do", "still", "currently", "now", "presently", "already", "at present", "at the moment", "right now", "today"} {
				start.end(now).insertNew([]string{"have"}, condition)
			}
		}
	}
	n.insertNew([]string{"we've got it in stock", "we have it in stock", "we've got them in stock", "we have them in stock"}, &Symbol{Class: Stock, Sense: InStock})
}

// insertJudgements adds "a bit underpriced" and its like, which tell why.
func (n node) insertJudgements() {
	told := &Symbol{Class: Arrived}
	for _, degree := range []string{"a bit", "a little", "a touch", "slightly", "way", "far", "really", "very", "quite", "rather", "much", "still", "a bit too", "a little too", "far too", "much too", "just too", "really too"} {
		n.end(degree).insertNew([]string{"underpriced", "overpriced", "cheap", "expensive", "pricey", "dear", "low", "high", "slow"}, told)
	}
}

// insertHeld adds "hold their price" and its like.
func (n node) insertHeld() {
	same := &Symbol{Class: Alone}
	for _, hold := range []string{"keep", "keeps", "hold", "holds", "retain", "retains", "maintain", "maintains", "stay at", "stays at", "remain at", "remains at"} {
		for _, whose := range []string{"its", "their"} {
			owned := n.end(hold).end(whose)
			for _, which := range []string{"", "current", "existing", "present", "regular", "normal", "usual", "old", "original"} {
				owned.end(which).insertNew([]string{"price", "prices"}, same)
			}
		}
	}
}

// insertPriceLess adds "regular price minus" and its like before an amount.
func (n node) insertPriceLess() {
	for _, which := range []string{"current", "regular", "normal", "usual", "existing", "list", "the current", "the regular", "the normal", "the usual", "the existing", "the list", "today's"} {
		price := n.end(which).end("price")
		price.insertNew([]string{"minus", "less"}, &Symbol{Class: Down, Sense: Particle})
		price.insertNew([]string{"plus"}, &Symbol{Class: Up, Sense: Particle})
	}
}

// insertWhys adds "our customers like" and "we no longer order those", which tell why.
func (n node) insertWhys() {
	why := &Symbol{Class: Fact}
	for _, whose := range []string{"", "our", "my", "the", "most", "most of our", "all our"} {
		owned := n.end(whose)
		for _, who := range []string{"customers", "regulars", "shoppers", "clients", "guests", "people", "folks", "buyers"} {
			owned.end(who).insertNew([]string{"like", "love", "prefer", "enjoy", "appreciate", "hate", "dislike"}, why)
		}
	}
	for _, which := range []string{"those", "these", "them", "it", "that one", "that"} {
		for _, not := range []string{"no longer", "don't", "do not", "can't", "cannot", "won't"} {
			never := n.end("we").end(not)
			for _, verb := range []string{"order", "reorder", "buy", "make", "produce", "import", "bake", "print"} {
				never.end(verb).insertNew([]string{which}, why)
			}
		}
		for _, stopped := range []string{"we stopped", "we've stopped", "we have stopped", "we are no longer", "we're no longer", "we are not", "we're not"} {
			end := n.end(stopped)
			for _, verb := range []string{"ordering", "reordering", "buying", "making", "producing", "importing", "baking", "printing"} {
				end.end(verb).insertNew([]string{which}, why)
			}
		}
	}
}

// insertLasts adds "the last ones were damaged" and "it's the last of its kind", which
// tell why.
func (n node) insertLasts() {
	why := &Symbol{Class: Fact}
	for _, which := range []string{"one", "ones", "few", "pair", "batch", "lot", "of them", "of those"} {
		last := n.end("the last").end(which)
		last.insertNew([]string{"broke", "went mouldy", "went moldy", "went off", "sold", "got away"}, why)
		for _, be := range []string{"was", "were", "got", "was all", "were all", "is", "are", "has been", "have been", "had been"} {
			last.end(be).insertNew([]string{"damaged", "broken", "stolen", "lost", "faulty", "defective", "cracked", "chipped", "scratched", "smashed", "ruined", "spoiled", "spoilt", "mouldy", "moldy", "expired", "recalled", "thrown away", "thrown out", "written off", "given away", "bought", "sold"}, why)
		}
	}
	for _, be := range []string{"it's", "it is", "it was", "they're", "they are", "they were", "this is", "this one is", "these are"} {
		n.end(be).insertLastOf(why)
		n.end("as").end(be).insertLastOf(&Symbol{Class: Cause})
	}
}

// insertLastOf adds "the last of its kind" and "the only one we have".
func (n node) insertLastOf(why *Symbol) {
	n.insertNew([]string{"one of a kind"}, why)
	for _, whose := range []string{"the", "our", "my"} {
		for _, rank := range []string{"last", "very last", "only", "first", "final", "best", "rarest", "oldest", "finest", "nicest"} {
			ranked := n.end(whose).end(rank)
			for _, one := range []string{"", "one", "ones"} {
				ranked.end(one).insertNew([]string{"of its kind", "of their kind", "of its sort", "of their sort", "of its series", "of their series", "of the series", "of the line", "we have", "we've got", "we have left", "we've got left", "we had", "we will get", "we'll get", "left"}, why)
			}
		}
	}
}

// insertAims adds "to boost sales" and "in order to make room", which tell what for.
func (n node) insertAims() {
	why := &Symbol{Class: Cause}
	aims := []string{
		"protect", "reflect", "cover", "offset", "account for", "compensate for", "keep up with", "keep pace with", "clear", "clear out", "celebrate",
		"make room", "make space", "make some room", "make some space", "make room for", "make space for", "free up room", "free up space",
		"move inventory", "drive sales", "boost sales", "lift sales", "stay competitive", "remain competitive",
		"keep it simple", "keep things simple", "keep it tidy", "keep things tidy", "keep it fair", "keep things fair", "keep things moving",
		"start fresh", "start afresh",
	}
	for _, verb := range []string{"move", "shift"} {
		for _, some := range []string{"", "some", "more", "the", "our", "some of the", "some of our"} {
			aims = append(aims, verb+" "+some+" stock", verb+" "+some+" old stock")
		}
	}
	for _, to := range []string{"to", "in order to", "so as to"} {
		n.end(to).insertNew(aims, why)
	}
}
