package scan

func init() {
	if hasAVX512 { // scan is that one then
		ways["scanAVX2"] = scanAVX2
	}
}
