package english

import (
	"strings"
	"unicode"
)

// Who asks for a change is no part of it: "Karen wants ...", "the owner has
// agreed that ...", "I have been asked by Mr. Okafor to ...".

// reporters are the words that end the name of somebody who can ask, besides a
// name with a capital.
var reporters = set("boss manager managers owner owners director directors ceo cfo coo cto chef management team committee office headquarters hq buyer buyers merchandiser finance marketing accounting accounts supervisor " +
	"partner wife husband colleague department pricing lead leadership board merchandising operations ops note memo email message ticket text voicemail he she they we i you")

// reports makes filler of who asks at the beginning of a sentence, where what is
// asked for follows in it.
func reports(symbols []Symbol) []Symbol {
	for i := 0; i < len(symbols); i++ {
		if symbols[i].Class != Report {
			continue
		}
		start, end := sentenceAround(symbols, i)
		if by := symbols[i].Sense == ReportBy; by { // ... by Mr. Okafor to
			for i++; i < end && symbols[i].Class != To; i++ {
			}
		}
		if i == end || !asksLater(symbols[i+1:end]) || !reporter(symbols[start:i], symbols[i].Class == To) {
			continue
		}
		if next := symbols[i+1]; next.Class == Colon || next.Class == Comma {
			i++
		}
		symbols[start] = Symbol{Class: Noise, From: symbols[start].From, To: symbols[i].To, Text: "asked"}
		symbols = append(symbols[:start+1], symbols[i+1:]...)
		i = start
	}
	return symbols
}

// reporter reports whether symbols name nothing but somebody who can ask, and none
// who did not, or only may have. Who asked "me" needs no name.
func reporter(symbols []Symbol, asked bool) bool {
	who := asked
	for k := range symbols {
		s := &symbols[k]
		switch s.Class {
		case Noise, Of, For, Price, Pronoun, And, Comma, By, Report, Unknown, Name, Refused:
			last := strings.ToLower(s.Text[strings.LastIndexByte(s.Text, ' ')+1:])
			if outsiders(s.Text) || strings.HasSuffix(plainApostrophe.Replace(last), "n't") || s.Class == Refused && !reporters[last] && (s.Refusal == Unclear || s.Refusal == Ambiguous || s.Refusal == VagueAmount) {
				return false
			}
			who = who || reporters[last] || s.Class == Name && capital(s.Text)
		case Fact:
			if outsiders(s.Text) {
				return false
			}
		case Everything: // the owner of the shop
			if !who || k == 0 || symbols[k-1].Class != Of {
				return false
			}
		default:
			return false
		}
	}
	return who
}

// outsiders reports whether a text names those whose decisions are none of the shop's.
func outsiders(text string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), notLetter) {
		if outside[word] {
			return true
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

var outside = set("supplier suppliers vendor vendors wholesaler wholesalers distributor distributors manufacturer manufacturers competitor competitors competition rival rivals")

// asksLater reports whether products are named in what is asked for.
func asksLater(symbols []Symbol) bool {
	for k := range symbols {
		switch symbols[k].Class {
		case Name, Category, SKU, Everything, All, Product, Price:
			return true
		}
	}
	return false
}
