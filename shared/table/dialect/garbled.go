package dialect

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// isGarbled reports whether text of UTF-8 was once read in another encoding and written
// again: it has the character for what could not be read, or the first byte of a
// character as Windows-1252 or Latin-1 has it, and behind it what only goes on in one.
func isGarbled(text []byte) bool {
	before := rune(0)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError:
			return true
		case before < 0x80 || r < 0x80:
		case strings.ContainsRune("ÃÂÐÑ", before) && (isRest(r) || strings.ContainsRune(signs, r)),
			strings.ContainsRune("ÅÄã", before) && isRest(r),
			before == 'â' && r == '€':
			return true
		}
		before, text = r, text[size:]
	}
	return false
}

// beyondASCII returns a text from its first character on that is not ASCII: most
// names have none.
func beyondASCII(text []byte) []byte {
	for len(text) >= 8 && binary.LittleEndian.Uint64(text)&0x8080808080808080 == 0 {
		text = text[8:]
	}
	for len(text) > 0 && text[0] < utf8.RuneSelf {
		text = text[1:]
	}
	return text
}

// isRest reports whether a character is a control, or a sign that is hardly ever used,
// of those which Windows-1252 has for the bytes that a character of UTF-8 goes on with.
func isRest(r rune) bool { return r < 0xa0 || strings.ContainsRune("‚ƒ„†‡ˆ‰‹›", r) }

// signs are others of them. Quotes, dashes and ordinal signs may stand behind a word in
// capitals.
const signs = "¡¢£¤¥¦§¨©«¬\u00ad®¯°±²³´µ¶·¸¹»¼½¾¿•˜™"
