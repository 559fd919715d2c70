package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// plainWord accepts a word as the value of a sentence that names one: with a capital letter
// in the middle of the sentence and its end behind it ("The password is Sunflower."), or
// as the one Latin word of a sentence in another script.
func (p *Reader) plainWord(v []byte, sh shape.Shape) bool {
	if len(v) < 6 || sh.Letters() != len(v) {
		return false
	}
	rest := v[:cap(v)][len(v):]
	rest = bytes.TrimLeft(rest[:min(len(rest), 16)], "`\"'*_」』”»")
	ends := len(rest) == 0 || rest[0] == '\n' || rest[0] == '.' && shape.LastBefore(rest, 1)
	if p.foreignCue() {
		return ends || foreignEnds.Begin(bytes.TrimLeft(rest, " ")) != ""
	}
	return ends && ascii.Uppers[v[0]] && !stateWord(v)
}

// foreignEnds follow the value in a sentence that names it.
var foreignEnds = ascii.NewLiterals("。", "，", "！", "です", "だ", "입니다", "이에요", "예요", "임", "야", "(으)", "로 ", "으로 ")

// foreignCue is set for a cue in a script without capital letters.
func (p *Reader) foreignCue() bool { return len(p.Cue) > 0 && p.Cue[0] >= 0xe2 }

// stateEndings are the ends of words that say how a password is, not what.
var stateEndings = ascii.NewLiterals("ed", "ing", "able", "ible", "ive", "ly", "al", "ful", "ent", "ant", "ary", "ory", "ous", "less", "ic",
	"ate", "text", "case", "word", "where", "only", "wise")

func stateWord(v []byte) bool { return stateEndings.End(bytes.ToLower(v)) != "" }
