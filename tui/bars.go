package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// topBar: name, directory, dialect, files and bytes, watch state, unread, badges.
func (m *Model) topBar() string {
	st := m.env.Styles
	right := m.topRight()
	room := m.w - ansi.StringWidth(right)
	left := " memcurator  "
	if m.w < singleWidth {
		left = " "
	}
	title := text.TruncateLeft(text.Clean(m.options.Title), max(0, room-text.Width(left)-1), st.Glyphs.Ellipsis)
	left = text.Pad(left+title, max(0, room))
	return st.TopBar.Apply(left) + right
}

func (m *Model) topRight() string {
	st := m.env.Styles
	var parts []string
	if m.w >= singleWidth {
		parts = append(parts, m.options.Store.Dialect().String())
	}
	if s := m.shown(); s != nil && s.Root != nil {
		count := ui.Count(s.Root.Files, "file")
		if !s.Complete {
			count = fmt.Sprintf("%d+ files", s.Root.Files)
		}
		if m.w >= singleWidth {
			count += "  " + memstore.FormatSize(m.options.Store.Dialect(), s.Root.Bytes)
		}
		parts = append(parts, count)
	}
	parts = append(parts, m.stateText())
	if n := len(m.feed.Unread()); n > 0 {
		parts = append(parts, fmt.Sprintf("%s%d %s", st.Glyphs.Unread, n, "unread"))
	}
	if m.curate.Due() > 0 {
		parts = append(parts, st.Glyphs.Due+fmt.Sprintf("%d due", m.curate.Due()))
	}
	if m.follow {
		parts = append(parts, "following")
	}
	badges := m.badges()
	if names := m.screenNames(); text.Width(names) > 0 && m.w >= screenNamesWidth && m.alarmBadge() == "" {
		badges += names
	}
	counts := ansi.Truncate(strings.Join(parts, "  ")+" ", max(0, m.w-ansi.StringWidth(badges)), "")
	return ansi.Truncate(st.TopBar.Apply(counts)+badges, m.w, "")
}

const textReadOnlyBadge = "READ-ONLY"

// badges say what must never be overlooked; the counts make room for them.
func (m *Model) badges() string {
	st := m.env.Styles
	out := ""
	if alarm := m.alarmBadge(); alarm != "" {
		out += st.BadgeReadOnly.Apply(" " + st.Glyphs.Warning + " " + alarm + " ")
	}
	if m.travel != nil {
		out += st.BadgeReadOnly.Apply(" " + m.pastBadge() + " ")
	}
	if m.options.ReadOnly {
		out += st.BadgeReadOnly.Apply(" " + textReadOnlyBadge + " ")
	}
	if m.options.Badge != "" {
		out += st.Badge.Apply(" " + m.options.Badge + " ")
	}
	return out
}

const textGone = "unavailable"

func (m *Model) stateText() string {
	g := m.env.Styles.Glyphs
	switch m.disk.state {
	case watch.Live:
		return g.Live + " live"
	case watch.Limited:
		return g.Warning + " partly watched"
	case watch.Polling:
		return g.Live + " polling"
	case watch.Unavailable:
		return g.Gone + " " + textGone
	default:
		return g.Gone + " loading"
	}
}

// bottomBar is the line being typed, else a message or the state of things, and the hints.
// at is the column of the cursor in a typed line, -1 without one.
func (m *Model) bottomBar() (row string, at int) {
	if m.line.Active() {
		return m.typedLine()
	}
	st := m.env.Styles
	hints := m.hints()
	left, paint := m.status()
	room := max(0, m.w-ansi.StringWidth(hints)-1)
	if msg, ok := m.say.current(); ok {
		left, paint = msg.text, levelPaint(st, msg.level)
		if text.Width(left)+2 > room {
			room, hints = m.w-1, ""
		}
	}
	left = text.Pad(" "+text.Truncate(left, max(0, room-1), st.Glyphs.Ellipsis), room)
	row = paint.Apply(left) + " " + hints
	if pad := m.w - ansi.StringWidth(row); pad > 0 {
		row += strings.Repeat(" ", pad)
	}
	return ansi.Truncate(row, m.w, ""), -1
}

