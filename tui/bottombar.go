package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/browse"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// bottomBar shows the line being typed, else a message or the state of things, and the hints.
type bottomBar struct {
	env    *ui.Env
	stage  *stage
	line   *typing
	say    *messages
	travel *browse.Travel
}

// draw returns the row; at is the column of the cursor in a typed line, -1 without one.
func (b *bottomBar) draw(w int, scopes []keymap.Scope) (row string, at int) {
	if b.line.Active() {
		return b.typedLine(w)
	}
	st := b.env.Styles
	hints := b.hints(w, scopes)
	left, paint := b.status()
	room := max(0, w-ansi.StringWidth(hints)-1)
	if msg, ok := b.say.current(); ok {
		left, paint = msg.text, levelPaint(st, msg.level)
		if text.Width(left)+2 > room {
			room, hints = w-1, ""
		}
	}
	left = text.Pad(" "+text.Truncate(left, max(0, room-1), st.Glyphs.Ellipsis), room)
	row = paint.Apply(left) + " " + hints
	if pad := w - ansi.StringWidth(row); pad > 0 {
		row += strings.Repeat(" ", pad)
	}
	return ansi.Truncate(row, w, ""), -1
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

// status says what is going on: a job, a search, the selected path.
func (b *bottomBar) status() (string, theme.Paint) {
	st := b.env.Styles
	if activity, paint := b.travel.Shown().Search.Activity(); activity != "" {
		return activity, paint
	}
	if job, ok := b.env.Jobs.Oldest(); ok && job.Since >= tickEvery {
		label := job.Label + st.Glyphs.Ellipsis
		if job.Total > 0 {
			label = fmt.Sprintf("%s %d%%", job.Label, job.Done*100/job.Total)
		}
		return label, st.Accent
	}
	if b.line.searching() {
		if s := b.travel.Shown().Search.State(); s != "" {
			return s, st.Accent
		}
		if s := b.line.searcher().SearchState(); s != "" {
			return s, st.Accent
		}
	}
	return b.stage.screen().Status()
}

// hints lists keys that work here as long as they fit; "?" and "q" come first.
func (b *bottomBar) hints(w int, scopes []keymap.Scope) string {
	st := b.env.Styles
	actions := b.env.Keys.Hints(scopes)
	order := make([]keymap.Action, 0, len(actions))
	for _, want := range []bool{true, false} {
		for _, a := range actions {
			if (a.ID == keymap.Help || a.ID == keymap.Quit) == want {
				order = append(order, a)
			}
		}
	}
	room := w / 2
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

// leads are what stands in front of a typed line.
var leads = map[prompt.Purpose]string{
	prompt.Command: ":", prompt.Search: "/", prompt.Filter: "filter: ", prompt.OverlayFilter: "/", prompt.Palette: "> ",
	prompt.Choice: "> ", prompt.StoreSearch: "search store: ",
}

// typedLine draws the prompt, with how many rows or matches it leaves.
func (b *bottomBar) typedLine(w int) (string, int) {
	st := b.env.Styles
	lead := leads[b.line.Purpose()]
	width := w - len(lead)
	state := ""
	if b.line.Purpose() == prompt.Filter {
		state = "  " + strings.TrimRight(b.stage.screen().Matches(), " ")
		width -= text.Width(state)
	}
	if b.line.Purpose() == prompt.Search {
		state = text.Truncate("  "+text.Clean(b.line.searcher().SearchState()), max(0, w/2), st.Glyphs.Ellipsis)
		width -= text.Width(state)
	}
	view, at := b.line.View(max(0, width))
	return st.Prompt.Apply(lead) + view + st.Accent.Apply(state), min(w-1, len(lead)+at)
}

// note is the row above a typed line: what is wrong with it, or what could complete it.
func (b *bottomBar) note(w int) string {
	st := b.env.Styles
	note, paint := b.line.Problem, st.Error
	if note == "" {
		note, paint = strings.Join(lastWords(b.line.Choices()), "  "), st.Info
	}
	if note == "" && b.line.Purpose() == prompt.StoreSearch {
		note = "/re/ is a regular expression, else it is text; capitals make it exact"
	}
	if !b.line.Active() || note == "" {
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
