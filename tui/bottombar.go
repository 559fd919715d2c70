package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// bottomBar is the last row: the line being typed, else a message or the state, and what can be done next; at is the column of the
// cursor in a typed line, -1 without one.
func (m *Model) bottomBar(w int, scopes []keymap.Scope) (row string, at int) {
	if m.line.Active() {
		return m.typedLine(w)
	}
	var out strings.Builder
	at = 0
	for _, s := range m.bottomSpans(w, scopes) {
		out.WriteString(strings.Repeat(" ", max(0, s.from-at)))
		out.WriteString(s.paint.Apply(s.text))
		at = s.from + text.Width(s.text)
	}
	return ansi.Truncate(out.String(), w, "") + strings.Repeat(" ", max(0, w-at)), -1
}

func levelPaint(st *theme.Styles, l kit.Level) theme.Paint {
	switch l {
	case kit.Fail:
		return st.Error
	case kit.Warn:
		return st.Warning
	default:
		return st.Info
	}
}

// barSpan is a piece of the bar with its column.
type barSpan struct {
	piece
	from int
}

// hint is an act with its key.
type hint struct{ keys, label string }

func (h hint) width() int { return text.Width(h.keys) + 1 + text.Width(h.label) }

// bottomSpans places what the bar says: a message or the state, and the hints, from the left on, menu and help at the right. Hints drop
// from the right; a message takes the whole row where it needs it, and the log has what is cut.
func (m *Model) bottomSpans(w int, scopes []keymap.Scope) []barSpan {
	st := m.env.Styles
	lead, paint, hints := m.bottomState(scopes)
	var always []hint
	if m.boxes.Len() == 0 {
		always = m.keyedHints([]kit.Hint{kit.Act("keys", keymap.Help)}, scopes)
	}
	msg, said := m.say.current()
	if said = said && !m.asks(); said {
		lead, paint = msg.text, levelPaint(st, msg.level)
	}
	for len(always) > 0 && (width(always) > w*2/3 || said && text.Width(lead)+width(always)+4 > w) {
		always = always[1:]
	}
	right := w - width(always) - 1
	room := right - 2
	var out []barSpan
	add := func(at int, h hint) {
		out = append(out, barSpan{piece{h.keys, st.KeyName}, at}, barSpan{piece{" " + h.label, st.KeyHelp}, at + text.Width(h.keys)})
	}
	at := 1
	switch {
	case said && text.Width(lead) > w-1:
		more := "  " + m.env.Keys.KeyFor(keymap.Global, keymap.Messages) + " has all"
		lead = text.Truncate(lead, max(0, w-1-text.Width(more)), st.Glyphs.Ellipsis) + more
	case !said:
		lead = leadBefore(text.Clean(lead), hints, room-at, st)
	}
	if lead != "" {
		out = append(out, barSpan{piece{lead, paint}, at})
		if at += text.Width(lead) + 1; said {
			at += 2
		}
	}
	for _, h := range hints {
		if at+h.width() > room {
			break
		}
		add(at, h)
		at += h.width() + 2
	}
	for _, h := range always {
		add(right, h)
		right += h.width() + 2
	}
	return out
}

// leadBefore is the state as far as it leaves room for the next useful key.
func leadBefore(lead string, hints []hint, room int, st *theme.Styles) string {
	if len(hints) > 0 && lead != "" {
		room -= hints[0].width() + 3
		if text.Width(lead) <= room && strings.HasSuffix(lead, st.Glyphs.Ellipsis) {
			return lead // of a job: it goes on
		} else if text.Width(lead) <= room {
			return lead + ":"
		}
	}
	return text.Truncate(lead, max(0, room), st.Glyphs.Ellipsis)
}

// width is how many cells hints take with the blanks between them.
func width(hints []hint) int {
	n := 2 * max(0, len(hints)-1)
	for _, h := range hints {
		n += h.width()
	}
	return n
}

// possible are the hints of what nothing prevents now.
func (m *Model) possible(acts []kit.Hint) []kit.Hint {
	return slices.DeleteFunc(acts, func(h kit.Hint) bool {
		return slices.ContainsFunc(h.IDs, func(id keymap.ID) bool { return m.prevented(id) })
	})
}

