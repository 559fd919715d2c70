package search

import (
	"bytes"
	"regexp/syntax"
	"unicode/utf8"

	"memcurator/render/literal"
)

// needsMax limits the literals one of which must be in each match.
const needsMax = 6

// need is a text that must be in a match.
type need struct {
	text string
	fold bool
}

// required returns texts such that each match contains at least one; nil if unknown.
// The expression can skip lines without them.
func required(re *syntax.Regexp) []need {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			// The replacement character also matches bytes that are not text; a line feed
			// is in no line.
			if r == utf8.RuneError || r == '\n' {
				return nil
			}
		}
		return []need{{string(re.Rune), re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		return bestOf(re.Sub)
	case syntax.OpAlternate:
		return oneOfEach(re.Sub)
	}
	return nil
}

// oneOfEach is required for alternatives: each must need something.
func oneOfEach(subs []*syntax.Regexp) []need {
	var all []need
	for _, sub := range subs {
		needs := required(sub)
		if needs == nil || len(all)+len(needs) > needsMax {
			return nil
		}
		all = append(all, needs...)
	}
	return all
}

// bestOf is required for a sequence: of what its parts need the rarest and longest.
func bestOf(subs []*syntax.Regexp) []need {
	var best []need
	least := 0
	for _, sub := range subs {
		needs := required(sub)
		if needs == nil {
			continue
		}
		cost := 0
		for _, n := range needs {
			cost += 10 + literal.Frequency(n.text)*4/len(n.text)
		}
		if best == nil || cost < least {
			best, least = needs, cost
		}
	}
	return best
}

// patternScan implements [finder] for regular expressions. It looks at the lines of a
// block one by one, those alone that hold what the expression needs.
type patternScan struct {
	m     *Matcher
	b     []byte
	needs []*literal.Scan
	at    []int // the next place of each need, len(b) for none
	done  int   // up to where lines have been looked at; begins a line
	line  int   // where the line of spans begins
	spans [][]int
	most  int // bytes of a line that the expression sees
	cut   int // lines longer than that
}

func newPatternScan(m *Matcher) *patternScan {
	s := &patternScan{m: m, most: lineMax, at: make([]int, len(m.needs))}
	for _, n := range m.needs {
		s.needs = append(s.needs, n.Scan())
	}
	return s
}

func (s *patternScan) Start(b []byte) {
	s.b, s.done, s.spans = b, 0, nil
	for i, n := range s.needs {
		n.Start(b)
		s.at[i] = -1
	}
}

func (s *patternScan) Next(from int) (start, end int) {
	for {
		for len(s.spans) > 0 {
			span := s.spans[0]
			s.spans = s.spans[1:]
			// A match of nothing is not a match for a reader.
			if i, j := s.line+span[0], s.line+span[1]; i >= from && j > i {
				return i, j
			}
		}
		from = max(from, s.done)
		if from >= len(s.b) || !s.nextLine(from) {
			return -1, -1
		}
	}
}

// nextLine looks at the next line that may match; from is in it or before it.
func (s *patternScan) nextLine(from int) bool {
	at := from
	switch {
	case s.m.stretch != nil:
		if at = s.m.stretch.find(s.b, from); at < 0 {
			return false
		}
	case len(s.needs) > 0:
		if at = s.needed(from); at < 0 {
			return false
		}
	}
	s.line = bytes.LastIndexByte(s.b[:at], '\n') + 1
	line := s.b[s.line:]
	s.done = len(s.b)
	if n := bytes.IndexByte(s.b[at:], '\n'); n >= 0 {
		line = s.b[s.line : at+n]
		s.done = at + n + 1
	}
	if len(line) > s.most {
		line = line[:s.most]
		s.cut++
	} else if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	s.spans = s.m.re.FindAllIndex(line, -1)
	return true
}

// needed is the first place at from or behind it where a text stands that a match needs, -1 for none.
func (s *patternScan) needed(from int) int {
	first := len(s.b)
	for k, n := range s.needs {
		if s.at[k] < from {
			s.at[k] = len(s.b)
			if i, _ := n.Next(from); i >= 0 {
				s.at[k] = i
			}
		}
		first = min(first, s.at[k])
	}
	if first == len(s.b) {
		return -1
	}
	return first
}
