package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
)

// bottomBar shows the line being typed, else a message or the state, and what can be done next.
type bottomBar struct {
	env      *kit.Env
	stage    *stage
	boxes    *boxes
	line     *typing
	say      *messages
	travel   *browse.Travel
	dispatch *dispatch
	stops    func() bool // esc stops a job
}

// draw returns the row; at is the column of the cursor in a typed line, -1 without one.
func (b *bottomBar) draw(w int, scopes []keymap.Scope) (row string, at int) {
	if b.line.Active() {
		return b.typedLine(w)
	}
	var out strings.Builder
	at = 0
	for _, s := range b.spans(w, scopes) {
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

// barSpan is a piece of the bar, with the key that a click on it presses; "": none.
type barSpan struct {
	piece
	from int
	key  string
}

// under is the key of the hint at a column; "": none.
func (b *bottomBar) under(x, w int, scopes []keymap.Scope) string {
	if b.line.Active() {
		return ""
	}
	for _, s := range b.spans(w, scopes) {
		if x >= s.from && x < s.from+text.Width(s.text) {
			return s.key
		}
	}
	return ""
}

// hint is an act with its key.
type hint struct{ keys, key, label string }

func (h hint) width() int { return text.Width(h.keys) + 1 + text.Width(h.label) }

// spans places what the bar says: a message or the state, and the hints, from the left on, menu and help at the right. Hints drop from
// the right; a message takes the whole row where it needs it, and the log has what is cut.
func (b *bottomBar) spans(w int, scopes []keymap.Scope) []barSpan {
	st := b.env.Styles
	lead, paint, hints := b.state(scopes)
	var always []hint
	if b.boxes.Len() == 0 {
		always = b.keyed([]kit.Hint{kit.Act("keys", keymap.Help)}, scopes)
	}
	msg, said := b.say.current()
	if said = said && !b.boxes.asks(); said {
		lead, paint = msg.text, levelPaint(st, msg.level)
	}
	for len(always) > 0 && (width(always) > w*2/3 || said && text.Width(lead)+width(always)+4 > w) {
		always = always[1:]
	}
	right := w - width(always) - 1
	room := right - 2
	var out []barSpan
	add := func(at int, h hint) {
		out = append(out, barSpan{piece{h.keys, st.KeyName}, at, h.key},
			barSpan{piece{" " + h.label, st.KeyHelp}, at + text.Width(h.keys), h.key})
	}
	at := 1
	switch {
	case said && text.Width(lead) > w-1:
		more := "  " + b.env.Keys.KeyFor(keymap.Global, keymap.Messages) + " has all"
		lead = text.Truncate(lead, max(0, w-1-text.Width(more)), st.Glyphs.Ellipsis) + more
	case !said:
		lead = leadBefore(text.Clean(lead), hints, room-at, st)
	}
	if lead != "" {
		out = append(out, barSpan{piece{lead, paint}, at, ""})
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

// leadLeast is how many cells of the state must remain to say something.
const leadLeast = 8

// leadBefore is the state as far as it leaves room for the next useful key; where little of it would remain, that is alone.
func leadBefore(lead string, hints []hint, room int, st *theme.Styles) string {
	if len(hints) == 0 || lead == "" {
		return text.Truncate(lead, max(0, room), st.Glyphs.Ellipsis)
	}
	if left := room - hints[0].width() - 2; left >= min(leadLeast, text.Width(lead)) {
		if cut := text.Truncate(lead, left, ""); cut != lead {
			lead = strings.TrimRight(text.Truncate(lead, left-text.Width(st.Glyphs.Ellipsis), ""), ": ,") + st.Glyphs.Ellipsis
		}
		return lead + ":"
	}
	if hints[0].width() <= room {
		return ""
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
func (b *bottomBar) possible(acts []kit.Hint) []kit.Hint {
	return slices.DeleteFunc(acts, func(h kit.Hint) bool {
		return slices.ContainsFunc(h.IDs, func(id keymap.ID) bool { return b.dispatch.prevented(id) })
	})
}

// keyed finds the keys of hints in scopes; those without one are skipped.
func (b *bottomBar) keyed(acts []kit.Hint, scopes []keymap.Scope) []hint {
	var out []hint
	for _, act := range acts {
		h := hint{label: act.Label}
		for _, id := range act.IDs {
			a, ok := b.bound(id, scopes)
			if !ok {
				continue
			}
			if h.label == "" {
				h.label = a.Hint
			}
			key := a.Keys[0]
			if h.key == "" {
				h.key = key
			} else {
				h.keys += " "
			}
			h.keys += key
		}
		if h.key != "" && h.label != "" {
			out = append(out, h)
		}
	}
	return out
}

// bound is the row of an action in the innermost scope that has a key for it.
func (b *bottomBar) bound(id keymap.ID, scopes []keymap.Scope) (keymap.Action, bool) {
	for _, scope := range scopes {
		for _, a := range b.env.Keys.InScope(scope) {
			if a.ID == id && len(a.Keys) > 0 {
				return a, true
			}
		}
	}
	return keymap.Action{}, false
}

// state says what is going on, and what can be done next: in a box, in a job, in what is in sight.
func (b *bottomBar) state(scopes []keymap.Scope) (lead string, paint theme.Paint, hints []hint) {
	st := b.env.Styles
	if top, open := b.boxes.Top(); open {
		if hinted, ok := top.Overlay.(kit.Hinted); ok {
			h := hinted.Hints()
			return h.Lead, st.Bold, b.keyed(h.Acts, scopes)
		}
		return "", st.Bold, b.listed(scopes)
	}
	if activity, paint, acts := b.travel.Shown().Search.Activity(); activity != "" {
		return activity, paint, b.keyed(acts, scopes)
	}
	if job, ok := b.env.Jobs.Oldest(); ok && job.Since >= tickEvery {
		lead = job.Label
		if job.Since >= cancelAfter && job.Total > 0 {
			lead += " " + kit.Number(int(job.Done)) + "/" + kit.Number(int(job.Total))
		}
		if b.stops() {
			return lead, st.Accent, b.keyed([]kit.Hint{kit.Act("stop", keymap.Back)}, scopes)
		}
		lead, paint = lead+st.Glyphs.Ellipsis, st.Accent
	}
	if b.line.searching() {
		if s := b.searched(); s != "" {
			return s, st.Accent, b.keyed([]kit.Hint{kit.Act("next", keymap.SearchNext, keymap.SearchPrev), kit.Act("clear", keymap.Back)}, scopes)
		}
	}
	if hinted, ok := b.stage.screen().(kit.Hinted); ok {
		h := hinted.Hints()
		if lead == "" {
			lead, paint = h.Lead, st.Bold
		}
		return lead, paint, b.keyed(b.possible(h.Acts), scopes)
	}
	if stated, ok := b.stage.screen().(kit.Stated); ok && lead == "" {
		lead, paint = stated.Status()
	}
	return lead, paint, b.listed(scopes)
}

// searched is how the search stands: that of the list with the focus, else that of the text.
func (b *bottomBar) searched() string {
	if rows := b.line.rows(); rows != nil && rows.Query() != "" {
		return rows.SearchState()
	}
	return kit.SearchOf(b.stage.screen().Detail()).SearchState()
}

// listed are the hints of the key table.
func (b *bottomBar) listed(scopes []keymap.Scope) []hint {
	var out []hint
	for _, a := range b.env.Keys.Hints(scopes) {
		if a.ID != keymap.Help && a.ID != keymap.Quit {
			out = append(out, hint{a.Keys[0], a.Keys[0], a.Hint})
		}
	}
	return out
}

// leads are the prompts in front of a typed line.
var leads = map[prompt.Purpose]string{
	prompt.Command: ":", prompt.Search: "/", prompt.Filter: "filter: ", prompt.Choice: "> ", prompt.StoreSearch: "search store: ", prompt.Passphrase: "passphrase: ", prompt.Identity: "identity file: ",
}

// typedLine draws the prompt, with how many rows or matches it leaves.
func (b *bottomBar) typedLine(w int) (string, int) {
	st := b.env.Styles
	lead := leads[b.line.Purpose()]
	if b.line.Purpose() == prompt.StoreSearch && b.stage.shows(keymap.ScreenStores) {
		lead = "search all stores: "
	}
	width := w - len(lead)
	state := ""
	if b.line.Purpose() == prompt.Filter {
		if counter, ok := b.stage.filtered().(kit.FilterCounter); ok {
			state = "  " + strings.TrimRight(counter.Matches(), " ")
			width -= text.Width(state)
		}
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
		note = "/re/ is a regular expression; capitals match case"
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
