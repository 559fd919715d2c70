package timeline

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// titlesMost bounds the sessions whose titles one job asks for.
const titlesMost = 50

// titles are what sessions were about, by their ids, as far as that was asked for.
type titles map[string]string

// unasked are sessions of the groups whose titles were not asked for yet. From now on they were.
func (t titles) unasked(runs []past.Run) (ids []string) {
	for i := range runs {
		id := runs[i].Session
		if _, known := t[id]; id != "" && !known && len(ids) < titlesMost {
			ids = append(ids, id)
			t[id] = ""
		}
	}
	return ids
}

// nameSessions asks for the titles of sessions that have none so far.
func (p *Pane) nameSessions() tea.Cmd {
	if p.Titles == nil || p.Order() != BySession {
		return nil
	}
	ids, source := p.titles.unasked(p.rows.runs), p.Titles
	if len(ids) == 0 {
		return nil
	}
	return ui.Start(p.env.Jobs, ui.Job[map[string]string]{
		Owner: p.owner + ".titles", Label: labelRevisions,
		Work: func(ctx context.Context, _ *ui.Progress) (map[string]string, error) { return source(ctx, ids), nil },
		Done: func(found map[string]string) tea.Cmd {
			for id, title := range found {
				p.titles[id] = title
			}
			return nil
		},
	})
}

// heading names a group above its revisions, in room cells with as much of a session's id as fits beside the title.
func (t titles) heading(r *past.Run, o Order, room int) string {
	switch {
	case o == ByFile:
		return ui.PathText(r.Revisions[0].Path)
	case r.Session != "":
		title := text.Clean(t[r.Session])
		return text.FitID(r.Session, room-2-text.Width(title)) + "  " + title
	case r.Commit != "":
		return commitText(r) + "  " + text.Clean(r.Message)
	case r.Actor == memstore.Curator:
		return "you"
	}
	return "no session"
}

// commitText names the commit of git that has a group.
func commitText(r *past.Run) string { return "commit " + text.Clean(past.ShortCommit(r.Commit)) }

// Yours is the name of a group of the user's own changes.
const Yours = "yours"

// RunName names a group in a sentence.
func (p *Pane) RunName(r *past.Run) string {
	switch {
	case p.order == ByFile:
		return ui.PathText(r.Revisions[0].Path)
	case r.Session != "":
		return "session " + text.FitID(r.Session, text.LongID)
	}
	if r.Commit != "" {
		return commitText(r)
	}
	switch r.Actor {
	case memstore.Curator:
		return Yours
	case memstore.Agent:
		return "the agent"
	}
	return "other programs"
}
