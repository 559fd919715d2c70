// Package loadlimit computes which part of a note a client loads when a session starts, if it loads only a number of lines, bytes,
// characters or tokens, and how close the note is to that limit. Claude Code limits MEMORY.md so: 200 lines or 25,000 bytes, whichever
// comes first, not counting front matter and HTML comments, which it removes first.
package loadlimit

import (
	"bytes"
	"unicode/utf8"

	"memcurator/render/frontmatter"
)

// maxBytes limits the text to search for comments. What follows is counted unsearched.
const maxBytes = 1 << 20

// Extent is an amount of text, or a limit of it; in a limit, 0 is none.
type Extent struct {
	Lines  int64 // including a last line without a newline
	Bytes  int64
	Chars  int64
	Tokens int64 // an estimate, see [Tokens]
}

// Add adds the amounts of a further text.
func (e *Extent) Add(more Extent) {
	e.Lines += more.Lines
	e.Bytes += more.Bytes
	e.Chars += more.Chars
	e.Tokens += more.Tokens
}

// IsZero reports whether all amounts are 0.
func (e Extent) IsZero() bool { return e == Extent{} }

// Unit says what a limit counts; "" is none.
type Unit string

// The units of an [Extent].
const (
	Lines  Unit = "lines"
	Bytes  Unit = "bytes"
	Chars  Unit = "characters"
	Tokens Unit = "tokens"
)

// Units are all of them, in the order in which they are named where several limits apply equally.
var Units = []Unit{Lines, Tokens, Chars, Bytes}

// Of returns the amount in a unit.
func (e Extent) Of(u Unit) int64 {
	if u == "" {
		return 0
	}
	return *e.at(u)
}

// Less returns what remains of a limit after an amount; exhausted is set if nothing does.
func (e Extent) Less(used Extent) (rest Extent, exhausted bool) {
	for _, u := range Units {
		limit := e.Of(u)
		if limit <= 0 {
			continue
		}
		left := limit - used.Of(u)
		exhausted = exhausted || left <= 0
		*rest.at(u) = left
	}
	return rest, exhausted
}

func (e *Extent) at(u Unit) *int64 {
	switch u {
	case Lines:
		return &e.Lines
	case Chars:
		return &e.Chars
	case Tokens:
		return &e.Tokens
	default:
		return &e.Bytes
	}
}

// Limit is how much is loaded of a text.
type Limit struct {
	Extent
	// Stripped is set if front matter and HTML comments are removed first.
	Stripped bool
	// Middle is set if both ends of a text that is too long are loaded, in place of its beginning.
	Middle bool
}

// Span is a part of a text, from one offset to another.
type Span struct{ Start, End int }

// Loaded is the part of a text that is loaded.
type Loaded struct {
	Spans []Span // what is loaded
	Given Extent // how much that is
	Have  Extent // how much there is that counts
	By    Unit   // which limit cuts; "" if all is loaded
	Cut   int    // the offset where the first cut is; the length of the text if all is loaded
	Tail  int    // which span is the first behind the cut; 0: nothing behind it is loaded
}

// Load applies a limit to a text.
func Load(text []byte, limit Limit) Loaded {
	l := Loaded{Cut: len(text)}
	var given, have tally
	for at, s := range parts(text, limit.Stripped) {
		if l.By != "" {
			have.add(s)
			continue
		}
		end, by := given.fit(s, limit.Extent)
		given.add(s[:end])
		have.add(s[:end])
		if end > 0 {
			l.Spans = append(l.Spans, Span{at, at + end})
		}
		if by != "" {
			l.By, l.Cut = by, at+end
			have.add(s[end:])
		}
	}
	l.Given, l.Have = given.extent(), have.extent()
	if l.By != "" && limit.Middle {
		l.ends(text, limit)
	}
	return l
}

// ends loads half of the limit from each end of the text.
func (l *Loaded) ends(text []byte, limit Limit) {
	var all []byte
	for _, s := range parts(text, limit.Stripped) {
		all = append(all, s...)
	}
	most := int(l.Given.Bytes)
	head, tail := whole(all, most/2), len(all)-(most-most/2)
	for tail < len(all) && !utf8.RuneStart(all[tail]) {
		tail++
	}
	var given tally
	l.Spans, l.Cut = nil, 0
	from := 0 // in all
	for at, s := range parts(text, limit.Stripped) {
		if n := min(len(s), head-from); n > 0 {
			l.Spans = append(l.Spans, Span{at, at + n})
			l.Cut = at + n
			given.add(s[:n])
		}
		if skip := max(0, tail-from); skip < len(s) {
			if l.Tail == 0 {
				l.Tail = len(l.Spans)
			}
			l.Spans = append(l.Spans, Span{at + skip, at + len(s)})
			given.add(s[skip:])
		}
		from += len(s)
	}
	l.Given = given.extent()
}

// Line returns how many lines of the text precede the first line that isn't loaded at all. It is 0 if all is loaded, and if nothing is:
// By tells the two apart. A line loaded in part comes before the cut.
func (l *Loaded) Line(text []byte) int {
	if l.By == "" {
		return 0
	}
	return int(LineCount(text[:l.Cut]))
}

var newline = []byte{'\n'}

