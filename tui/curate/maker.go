package curate

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// ruleSoon is how far ahead the rule maker looks.
const ruleSoon = 7 * 24 * time.Hour

// field is a field of the rule maker.
type field uint8

const (
	kindField field = iota
	limitField
	globField
	thenField
	fields
)

// ruleMaker is the box in which a rule is made: what it goes by, for which files, and what it does. What it would do now and how
// it changes the configuration follow each key; nothing is written before enter.
type ruleMaker struct {
	env     *kit.Env
	screen  *Screen
	draft   ruleDraft
	field   field
	typing  bool // the limit: its next digit goes behind the last one
	narrow  bool // it was drawn last in less than [wideMaker]
	effect  ruleEffect
	pending bool
}

// ruleEffect is what a draft would do, and how it changes the file.
type ruleEffect struct {
	draft  ruleDraft
	effect policy.Effect
	edit   configEdit
	failed string // why the effect is unknown
}

// makeRule opens the rule maker for a new rule about the folder of what is under the cursor.
func (s *Screen) makeRule() tea.Cmd {
	a, _ := s.list.Action()
	if s.config.refuses() {
		return nil
	}
	m := &ruleMaker{env: s.env, screen: s, draft: newDraft(s.list.Path(), a.Do), pending: true}
	s.shell.Open(kit.Box{Overlay: m, Answers: map[keymap.ID]func() tea.Cmd{
		keymap.Accept: m.write, keymap.Cancel: func() tea.Cmd { return nil },
	}})
	return m.look()
}

// look works out what the draft would do, beside the keys.
func (m *ruleMaker) look() tea.Cmd {
	s, d := m.screen, m.draft
	m.pending = true
	snapshot, backend, j := s.edits.Loaded(), s.edits.Handlers.Backend(), s.edits.Lasting
	now, rules, place, k := s.env.Now(), s.edits.Rules, s.config.place, s.maker
	return kit.Start(s.env.Jobs, kit.Job[ruleEffect]{
		Owner: ownerEffect, Label: "Checking the rule",
		Done: func(e ruleEffect) tea.Cmd {
			if e.draft == m.draft {
				m.effect, m.pending = e, false
			}
			return nil
		},
		Work: func(ctx context.Context, _ *kit.Progress) (ruleEffect, error) {
			out := ruleEffect{draft: d, edit: proposeEdit(place, func(data []byte) ([]byte, error) {
				return d.edit(place, rules.Store, data)
			})}
			if out.edit.why != "" || snapshot == nil {
				return out, nil
			}
			written, err := config.Parse(place.File, out.edit.after, place.Home)
			if err != nil {
				return out, err
			}
			after := written.For(place.Dir).Rules // those of the store come last
			k.mu.Lock()
			defer k.mu.Unlock()
			facts, err := policy.FactsOf(ctx, j)
			if err == nil {
				if k.reader == nil {
					k.reader, k.known = policy.NewReader(backend), facts.Known
				}
				in := policy.Input{Snapshot: snapshot, Facts: facts, Now: now}
				out.effect, err = k.reader.Effect(ctx, rules, after[len(after)-1], ruleSoon, in)
			}
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			if err != nil {
				out.failed = "Can't read the store to check the rule"
			}
			return out, nil
		},
	})
}

// write writes the current rule.
func (m *ruleMaker) write() tea.Cmd {
	s, d := m.screen, m.draft
	place, store := s.config.place, s.edits.Rules.Store
	due := ""
	if !m.pending && m.effect.failed == "" {
		switch n := len(m.effect.effect.Due); {
		case n > 0:
			due = "; " + kit.CountGrouped(n, "file") + " due"
		case m.effect.effect.Matches == 0:
			due = "; no file matches yet"
		default:
			due = "; nothing due yet"
		}
	}
	return kit.Start(s.env.Jobs, kit.Job[configEdit]{
		Owner: ownerRule, Label: labelRule, Write: true, Done: s.config.received,
		Work: func(context.Context, *kit.Progress) (configEdit, error) {
			e := proposeEdit(place, func(data []byte) ([]byte, error) { return d.edit(place, store, data) })
			if e.why == "" && bytes.Equal(e.base(), e.after) {
				e.why = "No change to write"
			}
			if e.why != "" {
				return e, nil
			}
			e.did = "the rule for " + text.Clean(d.glob)
			e.said = "Wrote the rule to " + e.place() + due + ". {global/undo} undoes"
			if e = e.write(place); e.written {
				e.made = &e.rules.Rules[len(e.rules.Rules)-1] // those of the store come last
			}
			return e, nil
		},
	})
}

