// Package fuzzy finds names by what a person remembers of them: words in any order, each the letters of a part of the name, with
// capitals only where capitals are meant. Palette, prompt, pickers, filters and searches of names share it.
package fuzzy

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern is a line of words, all of which must be found. The zero value fits everything.
type Pattern struct{ words []word }

// word is one of them; exact: it has a capital, so case counts.
type word struct {
	text  string
	exact bool
}

// Parse reads a line of words.
func Parse(line string) Pattern {
	var p Pattern
	for _, w := range strings.Fields(line) {
		p.words = append(p.words, word{w, strings.ContainsFunc(w, unicode.IsUpper)})
	}
	return p
}

// Entry is something to be found.
type Entry struct {
	Names []string
	Text  string // describes it
}

// How well a word fits, the best first.
const (
	whole     = iota
	start     // of a name
	part      // of a name begins with it
	inside    // a name
	described // a word of the text begins with it
	mentioned // it is inside of a word of the text
	scattered = 100
)

// Best lists which of n entries a pattern fits, the best first. Entries that hold a word only as letters that are not beside each other
// are listed where no other entry fits.
func (p Pattern) Best(n int, entry func(i int) Entry) []int {
	var fit []int
	ranks, least := make(map[int]int, n), math.MaxInt
	for i := range n {
		if rank, ok := p.rank(entry(i)); ok {
			fit, ranks[i], least = append(fit, i), rank, min(least, rank)
		}
	}
	if least < scattered {
		fit = slices.DeleteFunc(fit, func(i int) bool { return ranks[i] >= scattered })
	}
	slices.SortStableFunc(fit, func(i, j int) int { return ranks[i] - ranks[j] })
	return fit
}

// rank says how well a pattern fits an entry; the lowest rank is the best. Letters that are not beside each other are only found in
// names.
func (p Pattern) rank(e Entry) (rank int, ok bool) {
	for _, w := range p.words {
		best := -1
		note := func(r int) {
			if best < 0 || r < best {
				best = r
			}
		}
		for _, n := range e.Names {
			switch at := w.index(n); {
			case at == 0 && len(n) == len(w.text):
				note(whole)
			case at == 0:
				note(start)
			case at > 0 && w.begins(n):
				note(part)
			case at > 0:
				note(inside)
			case Letters(n, w.text) != nil:
				note(scattered)
			}
		}
		if w.begins(e.Text) {
			note(described)
		} else if w.index(e.Text) >= 0 {
			note(mentioned)
		}
		if best < 0 {
			return 0, false
		}
		rank += best
	}
	return rank, true
}

// index is where a word is in a text, -1 where it is not.
func (w word) index(text string) int {
	if w.exact {
		return strings.Index(text, w.text)
	}
	return strings.Index(strings.ToLower(text), w.text)
}

// begins reports whether a part of a text begins with the word.
func (w word) begins(text string) bool {
	if w.index(text) < 0 {
		return false
	}
	return slices.ContainsFunc(parts(text), func(at int) bool { return w.index(text[at:]) == 0 })
}

// stretch is how much longer than a word the part of a name may be that holds its letters.
const stretch = 3

// Letters finds the letters of a word in a name, in their order, from the start of a part of the name on; nil where they are not
// there, or too far from each other and not at the starts of parts. The spans are bytes of the name. A capital in the word is found as one.
func Letters(name, typed string) [][2]int {
	if utf8.RuneCountInString(typed) < 2 || !utf8.ValidString(name) {
		return nil
	}
	starts := parts(name)
	for _, at := range starts {
		if spans := from(name, at, typed); spans != nil {
			return spans
		}
	}
	s := initials{name: name, starts: starts, exact: strings.ContainsFunc(typed, unicode.IsUpper), dead: map[[2]int]bool{}}
	for _, at := range starts {
		if spans := s.at(at, typed); spans != nil {
			return spans
		}
	}
	return nil
}

// parts are the bytes where the parts of a name begin.
func parts(name string) (starts []int) {
	before := rune(0)
	for at, r := range name {
		if begins(before, r) {
			starts = append(starts, at)
		}
		before = r
	}
	return starts
}

// initials finds a word whose letters are beside each other or at the starts of parts, however far those are.
type initials struct {
	name   string
	starts []int
	exact  bool
	dead   map[[2]int]bool // places where the rest of the word has no match, by length of the rest
}

func (s *initials) at(at int, rest string) [][2]int {
	want, size := utf8.DecodeRuneInString(rest)
	r, width := utf8.DecodeRuneInString(s.name[at:])
	if at >= len(s.name) || s.dead[[2]int{at, len(rest)}] || r != want && (s.exact || unicode.ToLower(r) != want) {
		return nil
	}
	here := [2]int{at, at + width}
	if len(rest) == size {
		return [][2]int{here}
	}
	if more := s.at(at+width, rest[size:]); more != nil {
		more[0][0] = at
		return more
	}
	for _, next := range s.starts {
		if next > at+width {
			if more := s.at(next, rest[size:]); more != nil {
				return append([][2]int{here}, more...)
			}
		}
	}
	s.dead[[2]int{at, len(rest)}] = true
	return nil
}

// begins reports whether a part of a name begins between two characters.
func begins(before, r rune) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return letter(r) && (!letter(before) || unicode.IsLower(before) && unicode.IsUpper(r))
}

// from finds the letters of a word from a byte of a name on, the first one there.
func from(name string, at int, typed string) (spans [][2]int) {
	exact := strings.ContainsFunc(typed, unicode.IsUpper)
	rest, end := typed, at
	for i, r := range name[at:] {
		want, size := utf8.DecodeRuneInString(rest)
		if size == 0 {
			break
		}
		same := r == want || !exact && unicode.ToLower(r) == want
		if !same && i == 0 {
			return nil
		}
		if !same {
			continue
		}
		begin := at + i
		end = begin + utf8.RuneLen(r)
		if n := len(spans); n > 0 && spans[n-1][1] == begin {
			spans[n-1][1] = end
		} else {
			spans = append(spans, [2]int{begin, end})
		}
		rest = rest[size:]
	}
	if rest != "" || end-at > stretch*len(typed) {
		return nil
	}
	return spans
}
