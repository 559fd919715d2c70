package timeline

import (
	"fmt"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// clockFrom is the width of a list without headings from which its times are whole.
const clockFrom = 58

// commandFrom is the width of a list from which its rows name the command beside the path, and those by session the time.
const commandFrom = 46

// columns are those of revisions, and of headings: actor, files, title, time, state or lines.
func (p *Pane) columns() []kit.Column[row] {
	dim := func(_ row, st *theme.Styles) theme.Paint { return st.Dim }
	actor := func(r row, st *theme.Styles) theme.Paint {
		if r.run != nil {
			return st.Actor(string(r.run.Actor))
		}
		return st.Actor(string(r.Actor))
	}
	lines := func(of func(row) (n int, ok bool), sign string, paint func(*theme.Styles) theme.Paint) kit.Column[row] {
		return kit.Column[row]{Most: 15, Right: true,
			Text: func(r row) string {
				if n, ok := of(r); ok {
					return sign + kit.Number(n)
				}
				return ""
			},
			Paint: func(_ row, st *theme.Styles) theme.Paint { return paint(st) },
		}
	}
	counts := func(r row) (added, removed int, ok bool) {
		added, removed = r.Added, r.Removed
		if r.run != nil {
			run := p.group(r).run
			added, removed = run.Added, run.Removed
		}
		return added, removed, added+removed > 0 && p.state(r) == ""
	}
	glyphs := p.env.Styles.Glyphs
	return []kit.Column[row]{
		{Most: 12, From: 46, Text: func(r row) string {
			if p.order != ByTime {
				return ""
			}
			return fmt.Sprintf("#%d", r.Rev)
		}, Paint: actor},
		{Most: 30, Text: p.when, Paint: actor},
		{Most: 16, From: 46, Text: func(r row) string {
			if p.order == BySession {
				return ""
			}
			return string(r.Actor)
		}, Paint: actor},
		{Most: 20, Text: p.command, Paint: dim},
		{Text: p.subject, Fit: func(r row, cells int) string {
			if r.run == nil && p.hasPath(r) {
				return headed(r.Revision).Where(p.env.Styles, cells)
			}
			return text.Truncate(text.Clean(p.subject(r)), cells, p.env.Styles.Glyphs.Ellipsis)
		}},
		{Most: 30, From: 76, Text: func(r row) string {
			switch {
			case r.run != nil:
				run := p.group(r).run
				return kit.WhenSpan(run.First, run.Last, p.env.Now())
			case p.order == BySession || p.base.Path != "" || r.Session == "":
				return ""
			}
			return strings.TrimPrefix(turnText(r.Turn)+", ", turnText(0)+", ") + text.FitID(r.Session, 12)
		}, Paint: dim},
		{Most: 20, Text: p.state, Paint: dim},
		lines(func(r row) (int, bool) { n, _, ok := counts(r); return n, ok }, glyphs.Plus, func(st *theme.Styles) theme.Paint { return st.Added }),
		lines(func(r row) (int, bool) { _, n, ok := counts(r); return n, ok }, glyphs.Minus, func(st *theme.Styles) theme.Paint { return st.Removed }),
	}
}

// when is the time of a revision, and who made those of a session.
func (p *Pane) when(r row) string {
	switch {
	case p.order == BySession && p.Width() < commandFrom: // the name of the note matters more
		return ""
	case r.run != nil:
		return string(r.run.Actor)
	case p.order == ByTime && p.Width() >= clockFrom && r.Note == past.NoteUnseen:
		return by + kit.When(r.Time, p.env.Now())
	case p.order == ByTime && p.Width() >= clockFrom:
		return kit.When(r.Time, p.env.Now())
	}
	return clock(r.Revision, p.env.Now())
}

// command names the command of a revision. Of a session it counts the files.
func (p *Pane) command(r row) string {
	switch {
	case p.Width() < commandFrom && (r.run != nil || p.hasPath(r)): // the name of the note matters more
		return ""
	case r.run != nil:
		return kit.CountGrouped(p.group(r).run.Files, "file")
	}
	return r.Command
}

// hasPath reports whether the row of a revision names its path: not in its history.
func (p *Pane) hasPath(r row) bool { return r.OldPath != "" || r.Path != p.base.Path }

// subject is the title of a heading, or the path of a revision, or in the history of one path what else is known of it.
func (p *Pane) subject(r row) string {
	switch {
	case r.run != nil && p.Width() < commandFrom:
		return string(r.run.Actor) + "  " + p.title(r)
	case r.run != nil:
		return p.title(r)
	case !p.hasPath(r):
		return strings.Join(originOf(r.Revision), "  ")
	case r.Transfer != "":
		return headed(r.Revision).Where(p.env.Styles, -1) + "  " + r.Transfer
	}
	return headed(r.Revision).Where(p.env.Styles, -1)
}

// state says why a revision is not in force any more, or a hunk of it; "" if it is. A group has the state that all of it is in.
func (p *Pane) state(r row) string {
	if r.run != nil {
		return p.group(r).state
	}
	switch {
	case r.UndoneBy == 0 && p.hunks[r.Rev]:
		return "hunk reverted"
	case r.UndoneBy == 0:
		return ""
	case r.UndoneBy == r.Rev:
		return "purged"
	}
	return "reverted"
}

// originOf says which call made a revision, for people. The diff says of which model.
func originOf(r past.Revision) []string {
	var parts []string
	if r.Transfer != "" {
		parts = append(parts, text.Clean(r.Transfer))
	}
	if r.Turn > 0 {
		parts = append(parts, turnText(r.Turn))
	}
	for _, f := range []struct{ name, value string }{{"session", r.Session}, {"call", r.ToolUseID}} {
		if f.value != "" {
			parts = append(parts, f.name+" "+text.Clean(f.value))
		}
	}
	return parts
}

// turnText names the turn of a call.
func turnText(n int) string { return fmt.Sprintf("turn %d", n) }

// by is in front of the time of a revision that was only found later: it was made at an unknown time before.
const by = "by "

// clock is the time of day of a revision, or the date of another day.
func clock(r past.Revision, now time.Time) string {
	at := r.Time.In(now.Location())
	format := "2 Jan"
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		format = "15:04"
	}
	if r.Note == past.NoteUnseen {
		return by + at.Format(format)
	}
	return at.Format(format)
}