// Title implements [kit.Overlay].
func (m *ruleMaker) Title() string { return "New rule" }

// Scopes implements [kit.Overlay].
func (m *ruleMaker) Scopes() []keymap.Scope { return []keymap.Scope{keymap.RuleMaker} }

// Footer implements [kit.Overlay].
func (m *ruleMaker) Footer() string { return "" }

// Handle implements [kit.Overlay]: only enter and esc answer, and enter only to a rule that can be written.
func (m *ruleMaker) Handle(id keymap.ID) bool {
	before := m.draft
	switch id {
	case keymap.Accept:
		return len(m.draft.match()) == 0 || !m.pending && m.effect.edit.why != ""
	case keymap.Cancel:
		m.env.Jobs.Cancel(ownerEffect)
		return false
	case keymap.FieldNext, keymap.Down:
		m.field, m.typing = (m.field+1)%fields, false
	case keymap.FieldPrev, keymap.Up:
		m.field, m.typing = (m.field+fields-1)%fields, false
	case keymap.Right, keymap.Left:
		m.change(map[keymap.ID]int{keymap.Right: 1, keymap.Left: -1}[id])
	case keymap.ExpandAll, keymap.CollapseAll:
		m.more(id)
	case keymap.DeleteBack:
		m.deleteBack()
	case keymap.DeleteWord, keymap.DeleteToStart:
		m.clear(id)
	default:
		return false
	}
	m.changed(before)
	return true
}

// change chooses the next of what the field offers, or the one before.
func (m *ruleMaker) change(by int) {
	switch m.field {
	case kindField:
		m.draft.turn(by)
	case limitField:
		m.step(by)
	case thenField:
		// It ends at both ends: one key too many must not turn a warning into a deletion.
		m.draft.then = min(max(m.draft.then+by, 0), len(ruleKinds[m.draft.kind].thens())-1)
	}
}

// more makes the limit larger or smaller; among the globs the keys are letters.
func (m *ruleMaker) more(id keymap.ID) {
	by, letter := 1, "+"
	if id == keymap.CollapseAll {
		by, letter = -1, "-"
	}
	if m.field == globField {
		m.draft.glob += letter
		return
	}
	m.step(by)
}

// step makes the limit larger or smaller by one.
func (m *ruleMaker) step(by int) {
	m.draft.limit, m.typing = min(max(m.draft.limit+int64(by), 1), limitMost), false
}

// limitMost is the largest limit that can be typed.
const limitMost = 99_999

func (m *ruleMaker) deleteBack() {
	switch m.field {
	case limitField:
		m.draft.limit, m.typing = m.draft.limit/10, true
	case globField:
		_, n := utf8.DecodeLastRuneInString(m.draft.glob)
		m.draft.glob = m.draft.glob[:len(m.draft.glob)-n]
	}
}

// clear deletes the last part of the globs, or all of them.
func (m *ruleMaker) clear(id keymap.ID) {
	switch {
	case m.field != globField:
	case id == keymap.DeleteWord:
		left := strings.TrimRight(m.draft.glob, "/, ")
		m.draft.glob = left[:strings.LastIndexAny(left, "/, ")+1]
	default:
		m.draft.glob = ""
	}
}

// Type takes a key that is not bound here: digits of the limit, letters of the globs.
func (m *ruleMaker) Type(msg tea.KeyPressMsg) {
	before, typed := m.draft, text.Clean(msg.Text)
	if digit, err := strconv.ParseUint(typed, 10, 4); m.field == limitField && err == nil && digit < 10 {
		if !m.typing {
			m.draft.limit, m.typing = 0, true
		}
		if limit := m.draft.limit*10 + int64(digit); limit <= limitMost {
			m.draft.limit = limit
		}
	}
	if m.field == globField && len(m.draft.glob)+len(typed) <= 200 {
		m.draft.glob += typed
	}
	m.changed(before)
}

