package goal

import "strings"

// What approves in any language, and what is polite in any.
const (
	anywhere       = `ok|okay|okey|oke|yes|perfect|super|top|lgtm|plusone|👍|👌|✅|☑|✔|💯|🆗`
	politeAnywhere = `please|thanks|thank you|thx|🙏|🎉|🙌|👏|😀|😃|😄|😁|😊|🙂|😍|🥰|🤩|😎|🥳|🤗|❤|💖|💕|🔥|🚀|✨|⭐|🌟|💪|🎊|🤝|😉`
)

// english is the language of most messages: its phrases are expressions, in
// which the words in braces stand for one of many.
var english = whole(func() (string, string) { return inEnglish(approvalsInEnglish), inEnglish(courtesiesInEnglish) })

func inEnglish(lines string) string {
	return strings.Join(strings.Split(strings.TrimSpace(slots.Replace(lines)), "\n"), "|")
}

var slots = strings.NewReplacer(
	"{it}", `(?:it|this|that|this one|that one|(?:the|this|that|my|our|your|the whole|this whole) (?:plan|goal|draft|schedule|version|thing|one)|everything|all of it|all of this|all of that|all this|them)`,
	"{its}", `(?:its|thats|this is|that is|it is|(?:this|the|my|your) (?:plan|draft|schedule|goal|one) is|everything is|everythings|all is)`,
	"{very}", `(?:(?:so|very|really|pretty|absolutely|totally|perfectly|just|quite|all|super|truly|completely|definitely|simply|right|more than) )*`,
	"{good}", `(?:good|great|perfect|fine|okay|ok|alright|all right|awesome|amazing|excellent|fantastic|wonderful|brilliant|lovely|superb|spot on|ideal|beautiful|terrific|fabulous|flawless|nice|right|correct|solid|cool|reasonable|doable|sensible|gr8)`,
	"{forme}", `(?: (?:to|for|by|with|from) (?:me|us)| (?:from|on) my (?:side|end)| enough)*`,
	"{save}", `(?:save|finalize|finalise|approve|confirm|accept|keep|submit|use|store|book|ship|lock|lock in|adopt|take|go with|run with|stick with|roll with|go ahead with|proceed with)`,
	"{wanted}", `(?:i|we) (?:wanted|want|need|needed|was looking for|were looking for|am looking for|had in mind|was hoping for|were hoping for|asked for|imagined|was after)`,
)

const approvalsInEnglish = `
yep|yeah|yea|yup|ya|yess|yas|aye|okie|okie dokie|k|kk|sure|sure thing|absolutely|definitely|totally|of course|certainly|agreed|correct|exactly|precisely|affirmative|alright|all right|very well|fine|deal|bingo|bravo
(?:(?:{it}|it all|that all|this all|all) )?(?:looks|look|sounds|seems|feels|reads) {very}{good}{forme}
{its} {very}{good}{forme}|{very}good{forme}
{very}(?:great|perfect|excellent|awesome|wonderful|fantastic|amazing|brilliant|lovely|superb|spot on|all good|gr8){forme}(?: plan| job| work| stuff)?
(?:(?:i|we) )?(?:{very})(?:love|like|adore|dig) (?:{it}|how it looks|what i see|what you did|what youve done|your plan)(?: {very}(?:much|a lot))?|love it
(?:im|i am|we are) {very}(?:happy|satisfied|pleased|convinced)(?: with (?:{it}|how it looks))?|(?:im|i am|we are) {very}(?:good|fine|ok|okay|cool|comfortable) with {it}|(?:im|i am|we are|were) (?:ready|all set|good to go|ready to go|sold|all in|on board|in)
go ahead(?: and)?|go for it|do it|do that|do this|proceed|get going|good to go|ready to go|all set|count me in|make it so|make it final|make it official|make it happen
lets (?:go|roll|do {it}|start|begin|get started|get going|get it done|finalize|finalise|make it happen|save|{save} {it}|lock {it} in|book {it} in)|(?:ill|i will|well|we will) {save} {it}|im going with {it}
(?:save|finalize|finalise|approve|confirm|accept|submit)|{save} {it}(?: in)?|set it in stone|seal the deal|roll with it|run with it|go with it
(?:i|we) (?:hereby |fully |totally )?(?:approve|confirm|accept|agree|consent)(?: (?:to |with )?{it})?|(?:consider it )?(?:approved|confirmed|accepted|agreed|finalized|finalised)|{its} (?:approved|confirmed|accepted|final)|you have my (?:approval|ok|okay|blessing|go ahead|consent)
(?:{its} |{it} is )?(?:exactly |just |precisely |really |everything |all )*(?:what|how|as|the way|the one|the plan) {wanted}(?: it)?|(?:exactly|just) like (?:that|this)
(?:(?:{it}|it all|that all) )?(?:totally |really |definitely )?works(?: (?:well|great|fine|perfectly|nicely))?(?: (?:for|with) (?:me|us))?|{it} fits(?: (?:me|well|perfectly|nicely))*
no (?:further |more |other |additional )?(?:changes|edits|tweaks|adjustments|modifications)(?: (?:are )?(?:needed|required|necessary)| from me| from my side)|(?:there is |theres )?nothing (?:else |more )?to (?:change|add|adjust)|nothing needs (?:to change|changing|to be changed)|no (?:objections|complaints|notes)|i wouldnt change (?:a thing|anything)|i have no (?:further |more )?(?:changes|objections)|(?:it )?couldnt be better|no need to change anything
sgtm|thumbs up|two thumbs up|green light|ship it|sounds like a plan|looks like a plan|thats a plan|its a deal|we have a deal|thats it|this is it|thats the one|this is the one|its a yes|thats a yes|a yes from me|yes from me|hell yes|heck yes|nailed it|you nailed it|chefs kiss|that hits the spot|im for it|thatll do|that will do
`

