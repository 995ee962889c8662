package screen

func init() {
	ways["no vectors"] = func(s *Screen, block []byte, starts []uint32, notable []uint32) int {
		return s.with(vectors{}, block, starts, notable)
	}
	if best.rows == 8 {
		ways["AVX2"] = func(s *Screen, block []byte, starts []uint32, notable []uint32) int {
			return s.with(vectors{4, screenAVX2}, block, starts, notable)
		}
	}
}
