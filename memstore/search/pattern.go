package search

import "bytes"

// patternScan implements [finder] for regular expressions. It looks at the lines of a
// block one by one.
type patternScan struct {
	m     *Matcher
	b     []byte
	done  int // up to where lines have been looked at; begins a line
	line  int // where the line of spans begins
	spans [][]int
	most  int // bytes of a line that the expression sees
	cut   int // lines longer than that
}

func newPatternScan(m *Matcher) *patternScan { return &patternScan{m: m, most: lineMax} }

func (s *patternScan) Start(b []byte) { s.b, s.done, s.spans = b, 0, nil }

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
		if from >= len(s.b) {
			return -1, -1
		}
		s.nextLine(from)
	}
}

// nextLine looks at the line that from is in.
func (s *patternScan) nextLine(from int) {
	s.line = bytes.LastIndexByte(s.b[:from], '\n') + 1
	line := s.b[s.line:]
	s.done = len(s.b)
	if n := bytes.IndexByte(s.b[from:], '\n'); n >= 0 {
		line = s.b[s.line : from+n]
		s.done = from + n + 1
	}
	if len(line) > s.most {
		line = line[:s.most]
		s.cut++
	} else if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	s.spans = s.m.re.FindAllIndex(line, -1)
}