const courtesiesInEnglish = `
plz|pls|tks|ty|tysm|thanx|thank you (?:very|so) much|thanks a lot|thanks so much|thanks again|many thanks|much appreciated|i appreciate it|appreciate it|cheers|to me|for me|with me|now|then|and|so|just|really|very|much|too|wow|nice|cool|right|yay|haha|lol|finally|honestly|actually|great work|good job|great job|nice work|nice job|well done|great help|you rock|youre the best|you are the best|my friend|mate|buddy|team|guys
hi|hello|hey|oh|ah|well|as it is|as is|like this|like that|already|all|everything|together|i think|you can|you may|lets|we can|it|this|that|the plan|this plan|one
`

// languages are those of english, and of the lists below.
var languages = append([]language{english}, otherLanguages...)

// otherLanguages are lists of whole phrases. A message is read in one of them
// at a time: what is polite in one is a refusal in another.
var otherLanguages = []language{
	newLanguage( // German
		`ja|jawohl|jep|jo|passt|das passt|passt so|passt gut|passt perfekt|passt mir|passt für mich|sieht gut aus|das sieht gut aus|sieht super aus|sieht toll aus|sieht perfekt aus|sieht sehr gut aus|klingt gut|klingt super|einverstanden|ich bin einverstanden|in ordnung|genau|genau so|super|prima|perfekt|sehr gut|gut so|toll|klasse|alles gut|alles klar|alles bestens|gefällt mir|das gefällt mir|gefällt mir gut|gefällt mir sehr gut|genau was ich wollte|genau das wollte ich|genau das was ich wollte|das ist genau was ich wollte|das ist genau das was ich wollte|speichern|speichere es|speicher es|speichere ihn|speichere das|speicher das|speichere den plan|bitte speichern|abschließen|finalisieren|mach es so|mach das so|so machen wir es|machen wir so|so nehmen wir es|kann so bleiben|bestätigt|ich bestätige|genehmigt|freigegeben|los gehts|lass es uns so machen|nichts zu ändern|keine änderungen|keine änderungen nötig`,
		`bitte|danke|dankeschön|vielen dank|danke dir|und|so|jetzt|das|es|der plan|den plan|dieser plan|sehr|für mich|dann|sofort|mir|na gut|hallo`),
	newLanguage( // French
		`oui|daccord|parfait|ça me va|cela me va|ça me convient|ça me plaît|cest parfait|cest bon|cest très bien|cest super|cest génial|cest ça|très bien|tout est bon|tout est parfait|bon pour moi|cest bon pour moi|ok pour moi|nickel|génial|impeccable|excellent|super|jadore|jaime|jaime bien|japprouve|jaccepte|je suis daccord|cest exactement ce que je voulais|exactement ce que je voulais|cest ce que je voulais|enregistre|enregistre le|enregistre le plan|enregistrez|enregistrez le|enregistrer|sauvegarde|sauvegarde le|sauvegarde le plan|sauvegardez|finalise|finalise le|finalisez|valide|validé|je valide|je confirme|confirmé|vas y|allez y|on y va|allons y|rien à changer`,
		`merci|merci beaucoup|et|sil vous plaît|sil te plaît|maintenant|le plan|ce plan|pour moi|vraiment|très|alors|bien|bonjour|tout`),
	newLanguage( // Spanish
		`sí|vale|perfecto|de acuerdo|estoy de acuerdo|está bien|está muy bien|está perfecto|está genial|así está bien|se ve bien|se ve genial|se ve perfecto|me parece bien|me parece perfecto|me parece genial|me parece excelente|me parece muy bien|suena bien|me gusta|me gusta mucho|me encanta|todo bien|excelente|genial|estupendo|dale|listo|exactamente lo que quería|es exactamente lo que quería|justo lo que quería|es justo lo que quería|guárdalo|guárdala|guardar|guarda|guarda el plan|guárdalo así|apruebo|lo apruebo|aprobado|acepto|confirmo|confirmado|finaliza|finalízalo|finalizar|adelante|claro|sin cambios|me sirve|por supuesto`,
		`gracias|muchas gracias|por favor|porfa|y|ahora|entonces|el plan|este plan|así|muy|todo|para mí|pues|hola`),
	newLanguage( // Portuguese
		`sim|perfeito|está bom|está ótimo|está perfeito|tá bom|tá ótimo|parece bom|parece ótimo|ótimo|excelente|maravilha|pode salvar|pode finalizar|pode ser|salve|salvar|salva|salve o plano|guarda|guarde|guardar|aprovo|aprovado|confirmo|confirmado|aceito|concordo|de acordo|vamos lá|combinado|beleza|gostei|gostei muito|adorei|exatamente o que eu queria|é exatamente o que eu queria|era isso que eu queria|é isso|fechado|finalize|finalizar|com certeza|claro`,
		`obrigado|obrigada|muito obrigado|muito obrigada|por favor|e|agora|então|o plano|este plano|esse plano|assim|muito|tudo|para mim|isso|olá`),
	newLanguage( // Italian
		`sì|va bene|va benissimo|perfetto|è perfetto|daccordo|sono daccordo|salva|salva il piano|salvalo|salvare|approvo|approvato|confermo|confermato|ottimo|eccellente|procedi|mi piace|mi piace molto|mi va bene|tutto bene|tutto perfetto|esattamente quello che volevo|proprio quello che volevo|è esattamente quello che volevo|accetto|finalizza|finalizzalo|andiamo|certo|benissimo`,
		`grazie|grazie mille|per favore|ora|e|il piano|questo piano|così|molto|tutto|per me|allora|ciao`),
	newLanguage( // Dutch
		`ja|goed|prima|prima zo|perfect zo|ziet er goed uit|het ziet er goed uit|ziet er prima uit|ziet er perfect uit|akkoord|ik ga akkoord|opslaan|sla het op|sla op|sla het plan op|bewaar het|bewaar het plan|ga door|doe maar|klopt|klinkt goed|lijkt me goed|precies wat ik wilde|dit is precies wat ik wilde|goedgekeurd|bevestigd|helemaal goed|uitstekend|in orde`,
		`dank je|dank je wel|dankjewel|bedankt|en|alstublieft|alsjeblieft|graag|het plan|dit plan|zo|heel|hoi`),
	newLanguage( // Polish
		`tak|dobrze|dobra|świetnie|idealnie|doskonale|zgoda|zgadzam się|zatwierdzam|potwierdzam|akceptuję|zapisz|zapisz to|zapisz plan|zapisz ten plan|wygląda dobrze|wygląda świetnie|wygląda super|to wygląda dobrze|brzmi dobrze|podoba mi się|to mi się podoba|może być|pasuje|pasuje mi|w porządku|wszystko w porządku|jest ok|jest super|jest dobrze|jest idealnie|zróbmy tak|niech tak będzie|właśnie tego chciałem|właśnie tego chciałam|dokładnie tego chciałem|dokładnie tego chciałam|o to mi chodziło|lecimy z tym|finalizuj|sfinalizuj|jasne|oczywiście|bez zmian|super plan`,
		`dziękuję|dzięki|wielkie dzięki|proszę|bardzo|ten plan|plan|to|i|teraz|dla mnie|cześć`),
	newLanguage( // Russian
		`да|ага|ок|окей|хорошо|отлично|прекрасно|замечательно|супер|идеально|классно|здорово|согласен|согласна|подтверждаю|одобряю|утверждаю|принято|принимаю|сохрани|сохраняй|сохраните|сохранить|сохраняем|сохрани план|сохраняй план|давай|давайте|давай так|договорились|всё верно|всё хорошо|всё отлично|всё супер|всё устраивает|меня всё устраивает|меня устраивает|нравится|мне нравится|мне всё нравится|мне очень нравится|выглядит хорошо|выглядит отлично|выглядит здорово|подходит|мне подходит|то что нужно|именно то что нужно|это то что нужно|именно то что я хотел|именно то что я хотела|это именно то что я хотел|это именно то что я хотела|годится|пойдёт|так и сделаем|оставляем так|завершай|финализируй|без изменений|поехали|конечно`,
		`спасибо|большое спасибо|пожалуйста|очень|это|план|этот план|и|теперь|тогда|так|мне|привет`),
	newLanguage( // Ukrainian
		`так|добре|чудово|відмінно|супер|ідеально|згоден|згодна|підтверджую|схвалюю|зберігай|збережи|зберегти|збережіть|збережи план|виглядає добре|виглядає чудово|мене все влаштовує|все добре|подобається|мені подобається|саме те що я хотів|саме те що я хотіла|гаразд|звичайно`,
		`дякую|будь ласка|дуже|це|план|цей план|і|тепер|тоді`),
	newLanguage( // Czech
		`ano|jo|dobře|skvělé|skvěle|výborně|výborné|perfektní|souhlasím|schvaluji|potvrzuji|ulož|ulož to|ulož plán|uložte|uložit|vypadá dobře|vypadá to dobře|vypadá to skvěle|líbí se mi|líbí se mi to|to je ono|v pořádku|přesně to jsem chtěl|přesně to jsem chtěla|jasně|samozřejmě`,
		`děkuji|díky|prosím|moc|plán|tento plán|to|a|teď`),
	newLanguage( // Swedish, Danish and Norwegian
		`ja|japp|jepp|bra|det är bra|ser bra ut|det ser bra ut|låter bra|perfekt|toppen|godkänn|jag godkänner|godkänt|spara|spara den|spara planen|kör på det|okej|det ser godt ud|ser godt ud|det ser godt ut|ser godt ut|lyder godt|høres bra ut|fint|flott|supert|godkend|jeg godkender|godkjenn|jeg godkjenner|gem|gem den|gem planen|lagre|lagre den|lagre planen|precis vad jag ville ha|præcis hvad jeg ville have`,
		`tack|tack så mycket|tak|mange tak|takk|tusen takk|vänligen|gärna|gerne|och|og`),
	newLanguage( // Finnish
		`kyllä|joo|hyvä|näyttää hyvältä|täydellinen|täydellistä|hyväksyn|hyväksytty|tallenna|tallenna se|tallenna suunnitelma|sopii|juuri mitä halusin`, `kiitos|ja|nyt`),
	newLanguage( // Turkish
		`evet|tamam|olur|harika|mükemmel|süper|güzel|çok güzel|çok iyi|iyi görünüyor|harika görünüyor|onaylıyorum|onaylandı|kabul|kabul ediyorum|kaydet|planı kaydet|katılıyorum|bana uyar|uygundur|tam istediğim gibi|tam istediğim buydu|beğendim`, `teşekkürler|teşekkür ederim|lütfen|ve|şimdi|çok`),
	newLanguage( // Romanian
		`da|bine|e bine|arată bine|arată perfect|sunt de acord|de acord|salvează|salvează planul|salvează l|aprob|confirm|excelent|îmi place|exact ce voiam`, `mulțumesc|vă rog|te rog|și|acum|planul`),
	newLanguage( // Hungarian
		`igen|rendben|jó|jól néz ki|tökéletes|elfogadom|jóváhagyom|mentsd el|mentsd|mentés|szuper|tetszik|pont ezt akartam`, `köszönöm|köszi|kérlek|és|most|a tervet|nagyon`),
	newLanguage( // Greek
		`ναι|εντάξει|τέλεια|τέλειο|συμφωνώ|εγκρίνω|αποθήκευσε το|αποθήκευσέ το|αποθήκευση|φαίνεται καλό|φαίνεται τέλειο|μου αρέσει|ωραία|ακριβώς αυτό που ήθελα`, `ευχαριστώ|παρακαλώ|και|τώρα|πολύ`),
	newLanguage( // Indonesian and Malay
		`ya|setuju|saya setuju|bagus|sempurna|simpan|simpan rencananya|silakan simpan|terlihat bagus|kelihatannya bagus|mantap|baik|baiklah|lanjutkan|saya suka`, `terima kasih|makasih|tolong|dan|sekarang|sangat`),
	newLanguage( // Vietnamese
		`vâng|được|được rồi|đồng ý|tôi đồng ý|tốt|rất tốt|tuyệt vời|hoàn hảo|lưu lại|lưu|hãy lưu|lưu kế hoạch|trông ổn|ổn rồi|tôi thích`, `cảm ơn|và|bây giờ|nhé|ạ`),
	newLanguage( // Chinese
		`好|好的|好啊|好呀|可以|可以的|可以了|行|行的|没问题|沒問題|看起来不错|看起來不錯|看起来很好|看起來很好|看起来很棒|看起來很棒|看着不错|不错|不錯|很好|很棒|非常好|太好了|太棒了|完美|就这样|就這樣|就这样吧|就這樣吧|就这么定了|就這麼定了|就按这个计划|就按这个来|就用这个|就它了|保存|保存吧|儲存|儲存吧|确认|確認|确定|確定|同意|我同意|批准|我批准|通过|定了|满意|滿意|我很满意|我很滿意|我喜欢|我喜歡|很喜欢|很喜歡|正是我想要的|这正是我想要的|這正是我想要的|就是我想要的|这就是我想要的|不用改了|不需要修改|是的|对|对的|没错`,
		`谢谢|謝謝|谢谢你|多谢|感谢|请|請|这个|這個|这个计划|這個計劃|计划|計劃|了|吧|啊|嗯|非常|很|辛苦了|我觉得|那|那就|麻烦|帮我|你好`),
	newLanguage( // Japanese
		`はい|うん|ええ|いいですね|良いですね|いいね|よさそうです|良さそうです|よさそうですね|良さそうですね|完璧|完璧です|素晴らしい|素晴らしいです|最高です|保存|保存して|保存してください|保存して下さい|保存お願いします|保存をお願いします|これでお願いします|それでお願いします|これでいい|これでいいです|これで大丈夫です|これで決定|これで決定してください|これでいきましょう|これで行きましょう|確定|確定してください|確定します|確定でお願いします|承認|承認します|同意します|了解|了解です|了解しました|オーケー|オッケー|okです|問題ありません|問題ないです|気に入りました|まさに欲しかったものです|まさに私が欲しかったものです|進めてください|その通りです`,
		`ありがとう|ありがとうございます|どうもありがとうございます|どうも|とても|この計画|このプラン|では|じゃあ|お願いします|ください|計画を|プランを`),
	newLanguage( // Korean
		`네|예|응|좋아요|좋습니다|좋아|좋네요|완벽해요|완벽합니다|저장|저장해 주세요|저장해주세요|저장해|확정해 주세요|확정해주세요|확정|승인|승인합니다|동의합니다|그대로 진행해 주세요|진행해 주세요|진행해주세요|마음에 들어요|마음에 듭니다|딱 원하던 거예요|정확히 제가 원하던 거예요|오케이`,
		`감사합니다|고마워요|고맙습니다|이대로|그대로|이 계획|계획을|아주|정말|그럼`),
	newLanguage( // Arabic
		`نعم|أجل|موافق|أوافق|حسنا|ممتاز|رائع|تمام|مثالي|احفظ|احفظها|احفظه|احفظ الخطة|تبدو جيدة|يبدو جيدا|هذا ما أردته|هذا بالضبط ما أردته`, `شكرا|شكرا لك|شكرا جزيلا|من فضلك|الآن|جدا`),
	newLanguage( // Hebrew
		`כן|מעולה|מצוין|מושלם|נראה טוב|נראה מצוין|נראה מעולה|שמור|שמור את התוכנית|שמרי|אישור|מאשר|מאשרת|מסכים|מסכימה|בסדר|בדיוק מה שרציתי`, `תודה|תודה רבה|בבקשה|עכשיו|מאוד`),
	newLanguage( // Hindi
		`हाँ|हां|जी हाँ|ठीक है|बढ़िया|बहुत बढ़िया|बहुत अच्छा|अच्छा है|बढ़िया है|सहेजें|सेव करें|सेव कर दो|सेव कर दीजिए|मंज़ूर है|मंजूर है|यही चाहिए था|मुझे पसंद है`, `धन्यवाद|शुक्रिया|कृपया|अब|बहुत`),
}
