// Package literal finds a text in bytes, in any case and however its letters are composed where the caller asks for it. It knows nothing
// of files: the panes of the interface pass it lines, and the search in stores (memstore/search) what it has read.
package literal

import "bytes"

// Text is a text made ready. It is looked for by one byte for each form of one of its
// elements, the anchor, all rare ones; around each place where one stands the whole is
// compared. It is immutable.
type Text struct {
	elements []element
	longest  int // the most bytes a match has

	anchor        int
	bytes         []byte // the different bytes to look for
	spots         [256][]spot
	before, after *[256]bool // what the neighbors of the anchor end and begin with; nil: none

	whole     []byte // the only form of the text; nil where there are several
	rare, two int    // places in whole of its two rarest bytes
}

// spot is a form of the anchor, seen from one of its bytes.
type spot struct {
	form []byte
	at   int // place of the byte in form
}

// New makes a text ready, which must not be empty. fold: upper and lower case are equal by Unicode's simple case folding, as in
// [strings.EqualFold]. canonical: letters composed and taken apart are the same. What is not UTF-8 is found as it is.
func New(text string, fold, canonical bool) *Text {
	l := &Text{elements: elementsOf(text, fold, canonical)}
	single := true
	for _, e := range l.elements {
		l.longest += len(e[0])
		single = single && len(e) == 1
	}
	if single {
		for _, e := range l.elements {
			l.whole = append(l.whole, e[0]...)
		}
		l.rare = rarest(l.whole, -1)
		l.two = rarest(l.whole, l.rare)
		return l
	}
	l.chooseAnchor()
	return l
}

// Longest is the most bytes that a match has.
func (l *Text) Longest() int { return l.longest }

// rarest is the place of the rarest byte of b, ignoring offset not.
func rarest(b []byte, not int) int {
	best := -1
	for i, c := range b {
		if i != not && (best < 0 || frequency[c] < frequency[b[best]]) {
			best = i
		}
	}
	return max(best, 0)
}

// chooseAnchor takes the element with the rarest bytes; each byte more to look for costs too.
func (l *Text) chooseAnchor() {
	best := -1
	for i, e := range l.elements {
		var seen [256]bool
		cost := 0
		for _, f := range e {
			if c := f[rarest(f, -1)]; !seen[c] {
				seen[c] = true
				cost += frequency[c] + 3
			}
		}
		if best < 0 || cost < best {
			best, l.anchor = cost, i
		}
	}
	for _, f := range l.elements[l.anchor] {
		at := rarest(f, -1)
		if len(l.spots[f[at]]) == 0 {
			l.bytes = append(l.bytes, f[at])
		}
		l.spots[f[at]] = append(l.spots[f[at]], spot{f, at})
	}
	if l.anchor > 0 {
		l.before = new([256]bool)
		for _, f := range l.elements[l.anchor-1] {
			l.before[f[len(f)-1]] = true
		}
	}
	if l.anchor+1 < len(l.elements) {
		l.after = new([256]bool)
		for _, f := range l.elements[l.anchor+1] {
			l.after[f[0]] = true
		}
	}
}

// Scan returns what finds the text in one block after the other, for one goroutine.
func (l *Text) Scan() *Scan {
	return &Scan{l: l, at: make([]int, len(l.bytes))}
}

// In returns a scan of one block.
func (l *Text) In(b []byte) *Scan {
	s := l.Scan()
	s.Start(b)
	return s
}

// Scan finds a text in blocks. It remembers where the next of each byte stands, so
// that a block is passed over once.
type Scan struct {
	l  *Text
	b  []byte
	at []int
}

// Start takes a block and forgets the one before.
func (s *Scan) Start(b []byte) {
	s.b = b
	for i := range s.at {
		s.at[i] = -1
	}
}

// Next returns the first match that starts at from or behind it, -1 for none. from must not get smaller within a block.
func (s *Scan) Next(from int) (start, end int) {
	if s.l.whole != nil {
		return s.nextWhole(from)
	}
	l := s.l
	// The anchor stands behind the start of a match; from there on it is looked for.
	for at := from; ; at++ {
		if at = s.anchor(at); at < 0 {
			return -1, -1
		}
		if i, j := l.around(s.b, at, from); i >= 0 {
			return i, j
		}
	}
}

// anchor is the first place of an anchor's byte at from or behind it, -1 for none.
func (s *Scan) anchor(from int) int {
	first := len(s.b)
	for k, c := range s.l.bytes {
		if s.at[k] < from {
			s.at[k] = len(s.b)
			if from < len(s.b) {
				if i := bytes.IndexByte(s.b[from:], c); i >= 0 {
					s.at[k] = from + i
				}
			}
		}
		first = min(first, s.at[k])
	}
	if first == len(s.b) {
		return -1
	}
	return first
}

// around returns the match whose anchor has its byte at a place, if there is one that
// starts at from or behind it.
func (l *Text) around(b []byte, at, from int) (start, end int) {
	for _, s := range l.spots[b[at]] {
		i := at - s.at
		j := i + len(s.form)
		if i < from || j > len(b) ||
			l.after != nil && (j == len(b) || !l.after[b[j]]) ||
			l.before != nil && (i == from || !l.before[b[i-1]]) ||
			len(s.form) > 1 && !bytes.Equal(b[i:j], s.form) {
			continue
		}
		if i, j = l.back(b, i), l.forth(b, j); i >= from && j >= 0 {
			return i, j
		}
	}
	return -1, -1
}

// back compares the elements before the anchor, which begins at i; -1 where they differ.
func (l *Text) back(b []byte, i int) int {
next:
	for k := l.anchor - 1; k >= 0; k-- {
		for _, f := range l.elements[k] {
			n := len(f)
			if n <= i && b[i-1] == f[n-1] && (n == 1 || bytes.Equal(b[i-n:i], f)) {
				i -= n
				continue next
			}
		}
		return -1
	}
	return i
}

// forth compares the elements behind the anchor, which ends at j; -1 where they differ.
func (l *Text) forth(b []byte, j int) int {
next:
	for _, e := range l.elements[l.anchor+1:] {
		for _, f := range e {
			n := len(f)
			if n <= len(b)-j && b[j] == f[0] && (n == 1 || bytes.Equal(b[j:j+n], f)) {
				j += n
				continue next
			}
		}
		return -1
	}
	return j
}

func (s *Scan) nextWhole(from int) (start, end int) {
	l := s.l
	n := len(l.whole)
	c, d := l.whole[l.rare], l.whole[l.two]
	for i := from; i+n <= len(s.b); i++ {
		k := bytes.IndexByte(s.b[i+l.rare:len(s.b)-n+l.rare+1], c)
		if k < 0 {
			break
		}
		i += k
		if s.b[i+l.two] == d && bytes.Equal(s.b[i:i+n], l.whole) {
			return i, i + n
		}
	}
	return -1, -1
}
