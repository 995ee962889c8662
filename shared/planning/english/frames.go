package english

// insertFrames adds what a wish is put in: "it'd be grand if you could",
// "do us a favour and".
func (n node) insertFrames() {
	frame := &Symbol{Class: Noise}
	for _, would := range []string{"it would be", "it'd be", "would be", "'twould be"} {
		start := n.end(would)
		for _, fine := range []string{"great", "good", "grand", "lovely", "nice", "super", "brilliant", "ideal", "helpful", "handy", "amazing", "fab", "fantastic", "appreciated"} {
			start.end(fine).insertNew([]string{"if you could", "if you would", "if you can", "if we could", "if we can", "if", "to"}, frame)
		}
	}
	for _, favour := range []string{"do us a favour", "do me a favour", "do us a favor", "do me a favor", "be a dear", "be a star", "be a pet"} {
		n.insertNew([]string{favour + " and"}, frame)
	}
	n.insertNew([]string{"i reckon we should", "we reckon we should", "how about", "what about", "let's have", "let's go with", "give me", "give us", "gimme",
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

// insertJudgements adds "a bit underpriced" and its like, which tell why.
func (n node) insertJudgements() {
	told := &Symbol{Class: Arrived}
	for _, degree := range []string{"a bit", "a little", "a touch", "slightly", "way", "far", "really", "very", "quite", "rather", "much", "still", "a bit too", "a little too", "far too", "much too", "just too", "really too"} {
		n.end(degree).insertNew([]string{"underpriced", "overpriced", "cheap", "expensive", "pricey", "dear", "low", "high", "slow"}, told)
	}
}
