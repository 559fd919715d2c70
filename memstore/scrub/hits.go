package scrub

import (
	"bytes"
	"cmp"
	"slices"

	"memcurator/memstore/scrub/ascii"

	"memcurator/memstore/scrub/redact"
)

// wholeWords drops the hits of words inside a longer word or in a placeholder.
func (s *scan) wholeWords(hits []wordHit) []wordHit {
	kept := hits[:0]
	marks := s.marks
	for _, h := range hits {
		w := &s.e.words[h.Word]
		end := int(h.End)
		for len(marks) > 0 && marks[0].end < end {
			marks = marks[1:]
		}
		if len(marks) > 0 && marks[0].start <= end-len(w.text) {
			continue // the name of a class
		}
		if w.bounded && !isWord(s.text, end-len(w.text), end) && !endsCompound(s.text, w.text, end) {
			if w.patterns == nil && w.regexes == nil && w.read == nil {
				continue
			}
			h.Part = true
		}
		kept = append(kept, h)
	}
	return kept
}

// compounds are cues that end longer words: KEYSTOREPASSWORD=, Masterpasswort.
var compounds = ascii.NewWords("password passwort kennwort passwd passphrase pwd")

// endsCompound reports whether a cue that ends at end is the last part of a longer word
// that is a key or, in German, a noun.
func endsCompound(b []byte, word string, end int) bool {
	if !compounds.Has([]byte(word)) || end < len(b) && ascii.Letters[b[end]] {
		return false
	}
	if word == "passwort" || word == "kennwort" {
		return true
	}
	return ascii.IsLabel(b, end)
}

// isWord reports whether the span is a word of its own, or a part of an identifier that
// reads as one: "DB_PASSWORD", "clientSecret", "passwords". Scripts without spaces have no word ends.
func isWord(b []byte, start, end int) bool {
	if !ascii.Letters[b[start]] {
		return true
	}
	if start > 0 && ascii.Letters[b[start-1]] && !(ascii.Uppers[b[start]] && ascii.Lowers[b[start-1]]) {
		return false
	}
	if end < len(b) && b[end] == 's' {
		end++
	}
	if end >= len(b) || !ascii.Letters[b[end]] {
		return true
	}
	return ascii.Uppers[b[end]] && ascii.Lowers[b[end-1]]
}

// nextMark is where the next placeholder from at on begins, or the end: what a cue
// announced stood there, and nothing behind it is taken for that.
func (s *scan) nextMark(at int) int {
	if len(s.marks) == 0 {
		return len(s.text)
	}
	i, _ := slices.BinarySearchFunc(s.marks, at, func(m candidate, at int) int { return cmp.Compare(m.start, at) })
	if i == len(s.marks) {
		return len(s.text)
	}
	return s.marks[i].start
}

// hitsIn are the hits that end in a span.
func (s *scan) hitsIn(start, end int) []wordHit {
	i, _ := slices.BinarySearchFunc(s.hits, int32(start+1), func(h wordHit, at int32) int { return cmp.Compare(h.End, at) })
	j, _ := slices.BinarySearchFunc(s.hits, int32(end+1), func(h wordHit, at int32) int { return cmp.Compare(h.End, at) })
	return s.hits[i:j]
}

// placeholders are the spans of those already in text.
func placeholders(text []byte) []candidate {
	var out []candidate
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(redact.Word))
		if i < 0 {
			return out
		}
		at += i
		if end := redact.PlaceholderEnd(text, at); end > 0 {
			out = append(out, candidate{start: at, end: end})
			at = end
			continue
		}
		at += len(redact.Word)
	}
}
