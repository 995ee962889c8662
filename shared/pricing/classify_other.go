//go:build !amd64

package pricing

func classify(text *[stride]byte, m *marks) { classifyWords(text, m) }
