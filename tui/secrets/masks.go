package secrets

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/view"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// How much of a value must be in a line, or in a row that is drawn, for it to be hidden: names in lists are cut. Values that are
// shorter than a piece are hidden where they stand alone, unless they are so short that they could be anything.
const (
	pieceBytes = 8
	wholeBytes = 5
	// phraseBytes are wanted of a value of words, and of a part without a digit: other sentences have those too, as "https://" and
	// "password".
	phraseBytes = 12
)

// piece is a run of bytes of a value.
type piece struct {
	from, to int // of them to hide: what a mask leaves stays in sight
	run      int // bytes that must follow each other
}

// masks hides the values that a scan found wherever they are on the screen: in lines of texts before they become rows ([masks.Line]),
// and elsewhere, as in names in lists, in the rows that are drawn.
type masks struct {
	env      *kit.Env
	pieces   map[string]piece
	wholes   []string
	hid      bool // something was hidden in the rows of last time
	inLine   bool // something was hidden in a line since then
	revealed bool // nothing is hidden, for a moment
	presses  int  // of the key that reveals, and what ended that
	version  int
	purged   *findings.PurgedValues // hidden too, wherever they still are

	// The line that was searched last, and what of it is to be hidden: each row of a long line asks for it.
	line []byte
	hide []bool
}

func newMasks(env *kit.Env) *masks { return &masks{env: env, pieces: map[string]piece{}} }

// Version implements [kit.Masker].
func (m *masks) Version() int { return m.version }

// shownFor is how long values stay in sight after a press of their key. Keyboards begin to repeat a key after up to 660 ms (the
// default of X11) and continue at least every 40 ms: while it is held they stay.
const shownFor = 750 * time.Millisecond

// reveal shows what is masked until its key was not pressed for a moment.
func (m *masks) reveal() tea.Cmd {
	m.show(true)
	now := m.presses
	return m.env.After(shownFor, kit.Call(func() tea.Cmd {
		if now == m.presses {
			m.Mask()
		}
		return nil
	}))
}

// Mask hides the values again: the user does something else.
func (m *masks) Mask() { m.show(false) }

func (m *masks) show(on bool) {
	if m.presses++; on != m.revealed {
		m.revealed = on
		m.version++
	}
}

// Line implements [kit.Masker].
func (m *masks) Line(line []byte, o text.Options) (masked []byte, hidden bool) {
	if !bytes.Equal(line, m.line) {
		m.line, m.hide = bytes.Clone(line), m.find(line)
	}
	if m.hide == nil {
		return line, false
	}
	m.inLine = true
	if m.revealed {
		return line, false
	}
	return text.Hide(line, m.hide, o), true
}

// forget drops what is known of the last line: other values are hidden from now on.
func (m *masks) forget() {
	m.line, m.hide = nil, nil
	m.version++
}

// set takes the values of a survey that count; nil: there are none.
func (m *masks) set(s *findings.Survey) {
	m.pieces, m.wholes = map[string]piece{}, nil
	m.forget()
	if s == nil {
		return
	}
	for _, secret := range s.Secrets {
		if secret.Dismissal != nil {
			continue
		}
		keep, host, _ := strings.Cut(secret.Masked(), "•")
		shown, hidden := len(keep), len(secret.Value())-len(strings.TrimLeft(host, "•"))
		for i, line := range strings.Split(secret.Value(), "\n") {
			if i > 0 {
				shown, hidden = 0, len(line)
			}
			line = strings.TrimSuffix(line, "\r")
			m.add(line, shown, hidden)
		}
	}
}

// add adds a line of a value, of which the bytes from shown to hidden are not to be seen.
func (m *masks) add(line string, shown, hidden int) {
	run := pieceBytes
	switch {
	case len(line) < wholeBytes:
		return
	case len(line) < pieceBytes:
		m.wholes = append(m.wholes, line)
		return
	}
	if strings.ContainsRune(line, ' ') || !strings.ContainsAny(line, "0123456789") {
		run = min(len(line), phraseBytes)
	}
	m.cut(line, shown, hidden, run)
}

// cut cuts a line into pieces.
func (m *masks) cut(line string, shown, hidden, run int) {
	for i := 0; i+pieceBytes <= len(line); i++ {
		p := piece{max(0, shown-i), min(pieceBytes, hidden-i), run}
		if p.from >= p.to {
			p.from, p.to = 0, 0 // it only joins others
		}
		key := line[i : i+pieceBytes]
		if old, ok := m.pieces[key]; ok && old.to > 0 {
			p = piece{min(p.from, old.from), max(p.to, old.to), min(p.run, old.run)}
		}
		m.pieces[key] = p
	}
}

