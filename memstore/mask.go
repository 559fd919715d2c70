package memstore

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// Masked is a hidden part of a text, and its replacement in the agent's view.
type Masked struct {
	From, To int
	Text     string
}

// errUncovers refuses an edit. It names no value, and no place that the agent couldn't name.
var errUncovers error = sentence("A value that is masked would be shown after this. Nothing was done. Leave the words and " +
	"lines around the placeholder as they are, or replace them together with the whole placeholder")

// sentence is an error with a text for the agent.
type sentence string

func (s sentence) Error() string { return string(s) }

// maskedText is a text as the agent sees it; nil if nothing in it is masked.
type maskedText struct {
	text  []byte // unmasked
	spans []Masked
	shown []byte
	at    []int // where the text of each span begins in shown
}

// masks reports whether a guard may hide parts of a text at the moment. Curators see everything.
func (s *Store) masks(ctx context.Context) bool {
	if s.origin(ctx).Actor == Curator {
		return false
	}
	for i := range s.options.Guards {
		if g := &s.options.Guards[i]; g.Mask != nil && (g.Idle == nil || !g.Idle()) {
			return true
		}
	}
	return false
}

// hidden returns the parts of a text that guards hide, in order, without overlap.
func (s *Store) hidden(ctx context.Context, agentPath string, text []byte) []Masked {
	if !s.masks(ctx) {
		return nil
	}
	var spans []Masked
	for i := range s.options.Guards {
		if g := &s.options.Guards[i]; g.Mask != nil && (g.Idle == nil || !g.Idle()) {
			spans = append(spans, g.Mask(ctx, agentPath, text)...)
		}
	}
	slices.SortFunc(spans, func(a, b Masked) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	out := spans[:0]
	for _, m := range spans {
		if last := len(out) - 1; last >= 0 && m.From < out[last].To {
			out[last].To = max(out[last].To, m.To)
			continue
		}
		out = append(out, m)
	}
	return out
}

// masked returns the text of a file as the agent sees it: a placeholder for each hidden part, and the same number of lines. A fully
// hidden line is empty.
func (s *Store) masked(ctx context.Context, name string, text []byte) *maskedText {
	if !s.masks(ctx) {
		return nil
	}
	spans := s.hidden(ctx, s.realPath(name, true), text)
	if len(spans) == 0 {
		return nil
	}
	m := &maskedText{text: text, spans: spans}
	done := 0
	for _, one := range spans {
		m.shown = append(m.shown, text[done:one.From]...)
		m.at = append(m.at, len(m.shown))
		m.shown = append(m.shown, oneLine(one.Text)...)
		m.shown = append(m.shown, bytes.Repeat(newline, bytes.Count(text[one.From:one.To], newline))...)
		done = one.To
	}
	m.shown = append(m.shown, text[done:]...)
	return m
}

// real maps a range of the masked text to the real text. ok is false if the range cuts a placeholder.
func (m *maskedText) real(from, to int) (start, end int, ok bool) {
	start, ok = m.place(from)
	if !ok {
		return 0, 0, false
	}
	end, ok = m.place(to)
	return start, end, ok
}

// place maps an offset in the masked text to the real text.
func (m *maskedText) place(at int) (int, bool) {
	moved := 0 // offset in the real text minus offset in the masked one
	for i, one := range m.spans {
		if at <= m.at[i] {
			break
		}
		end := len(m.shown)
		if i+1 < len(m.spans) {
			end = m.at[i+1] - (m.spans[i+1].From - one.To)
		} else {
			end -= len(m.text) - one.To
		}
		if at < end {
			return 0, false
		}
		moved = one.To - end
	}
	return at + moved, true
}

// see maps an offset in the real text to the masked text; hidden offsets map to the start of their placeholder.
func (m *maskedText) see(at int) int {
	moved := 0
	for i, one := range m.spans {
		if at <= one.From {
			break
		}
		if at < one.To {
			return m.at[i]
		}
		end := len(m.shown) - (len(m.text) - one.To)
		if i+1 < len(m.spans) {
			end = m.at[i+1] - (m.spans[i+1].From - one.To)
		}
		moved = end - one.To
	}
	return at + moved
}

// kept is how many bytes at the beginning and the end of a text survive an edit. It comes from the command, never from comparing texts:
// what an agent writes must not count as kept because it guessed a value.
type kept struct{ head, tail int }

// keptAround is what remains of a text around an insert after line n. The dialect may add a final newline or unify line ends: ok is false
// if it changes the text.
func (r *rules) keptAround(text []byte, n int) (k kept, ok bool) {
	const probe = "\x00inserted\x00"
	out, _, ok := r.insertAt(text, n, probe)
	at := bytes.LastIndex(out, []byte(probe))
	if !ok || at < 0 {
		return k, false
	}
	head := out[:at]
	if !bytes.HasPrefix(text, head) {
		head = bytes.TrimSuffix(head, newline)
	}
	if !bytes.HasPrefix(text, head) || !bytes.HasSuffix(out[at:], text[len(head):]) {
		return k, false
	}
	return kept{len(head), len(text) - len(head)}, true
}

// uncovers reports whether an edit shows a byte that was hidden before. Punctuation counts only in runs of four or more: the rules decide
// by neighboring characters where a value ends.
func uncovers(before, after []byte, was, is []Masked, k kept) bool {
	shift := len(after) - len(before)
	for _, one := range was {
		for _, piece := range [2][2]int{{one.From, min(one.To, k.head)}, {max(one.From, len(before)-k.tail), one.To}} {
			from, to := piece[0], piece[1]
			if from >= to {
				continue
			}
			if from >= len(before)-k.tail {
				from, to = from+shift, to+shift
			}
			if telling(after, is, from, to) {
				return true
			}
		}
	}
	return false
}

// telling reports whether the unhidden bytes in a range of the text reveal anything.
func telling(text []byte, hidden []Masked, from, to int) bool {
	i, _ := slices.BinarySearchFunc(hidden, from, func(m Masked, at int) int { return cmp.Compare(m.To, at+1) })
	for at := from; at < to; {
		end := to
		if i < len(hidden) {
			if hidden[i].From <= at {
				at = hidden[i].To
				i++
				continue
			}
			end = min(to, hidden[i].From)
		}
		if seen := bytes.TrimSpace(text[at:end]); len(seen) > 3 || bytes.ContainsFunc(seen, func(c rune) bool {
			return unicode.IsLetter(c) || unicode.IsDigit(c) || c == utf8.RuneError
		}) {
			return true
		}
		at = end
	}
	return false
}

// found is a match of old_str: the bytes to replace, and their offset in the agent's view.
type found struct {
	at, size int
	lines    []int // of each match if there are several
}

// find looks for old in the text as the agent sees it, so that the answer reveals nothing hidden. An agent that knows a whole hidden
// value may also name it.
func (r *request) find(text []byte, m *maskedText, old string) (found, bool) {
	rules := r.store.rules
	if m == nil {
		at, lines := rules.find(text, old)
		return found{at, len(old), lines}, at >= 0
	}
	if at, lines := rules.find(m.shown, old); at >= 0 {
		start, end, ok := m.real(at, at+len(old))
		return found{start, end - start, lines}, ok || lines != nil
	}
	if at, lines := rules.find(text, old); at >= 0 && lines == nil && m.whole(at, at+len(old)) {
		return found{at, len(old), nil}, true
	}
	return found{}, false
}

// wholeLeast is the minimum length of a hidden value that an agent may name: a shorter one could be guessed by trial.
const wholeLeast = 12

// whole reports whether every hidden part that a range of the text touches is entirely within it.
func (m *maskedText) whole(from, to int) bool {
	for _, one := range m.spans {
		if one.To <= from || one.From >= to {
			continue
		}
		if one.From < from || one.To > to || one.To-one.From < wholeLeast {
			return false
		}
	}
	return true
}

// holds refuses an edit that would reveal what was hidden before. amended is after with the guards' changes: they mask values in place,
// and a value that was hidden must not appear there in the clear.
func (r *request) holds(t target, before *maskedText, after []byte, k kept, amended []byte) *Error {
	if before == nil {
		return nil
	}
	is := r.store.hidden(r.ctx, r.realPath(t.name, true), after)
	bad := uncovers(before.text, after, before.spans, is, k)
	if !bad && !bytes.Equal(after, amended) {
		left := r.store.masked(r.ctx, t.name, amended)
		for _, one := range is {
			value := after[one.From:one.To]
			bad = bad || len(value) > 3 && (left == nil && bytes.Contains(amended, value) || left != nil && bytes.Contains(left.shown, value))
		}
	}
	if bad {
		return r.refused(errUncovers)
	}
	return nil
}

// holdsMove refuses to move a file to a name under which less of it is hidden.
func (m *renaming) holdsMove() *Error {
	r := m.request
	if m.info.Kind != backend.KindFile || !r.store.masks(r.ctx) {
		return nil
	}
	data, err := r.read(m.from.name)
	if err != nil {
		return nil // the move itself reveals nothing, nor does a view of an unreadable file
	}
	text, _, err := r.store.rules.decode(data)
	if err != nil {
		return nil
	}
	was := r.store.hidden(r.ctx, r.realPath(m.from.name, true), text)
	if len(was) == 0 {
		return nil
	}
	is := r.store.hidden(r.ctx, r.realPath(m.to.name, true), text)
	if uncovers(text, text, was, is, kept{head: len(text)}) {
		return r.refused(errUncovers)
	}
	return nil
}
