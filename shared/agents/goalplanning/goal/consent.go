package goal

import (
	"slices"
	"strings"
	"unicode"
)

// Approves reads a message by itself: it is an approval only if every word of
// it belongs to one, such as "Looks good, save it". What asks, quotes, negates
// or wants anything besides is none: a plan is made final once, and another
// message costs little.
func Approves(message string) bool {
	if strings.ContainsAny(message, "?¿\"“”„«»`:") {
		return false
	}
	said := spoken(message)
	if len(said) == 0 || len(said) > 24 {
		return false
	}
	approved := false
	for len(said) > 0 {
		if n := longest(said, approvals); n > 0 {
			approved, said = true, said[n:]
		} else if n := longest(said, courtesies); n > 0 {
			said = said[n:]
		} else {
			return false
		}
	}
	return approved
}

var withoutApostrophes = strings.NewReplacer("'", "", "’", "")

// spoken returns the words of a message, apostrophes within words left out.
// Emoji and punctuation separate words.
func spoken(message string) []string {
	plain := withoutApostrophes.Replace(strings.ToLower(message))
	return strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// longest returns how many words the longest phrase takes that said begins
// with, 0 where there is none.
func longest(said []string, phrases [][]string) int {
	most := 0
	for _, phrase := range phrases {
		if len(phrase) > most && len(phrase) <= len(said) && slices.Equal(said[:len(phrase)], phrase) {
			most = len(phrase)
		}
	}
	return most
}

// approvals are whole phrases by which people approve, in the languages that
// replies are often asked for in.
var approvals = phrases(`
yes|yep|yeah|yup|ok|okay|sure|absolutely|definitely|of course|certainly|agreed|correct|exactly
approve|approved|i approve|i approve it|i approve the plan|i approve this plan
confirm|confirmed|i confirm|i confirm it|confirm it|confirm the plan|confirm this plan
accept|accepted|i accept|i accept it|i accept the plan|accept it|accept the plan|accept this plan|i agree
looks good|look good|looks great|looks perfect|looks fine|looks right|looks awesome|looks amazing|looks excellent|looks very good|looks really good
it looks good|it looks great|this looks good|this looks great|that looks good|that looks great|the plan looks good|the plan looks great|everything looks good|all looks good
sounds good|sounds great|sounds perfect|sounds right|that sounds good|that sounds great|this sounds good
good|great|perfect|excellent|awesome|wonderful|fantastic|amazing|brilliant|very good|its good|its great|its perfect|its fine|this is good|this is great|this is perfect|that is perfect|thats perfect|thats good|thats great|all good|im happy|im happy with it|im happy with this|im happy with the plan|i am happy with it|i am happy with this|i am happy with the plan
love it|i love it|i like it|i love this|i like this|i love the plan|i like the plan
go ahead|go for it|do it|lets do it|lets do this|lets go|lets go with it|lets go with this|lets go with that|ship it|lock it in|good to go|were good to go|ready to go|im ready
works for me|that works|this works|it works|that works for me|this works for me|it works for me
save|save it|save this|save that|save the plan|save this plan|save my plan|save the goal|save this goal|save my goal
finalize|finalise|finalize it|finalise it|finalize this|finalise this|finalize the plan|finalise the plan|finalize this plan|finalise this plan|finalize my plan|finalise my plan|finalize the goal|finalise the goal|finalize my goal|finalise my goal
submit it|submit the plan|use it|use this|use this plan|keep it|keep this plan|make it final|make it so|thats it|this is it
ja|jawohl|passt|passt so|passt gut|sieht gut aus|das sieht gut aus|sieht super aus|sieht toll aus|klingt gut|einverstanden|in ordnung|genau|super|prima|speichern|speichere es|speicher es|speichere ihn|speichere den plan|bitte speichern|abschließen|mach es so|so machen wir es
oui|daccord|parfait|ça me va|ca me va|cest parfait|cest bon|très bien|tres bien|enregistre|enregistre le|enregistrez|enregistrez le|enregistrer|valide|je valide|je confirme|vas y|allez y|on y va
sí|si|vale|perfecto|de acuerdo|está bien|esta bien|se ve bien|me parece bien|me gusta|guárdalo|guardalo|guardar|guarda el plan|guárdala|apruebo|lo apruebo|confirmo|adelante|claro
sim|perfeito|está bom|esta bom|parece bom|parece ótimo|pode salvar|salve|salvar|salva|guarda|aprovo|confirmado|vamos lá
sì|va bene|perfetto|daccordo|salva il piano|salvalo|salvare|approvo|approvato|confermo|ottimo|procedi
goed|prima zo|ziet er goed uit|akkoord|opslaan|sla het op|sla op|bewaar het|ga door`)

// courtesies add nothing to an approval and take nothing from it.
var courtesies = phrases(`
please|thanks|thank you|thank you very much|thank you so much|thanks a lot|many thanks|cheers|to me|for me|now|then|and|so|just|really|very|much|too|wow|nice|cool|right
hi|hello|hey|oh|ah|well|as it is|as is|like this|like that|already|all|everything|together|i think|you can|you may|lets|we can|it|the plan|this plan
bitte|danke|vielen dank|und|so|jetzt|merci|et|sil vous plaît|sil te plaît|maintenant|gracias|por favor|muchas gracias|y|ahora|obrigado|obrigada|e|agora|grazie|per favore|ora|dank je|bedankt|en|nu|alstublieft`)

func phrases(text string) [][]string {
	var list [][]string
	for _, line := range strings.Fields(strings.ReplaceAll(strings.ReplaceAll(text, " ", "_"), "|", " ")) {
		list = append(list, strings.Split(strings.Trim(line, "_"), "_"))
	}
	return list
}