// empty reports whether no values are hidden.
func (m *masks) empty() bool { return len(m.pieces) == 0 && len(m.wholes) == 0 && m.purged.Empty() }

// find returns for each byte of a text whether to hide it; nil: none. A value in a line of JSON may have escapes for its characters.
func (m *masks) find(s []byte) (hide []bool) {
	hide = m.findPlain(s)
	if bytes.IndexByte(s, '\\') < 0 {
		return hide
	}
	read := view.New(s, view.JSON)
	for i, h := range m.findPlain(read.Text) {
		if !h {
			continue
		}
		if hide == nil {
			hide = make([]bool, len(s))
		}
		for from, to := read.Span(i, i+1); from < to; from++ {
			hide[from] = true
		}
	}
	return hide
}

// findPlain is find for a text without escapes.
func (m *masks) findPlain(s []byte) (hide []bool) {
	mark := func(from, to int) {
		if hide == nil {
			hide = make([]bool, len(s))
		}
		for i := from; i < to; i++ {
			hide[i] = true
		}
	}
	pieceAt := func(i int) (p piece, ok bool) {
		if i+pieceBytes <= len(s) {
			p, ok = m.pieces[string(s[i:i+pieceBytes])]
		}
		return p, ok
	}
	for i := 0; i < len(s); i++ {
		first, ok := pieceAt(i)
		if !ok {
			continue
		}
		end := i + 1 // of the places where a piece begins
		for _, more := pieceAt(end); more; _, more = pieceAt(end) {
			end++
		}
		if run := end - 1 - i + pieceBytes; run >= first.run && (run >= phraseBytes || bytes.ContainsAny(s[i:i+run], "0123456789")) {
			for at := i; at < end; at++ {
				p := m.pieces[string(s[at:at+pieceBytes])]
				mark(at+p.from, at+p.to)
			}
		}
		i = end - 1
	}
	for _, span := range m.purged.Find(s) {
		mark(span.Start, span.End)
	}
	for _, whole := range m.wholes {
		for at := 0; ; at++ {
			n := bytes.Index(s[at:], []byte(whole))
			if n < 0 {
				break
			}
			if at += n; alone(s, at, at+len(whole)) {
				mark(at, at+len(whole))
			}
		}
	}
	return hide
}

// alone reports whether no letter or digit is beside a part of a text.
func alone(s []byte, from, to int) bool {
	wordy := func(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
	return (from == 0 || !wordy(s[from-1])) && (to == len(s) || !wordy(s[to]))
}

// Hide hides values in painted rows, unless they are revealed; the width of a row stays.
func (m *masks) Hide(rows []string) {
	m.hid, m.inLine = m.inLine, false
	if m.empty() {
		return
	}
	for i, row := range rows {
		masked, hid := m.row(row)
		m.hid = m.hid || hid
		if hid && !m.revealed {
			rows[i] = masked
		}
	}
}

// Text hides values in a text that leaves the program, and returns in how many lines.
func (m *masks) Text(s string) (masked string, lines int) {
	if m.empty() {
		return s, 0
	}
	var out strings.Builder
	for line := range strings.Lines(s) {
		masked, hid := m.row(line)
		if hid {
			lines++
		}
		out.WriteString(masked)
	}
	return out.String(), lines
}

// row hides values in one row. It keeps control sequences.
func (m *masks) row(row string) (masked string, hid bool) {
	plain, at := make([]byte, 0, len(row)), make([]int, 0, len(row))
	for i := 0; i < len(row); i++ {
		if row[i] == 0x1b && i+1 < len(row) && row[i+1] == '[' {
			for i += 2; i < len(row) && (row[i] < 0x40 || row[i] > 0x7e); i++ {
			}
			continue
		}
		plain, at = append(plain, row[i]), append(at, i)
	}
	hide := m.find(plain)
	if hide == nil {
		return row, false
	}
	dot := "•"
	if m.env.ASCII {
		dot = "*"
	}
	var out strings.Builder
	from := 0
	for i := 0; i < len(plain); {
		r, n := utf8.DecodeRune(plain[i:])
		if hide[i] && r >= ' ' {
			out.WriteString(row[from:at[i]])
			out.WriteString(strings.Repeat(dot, text.Width(string(r))))
			from = at[i+n-1] + 1
		}
		i += n
	}
	return out.String() + row[from:], true
}
