package pricing

import "golang.org/x/sys/cpu"

func classify(text *[stride]byte, m *marks) {
	if cpu.X86.HasAVX2 {
		classifyAVX2(text, m)
		return
	}
	classifyWords(text, m)
}

// classifyAVX2 is classifyWords, 32 bytes at a time.
//
//go:noescape
func classifyAVX2(text *[stride]byte, m *marks)
