package overlay

import (
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Actions is a list to choose one action of; typing narrows it. Until the line that narrows it is open, a row is also run by the key of its
// action, which is the shell's business.
type Actions struct {
	Legend string // above the rows: what the signs on the screen mean; "": nothing

	env     *kit.Env
	title   string
	actions []keymap.Action
	shown   []keymap.Action // those that fit the pattern
	typed   bool            // there is a pattern
	list    kit.List
	top     int // the first row in sight
	last    int // and the last
	cursor  int // the line of the one under the cursor
}

// NewActions makes a list of actions with the cursor on its first row.
func NewActions(env *kit.Env, title string, actions []keymap.Action) *Actions {
	l := &Actions{env: env, title: title, actions: actions}
	l.SetFilter("")
	return l
}

// SetFilter keeps the rows that fit a pattern, the best first.
func (l *Actions) SetFilter(pattern string) {
	l.shown, l.typed = nil, pattern != ""
	words, ranks := strings.Fields(strings.ToLower(pattern)), map[keymap.ID]int{}
	for _, a := range l.actions {
		if rank, fits := rankOf(a, words); fits {
			l.shown, ranks[a.ID] = append(l.shown, a), rank
		}
	}
	slices.SortStableFunc(l.shown, func(a, b keymap.Action) int { return ranks[a.ID] - ranks[b.ID] })
	l.list.SetCount(len(l.shown))
	l.list.MoveTo(0)
}

// rankOf says how well an action fits words, 0 best: all of them must be in its name, or begin words of its help.
func rankOf(a keymap.Action, words []string) (rank int, fits bool) {
	for _, w := range words {
		switch id := string(a.ID); {
		case strings.HasPrefix(id, w):
		case strings.Contains(id, w):
			rank++
		case strings.Contains(" "+strings.ToLower(a.Help), " "+w):
			rank += 2
		default:
			return 0, false
		}
	}
	return rank, true
}

// Chosen is the action under the cursor; false when nothing matches.
func (l *Actions) Chosen() (keymap.Action, bool) {
	i, ok := l.list.At()
	if !ok {
		return keymap.Action{}, false
	}
	return l.shown[i], true
}

// Keyed is the action that has a key.
func (l *Actions) Keyed(key string) (keymap.Action, bool) {
	i := slices.IndexFunc(l.actions, func(a keymap.Action) bool { return slices.Contains(a.Keys, key) })
	if i < 0 {
		return keymap.Action{}, false
	}
	return l.actions[i], true
}

// Title implements [kit.Overlay].
func (l *Actions) Title() string { return l.title }

// Scopes implements [kit.Overlay].
func (l *Actions) Scopes() []keymap.Scope { return []keymap.Scope{keymap.ActionMenu, keymap.Motion} }

// Handle implements [kit.Overlay]. The line that narrows the list passes its keys on, too.
func (l *Actions) Handle(id keymap.ID) bool {
	switch id {
	case keymap.HistoryNewer:
		id = keymap.Down
	case keymap.HistoryOlder:
		id = keymap.Up
	}
	return l.list.Motion(id)
}

// Size implements [kit.Overlay].
func (l *Actions) Size(maxW, maxH int) (int, int) {
	w, lines := min(maxW, 100), 0
	scopes := map[keymap.Scope]bool{}
	for _, a := range l.actions {
		lines += len(l.lines(a, w, false))
		scopes[a.Scope] = true
	}
	if len(scopes) > 1 {
		lines += len(scopes) // their headings
	}
	return w, max(1, min(maxH, len(l.legend(w))+lines, 22))
}

// legend are the lines of the legend in w cells, and one that sets it off.
func (l *Actions) legend(w int) (lines []string) {
	if l.Legend == "" || l.typed {
		return nil
	}
	for _, part := range text.Wrap(nil, []byte(l.Legend), max(1, w-3), l.env.Text(0)) {
		lines = append(lines, "  "+strings.TrimLeft(l.Legend[part.Start:part.End], " "))
	}
	return append(lines, "")
}

// wideFrom is from how many cells on each action has its keys and its help whole.
const wideFrom = 60

// keyText are the keys of an action, in w cells.
func (l *Actions) keyText(a keymap.Action, w int) string {
	if w < wideFrom && len(a.Keys) > 1 {
		a.Keys = a.Keys[:1]
	}
	return a.KeyText(l.env.ASCII)
}

// lines are those of an action in w cells: its help is wrapped beside its keys, or cut where that would leave room for few actions.
func (l *Actions) lines(a keymap.Action, w int, chosen bool) (lines []string) {
	indent, keys := 0, l.keyText(a, w)
	for _, one := range l.actions {
		indent = max(indent, text.Width(l.keyText(one, w))+2)
	}
	if w < wideFrom && !chosen {
		return []string{text.Pad(keys, indent) + text.Truncate(a.Help, max(1, w-2-indent), l.env.Styles.Glyphs.Ellipsis)}
	}
	for _, part := range text.Wrap(nil, []byte(a.Help), max(1, w-2-indent), l.env.Text(0)) {
		lines = append(lines, text.Pad(keys, indent)+strings.TrimLeft(a.Help[part.Start:part.End], " "))
		keys = ""
	}
	return lines
}

// heading is the title of the scope whose actions begin at a row. "": none begins there, or there is only one.
func (l *Actions) heading(i int) string {
	first, last := l.shown[0].Scope, l.shown[len(l.shown)-1].Scope
	if l.typed || first == last || i > 0 && l.shown[i-1].Scope == l.shown[i].Scope {
		return ""
	}
	return l.shown[i].Scope.Title()
}

// height is how many lines a row takes, with its heading.
func (l *Actions) height(i, w int, chosen bool) int {
	n := len(l.lines(l.shown[i], w, chosen))
	if l.heading(i) != "" {
		n++
	}
	return n
}

// Extent implements [kit.Scrolled].
func (l *Actions) Extent() (first, shown, all int) { return l.top, l.last - l.top + 1, len(l.shown) }

// Footer implements [kit.Overlay].
func (l *Actions) Footer() string {
	return l.env.Keyed("{menu/accept} or its key runs it")
}

// TextNothingMatches is said in place of the rows, and of the line.
const TextNothingMatches = "nothing matches"

// Rows implements [kit.Overlay].
func (l *Actions) Rows(w, h int) []string {
	st := l.env.Styles
	out := make([]string, 0, h)
	if legend := l.legend(w); h > 2*len(legend) { // the keys matter more
		for _, line := range legend {
			out = append(out, st.Dim.Apply(text.Pad(line, w)))
		}
	}
	above := len(out)
	h -= above
	l.list.Resize(h)
	at, _ := l.list.At()
	for l.top, l.cursor = at, 0; l.top > l.list.Top(); l.top-- { // as far up as the row under the cursor stays in sight
		rows := l.height(l.top-1, w, false)
		if l.cursor+rows+l.height(at, w, true) > h {
			break
		}
		l.cursor += rows
	}
	l.cursor += above
	if at < len(l.shown) && l.heading(at) != "" {
		l.cursor++
	}
	for i := l.top; i < len(l.shown) && len(out) < above+h; i++ {
		if title := l.heading(i); title != "" {
			out = append(out, st.Bold.Apply(text.Pad(text.Truncate("  "+title, w, ""), w)))
		}
		lead, paint := "  ", st.Text
		if l.last = i; i == at {
			lead, paint = st.Glyphs.Cursor+" ", st.Selected
		}
		for _, line := range l.lines(l.shown[i], w, i == at) {
			out = append(out, paint.Apply(text.Pad(text.Truncate(lead+line, w, ""), w)))
			lead = "  "
		}
	}
	if len(l.shown) == 0 && h > 0 {
		out = append(out, st.Dim.Apply(text.Pad(text.Truncate(" "+TextNothingMatches, w, st.Glyphs.Ellipsis), w)))
	}
	return kit.FillRows(out, w, above+h)
}

// Cursor is where the terminal's own cursor belongs while nothing is typed.
func (l *Actions) Cursor() (kit.Point, bool) {
	_, ok := l.list.At()
	return kit.Point{Y: l.cursor}, ok
}