// keyedHints finds the keys of hints in scopes; those without one are skipped.
func (m *Model) keyedHints(acts []kit.Hint, scopes []keymap.Scope) []hint {
	var out []hint
	for _, act := range acts {
		h := hint{label: act.Label}
		for _, id := range act.IDs {
			a, ok := m.boundAction(id, scopes)
			if !ok {
				continue
			}
			if h.label == "" {
				h.label = a.Hint
			}
			h.keys = strings.TrimPrefix(h.keys+" "+a.Keys[0], " ")
		}
		if h.keys != "" && h.label != "" {
			out = append(out, h)
		}
	}
	return out
}

// boundAction is the row of an action in the innermost scope that has a key for it.
func (m *Model) boundAction(id keymap.ID, scopes []keymap.Scope) (keymap.Action, bool) {
	for _, scope := range scopes {
		for _, a := range m.env.Keys.InScope(scope) {
			if a.ID == id && len(a.Keys) > 0 {
				return a, true
			}
		}
	}
	return keymap.Action{}, false
}

// bottomState says what is going on, and what can be done next: in a box, in a job, in what is in sight.
func (m *Model) bottomState(scopes []keymap.Scope) (lead string, paint theme.Paint, hints []hint) {
	st := m.env.Styles
	if top, open := m.boxes.Top(); open {
		if hinted, ok := top.Overlay.(kit.Hinted); ok {
			h := hinted.Hints()
			return h.Lead, st.Bold, m.keyedHints(h.Acts, scopes)
		}
		return "", st.Bold, m.listedHints(scopes)
	}
	if job, ok := m.env.Jobs.Oldest(); ok && job.Since >= tickEvery {
		lead = job.Label
		if job.Since >= cancelAfter && job.Total > 0 {
			lead += " " + kit.Number(int(job.Done)) + "/" + kit.Number(int(job.Total))
		}
		if _, ok := m.jobs.stoppable(); ok {
			return lead, st.Accent, m.keyedHints([]kit.Hint{kit.Act("stop", keymap.Back)}, scopes)
		}
		lead, paint = lead+st.Glyphs.Ellipsis, st.Accent
	}
	if m.searching() {
		if s := kit.SearchOf(m.stage.screen().Detail()).SearchState(); s != "" {
			return s, st.Accent, m.keyedHints([]kit.Hint{kit.Act("next", keymap.SearchNext, keymap.SearchPrev), kit.Act("clear", keymap.Back)}, scopes)
		}
	}
	if hinted, ok := m.stage.screen().(kit.Hinted); ok {
		h := hinted.Hints()
		if lead == "" {
			lead, paint = h.Lead, st.Bold
		}
		if len(h.Acts) > 0 {
			return lead, paint, m.keyedHints(m.possible(h.Acts), scopes)
		}
	}
	return lead, paint, m.listedHints(scopes)
}

// listedHints are the hints of the key table, on a screen those of what can run now.
func (m *Model) listedHints(scopes []keymap.Scope) []hint {
	var out []hint
	for _, a := range m.env.Keys.Hints(scopes) {
		if a.ID != keymap.Help && a.ID != keymap.Quit && (m.boxes.Len() > 0 || m.runs(a.ID)) {
			out = append(out, hint{a.Keys[0], a.Hint})
		}
	}
	return out
}

// typedLine draws the line being typed, with how many rows or matches it leaves.
func (m *Model) typedLine(w int) (string, int) {
	st, lead, state := m.env.Styles, m.line.Lead, ""
	if m.line.State != nil {
		state = text.Truncate("  "+text.Clean(m.line.State()), max(0, w/2), st.Glyphs.Ellipsis)
	}
	view, at := m.line.View(max(0, w-len(lead)-text.Width(state)))
	return st.Prompt.Apply(lead) + view + st.Accent.Apply(state), min(w-1, len(lead)+at)
}

// lineNote is the row above a typed line: what is wrong with it, or what could complete it.
func (m *Model) lineNote(w int) string {
	st := m.env.Styles
	note, paint := m.line.Problem, st.Error
	if note == "" {
		note, paint = strings.Join(lastWords(m.line.Choices()), "  "), st.Info
	}
	if note == "" && m.line.Hint != nil {
		note = m.line.Hint()
	}
	if !m.line.Active() || note == "" {
		return ""
	}
	note = text.Truncate(text.Clean(note), max(0, w-2), st.Glyphs.Ellipsis)
	return paint.Apply(text.Pad(" "+note, w))
}

// lastWords shortens completions to the part that differs.
func lastWords(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		l = strings.TrimRight(l, " ")
		out[i] = l[strings.LastIndexAny(strings.TrimSuffix(l, "/"), "/ ")+1:]
	}
	return out
}
