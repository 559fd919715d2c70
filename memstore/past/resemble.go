package past

import (
	"bytes"
	"context"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/render/diff"
)

// The commands of edits by other programs, where the memory tool has no name for them.
const (
	cmdRewrite = "rewrite" // several changes in one file, or most of its text
	CmdEdit    = "edit"    // the bytes differ, in an unknown way
)

// Resemblance is the memory command that a change by another program is nearest to.
type Resemblance struct {
	// Command is one of [memstore.CmdCreate], [memstore.CmdStrReplace], [memstore.CmdInsert], [cmdRewrite],
	// [memstore.CmdRename] and [memstore.CmdDelete]. It is "" for an edit of which nothing can be said: a side is
	// not kept, is not UTF-8 text or has 1 MiB or more.
	Command string
	// OldStr and NewStr are the texts that a str_replace would have had: run on the
	// bytes before it produces exactly the bytes after. OldStr is empty if no text of up to 8 KiB does.
	OldStr, NewStr string
	// InsertLine and InsertText are those of an insert, in the same way.
	// InsertText is empty when it is longer than 8 KiB.
	InsertLine int
	InsertText string
}

const (
	// longestLike bounds the texts of a Resemblance, in bytes: changes are kept in
	// memory as long as the watch runs.
	longestLike = 8 << 10
	// shortLines is how long the changed lines may be, in bytes, to be given whole; of
	// longer ones only words are.
	shortLines = 240
	// bridged is how many equal lines may separate two changes that still count as one.
	bridged = 3
)

// span is the part that differs: from:to of the text before has become from:newTo.
type span struct{ from, to, newTo int }

// Resemble finds the command that makes after out of before, both of which are
// the whole text of a file. It depends on nothing else. Callers keep to files below 1 MiB.
func Resemble(before, after []byte) Resemblance {
	if bytes.Equal(before, after) || !utf8.Valid(before) || !utf8.Valid(after) {
		return Resemblance{}
	}
	head, tail := commonEnds(before, after)
	if at, text, ok := insertion(before, after, head, tail); ok {
		like := Resemblance{Command: memstore.CmdInsert, InsertLine: at}
		if len(text) <= longestLike {
			like.InsertText = string(text)
		}
		return like
	}
	s := changed(before, after, head, tail)
	if rewritten(before, after, s) {
		return Resemblance{Command: cmdRewrite}
	}
	like := Resemblance{Command: memstore.CmdStrReplace}
	if wide, ok := widen(before, s); ok && wide.newTo-wide.from <= longestLike {
		like.OldStr, like.NewStr = string(before[wide.from:wide.to]), string(after[wide.from:wide.newTo])
	}
	return like
}

