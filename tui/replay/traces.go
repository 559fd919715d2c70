package replay

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// traces is which transcripts the store has, of which a change may be traced to its call.
type traces struct {
	listed bool
	names  []string // of the files
}

// ListOwn finds out which transcripts the store has.
func (s *Screen) ListOwn() tea.Cmd {
	if s.Places == nil {
		return nil
	}
	places := *s.Places
	return ui.Start(s.env.Jobs, ui.Job[[]string]{
		Owner: ownerTraces, Label: "finding transcripts",
		Work: func(ctx context.Context, _ *ui.Progress) ([]string, error) {
			return places.Machine.Transcripts(ctx, places.Store), ctx.Err()
		},
		Done: func(files []string) tea.Cmd {
			s.traces = traces{listed: true}
			for _, file := range files {
				s.traces.names = append(s.traces.names, filepath.Base(file))
			}
			return nil
		},
	})
}

// WhyNoCall says why a revision can't be traced to its call; empty: it may be.
func (s *Screen) WhyNoCall(r past.Revision) ui.Say {
	holds := func(name string) bool { return strings.Contains(name, r.Session) }
	switch {
	case r.Actor == memstore.Curator:
		return ui.Say{Text: "Your own change, so no transcript has it"}
	case !s.IsEmpty(): // it may have the call
	case s.Places == nil, s.traces.listed && len(s.traces.names) == 0:
		return ui.Say{Text: s.env.Keyed("No transcripts of this store. {global/replay} lists others")}
	case s.traces.listed && r.Session != "" && !slices.ContainsFunc(s.traces.names, holds):
		session := text.FitID(r.Session, text.LongID)
		return ui.Say{Text: "No transcript of session " + session + ". " + s.env.Keyed("{global/replay} lists others")}
	}
	return ui.Say{}
}
