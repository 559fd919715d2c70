package replay

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// search is a search in all versions of all files, and in inputs and results.
type search struct {
	query string
	hits  map[int]string // what a call has to do with it, by index
	done  bool
	jump  bool // the line was accepted before the hits were there
}

// hits is the outcome of the job.
type hits struct {
	query string
	at    map[int]string
}

// Query implements [ui.Searcher].
func (p *Pane) Query() string { return p.search.query }

// SetQuery implements [ui.Searcher].
func (p *Pane) SetQuery(query string) tea.Cmd {
	p.search = search{query: query}
	p.env.Jobs.Cancel(ownerSearch)
	track := p.track
	if query == "" || track == nil {
		return nil
	}
	return p.env.Jobs.Start(ownerSearch, ui.LabelFind, func(ctx context.Context, _ *ui.Progress) (any, error) {
		return hits{query, find(ctx, track, query)}, ctx.Err()
	})
}

// find looks for words in the calls and in the versions that they made.
func find(ctx context.Context, track *transcript.Track, query string) map[int]string {
	at := map[int]string{}
	has := func(s string) bool { return strings.Contains(s, query) }
	if strings.ToLower(query) == query {
		has = func(s string) bool { return strings.Contains(strings.ToLower(s), query) }
	}
	for i, s := range track.Steps() {
		if ctx.Err() != nil {
			return nil
		}
		switch {
		case has(inputText(s.Call)):
			at[i] = "in the input"
		case s.Result != nil && has(s.Result.Text):
			at[i] = "in the result"
		}
	}
	for _, m := range track.Search(ctx, query) {
		if m.Step == 0 {
			continue
		}
		at[m.Step-1] = "appears"
		if m.Gone {
			at[m.Step-1] = "vanishes"
		}
	}
	return at
}

func (p *Pane) searched(h hits) tea.Cmd {
	if h.query == p.search.query {
		p.search.hits, p.search.done = h.at, true
		if p.search.jump {
			p.search.jump = false
			return p.Jump()
		}
	}
	return nil
}

// Jump implements [ui.Searcher].
func (p *Pane) Jump() tea.Cmd {
	if p.search.query != "" && !p.search.done {
		p.search.jump = true
		return nil
	}
	if at, ok := p.list.At(); ok && at < len(p.shown) && p.hit(p.shown[at]) {
		return nil
	}
	return p.searchStep(1)
}

func (p *Pane) hit(i int) bool { return p.search.hits[i] != "" }

func (p *Pane) searchStep(by int) tea.Cmd {
	if p.search.query == "" {
		p.env.Emit(ui.Say{Text: p.env.Keyed("No search. {global/search} searches inputs, results and all versions of files")})
		return nil
	}
	at, _ := p.list.At()
	n := len(p.shown)
	for i := 1; i <= n; i++ { // around the end
		if to := ((at+i*by)%n + n) % n; p.hit(p.shown[to]) {
			p.grown = false
			p.list.JumpTo(to)
			return p.moved()
		}
	}
	p.env.Emit(ui.Say{Text: "No call in the filtered list matches"})
	return nil
}

// SearchState implements [ui.Searcher].
func (p *Pane) SearchState() string {
	switch {
	case p.search.query == "":
		return ""
	case !p.search.done:
		return p.env.Keyed(ui.TextSearching)
	}
	return fmt.Sprintf("/%s: %s", text.Clean(p.search.query), ui.Count(len(p.search.hits), "call"))
}