// Describe is a revision in one line, for messages and the clipboard, with its time in zone.
func Describe(r past.Revision, st *theme.Styles, zone *time.Location) string {
	h := headingAt(r, st, r.Time.In(zone).Format(time.DateTime))
	if r.UndoneBy != 0 && r.UndoneBy != r.Rev {
		h.Lead = append(h.Lead, fmt.Sprintf("(reverted by #%d)", r.UndoneBy))
	}
	return h.Text(st)
}

// headed is a heading with the paths of a revision, folders with a slash.
func headed(r past.Revision) kit.Heading {
	h := kit.Heading{Path: r.Path, OldPath: r.OldPath}
	if r.Kind == memstore.KindDir {
		h.Path += "/"
		if h.OldPath != "" {
			h.OldPath += "/"
		}
	}
	return h
}

// HeadingOf is the heading of a revision, with its time by the distance from now: that is short, so a narrow
// heading keeps the name and the counts.
func HeadingOf(r past.Revision, st *theme.Styles, now time.Time) kit.Heading {
	return headingAt(r, st, kit.When(r.Time, now))
}

func headingAt(r past.Revision, st *theme.Styles, made string) kit.Heading {
	if r.Note == past.NoteUnseen {
		made = by + made
	}
	h := headed(r)
	h.Lead = []string{fmt.Sprintf("#%d", r.Rev), made, text.Clean(string(r.Actor)), text.Clean(r.Command)}
	h.Counts = kit.Counts{Added: r.Added, Removed: r.Removed}.Text(st)
	add := func(part string) { h.Lead = append(h.Lead, part) }
	if r.UndoneBy == r.Rev { // so the journal has it that a purge left no change of
		add("(purged)")
	}
	if r.Transfer != "" {
		add(text.Clean(r.Transfer))
	}
	if r.Turn > 0 {
		add(turnText(r.Turn))
	}
	if r.Session != "" {
		add("session " + text.FitID(r.Session, text.LongID))
	}
	if r.Model != "" {
		add(text.Clean(r.Model))
	}
	return h
}