// commonEnds counts the bytes that are equal at the beginning and at the end. The
// two may overlap.
func commonEnds(a, b []byte) (head, tail int) {
	short := min(len(a), len(b))
	for head < short && a[head] == b[head] {
		head++
	}
	for tail < short && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// insertion reports whether after is before with whole lines added in one place,
// and which insert does that. Behind a last line without a newline the tool puts one, and keeps the
// text as it was sent.
func insertion(before, after []byte, head, tail int) (line int, text []byte, ok bool) {
	added := len(after) - len(before)
	if added <= 0 || head+tail < len(before) {
		return 0, nil, false
	}
	if n := len(before); n > 0 && head == n && before[n-1] != '\n' && after[n] == '\n' && added > 1 {
		return bytes.Count(before, newline) + 1, after[n+1:], true
	}
	at, ok := lineBegin(before, len(before)-tail, head)
	if !ok || after[at+added-1] != '\n' {
		return 0, nil, false
	}
	return bytes.Count(before[:at], newline), after[at : at+added], true
}

var newline = []byte{'\n'}

// lineBegin finds the last offset from low to high at which a line begins, or at
// which one would after the final newline.
func lineBegin(text []byte, low, high int) (at int, ok bool) {
	if beginsLine(text, high) {
		return high, true
	}
	if i := bytes.LastIndexByte(text[low:high], '\n'); i >= 0 {
		return low + i + 1, true
	}
	return low, beginsLine(text, low)
}

func beginsLine(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// changed is the shortest part that differs, in whole characters. When text was
// only removed it could be told in several places; then whole lines are preferred.
func changed(before, after []byte, head, tail int) span {
	short := min(len(before), len(after))
	if gone := len(before) - len(after); gone > 0 && head+tail >= short {
		if at, ok := lineBegin(after, short-tail, head); ok && before[at+gone-1] == '\n' {
			return span{at, at + gone, at}
		}
	}
	tail = min(tail, short-head)
	s := span{head, len(before) - tail, len(after) - tail}
	inside := func(text []byte, at int) bool { return at < len(text) && !utf8.RuneStart(text[at]) }
	for inside(before, s.from) || inside(after, s.from) {
		s.from--
	}
	for inside(before, s.to) || inside(after, s.newTo) {
		s.to++
		s.newTo++
	}
	return s
}

// rewritten reports whether one replacement is a poor description of s: most of the
// text was replaced, all of it was removed, or there are several changes far apart.
func rewritten(before, after []byte, s span) bool {
	switch {
	case len(before) == 0 || len(after) == 0:
		return true
	case s.to == s.from || s.newTo == s.from:
		return false
	case s.to-s.from > longestLike || s.newTo-s.from > longestLike:
		return true
	}
	lines := wholeLines(before, s)
	if words := wholeWords(before, s, lines, 0); 2*(words.to-words.from) > len(before) {
		return true
	}
	r := diff.Lines(context.Background(), before[lines.from:lines.to], after[lines.from:lines.newTo], diff.Options{})
	for i, op := range r.Ops {
		if op.Kind == diff.Equal && op.AEnd-op.AStart > bridged && i > 0 && i < len(r.Ops)-1 {
			return true
		}
	}
	return false
}

// widen makes s so large that the text before occurs once, as the tool counts:
// whole lines, or of long lines words and only then lines. It grows by doubling, so that few
// searches are needed.
func widen(before []byte, s span) (span, bool) {
	lines := wholeLines(before, s)
	if lines.to-lines.from > shortLines {
		for n := 0; ; n = max(1, 2*n) {
			w := wholeWords(before, s, lines, n)
			if w == lines || w.to-w.from > longestLike {
				break
			}
			if isOnly(before, w) {
				return w, true
			}
		}
	}
	for n := 0; ; n = max(1, 2*n) {
		w := moreLines(before, lines, n)
		switch {
		case w.to-w.from > longestLike:
			return w, false
		case isOnly(before, w):
			return w, true
		}
	}
}

// isOnly reports whether the tool finds the text of s where s is, and nowhere after it.
func isOnly(text []byte, s span) bool {
	old := text[s.from:s.to]
	return len(old) > 0 && bytes.Index(text, old) == s.from && !bytes.Contains(text[s.to:], old)
}

// grow returns s with other ends in the text before; what is added is equal on both sides.
func (s span) grow(from, to int) span { return span{from, to, s.newTo + to - s.to} }

// wholeLines extends s to the lines that it touches, without the end of the last
// one. Lines that are removed with their ends stay as they are.
func wholeLines(before []byte, s span) span {
	if s.newTo == s.from && beginsLine(before, s.from) && beginsLine(before, s.to) {
		return s
	}
	from := bytes.LastIndexByte(before[:s.from], '\n') + 1
	return s.grow(from, lineEnd(before, s.to))
}

// lineEnd is the end of the line that holds offset at, without its newline.
func lineEnd(text []byte, at int) int {
	i := bytes.IndexByte(text[at:], '\n')
	switch {
	case i < 0:
		return len(text)
	case i > 0 && text[at+i-1] == '\r':
		i--
	}
	return at + i
}

// moreLines adds n lines on each side.
func moreLines(before []byte, s span, n int) span {
	from, to := s.from, s.to
	for ; n > 0; n-- {
		if from > 0 {
			from = bytes.LastIndexByte(before[:from-1], '\n') + 1
		}
		to = nextLineEnd(before, to)
	}
	return s.grow(from, to)
}

// nextLineEnd is the end of the line after the one that ends at offset at, or of
// the one that begins there. It is beyond at unless that is the end of the text.
func nextLineEnd(text []byte, at int) int {
	if beginsLine(text, at) {
		if end := lineEnd(text, at); end > at {
			return end
		}
	}
	i := bytes.IndexByte(text[at:], '\n')
	if i < 0 {
		return len(text)
	}
	return lineEnd(text, at+i+1)
}

// wholeWords extends s to the words that it touches and n more on each side, at
// most to the given lines.
func wholeWords(before []byte, s, lines span, n int) span {
	from, to := s.from, s.to
	for ; n >= 0; n-- {
		from = wordBegin(before, lines.from, from)
		to = wordEnd(before, to, lines.to)
		if n > 0 {
			from = skipLeft(before, lines.from, from, false)
			to = skipRight(before, to, lines.to, false)
		}
	}
	return s.grow(from, to)
}

func wordBegin(text []byte, low, at int) int { return skipLeft(text, low, at, true) }
func wordEnd(text []byte, at, high int) int  { return skipRight(text, at, high, true) }

// skipLeft goes back over characters that are (or are not) part of words.
func skipLeft(text []byte, low, at int, words bool) int {
	for at > low {
		r, size := utf8.DecodeLastRune(text[low:at])
		if inWord(r) != words {
			break
		}
		at -= size
	}
	return at
}

func skipRight(text []byte, at, high int, words bool) int {
	for at < high {
		r, size := utf8.DecodeRune(text[at:high])
		if inWord(r) != words {
			break
		}
		at += size
	}
	return at
}

func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
