package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// answers reads what answers a question.
type answers struct {
	reader
	pairs *pairs
	tells int // the end of a line that asks for nothing
}

// Questions and their answers: "what is the wifi password?" and, in the next line or two,
// the value by itself, as conversations have it.

// maxQuestion bounds the line of a question, in bytes.
const maxQuestion = 160

// requests are words by which a line asks for what it names.
var requests = ascii.NewPhrases("tell me", "send me", "give me", "what's", "what is", "what was", " pls", " plz", " please", " bitte",
	" stp", " svp", "porfa", "por favor", "ください", "下さい", " 좀", "教えて", "何だっけ", "なんだっけ", "何でした", "알려", "뭐야", "뭐였", "뭐지", "多少", "是什么", "是啥",
	"告诉", "发我", "发一下",
	"quel est", "dime", "cuál es", "sag mir", "schick mir", "gib mir", "wie ist", "wie lautet", "c'est quoi", "donne-moi", "envoie",
	"pásame", "mándame")

// answered takes the value that answers the line of a cue, if that line asks for one.
func (r *answers) answered(from, to int) {
	if end, ok := r.asked(from, to); ok {
		r.replied(end)
	}
}

// asked reports whether the line of a cue asks for the value, and where the line ends.
func (r *answers) asked(from, to int) (int, bool) {
	b := r.text
	end := ascii.LineEnd(b, to, maxQuestion)
	if end >= len(b)-1 || b[end] != '\n' {
		return end, false
	}
	if end == r.tells {
		return end, false // a cue before this one was in the line
	}
	last := b[end-1]
	if last >= 0x80 || behindQuestion[last] || last == '?' {
		line := bytes.TrimRight(b[to:end], " \t\r*_\"'`)」』")
		if bytes.HasSuffix(line, []byte("?")) || bytes.HasSuffix(line, []byte("？")) {
			return end, true
		}
	}
	if requests.In(b[ascii.LineStart(b, from, 60):end]) {
		return end, true
	}
	r.tells = end
	return end, false
}

// behindQuestion may stand between the question mark and the end of its line.
var behindQuestion = ascii.NewSet(" \t\r*_\"'`)")

// replied takes the value that answers a question whose line ends at at.
func (r *answers) replied(at int) {
	b := r.text
	said := 0
	for lines := 0; lines < 4 && said < 2 && at < len(b) && b[at] == '\n'; lines++ {
		end := ascii.LineEnd(b, at+1, shape.MaxValue)
		if line := bytes.TrimLeft(b[at+1:end], " \t"); r.format != view.Plain && r.format != view.Markdown && len(line) > 0 &&
			bytes.IndexByte([]byte("\"'{}[]<"), line[0]) >= 0 {
			return // the next line of data
		}
		from := speech(r.text, at+1, end)
		if from < end {
			if r.said(from, end) {
				return
			}
			said++
		}
		at = end
	}
}

// speech is where what is said begins in a line of a conversation: behind the marks of a
// quote or a list, a time and the name of who speaks.
func speech(b []byte, at, end int) int {
	for at < end {
		switch c := b[at]; {
		case c == ' ' || c == '\t' || c == '>' || c == '-' || c == '*' || c == '|' || c == ',':
			at++
		case c == '[' && bytes.IndexByte(b[at:min(end, at+28)], ']') > 0 && ascii.Digits[b[at+1]]:
			at += bytes.IndexByte(b[at:end], ']') + 1
		case ascii.Digits[c] && timeEnd(b, at, end) > 0:
			at = timeEnd(b, at, end)
		default:
			if name := speakerEnd(b, at, end); name > 0 {
				return ascii.Run(b[:end], name, speechMarks)
			}
			return at
		}
	}
	return end
}

var speechMarks = ascii.NewSet(" \t*>-")