// after returns the offset after that many lines, at most the length of the text.
func after(text []byte, lines int64) int {
	at := 0
	for ; lines > 0; lines-- {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return at
}

// LineCount counts the lines of a text, including a last one without a newline.
func LineCount(text []byte) int64 {
	n := int64(bytes.Count(text, newline))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// tally counts a text part by part.
type tally struct {
	ends, bytes, chars, quarters int64
	last                         byte
}

func (t *tally) add(s []byte) {
	if len(s) == 0 {
		return
	}
	chars, quarters := weigh(s)
	t.ends += int64(bytes.Count(s, newline))
	t.bytes += int64(len(s))
	t.chars += chars
	t.quarters += quarters
	t.last = s[len(s)-1]
}

func (t *tally) extent() Extent {
	e := Extent{Lines: t.ends, Bytes: t.bytes, Chars: t.chars, Tokens: tokens(t.quarters)}
	if t.bytes > 0 && t.last != '\n' {
		e.Lines++
	}
	return e
}

// fit returns how many bytes of a further part the limit leaves room for, and which unit ends there; "": all of it fits.
func (t *tally) fit(s []byte, limit Extent) (end int, by Unit) {
	end = len(s)
	if limit.Lines > 0 {
		if n := after(s, limit.Lines-t.ends); n < end {
			end, by = n, Lines
		}
	}
	if limit.Chars > 0 || limit.Tokens > 0 {
		chars, quarters := t.chars, t.quarters
		for at := 0; at < end; {
			r, n := utf8.DecodeRune(s[at:])
			chars++
			quarters += quartersOf(r)
			if limit.Chars > 0 && chars > limit.Chars {
				end, by = at, Chars
			} else if limit.Tokens > 0 && tokens(quarters) > limit.Tokens {
				end, by = at, Tokens
			}
			at += n
		}
	}
	if limit.Bytes > 0 && limit.Bytes-t.bytes < int64(end) {
		end, by = whole(s, int(limit.Bytes-t.bytes)), Bytes
	}
	return end, by
}

// whole moves the end of a part back to the beginning of the character that it would cut in two.
func whole(s []byte, end int) int {
	for at := end; at >= 0 && end-at < utf8.UTFMax; at-- {
		if utf8.RuneStart(s[at]) {
			if _, n := utf8.DecodeRune(s[at:]); at+n > end {
				return at
			}
			break
		}
	}
	return end
}

// TokensAre explains the estimate of [Tokens], wherever a number of them is shown.
const TokensAre = "4 bytes each"

// estimateTokens estimates how many tokens a text costs: four bytes of ASCII, two letters of another alphabet, or one character of
// another script, are about one. It isn't a tokenizer: expect a third more or less.
func estimateTokens(text []byte) int64 {
	_, quarters := weigh(text)
	return tokens(quarters)
}

// TokenPart is how much of a text to read for [EstimatePart], in bytes.
const TokenPart = 64 << 10

// EstimatePart estimates how many tokens a text of some size costs from its beginning.
func EstimatePart(beginning []byte, size int64) int64 {
	if len(beginning) == 0 {
		return 0
	}
	n := int64(len(beginning))
	tokens := estimateTokens(beginning)
	if size == n {
		return tokens
	}
	return (tokens*size + n - 1) / n
}

func tokens(quarters int64) int64 { return (quarters + 3) / 4 }

// quartersOf is a character's share of a token.
func quartersOf(r rune) int64 {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case r < 0x2e80: // letters of alphabets make up words
		return 2
	}
	return 4
}

// weigh counts characters and quarters of tokens.
func weigh(s []byte) (chars, quarters int64) {
	for _, r := range string(s) {
		chars++
		quarters += quartersOf(r)
	}
	return chars, quarters
}

// parts yields the parts of a text that count, with their offsets.
func parts(text []byte, stripped bool) func(func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		from := 0
		if stripped {
			if m, ok := frontmatter.Find(text); ok {
				from = m.End
			}
			for s := range comments(text, from) {
				if s.Start > from && !yield(from, text[from:s.Start]) {
					return
				}
				from = s.End
			}
		}
		if from < len(text) {
			yield(from, text[from:])
		}
	}
}

// comments yields the HTML comments of a text outside fenced code, starting at an offset. A comment with no other text on its lines
// includes those lines; an unterminated one is text.
func comments(text []byte, from int) func(func(Span) bool) {
	return func(yield func(Span) bool) {
		text := text[:min(len(text), maxBytes)]
		var fence []byte
		for at := from; at < len(text); {
			end := after(text[at:], 1) + at
			line := text[at:end]
			if mark := fenceOf(line); fence != nil || mark != nil {
				switch {
				case fence == nil:
					fence = mark
				case bytes.HasPrefix(mark, fence) && len(bytes.TrimSpace(line)) == len(mark):
					fence = nil
				}
				at = end
				continue
			}
			open := bytes.Index(line, []byte("<!--"))
			if open < 0 {
				at = end
				continue
			}
			s := Span{Start: at + open}
			length := bytes.Index(text[s.Start+len("<!--"):], []byte("-->"))
			if length < 0 {
				return
			}
			s.End = s.Start + len("<!--") + length + len("-->")
			rest := after(text[s.End:], 1) + s.End
			if len(bytes.TrimSpace(line[:open])) == 0 && len(bytes.TrimSpace(text[s.End:rest])) == 0 {
				s = Span{at, rest}
			}
			if !yield(s) {
				return
			}
			at = s.End
		}
	}
}

// fenceOf returns the backticks or tildes that begin or end fenced code, nil if the line has none.
func fenceOf(line []byte) []byte {
	body := bytes.TrimLeft(line, " ")
	if len(line)-len(body) > 3 {
		return nil
	}
	for _, mark := range []string{"`", "~"} {
		if n := len(body) - len(bytes.TrimLeft(body, mark)); n >= 3 {
			return body[:n]
		}
	}
	return nil
}
