package replay

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// preview shows the beginning of the transcript under the cursor of a library: its memory calls.
type preview struct {
	*kit.Text
	env     *kit.Env
	library *library
	of      *entry // nil: the cursor is on a project
}

func newPreview(env *kit.Env, l *library) *preview {
	p := &preview{env: env, library: l}
	open := func() tea.Cmd {
		if i, ok := l.Current(); ok {
			return l.openItem(i)
		}
		return nil
	}
	p.Text = kit.NewText(env, kit.TextSpec{
		Scope: keymap.Transcripts, Owner: ownerPreview, Lead: leadOf, More: []kit.Action{{ID: keymap.Open, Run: open}},
	})
	return p
}

// refresh shows the transcript under the cursor.
func (p *preview) refresh() {
	d := &page{}
	i, ok := p.library.Current()
	p.of = i.entry
	switch {
	case p.of != nil:
		p.write(d, p.of)
	case ok:
		d.say(nil, p.library.heading(i))
		d.say(dim, p.env.Keyed("{replay-transcripts/open} folds or unfolds"))
	}
	path := ""
	if ok {
		path = p.library.Key(i)
	}
	p.Set(path, d.doc())
}

func (p *preview) write(d *page, e *entry) {
	facts := []string{p.library.tilde(e.File), memstore.FormatSize(memstore.Docs, e.Size)}
	if e.head != nil && e.head.Project != "" {
		facts = append(facts, "in "+p.library.tilde(e.head.Project))
	}
	d.say(dim, strings.Join(facts, "  "))
	s := e.survey
	switch {
	case s == nil:
		d.say(dim, "Reading...")
		return
	case s.problem != "":
		d.say(warned, "Can't read it: "+s.problem)
		return
	case s.large:
		d.say(nil, p.env.Keyed("Too large to read ahead. {replay-transcripts/open} reads it"))
		return
	case s.calls == 0:
		d.say(nil, s.empty)
		return
	}
	d.say(nil, "")
	for i, r := range s.rows {
		var look kit.Look
		verdict := transcript.Verdict("")
		if i < len(s.verdicts) {
			verdict = s.verdicts[i]
		}
		if verdict.Diverges() {
			look = warned
		} else if !r.writes() {
			look = dim
		}
		path := strings.TrimPrefix(r.path, memstore.Root+"/")
		if r.to != "" {
			path += " " + p.env.Styles.Glyphs.Arrow + " " + strings.TrimPrefix(r.to, memstore.Root+"/")
		}
		if verdict.Diverges() {
			path += "  " + verdict.Word()
		}
		d.add(look, path, part{lead: p.lead(r)})
	}
	if more := s.calls - len(s.rows); more > 0 {
		d.say(dim, "and "+kit.Count(more, "more call"))
	}
}

// lead is the mark of a write, the time and the command of a call.
func (p *preview) lead(r row) string {
	mark, clock := " ", strings.Repeat(" ", 8)
	if r.writes() {
		mark = p.env.Styles.Glyphs.Unread
	}
	if !r.when.IsZero() {
		clock = r.when.In(p.env.Now().Location()).Format("15:04:05")
	}
	return fmt.Sprintf("%s %s  %s ", mark, clock, text.Pad(text.Truncate(text.Clean(r.op), 12, ""), 12))
}

// Title implements [kit.Tab].
func (p *preview) Title() string {
	if p.of == nil {
		return "preview"
	}
	title := "preview: " + kit.When(p.of.when(), p.env.Now())
	if s := p.of.survey; s != nil && s.calls > 0 {
		title += ", " + kit.Count(s.calls, "call")
	}
	return title
}

// Path implements [kit.Tab].
func (p *preview) Path() string { return "" }

// Place implements [kit.Tab].
func (p *preview) Place() string {
	if p.of == nil || p.of.survey == nil || p.of.survey.from.IsZero() {
		return ""
	}
	at := p.env.Now().Location()
	return p.of.survey.from.In(at).Format("15:04") + "-" + p.of.survey.to.In(at).Format("15:04")
}
