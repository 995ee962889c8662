package dialect

// legacyOf finds the encoding of a text that is neither UTF-8 nor UTF-16: that by
// which it reads with the fewest doubts, Latin letters before the others. One in
// which every fourth character is in doubt is none, and a few bytes tell nothing.
func legacyOf(head []byte) (found, rival Encoding) {
	high := newHighBytes(head)
	best, least := Windows1252, high.westernDoubts()
	if high.distinct < 4 {
		return high.latin(least)
	}
	consider := func(encoding Encoding, doubts, characters int) {
		if doubts < least && 4*doubts < characters {
			best, least = encoding, doubts
		}
	}
	doubts, characters := cyrillicDoubts(head)
	consider(Windows1251, doubts, characters)
	for i := range multibytes {
		doubts, characters = multibytes[i].doubts(head)
		consider(multibytes[i].encoding, doubts, characters)
	}
	if best == Windows1252 {
		return high.latin(least)
	}
	return best, ""
}

// cyrillicDoubts counts the bytes that are not as in Cyrillic texts of Windows-1251,
// where words are of such letters alone, capitals before small ones.
func cyrillicDoubts(head []byte) (doubts, characters int) {
	for i, b := range head {
		if b < 0x80 {
			continue
		}
		characters++
		before, behind := byte(' '), byte(' ')
		if i > 0 {
			before = head[i-1]
		}
		if i+1 < len(head) {
			behind = head[i+1]
		}
		switch {
		case isSmallCyrillic(before) && isCapitalCyrillic(b), !isSmallCyrillic(b) && !isCapitalCyrillic(b) && isRareSign1251(b):
			doubts++
		case isLatin(before), isLatin(behind):
			doubts++
		}
	}
	return doubts, characters
}

func isCapitalCyrillic(b byte) bool { return b >= 0xc0 && b < 0xe0 || b == 0xa8 }
func isSmallCyrillic(b byte) bool   { return b >= 0xe0 || b == 0xb8 }
func isLatin(b byte) bool           { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// isRareSign1251 reports whether a byte is a letter of the smaller languages, or a
// sign that is hardly ever used.
func isRareSign1251(b byte) bool {
	switch b {
	case 0x85, 0x88, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa9, 0xab, 0xae, 0xb0, 0xb7, 0xb9, 0xbb, // … € ‘ ’ “ ” • – — ™ © « ® ° · № »
		0xa5, 0xaa, 0xaf, 0xb2, 0xb3, 0xb4, 0xba, 0xbf: // Ukrainian letters
		return false
	}
	return true
}

// doubts counts the characters that are none, or hardly ever used.
func (m *multibyte) doubts(head []byte) (doubts, characters int) {
	for at := 0; at < len(head); {
		if head[at] < 0x80 {
			at++
			continue
		}
		size, common := m.character(head, at)
		if at+size > len(head) {
			break // the head ends within it
		}
		if characters++; !common {
			doubts++
		}
		at += size
	}
	return doubts, characters
}

// character returns the size of the character at a place, and whether it is one of
// those of which most texts are.
func (m *multibyte) character(head []byte, at int) (size int, common bool) {
	kana := func(i int) bool { return i >= 0 && i < len(head) && head[i] > 0xa0 && head[i] < 0xe0 }
	if m.encoding == ShiftJIS && kana(at) { // of one byte
		return 1, kana(at-1) || kana(at+1)
	}
	if at+1 == len(head) {
		return 2, false
	}
	first, last := head[at], head[at+1]
	for _, c := range m.common {
		if first >= c[0] && first <= c[1] && last >= c[2] && last <= c[3] && last != 0x7f {
			return 2, true
		}
	}
	switch {
	case m.encoding == GB18030 && last >= '0' && last <= '9':
		return 4, false
	case last < 0x40:
		return 1, false // it is none
	}
	return 2, false
}
