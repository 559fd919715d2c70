package screen

import (
	"context"
	"slices"
	"time"

	"memcurator/memstore/discover"
	"memcurator/tui"
)

// presentEvery is how often to look whether stores came or went. It takes longer where looking does, so that it costs nothing to speak of.
const (
	presentEvery = 3 * time.Second
	presentShare = 400 // of the time is spent on it at most
)

// places is where stores were when the list was made.
type places struct {
	present []string
	changed map[string]time.Time // the folders of projects, and when they last changed
}

// placesOf notes what is present before a list is made, and the projects while it is.
func placesOf(ctx context.Context, m *discover.Machine) *places {
	p := &places{present: m.Present(ctx), changed: map[string]time.Time{}}
	m.Worked = func(project string, changed time.Time) { p.changed[project] = changed }
	return p
}

// awaitOthers returns when other stores are present than the listed ones, or ctx ends. Projects with a store are looked at whole. Of the
// others, which may be many, only those are whose folder has changed: a first store or instruction file appears in it.
func (p *places) awaitOthers(ctx context.Context, m discover.Machine, rows []tui.FoundStore) {
	var projects []string
	listed := map[string]bool{}
	for _, row := range rows {
		listed[row.Path] = true
		if row.Root != "" && !slices.Contains(projects, row.Root) {
			projects = append(projects, row.Root)
		}
	}
	within := m.PresentIn(ctx, projects)
	others := make([]string, 0, len(p.changed))
	for project := range p.changed {
		if !slices.Contains(projects, project) {
			others = append(others, project)
		}
	}
	pause := presentEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		begun := time.Now()
		came := !slices.Equal(m.Present(ctx), p.present) || !slices.Equal(m.PresentIn(ctx, projects), within)
		for i := 0; i < len(others) && !came && ctx.Err() == nil; i++ {
			came = p.cameIn(ctx, m, others[i], listed)
		}
		if came && ctx.Err() == nil {
			return
		}
		pause = max(presentEvery, presentShare*time.Since(begun))
	}
}

// cameIn reports whether a project has a store that isn't listed, if its folder has changed since the last look.
func (p *places) cameIn(ctx context.Context, m discover.Machine, project string, listed map[string]bool) bool {
	now := m.Changed(project)
	if now.Equal(p.changed[project]) {
		return false
	}
	p.changed[project] = now
	return slices.ContainsFunc(m.PresentIn(ctx, []string{project}), func(path string) bool { return !listed[path] })
}
