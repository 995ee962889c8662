//go:build !amd64

package scan

func scan(text []byte, starts []uint32, base int, q *quoting) (found int) {
	return scanWords(text, starts, base, q)
}
