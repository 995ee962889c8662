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