// changed has the effect of another draft worked out.
func (m *ruleMaker) changed(before ruleDraft) {
	if m.draft != before {
		m.pending = true
		m.env.Emit(ruleChanged{m})
	}
}

// ruleChanged is the intent to work out what a draft would do.
type ruleChanged struct{ maker *ruleMaker }

// Size implements [kit.Overlay].
func (m *ruleMaker) Size(maxW, maxH int) (w, h int) { return min(maxW, 66), min(maxH, 21) }

// Cursor implements [kit.Overlay].
func (m *ruleMaker) Cursor() (kit.Point, bool) {
	at := map[field]kit.Point{
		kindField: {X: 9}, limitField: {X: 30}, globField: {X: 10 + min(text.Width(m.draft.glob), globWidth), Y: 1}, thenField: {X: 9, Y: 2},
	}[m.field]
	switch {
	case !m.narrow || m.field == kindField:
	case m.field == limitField:
		at = kit.Point{X: 9, Y: 1}
	default:
		at.Y++
	}
	return at, true
}

// globWidth is the room for the globs.
const globWidth = 22

// namedFiles is how many rows name files, and leastNamed as many as stay where the diff is long; nameMost are the cells of a name.
const (
	namedFiles = 4
	leastNamed = 2
	nameMost   = 32
)

// Rows implements [kit.Overlay].
func (m *ruleMaker) Rows(w, h int) []string {
	m.narrow = w < wideMaker
	rows := append(m.fieldRows(), "")
	diff := m.diffRows(w)
	rows = append(rows, m.effectRows(w, h-len(rows)-len(diff)-3)...)
	rows = append(rows, "")
	rows = append(rows, diff[:max(0, min(len(diff), h-len(rows)-2))]...)
	for len(rows) < h-1 {
		rows = append(rows, "")
	}
	rows = append(rows[:max(0, min(len(rows), h-1))], " "+m.answers())
	for i, row := range rows {
		rows[i] = ansi.Truncate(row+strings.Repeat(" ", max(0, w-ansi.StringWidth(row))), w, "")
	}
	return kit.FillRows(rows, w, h)
}

// wideMaker is the width from which kind and limit share a row, in cells.
const wideMaker = 60

// fieldRows are the rows with the fields.
func (m *ruleMaker) fieldRows() []string {
	st, d := m.env.Styles, &m.draft
	k := ruleKinds[d.kind]
	at := func(f field, s string) string {
		if m.field == f {
			return st.Selected.Apply(s)
		}
		return st.Text.Apply(s)
	}
	kind := " When   " + at(kindField, "[ "+text.Pad(k.words, 14)+"v ]")
	limit := at(limitField, "[ "+text.Pad(d.limitText(), 9)+"]") + "   " + m.keys(" changes", keymap.CollapseAll, keymap.ExpandAll)
	glob := " Files  " + at(globField, "[ "+text.Pad(text.TruncateLeft(text.Clean(d.glob), globWidth, st.Glyphs.Ellipsis), globWidth)+" ]")
	if e := &m.effect; !m.pending && e.edit.why == "" && !m.narrow {
		glob += "  " + st.Dim.Apply(fmt.Sprintf("%s of %s match", kit.Number(e.effect.Matches), kit.Count(e.effect.Files, "file")))
	}
	then := " Then   "
	for i, word := range k.thens() {
		switch {
		case i == d.then:
			then += at(thenField, "(x) "+thenWord(word)) + "   "
		case !m.narrow:
			then += st.Text.Apply("( )") + " " + thenWord(word) + "   "
		}
	}
	if m.narrow {
		return []string{kind, "        " + limit, glob, then}
	}
	return []string{kind + "  " + limit, glob, then}
}

// thenWord says what a rule does.
func thenWord(word string) string {
	switch word {
	case string(config.ModeRefuse):
		return "refuse the write"
	}
	return word
}

