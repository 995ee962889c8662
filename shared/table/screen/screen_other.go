//go:build !amd64

package screen

func (s *Screen) block(block []byte, starts []uint32, notable []uint32) (found int) {
	return s.rows(block, starts, 0, (len(starts)-1)*startBytes/int(s.record), notable)
}
