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
	start, heard, by := 0, 0, asker{}
	for i := 0; i < len(symbols); i++ {
		if symbols[i].Class != Report {
			continue
		}
		if symbols[i].Sense == ReportBy { // ... by Mr. Okafor to
			for i++; symbols[i].Class != To && symbols[i].Class != Stop; i++ {
			}
		}
		for ; heard < i; heard++ {
			if by.hear(symbols, heard); symbols[heard].Class == Stop {
				start, by = heard+1, asker{}
			}
		}
		known := by.known || symbols[i].Class == To // who asked "me" needs no name
		if symbols[i].Class == Stop || by.other || !known || !asksLater(symbols[i+1:]) {
			continue
		}
		if next := symbols[i+1]; next.Class == Colon || next.Class == Comma {
			i++
		}
		symbols[start] = Symbol{Class: Noise, From: symbols[start].From, To: symbols[i].To, Text: "asked"}
		symbols = append(symbols[:start+1], symbols[i+1:]...)
		i, heard, by = start, start, asker{}
	}
	return symbols
}

// asker is what the beginning of a sentence says of who asks.
type asker struct {
	known bool // somebody who can ask is named
	other bool // so is something else: somebody who did not ask, or only may have
}

// hear reads symbol k, the next of a sentence.
func (a *asker) hear(symbols []Symbol, k int) {
	s := &symbols[k]
	switch s.Class {
	case Noise, Of, For, Price, Pronoun, And, Comma, By, Report, Unknown, Name, Refused:
		last := strings.ToLower(s.Text[strings.LastIndexByte(s.Text, ' ')+1:])
		doubted := s.Class == Refused && !reporters[last] && (s.Refusal == Unclear || s.Refusal == Ambiguous || s.Refusal == VagueAmount)
		a.other = a.other || doubted || outsiders(s.Text) || strings.HasSuffix(apostrophed(normal(last)), "n't")
		a.known = a.known || reporters[last] || s.Class == Name && capital(s.Text)
	case Fact:
		a.other = a.other || outsiders(s.Text)
	case Everything: // the owner of the shop
		a.other = a.other || !a.known || symbols[k-1].Class != Of
	default:
		a.other = true
	}
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

var outside = set("supplier suppliers vendor vendors wholesaler wholesalers distributor distributors manufacturer manufacturers competitor competitors competition rival rivals csv excel website site system")

// asksLater reports whether products are named in what is left of a sentence.
func asksLater(symbols []Symbol) bool {
	for k := range symbols {
		switch symbols[k].Class {
		case Name, Category, SKU, Everything, All, Product, Price:
			return true
		case Stop:
			return false
		}
	}
	return false
}
