//go:build !amd64

package pricing

func scan(text []byte, starts []uint32, base int, q *quoting) (found int) {
	return scanWords(text, starts, base, q)
}

func screenBlock(s *screen, block []byte, starts, notable []uint32) (found int) {
	return screenRows(s, block, starts, 0, len(starts)*startBytes/int(s.record), notable)
}
