package scrub

import (
	"bytes"
	"maps"
	"slices"

	"memcurator/memstore/scrub/ascii"
)

// entryCodes reads the digits that open what a sentence names: "the garage keypad takes ...", "Alarm in the hall. Code: ...".
var entryCodes = detector{
	name: "entry-code",
	rule: `
[[rule]]
id = "entry-code"
class = "password"
detector = "entry-code"
score = 75
examples = ["the garage keypad takes {[3-9]:1}{digit:3}.", "Código del portal: {[3-9]:1}{digit:3}.",
  "Alarm panel in the hall. Code: {[3-9]:1}{digit:5}, then wait"]
counterexamples = ["the door code was changed in 2024.", "the safe is at room 4512 of the office", "error code 4040 of the gateway"]
`,
	words: func() []string { return slices.Sorted(maps.Keys(lockable)) },
	begin: func(s *scan) reading { return (&commands{s.reader}).entryCode },
}

// lockable are what digits open. A word that is true takes them directly behind it.
var lockable = map[string]bool{"keypad": true, "combination lock": true, "office alarm": true, "house alarm": true, "home alarm": true,
	"building alarm": true, "shop alarm": true, "alarm": false, "door": false, "gate": false, "garage": false, "locker": false,
	"portal": false, "alarme": false, "alarma": false, "cofre": false, "caja fuerte": false, "tresor": false, "garagentor": false,
	"coffre": false, "portail": false, "radio": false, "puerta": false, "pin of the device": true, "pin of the card": true,
	"pin of the phone": true, "pin of the sim": true}

// codeLeads are the last words before the digits.
var codeLeads = ascii.NewWords("code código codigo pin takes wants con combination keypad lock")

// codeReach is how far behind what they open the digits stand, in bytes.
const codeReach = 56

// entryCode takes four to eight digits at the end of a clause, where a word before them says that they are entered.
func (r *commands) entryCode(start, end int) {
	b := r.text
	if start > 0 && (ascii.Alnums[b[start-1]] || b[start-1] >= 0x80) || end < len(b) && (ascii.Alnums[b[end]] || b[end] >= 0x80) {
		return
	}
	stop := ascii.LineEnd(b, end, codeReach)
	from := end
	for from < stop && !ascii.Digits[b[from]] && b[from] != '|' {
		from++
	}
	to := ascii.Run(b, from, ascii.Digits)
	if from == stop || to-from < 4 || to-from > 8 ||
		to-from == 4 && (b[from] == '1' && b[from+1] == '9' || b[from] == '2' && b[from+1] == '0') {
		return // none, or a year
	}
	if to < len(b) && b[to] == '#' {
		to++
	}
	if rest := bytes.TrimLeft(b[to:min(len(b), to+3)], " `*"); len(rest) > 0 && bytes.IndexByte([]byte(",;)(\n"), rest[0]) < 0 &&
		(rest[0] != '.' || len(rest) > 1 && rest[1] > ' ') {
		return
	}
	between := b[end:from]
	lead := bytes.TrimRight(between, " :=`*")
	bare := len(bytes.Trim(between, " :=`*")) == 0
	arrow := bytes.HasSuffix(lead, []byte("->")) || bytes.HasSuffix(lead, []byte("→"))
	word := lead[bytes.LastIndexAny(lead, " .,;:")+1:]
	switch {
	case codeLeads.Has(word), arrow && len(bytes.TrimSpace(between)) <= 3:
	case bare && lockable[string(bytes.ToLower(b[start:end]))]:
	case bare && bytes.IndexByte(between, ':') >= 0 && codeBefore(b, start):
	default:
		return
	}
	r.found.announced("entry-code", stated, from, to)
}

// codeBefore reports the word for a code shortly before at, as in "código del portal".
func codeBefore(b []byte, at int) bool {
	return codeNouns.In(b[ascii.LineStart(b, at, 24):at])
}

var codeNouns = ascii.NewPhrases("code ", "código ", "codigo ")
