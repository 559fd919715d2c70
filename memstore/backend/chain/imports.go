package chain

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// Syntax is how the files of an agent import others. The zero Syntax has no imports.
type Syntax struct {
	Hops    int  // how many imports lead from an instruction file to the last one that is followed
	Home    bool // "@~/" is the home folder
	Outside bool // files outside the project are imported too
	// Fences is set if code means Markdown's fenced blocks and code spans. Without it, code is whatever one expression matches,
	// see [betweenBackticks].
	Fences bool
	// Inline is set if the imported text takes the place of the import; otherwise it follows its importer.
	Inline bool
}

// mention is one import in a text.
type mention struct {
	path         string // as written
	start, end   int    // with the @
	line, column int64  // of the @, from 1
}

func (m mention) place() backend.ImportPlace {
	return backend.ImportPlace{Start: int64(m.start), End: int64(m.end), Line: m.line, Column: m.column}
}

// mostMentions bounds the imports of one file that are followed.
const mostMentions = 10_000

// mentions finds the imports in a text, in their order.
func (s Syntax) mentions(text []byte) []mention {
	if s.Hops == 0 || bytes.IndexByte(text, '@') < 0 {
		return nil
	}
	var code []span
	if s.Fences {
		code = markdownCode(text)
	} else {
		code = betweenBackticks(text)
	}
	var list []mention
	line, begins := int64(1), 0 // the line of the last mention, and where it begins
	for at := 0; len(list) < mostMentions; {
		next := bytes.IndexByte(text[at:], '@')
		if next < 0 {
			break
		}
		start := at + next
		at = start + 1
		for len(code) > 0 && code[0].end <= start {
			code = code[1:]
		}
		if len(code) > 0 && code[0].start <= start || start > 0 && !isBlank(text[start-1]) {
			continue
		}
		end := at
		for end < len(text) && !isBlank(text[end]) {
			if text[end] == '\\' && end+1 < len(text) && text[end+1] == ' ' && s.Home {
				end++ // an escaped space
			}
			end++
		}
		path := string(text[at:end])
		if s.Home {
			path = strings.ReplaceAll(path, `\ `, " ")
		}
		if s.takes(path) {
			if n := bytes.Count(text[begins:start], []byte("\n")); n > 0 {
				line += int64(n)
				begins = bytes.LastIndexByte(text[:start], '\n') + 1
			}
			column := int64(utf8.RuneCount(text[begins:start])) + 1
			list = append(list, mention{path: path, start: start, end: end, line: line, column: column})
		}
		at = end
	}
	return list
}

// takes reports whether what follows an @ can be a path.
func (s Syntax) takes(path string) bool {
	if path == "" || len(path) > 4096 || !utf8.ValidString(path) || strings.IndexByte(path, 0) >= 0 {
		return false
	}
	c := path[0]
	return c == '.' || c == '/' || s.Home && (strings.HasPrefix(path, "~/") || c >= '0' && c <= '9' || c == '_' || c >= utf8.RuneSelf) ||
		c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isPath reports whether a mention is meant as a path, so that a missing file is worth reporting: @docs/style.md, but not @param.
func isPath(path string) bool {
	return strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "/") ||
		strings.LastIndexByte(path, '.') > 0
}

// trimmed is a path without the punctuation of the sentence around it.
func trimmed(path string) string { return strings.TrimRight(path, ".,;:!?)]}'\"*_>") }

func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// span is a part of a text.
type span struct{ start, end int }

// markdownCode finds the fenced blocks, the code spans and the comments of a Markdown text, in their order.
func markdownCode(text []byte) []span {
	var code []span
	prose := 0 // where the text since the last block begins
	for at := 0; at < len(text); {
		line := text[at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		fence, size := fenceOf(line)
		switch {
		case size > 0:
			code = backtickRuns(text[prose:at], code, prose)
			end := closing(text, at+len(line), fence, size)
			code = append(code, span{at, end})
			at, prose = end, end
		case bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("<!--")):
			code = backtickRuns(text[prose:at], code, prose)
			end := len(text)
			if close := bytes.Index(text[at:], []byte("-->")); close >= 0 {
				end = at + close + len("-->")
			}
			code = append(code, span{at, end})
			at, prose = end, end
		case len(bytes.TrimSpace(line)) == 0: // a code span never leaves its paragraph
			code = backtickRuns(text[prose:at], code, prose)
			at += len(line)
			prose = at
		default:
			at += len(line)
		}
	}
	return backtickRuns(text[prose:], code, prose)
}

// fenceOf returns the character and the length of a fence that opens a block; size is 0 if the line isn't a fence.
func fenceOf(line []byte) (fence byte, size int) {
	rest := bytes.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || len(rest) == 0 || rest[0] != '`' && rest[0] != '~' {
		return 0, 0
	}
	fence = rest[0]
	for size < len(rest) && rest[size] == fence {
		size++
	}
	if size < 3 || fence == '`' && bytes.IndexByte(rest[size:], '`') >= 0 {
		return 0, 0
	}
	return fence, size
}

// closing returns where a fenced block ends, whose text begins at start: after the line with its closing fence, or with the text.
func closing(text []byte, start int, fence byte, size int) int {
	for at := start; at < len(text); {
		line := text[at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		at += len(line)
		rest := bytes.TrimLeft(line, " ")
		if len(line)-len(rest) > 3 {
			continue
		}
		run := 0
		for run < len(rest) && rest[run] == fence {
			run++
		}
		if run >= size && len(bytes.TrimSpace(rest[run:])) == 0 {
			return at
		}
	}
	return len(text)
}

// backtickRuns appends what is between two runs of as many backticks to list; text begins at offset of the whole.
func backtickRuns(text []byte, list []span, offset int) []span {
	runs := runsOf(text)
	following := make([]int, len(runs)) // of each run, the next one of its length; 0: none
	last := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		size := runs[i].end - runs[i].start
		following[i] = last[size]
		last[size] = i
	}
	for i := 0; i < len(runs); i++ {
		if next := following[i]; next > 0 {
			list = append(list, span{offset + runs[i].start, offset + runs[next].end})
			i = next
		}
	}
	return list
}

// runsOf finds the runs of backticks.
func runsOf(text []byte) (runs []span) {
	for at := 0; at < len(text); {
		i := bytes.IndexByte(text[at:], '`')
		if i < 0 {
			break
		}
		start := at + i
		at = start
		for at < len(text) && text[at] == '`' {
			at++
		}
		runs = append(runs, span{start, at})
	}
	return runs
}

// betweenBackticks finds what Gemini CLI treats as code: as many backticks as possible, then as little as possible, then as many backticks
// again, which may be part of a longer run.
func betweenBackticks(text []byte) (list []span) {
	runs := runsOf(text)
	longest := make([]int, len(runs)+1) // of the runs from each on
	for i := len(runs) - 1; i >= 0; i-- {
		longest[i] = max(longest[i+1], runs[i].end-runs[i].start)
	}
	for i := 0; i < len(runs); {
		r := runs[i]
		size := r.end - r.start
		k := min(size, max(longest[i+1], size/2))
		switch {
		case k == 0:
			i++
		case 2*k <= size: // the run itself closes
			list = append(list, span{r.start, r.start + 2*k})
			if runs[i].start += 2 * k; runs[i].start == runs[i].end {
				i++
			}
		default:
			for i++; runs[i].end-runs[i].start < k; i++ {
			}
			list = append(list, span{r.start, runs[i].start + k})
			if runs[i].start += k; runs[i].start == runs[i].end {
				i++
			}
		}
	}
	return list
}