// timeEnd is the end of a date and time at at, 0 for none.
func timeEnd(b []byte, at, end int) int {
	stop := ascii.Run(b[:end], at, timeBytes)
	if stop-at < 4 || bytes.IndexByte(b[at:stop], ':') < 0 {
		return 0
	}
	return stop
}

var timeBytes = ascii.NewSet("0-9:./, APM-")

// speakerEnd is the offset after the colon that follows a speaker's name, 0 where at is not a name.
func speakerEnd(b []byte, at, end int) int {
	line := b[at:min(end, at+40)]
	colon, wide := bytes.IndexByte(line, ':'), false
	if i := bytes.Index(line, []byte("：")); i >= 0 && (colon < 0 || i < colon) {
		colon, wide = i, true
	}
	if i := bytes.IndexByte(line, '('); i > 0 && i < colon { // "Greta (10:42): ..."
		if shut := bytes.Index(line, []byte("):")); shut > colon {
			return at + shut + 2
		}
	}
	if colon < 1 || !wide && colon+1 < len(line) && line[colon+1] != ' ' && line[colon+1] != '*' && line[colon+1] != '\t' &&
		line[colon+1] < 0x80 {
		return 0
	}
	if bytes.Count(line[:colon], []byte(" ")) > 3 || shape.Of(line[:colon]).Digit > 2 {
		return 0
	}
	if wide {
		return at + colon + len("：")
	}
	return at + colon + 1
}

// softeners come before an answer.
var softeners = []string{"i think", "i guess", "i believe", "it's", "it is", "it was", "its", "that's", "that is", "this is",
	"here it is", "here you go", "here", "sure", "ok", "okay", "yes", "yep", "yeah", "probably", "should be", "must be", "try", "use",
	"maybe", "just",
	"das ist", "es ist", "ich glaube", "glaub", "klar", "hier", "müsste", "c'est", "je crois", "voilà", "tiens", "oui", "creo que es",
	"creo que", "es", "claro", "toma", "sí", "ist", "たぶん", "えっと", "これ", "それは", "確か", "是", "就是", "应该是", "好像是", "아마", "그거", "음", "어"}

// said takes the value that a line of a conversation has, alone or behind a few words.
func (r *answers) said(at, end int) bool {
	b := r.text
	for n := 0; n < 4 && at < end; n++ {
		at = ascii.Run(b[:end], at, softMarks)
		skipped := 0
		for _, w := range softeners {
			if len(w) > skipped && ascii.HasFold(b[at:end], w) && (at+len(w) >= end || b[at+len(w)] <= ' ' ||
				bytes.IndexByte([]byte(",:.!、…"), b[at+len(w)]) >= 0 || w[0] >= 0x80) {
				skipped = len(w)
			}
		}
		if skipped == 0 {
			break
		}
		at += skipped
	}
	at = min(ascii.Run(b, at, softMarks), end)
	n, shut := shape.QuoteAt(b, at)
	stop := shape.Trimmed(b, at, min(shape.BareEnd(b, at), end), true)
	if q := shape.QuotedEnd(b, at+n, shut); n > 0 && q > 0 && q < end {
		at, stop = at+n, q
	}
	if stop <= at {
		return false
	}
	v := b[at:stop]
	if len(v) >= 5 && endsAnswer(v) && !shape.IsSetting(v) && r.prose.Plausible(prose.Password, prose.Copula, v, n > 0) {
		r.found.announced("password", stated, at, stop)
		return true
	}
	before := len(r.found.list)
	r.pairs.login(prose.Assigned, at)
	return len(r.found.list) > before
}

// endsAnswer is set where what was asked for is all that the sentence says: "X is fine" answers another question.
func endsAnswer(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	rest = bytes.TrimLeft(rest[:min(len(rest), 16)], "`\"'*_)]」』”» ")
	return len(rest) == 0 || rest[0] >= 0x80 || bytes.IndexByte([]byte("\n\r,.!;(["), rest[0]) >= 0
}

var softMarks = ascii.NewSet(" \t,:.!*-")
