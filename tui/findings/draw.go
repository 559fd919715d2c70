package findings

import (
	"fmt"
	"strconv"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Rows implements [ui.Overlay]: the sum, the values, a rule, and the places of the value under the cursor.
func (b *Box) Rows(w, h int) []string {
	st := b.env.Styles
	if len(b.groups) == 0 {
		return b.empty(w, h)
	}
	detail := 0
	if h >= 8 {
		detail = max(4, h/3)
	}
	head := b.headRows()
	b.list.Resize(max(0, h-head-detail))
	out := make([]string, 0, h)
	live, past := b.live, b.past
	sum := sumText(b.open, live, past, b.count())
	if text.Width(sum) > w {
		sum = shortSumText(b.open, live, past, b.count())
	}
	at, _ := b.list.At()
	if where := "  " + ui.Number(at+1) + "/" + ui.Number(len(b.groups)) + " "; text.Width(sum)+len(where) <= w {
		sum = text.Pad(sum, w-len(where)) + where
	}
	out = append(out, st.Dim.Apply(b.fit(sum, w)))
	if unread := b.unread(); unread != "" {
		out = append(out, st.Warning.Apply(b.fit(unread, w)))
	}
	for i := b.list.Top(); i < len(b.groups) && len(out) < h-detail; i++ {
		out = append(out, b.row(i, w))
	}
	if detail > 0 {
		out = ui.FillRows(out, w, h-detail)
		out = append(out, b.detail(w, detail)...)
	}
	return ui.FillRows(out, w, h)
}

// sumText heads the box: how many values and places, and how many are accepted.
func sumText(values, live, past, accepted int) string {
	return fmt.Sprintf("%s in %s, %s more in the past; %s accepted",
		ui.CountGrouped(values, "value"), ui.CountGrouped(live, "place"), ui.Number(past), ui.Number(accepted))
}

// shortSumText is sumText where there is little room.
func shortSumText(values, live, past, accepted int) string {
	return fmt.Sprintf("%s/%s accepted, %s+%s places",
		ui.Number(accepted), ui.CountGrouped(values, "value"), ui.Number(live), ui.Number(past))
}

// headRows is how many rows are above the values: the sum, and what was not read.
func (b *Box) headRows() int {
	if b.unread() != "" {
		return 2
	}
	return 1
}

// unread describes what the scan could not read; "": it has read everything.
func (b *Box) unread() string {
	if b.survey == nil {
		return ""
	}
	list := b.survey.Unread()
	if len(list) == 0 {
		return ""
	}
	return " " + unreadText(UnreadName(list[0].Path, list[0].Past), list[0].Why.Sentence(), len(list)-1)
}

// unreadText says under the sum what was not read: the first path, why, and how many more.
func unreadText(path, why string, more int) string {
	out := fmt.Sprintf("Not read: %s (%s)", text.Clean(path), why)
	if more > 0 {
		out += fmt.Sprintf(", %s more", ui.Number(more))
	}
	return out
}

// UnreadName names what was not read: a path, "" for the journal as a whole; past: what the journal keeps of it.
func UnreadName(path string, past bool) string {
	switch {
	case path == "":
		return "the journal"
	case past:
		return path + " in the past"
	}
	return path
}

func (b *Box) empty(w, h int) []string {
	sentence := "looking for keys, passwords and personal data..."
	switch {
	case len(b.all) > 0:
		sentence = b.env.Keyed("no value fits the filter; {findings/close} clears it")
	case b.survey != nil && b.unread() != "":
		sentence = "No sensitive value was found in what could be read."
	case b.survey != nil:
		sentence = "No sensitive value was found in the files, in their names and in the past."
	}
	out := []string{b.env.Styles.Dim.Apply(b.fit(" "+sentence, w))}
	if unread := b.unread(); unread != "" {
		out = append(out, b.env.Styles.Warning.Apply(b.fit(unread, w)))
	}
	for len(out) < h {
		out = append(out, b.fit("", w))
	}
	return out[:h]
}

// fit makes a line exactly as wide as asked for.
func (b *Box) fit(s string, w int) string {
	return text.Pad(text.Truncate(s, w, b.env.Styles.Glyphs.Ellipsis), w)
}

// The narrowest boxes that have room for a column.
const (
	placesWidth   = 44
	severityWidth = 60
)

// row is one value: whether it is accepted, how bad it is, its class, itself masked, how often it was found, and where first.
func (b *Box) row(i, w int) string {
	st := b.env.Styles
	g := b.groups[i]
	at, _ := b.list.At()
	cursor, severity := " ", g.Severity.String()
	if i == at {
		cursor = st.Glyphs.Cursor
	}
	if g.Dismissed {
		severity = "harmless"
	}
	line := cursor + "[" + b.tick(g) + "] "
	if w >= severityWidth {
		line += text.Pad(severity, 9)
	}
	class := b.Class(g)
	if class != g.Class {
		class = st.Glyphs.Arrow + class
	}
	line += text.Pad(text.Truncate(class, 18, st.Glyphs.Ellipsis), 19)
	line += text.Pad(b.Masked(g), 9)
	if w >= placesWidth {
		line += padLeft(placesText(g.Live, len(g.Places)-g.Live), 7) + "  "
		line += text.TruncateLeft(whereText(text.Clean(g.Places[0].Path), g.Places[0].Line), max(0, w-text.Width(line)), st.Glyphs.Ellipsis)
	}
	return b.paint(g, i == at).Apply(b.fit(line, w))
}

// whereText is the first place of a value, in a list.
func whereText(path string, line int) string {
	if line == 0 {
		return path + " (" + textInName + ")"
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// placesText is how often a value was found.
func placesText(live, past int) string {
	if past == 0 {
		return fmt.Sprintf("%d", live)
	}
	return fmt.Sprintf("%d+%d", live, past)
}

// tick is what was decided about a value, in one cell.
func (b *Box) tick(g *findings.Group) string {
	switch {
	case g.Dismissed:
		return "a"
	case b.decided[g.ID] == accepted:
		return b.env.Styles.Glyphs.Mark
	case b.decided[g.ID] == rejected:
		return "-"
	}
	return " "
}

// Summary is a value in one line of another list.
func (b *Box) Summary(g *findings.Group) string {
	class := text.Truncate(g.Class, 18, b.env.Styles.Glyphs.Ellipsis)
	return text.Pad(g.Severity.String(), 9) + text.Pad(class, 19) + text.Pad(b.Masked(g), 9) +
		padLeft(placesText(g.Live, len(g.Places)-g.Live), 7) + "  " + whereText(text.Clean(g.Places[0].Path), g.Places[0].Line)
}

func padLeft(s string, w int) string {
	if n := w - text.Width(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

// Masked is the value with dots, in ASCII where the terminal has nothing else.
func (b *Box) Masked(g *findings.Group) string { return b.dotted(text.Clean(g.Masked())) }

func (b *Box) dotted(s string) string {
	if b.env.ASCII {
		return strings.ReplaceAll(s, "•", "*")
	}
	return s
}

func (b *Box) paint(g *findings.Group, here bool) theme.Paint {
	st := b.env.Styles
	switch {
	case here:
		return st.Selected
	case g.Dismissed, b.decided[g.ID] == rejected:
		return st.Hidden
	case b.takes(g):
		return st.Marked
	case g.Severity >= rule.Critical:
		return st.Error
	case g.Severity >= rule.High:
		return st.Warning
	}
	return st.Text
}

const textInName = "in the name"

// detail are the places of the value under the cursor, the one that keys act on first, with its line.
func (b *Box) detail(w, h int) []string {
	st := b.env.Styles
	g := b.selected()
	rule := strings.Repeat(st.Glyphs.Border.Top, w)
	out := []string{st.Border.Apply(b.fit(rule, w))}
	p := g.Places[b.place]
	head := fmt.Sprintf(" %d/%d  ", b.place+1, len(g.Places))
	where := placeText(text.Clean(p.Path), p.Line, p.Column, p.InName, p.Past, p.Rev)
	head += text.TruncateLeft(where, max(0, w-text.Width(head)), st.Glyphs.Ellipsis)
	hint, told := b.holdHint()+" ", false
	if room := w - text.Width(hint) - 2; room >= text.Width(head) {
		out = append(out, st.Path.Apply(text.Pad(head, w-text.Width(hint)))+st.Dim.Apply(hint))
		told = true
	} else {
		out = append(out, st.Path.Apply(b.fit(head, w)))
	}
	out = append(out, b.context(g, p, w, h-len(out))...)
	if b.takes(g) && h >= 5 && len(out) < h {
		out = append(out, st.Dim.Apply(b.fit(strings.Repeat(" ", indent)+"becomes "+b.becomes(g), w)))
	}
	for n := 1; n < len(g.Places) && len(out) < h; n++ {
		q := g.Places[(b.place+n)%len(g.Places)]
		line := strings.Repeat(" ", indent) + placeText(text.Clean(q.Path), q.Line, q.Column, q.InName, q.Past, q.Rev)
		out = append(out, st.Dim.Apply(b.fit(line, w)))
	}
	if !told && len(out) < h {
		out = append(out, st.Dim.Apply(b.fit(" "+hint, w)))
	}
	return ui.FillRows(out, w, h)
}

// placeText is where a value stands.
func placeText(path string, line, column int, inName, past bool, rev int64) string {
	out := fmt.Sprintf("%s:%d:%d", path, line, column)
	if inName {
		out = path + " (" + textInName + ")"
	}
	switch {
	case past && rev > 0:
		out += " (revision " + strconv.FormatInt(rev, 10) + ")"
	case past:
		out += " (before the first revision)"
	}
	return out
}

// indent is where the lines of a place begin, in cells.
const indent = 6

// context is the line of a place, with the value masked until it is asked for. A value that is shown and longer than the
// row goes on below, on h rows at most.
func (b *Box) context(g *findings.Group, p findings.Place, w, h int) []string {
	st := b.env.Styles
	room := w - indent
	if room < 1 {
		return []string{b.fit("", w)}
	}
	before, after := b.dotted(text.Clean(p.Before)), b.dotted(text.Clean(p.After))
	value := b.Masked(g)
	if b.shown.on {
		value = text.Clean(g.Value())
		if text.Width(value) > room || strings.Contains(g.Value(), "\n") {
			return b.whole(g.Value(), w, h)
		}
	}
	value = text.Truncate(value, room, st.Glyphs.Ellipsis)
	left := room - text.Width(value) // cells beside the value
	before = text.TruncateLeft(before, max(0, min(text.Width(before), max(room/2, left-text.Width(after)), left)), st.Glyphs.Ellipsis)
	after = text.Truncate(after, max(0, room-text.Width(before)-text.Width(value)), st.Glyphs.Ellipsis)
	used := indent + text.Width(before) + text.Width(value) + text.Width(after)
	lead, rest := strings.Repeat(" ", indent), strings.Repeat(" ", max(0, w-used))
	return []string{st.Text.Apply(lead+before) + st.Match.Apply(value) + st.Text.Apply(after+rest)}
}

// whole is a long value on several rows; that there is more is told in the last one.
func (b *Box) whole(value string, w, h int) []string {
	st := b.env.Styles
	room := w - indent
	var parts []string
	for line := range strings.Lines(value[:min(len(value), wholeMost)]) {
		line = text.Clean(strings.TrimRight(line, "\r\n"))
		for _, r := range text.Wrap(nil, []byte(line), room, b.env.Text(0)) {
			parts = append(parts, line[r.Start:r.End])
		}
	}
	h = max(1, h)
	if len(parts) > h {
		parts = parts[:h]
		parts[h-1] = text.Truncate(parts[h-1], max(0, room-text.Width(st.Glyphs.Ellipsis)), "") + st.Glyphs.Ellipsis
	}
	for i, part := range parts {
		parts[i] = strings.Repeat(" ", indent) + st.Match.Apply(text.Pad(text.Truncate(part, room, ""), room))
	}
	return parts
}

// wholeMost bounds what is made visible of a value, in bytes: more than any screen holds.
const wholeMost = 32 << 10
