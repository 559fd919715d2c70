// Package literal finds a text in bytes, in any case and however its letters are composed where the caller asks for it. It knows nothing
// of files: the panes of the interface pass it lines, and the search in stores (memstore/search) what it has read.
package literal

import "bytes"

// Text is a text made ready: its elements, each in all its forms. It is immutable.
type Text struct {
	elements []element
	whole    []byte // the only form of the text; nil where there are several
	heads    []byte // what a match may begin with
}

// New makes a text ready, which must not be empty. fold: upper and lower case are equal by Unicode's simple case folding, as in
// [strings.EqualFold]. canonical: letters composed and taken apart are the same. What is not UTF-8 is found as it is.
func New(text string, fold, canonical bool) *Text {
	l := &Text{elements: elementsOf(text, fold, canonical)}
	single := true
	for _, e := range l.elements {
		l.whole = append(l.whole, e[0]...)
		single = single && len(e) == 1
	}
	if !single {
		l.whole = nil
	}
	for _, form := range l.elements[0] {
		if bytes.IndexByte(l.heads, form[0]) < 0 {
			l.heads = append(l.heads, form[0])
		}
	}
	return l
}

// In returns what finds the text in b, for one goroutine.
func (l *Text) In(b []byte) *Scan {
	s := &Scan{l: l, b: b, at: make([]int, len(l.heads))}
	for i := range s.at {
		s.at[i] = -1
	}
	return s
}

// Scan finds a text. It remembers where the next of each first byte stands, so that the bytes are passed over once.
type Scan struct {
	l  *Text
	b  []byte
	at []int
}

// Next returns the first match that starts at from or behind it, -1 for none. from must not get smaller.
func (s *Scan) Next(from int) (start, end int) {
	if s.l.whole != nil {
		i := bytes.Index(s.b[min(from, len(s.b)):], s.l.whole)
		if i < 0 {
			return -1, -1
		}
		return from + i, from + i + len(s.l.whole)
	}
	for at := s.head(from); at < len(s.b); at = s.head(at + 1) {
		if end := s.l.match(s.b, at); end >= 0 {
			return at, end
		}
	}
	return -1, -1
}

// head is the first place at from or behind it where a match may begin.
func (s *Scan) head(from int) int {
	first := len(s.b)
	for k, c := range s.l.heads {
		if s.at[k] < from {
			s.at[k] = len(s.b)
			if i := bytes.IndexByte(s.b[min(from, len(s.b)):], c); i >= 0 {
				s.at[k] = from + i
			}
		}
		first = min(first, s.at[k])
	}
	return first
}

// match is where a match that begins at a place ends; -1: none does.
func (l *Text) match(b []byte, at int) int {
next:
	for _, e := range l.elements {
		for _, form := range e {
			if bytes.HasPrefix(b[at:], form) {
				at += len(form)
				continue next
			}
		}
		return -1
	}
	return at
}