func (m *ruleMaker) keys(what string, ids ...keymap.ID) string {
	var keys []string
	for _, id := range ids {
		keys = append(keys, m.env.Styles.KeyName.Apply(m.env.Keys.KeyFor(keymap.RuleMaker, id)))
	}
	return strings.Join(keys, " ") + m.env.Styles.Dim.Apply(what)
}

func (m *ruleMaker) answers() string {
	st := m.env.Styles
	answer := func(id keymap.ID, label string) string {
		return st.KeyName.Apply("["+m.env.Keys.KeyFor(keymap.RuleMaker, id)+"]") + " " + label
	}
	if m.narrow {
		return answer(keymap.Accept, "Write") + "  " + answer(keymap.Cancel, "Cancel")
	}
	return answer(keymap.Accept, "Write rule") + "   " + answer(keymap.FieldNext, "Next field") + "   " + answer(keymap.Cancel, "Cancel")
}

// effectRows say what the rule would do now and soon, in about a given number of rows.
func (m *ruleMaker) effectRows(w, room int) []string {
	st, e := m.env.Styles, &m.effect
	switch {
	case m.pending:
		return []string{st.Dim.Apply(" Checking" + st.Glyphs.Ellipsis)}
	case e.edit.why != "":
		return []string{st.Error.Apply(" " + text.Truncate(m.env.Keyed(e.edit.why), w-2, st.Glyphs.Ellipsis))}
	case e.failed != "":
		return []string{st.Error.Apply(" " + e.failed)}
	}
	bytes := int64(0)
	for _, a := range e.effect.Due {
		bytes += a.Bytes
	}
	times := ruleKinds[m.draft.kind].times()
	head := "Over now: "
	if times {
		head = "Due now: "
	}
	head += kit.CountGrouped(len(e.effect.Due), "file") + ", " + sizeIn(m.screen.edits.Handlers, bytes)
	switch {
	case e.effect.Matches == 0:
		head = "No file matches"
	case len(e.effect.Due) == 0 && times:
		head = "Nothing is due now"
	case len(e.effect.Due) == 0:
		head = "Nothing is over the limit now"
	}
	head = " " + head
	if times && !m.narrow {
		head = text.Pad(head, 33) + "Due within 7 days: " + kit.Number(e.effect.Soon)
	}
	rows := []string{st.Bold.Apply(head)}
	most := max(leastNamed, min(namedFiles, room-1))
	longest := 0
	for _, a := range e.effect.Due[:min(most, len(e.effect.Due))] {
		longest = max(longest, min(nameMost, text.Width(text.Clean(inStore(a.Path)))))
	}
	for i, a := range e.effect.Due {
		if i == most-1 && len(e.effect.Due) > most {
			rows = append(rows, st.Dim.Apply(fmt.Sprintf("   and %s more", kit.Number(len(e.effect.Due)-i))))
			break
		}
		reason, _, _ := strings.Cut(a.Reason, ",")
		name := text.Pad(text.TruncateLeft(text.Clean(inStore(a.Path)), longest, st.Glyphs.Ellipsis), longest)
		rows = append(rows, "   "+name+text.PadLeft(sizeIn(m.screen.edits.Handlers, a.Bytes), 9)+"  "+
			st.Dim.Apply(text.Truncate(reason, max(0, w-longest-16), st.Glyphs.Ellipsis)))
	}
	return rows
}

// diffRows show how the file changes.
func (m *ruleMaker) diffRows(w int) []string {
	st, e := m.env.Styles, &m.effect.edit
	if m.pending || e.why != "" {
		return nil
	}
	if bytes.Equal(e.base(), e.after) {
		return []string{st.Dim.Apply(" No change")}
	}
	rows := []string{st.Dim.Apply(" " + text.Truncate(text.Clean(e.intro(m.screen.config.place.Home)), max(0, w-2), st.Glyphs.Ellipsis))}
	for _, line := range e.lines() {
		paint := st.Added
		if strings.HasPrefix(line, "-") {
			paint = st.Removed
		}
		rows = append(rows, "   "+paint.Apply(text.Truncate(text.Clean(line), max(0, w-4), st.Glyphs.Ellipsis)))
	}
	return rows
}
