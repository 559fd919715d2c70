package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
)

// scrubbing is a store and what is needed to scan it for secrets.
type scrubbing struct {
	*curating
	engine *scrub.Engine
	memory *findings.State
	state  string // the state folder; "" if none
}

// openScrubbing opens the store that a command names, and the rules.
func openScrubbing(run *session.Session, c *cobra.Command, args []string, recording bool) (*scrubbing, error) {
	w, err := openCurated(run, c, args, recording)
	if err != nil {
		return nil, err
	}
	s := &scrubbing{curating: w}
	s.state, s.memory = run.Dismissals(w.Settings, w.Backend)
	if s.engine, err = run.Engine(w.Settings, run.Say); err != nil {
		w.Close()
		return nil, err
	}
	return s, nil
}

// surveyStore scans the store and its past.
func surveyStore(ctx context.Context, s *scrubbing) (*findings.Survey, error) {
	o := findings.Options{
		Engine: s.engine, State: s.memory, Backend: s.Backend, Journal: s.Journal, NoJournal: s.unread,
	}
	survey, err := findings.Scan(ctx, o)
	if errors.Is(err, memstore.ErrUnavailable) || errors.Is(err, memstore.ErrPermission) {
		return nil, session.ReadError(s.Dir, err)
	}
	return survey, err
}

// scrubber redacts or purges the findings of a survey.
func scrubber(run *session.Session, s *scrubbing) *findings.Scrubber {
	store := run.CuratedStore(s.Dialect, s.Backend, s.Journal)
	return &findings.Scrubber{
		Engine: s.engine, State: s.memory, Store: store, Journal: s.Journal, StateDir: s.state, Dir: s.Dir,
	}
}