func levelPaint(st *theme.Styles, l ui.Level) theme.Paint {
	switch l {
	case ui.Fail:
		return st.Error
	case ui.Warn:
		return st.Warning
	default:
		return st.Info
	}
}

// status says what is going on: a job, the search, the selected path.
func (m *Model) status() (string, theme.Paint) {
	st := m.env.Styles
	switch {
	case m.found.Running():
		return m.found.Summary(), st.Accent
	case m.screen == onBrowse && m.tab == tabSearch && m.focus == onMain:
		return m.found.Where(), st.StatusBar
	}
	if job, ok := m.env.Jobs.Oldest(); ok && job.Since >= tickEvery {
		label := job.Label + st.Glyphs.Ellipsis
		if job.Total > 0 {
			label = fmt.Sprintf("%s %d%%", job.Label, job.Done*100/job.Total)
		}
		return label, st.Accent
	}
	if m.searching() {
		if s := m.storeState(); s != "" {
			return s, st.Accent
		}
		if s := m.searcher().SearchState(); s != "" {
			return s, st.Accent
		}
	}
	return m.shownScreen().Status()
}

// hints lists keys that work here as long as they fit; "?" and "q" come first.
func (m *Model) hints() string {
	st := m.env.Styles
	scopes := m.scopes()
	actions := m.env.Keys.Hints(scopes)
	order := make([]keymap.Action, 0, len(actions))
	for _, want := range []bool{true, false} {
		for _, a := range actions {
			if (a.ID == keymap.Help || a.ID == keymap.Quit) == want {
				order = append(order, a)
			}
		}
	}
	room := m.w / 2
	var parts []string
	for _, a := range order {
		part := a.Keys[0] + " " + a.Hint
		if room -= len(part) + 2; room < 0 {
			break
		}
		parts = append(parts, st.KeyName.Apply(a.Keys[0])+" "+st.KeyHelp.Apply(a.Hint))
	}
	return strings.Join(parts, "  ")
}

const (
	textFilterLead = "filter: "
	textFindLead   = "search store: "
)

// typedLine draws the prompt, with what is wrong with it or what could complete it.
func (m *Model) typedLine() (string, int) {
	st := m.env.Styles
	lead := map[prompt.Purpose]string{prompt.Command: ":", prompt.Search: "/", prompt.Filter: textFilterLead, prompt.OverlayFilter: "/", prompt.Palette: "> ", prompt.Choice: "> ", prompt.StoreSearch: textFindLead}[m.line.Purpose()]
	width := m.w - len(lead)
	state := ""
	if m.line.Purpose() == prompt.Filter {
		state = "  " + strings.TrimRight(m.shownScreen().Matches(), " ")
		width -= text.Width(state)
	}
	if m.line.Purpose() == prompt.Search {
		state = text.Truncate("  "+text.Clean(m.searcher().SearchState()), max(0, m.w/2), st.Glyphs.Ellipsis)
		width -= text.Width(state)
	}
	view, at := m.line.View(max(0, width))
	return st.Prompt.Apply(lead) + view + st.Accent.Apply(state), min(m.w-1, len(lead)+at)
}

const textFindHelp = "/re/ is a regular expression, else it is text; capitals make it exact"

// lineNote is the row above a typed line: what is wrong with it, or what could complete it.
func (m *Model) lineNote() string {
	st := m.env.Styles
	note, paint := m.line.Problem, st.Error
	if note == "" {
		note, paint = strings.Join(lastWords(m.line.Choices()), "  "), st.Info
	}
	if note == "" && m.line.Purpose() == prompt.StoreSearch {
		note = textFindHelp
	}
	if !m.line.Active() || note == "" {
		return ""
	}
	note = text.Truncate(text.Clean(note), max(0, m.w-2), st.Glyphs.Ellipsis)
	return paint.Apply(text.Pad(" "+note, m.w))
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
