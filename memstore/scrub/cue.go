package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// detectorOf names the rule under which a cue's value is reported.
var detectorOf = map[judge.Kind]string{judge.Password: "password", judge.PIN: "password", judge.Secret: "secret", judge.TOTP: "totp",
	judge.Login: "password"}

// cue is a word that announces a value, and the name that it is a part of: DB_PASSWORD.
type cue struct {
	kind       judge.Kind
	start, end int // of the word
	from, to   int // of the name
	weak       bool
}

// maxName bounds what is read of a name to either side of the cue in it, in bytes.
const maxName = 64

// cue looks for the value that a cue word announces.
func (s *scan) cue(kind judge.Kind, start, end int) {
	b := s.text
	c := cue{kind: kind, start: start, end: end, from: start, to: end}
	if ascii.Letters[b[start]] && ascii.Letters[b[end-1]] {
		c.from = ascii.RunBack(b, start, ascii.NameBytes, maxName)
		c.to = ascii.Run(b[:min(len(b), end+maxName)], end, ascii.NameBytes)
		for c.to > end && (b[c.to-1] == '.' || b[c.to-1] == '-') {
			c.to--
		}
	}
	c.weak = judge.IsWeak(bytes.TrimRight(b[c.from:c.to], "0123456789"))
	s.cueWord = b[start:end]
	if c.to == end+maxName || s.isOther(c) {
		return
	}
	s.barrier = s.nextMark(c.to)
	switch kind {
	case judge.Recovery:
		s.recovery(c.to)
	case judge.Phrase:
		if s.format != view.CSV {
			s.phrase(c.to)
		}
	case judge.Login:
		isWhole := (c.from == c.start || b[c.start-1] == '.') && c.to <= c.end+1
		if !isWhole || !s.login(c) {
			s.nearby(c)
		}
	case judge.Key:
		s.key(c)
	default:
		s.follow(c)
		s.nearby(c)
	}
}

// isOther reports a cue that is the name of something else: of a page, a placeholder, a field, an option without a value.
func (s *scan) isOther(c cue) bool {
	b := s.text
	if !judge.KeyMayHold(b[c.from:c.start], b[c.end:c.to]) || judge.NamesOther(b[c.to:min(len(b), c.to+40)]) {
		return true
	}
	before := b[ascii.LineStart(b, c.from, 60):c.from]
	switch n := len(before); {
	case bytes.Contains(before, []byte("kubectl")) && (c.to == len(b) || b[c.to] != '='):
		return true // kubectl get secret name
	case n > 1 && before[n-1] == '/' && !ascii.NameBytes[before[n-2]]:
		return true // the name of a page: `/reset-password`
	case c.end-c.start <= 3 && ascii.Letters[b[c.start]] && (ascii.Digits[b[max(0, c.start-1)]] || c.end < len(b) && ascii.Digits[b[c.end]]) &&
		(c.to == len(b) || b[c.to] != ':'):
		return true // in base64
	}
	return false
}

// nearReach is how far from a word about passwords a text that can only be one is taken as one, in bytes to either side, in the
// same line.
const nearReach = 90

// nearby takes what is in the line of a cue and is a password or a token beyond doubt, however the sentence is built: "changed
// from ... to ...", "type ... when it asks".
func (s *scan) nearby(c cue) {
	b := s.text
	from, to := max(ascii.LineStart(b, c.from, nearReach), s.nearEnd), ascii.LineEnd(b, c.to, nearReach)
	s.nearEnd = max(s.nearEnd, to)
	for at := from; at < to; {
		if valueStops[b[at]] || b[at] >= 0x80 || at > from && !valueStops[b[at-1]] && b[at-1] < 0x80 && b[at-1] != '=' {
			at++
			continue
		}
		stop := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
		if stop <= at {
			at++
			continue
		}
		isCue := at < c.to && stop > c.from
		if v := b[at:stop]; !isCue && redact.PlaceholderEnd(b, at) == 0 && s.judge.Accepts(c.kind, judge.Near, v, false) &&
			(!c.weak || !bytes.Contains(b[min(c.end, at):max(at, c.end)], []byte(". "))) {
			s.detect(detectorOf[c.kind], nearby, at, stop)
		}
		at = stop
	}
}

// valueStops stand before a value in a sentence.
var valueStops = ascii.NewSet("\x00- \"'`()[]<>*|-")

// key is for the word "key", by itself or as the last part of a name.
func (s *scan) key(c cue) {
	b := s.text
	before := bytes.ToLower(bytes.TrimRight(b[max(0, c.from-12):c.from], " _"))
	if bytes.HasSuffix(before, []byte("public")) {
		return
	}
	for _, p := range s.values(c) {
		if p.form > judge.Copula {
			return
		}
		v := b[p.start:p.end]
		sh, isHash := shape.Of(v), ascii.Run(v, 0, ascii.HexDashes) == len(v)
		isText := s.format == view.Markdown || s.format == view.Plain
		if isHash && (sh.Upper+sh.Soft > 0 || !isText) || !isHash && sh.Soft+sh.Symbol > 0 && sh.Upper == 0 {
			continue // ids and hashes of data are called keys too
		}
		if s.judge.Accepts(judge.Secret, judge.Copula, v, false) {
			s.detect("secret", assigned, p.start, p.end)
			return
		}
	}
}
