package pricing

func screenBlock(s *screen, block []byte, starts, notable []uint32) (found int) {
	if hasVectors {
		return screenBMI2(s, block, starts, notable)
	}
	return screenRows(s, block, starts, notable)
}

// screenBMI2 is screenRows. It takes on trust that the starts are the block's
// and that there is room for the rows.
//
//go:noescape
func screenBMI2(s *screen, block []byte, starts, notable []uint32) (found int)
