package curate

import (
	"fmt"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// row is a row of the list.
type row struct {
	section section
	action  *policy.Action // nil: it is the heading of the section
}

func (r row) heading() bool { return r.action == nil }

func (r row) key() string {
	if a := r.action; a != nil {
		return a.Path + "\n" + string(a.Do) + " " + a.Key + " " + string(a.Hash[:])
	}
	return r.section.String()
}

// words are what a row is found by: act, path, kind, the file that it is about or goes to, and reason.
func words(r row) string {
	all := []string{r.section.short()}
	if a := r.action; a != nil {
		all = append(all, string(a.Do), a.Path, nameOf(a), kindWord(a), a.To, a.Reason)
	}
	return strings.ToLower(strings.Join(all, "\n"))
}

// path is the agent path of the action of a row, "" for none.
func (r row) path() string {
	if r.action == nil {
		return ""
	}
	return r.action.Path
}

// line is a row in words, for the clipboard.
func (r row) line() string {
	if r.action != nil {
		return string(r.action.Do) + "  " + r.action.Path + "  " + r.action.Reason
	}
	return r.section.String()
}

// arrange sorts what there is into sections, and lists them.
func (p *Pane) arrange() {
	p.sections = [sections][]row{}
	if p.plan != nil {
		for i := range p.plan.Actions {
			a := &p.plan.Actions[i]
			s := sectionOf(a)
			p.sections[s] = append(p.sections[s], row{s, a})
		}
	}
	var headings []row
	for s, list := range p.sections {
		if len(list) > 0 {
			headings = append(headings, row{section: section(s)})
		}
	}
	p.Set(headings)
	p.show()
}

// below are the rows below a heading.
func (p *Pane) below(r row) []row {
	if !r.heading() {
		return nil
	}
	return p.sections[r.section]
}

// reasonWidth is the width of the list from which a proposal has its reason.
const reasonWidth = 60

// columns are those of proposals: what is done, to which file, its size, and why.
func (p *Pane) columns() []kit.Column[row] {
	return []kit.Column[row]{
		{Most: 25, Text: func(r row) string {
			if p.Width() < reasonWidth {
				return shortDo(string(r.action.Do))
			}
			return string(r.action.Do)
		}, Paint: func(r row, st *theme.Styles) theme.Paint { return doPaint(st, r.action) }},
		{Most: 45, Ends: true, Text: func(r row) string { return nameOf(r.action) }},
		{Most: 20, Right: true, Text: func(r row) string {
			if r.action.Bytes == 0 && !r.action.Do.Removes() {
				return ""
			}
			return memstore.FormatSize(p.dialect, r.action.Bytes)
		}},
		{From: reasonWidth, Text: p.reason, Paint: dim},
	}
}

func dim(_ row, st *theme.Styles) theme.Paint { return st.Dim }

// reason is why something is proposed: without the clock, which the preview names.
func (p *Pane) reason(r row) string {
	reason := r.action.Reason
	if i := strings.Index(reason, " (by "); i >= 0 {
		reason = reason[:i]
	}
	if r.action.To == "" {
		return reason
	}
	to := strings.TrimPrefix(r.action.To, memstore.Root+"/")
	if folder, same := strings.CutSuffix(to, "/"+nameOf(r.action)); same {
		to = folder + "/"
	}
	return p.env.Styles.Glyphs.Arrow + " " + to + ", " + reason
}

// whole is the text of a row without columns: a heading with what its section holds.
func (p *Pane) whole(r row) string {
	if !r.heading() {
		return ""
	}
	title := r.section.String()
	if p.Width() < reasonWidth {
		title = r.section.short()
	}
	n, bytes := sumOf(p.sections[r.section])
	out := fmt.Sprintf("%s  %s, %s", title, kit.Number(n), memstore.FormatSize(p.dialect, bytes))
	switch {
	case r.section != suggested:
	case p.looking:
		out += "  looking for more..."
	case p.plan.Unchecked != "":
		out += "  " + p.plan.Unchecked
	}
	return out
}

// sumOf is how many actions rows have, and the bytes of their files.
func sumOf(rows []row) (n int, bytes int64) {
	for _, r := range rows {
		n++
		if r.action.Path != memstore.Root { // it holds the others
			bytes += r.action.Bytes
		}
	}
	return n, bytes
}

func (p *Pane) paint(r row, st *theme.Styles) theme.Paint {
	switch {
	case r.heading():
		return st.Heading
	case r.section == soon:
		return st.Dim
	}
	return st.Text
}

// emptyText explains why the list is empty and what to do next.
func (p *Pane) emptyText() string {
	switch {
	case p.problem != "":
		return text.Clean(p.problem)
	case p.plan == nil:
		return "Reading the store..."
	case p.looking:
		return "Looking for suggestions..."
	}
	none := p.env.Keyed(fmt.Sprintf("Nothing to curate in %s, %s. {curate/new-rule} makes a rule", kit.Count(p.plan.Files, "file"),
		memstore.FormatSize(p.dialect, p.plan.Bytes)))
	if p.plan.Unchecked != "" {
		none += ". " + text.Clean(p.plan.Unchecked)
	}
	return none
}

// nameOf is the path of an action relative to the store, with the line that it is about, and the other file of a merge.
func nameOf(a *policy.Action) string {
	if a.Path == memstore.Root {
		return a.Path
	}
	name := strings.TrimPrefix(a.Path, memstore.Root+"/")
	switch {
	case a.Do == policy.Merge:
		return name + " into " + path.Base(a.Found.Others[0])
	case a.Found != nil && a.Found.Line > 0:
		return fmt.Sprintf("%s:%d", name, a.Found.Line)
	}
	return name
}

// shortDo is what an action does in four cells.
func shortDo(do string) string {
	if short, ok := map[string]string{"delete": "del", "archive": "arch", "quarantine": "quar", "merge": "mrge",
		"review": "rev"}[do]; ok {
		return short
	}
	return do
}

// doPaint is the paint of what is done: it only repeats what the word says.
func doPaint(st *theme.Styles, a *policy.Action) theme.Paint {
	switch a.Do {
	case policy.Delete:
		return st.Removed
	case policy.Quarantine:
		return st.Warning
	case policy.Archive, policy.Merge, policy.Link, policy.Fix:
		return st.Accent
	}
	return st.Dim
}
