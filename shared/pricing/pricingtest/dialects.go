package pricingtest

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/planwright/planwright/shared/table/dialect"
)

// Dialects are every delimiter with every line end, and every encoding.
func Dialects() (all []dialect.Dialect) {
	for _, delimiter := range dialect.Delimiters {
		for _, end := range dialect.LineEnds {
			all = append(all, dialect.Dialect{Delimiter: delimiter, LineEnd: end, Encoding: dialect.UTF8})
		}
		for _, encoding := range []dialect.Encoding{dialect.UTF16LE, dialect.UTF16BE, dialect.Windows1252} {
			all = append(all, dialect.Dialect{Delimiter: delimiter, LineEnd: dialect.CRLF, Encoding: encoding})
		}
		all = append(all,
			dialect.Dialect{Delimiter: delimiter, LineEnd: dialect.LF, Encoding: dialect.UTF8, BOM: true},
			dialect.Dialect{Delimiter: delimiter, LineEnd: dialect.CRLF, Encoding: dialect.UTF16LE, BOM: true},
			dialect.Dialect{Delimiter: delimiter, LineEnd: dialect.CRLF, Encoding: dialect.UTF8, SepLine: true},
			dialect.Dialect{Delimiter: delimiter, LineEnd: dialect.LF, Encoding: dialect.UTF8, Comment: true})
	}
	return all
}

var lineEnds = map[dialect.LineEnd]string{dialect.LF: "\n", dialect.CRLF: "\r\n", dialect.CR: "\r", dialect.CRCRLF: "\r\r\n"}

// InDialect writes a text of commas and newlines in a dialect. It reports false
// where the encoding lacks one of its characters.
func InDialect(text string, d dialect.Dialect) ([]byte, bool) {
	text = strings.NewReplacer(",", string(d.Delimiter.Byte()), "\n", lineEnds[d.LineEnd]).Replace(text)
	if d.Comment {
		text = "# Required" + string(d.Delimiter.Byte()) + "\"# 1; 2, 3\"" + lineEnds[d.LineEnd] + text
	}
	if d.SepLine {
		text = "sep=" + string(d.Delimiter.Byte()) + lineEnds[d.LineEnd] + text
	}
	if d.BOM {
		text = "\ufeff" + text
	}
	switch d.Encoding {
	case dialect.Windows1252:
		encoded, err := charmap.Windows1252.NewEncoder().String(text)
		return []byte(encoded), err == nil
	case dialect.UTF16LE, dialect.UTF16BE:
		var order binary.AppendByteOrder = binary.LittleEndian
		if d.Encoding == dialect.UTF16BE {
			order = binary.BigEndian
		}
		var encoded []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			encoded = order.AppendUint16(encoded, unit)
		}
		return encoded, true
	default:
		return []byte(text), true
	}
}
