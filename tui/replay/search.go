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
func (p *callList) Query() string { return p.calls.search.query }

// SetQuery implements [ui.Searcher].
func (p *callList) SetQuery(query string) tea.Cmd {
	p.calls.search = search{query: query}
	p.env.Jobs.Cancel(ownerSearch)
	track := p.calls.track
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

func (p *callList) searched(h hits) tea.Cmd {
	if h.query == p.calls.search.query {
		p.calls.search.hits, p.calls.search.done = h.at, true
		if p.calls.search.jump {
			p.calls.search.jump = false
			return p.Jump()
		}
	}
	return nil
}

// Jump implements [ui.Searcher].
func (p *callList) Jump() tea.Cmd {
	if p.calls.search.query != "" && !p.calls.search.done {
		p.calls.search.jump = true
		return nil
	}
	if at, ok := p.list.At(); ok && at < len(p.shown) && p.calls.hit(p.shown[at]) {
		return nil
	}
	return p.searchStep(1)
}

func (p *callList) searchStep(by int) tea.Cmd {
	if p.calls.search.query == "" {
		p.env.Emit(ui.Say{Text: p.env.Keyed("No search. {global/search} searches inputs, results and all versions of files")})
		return nil
	}
	at, _ := p.list.At()
	n := len(p.shown)
	for i := 1; i <= n; i++ { // around the end
		if to := ((at+i*by)%n + n) % n; p.calls.hit(p.shown[to]) {
			p.grown = false
			p.list.JumpTo(to)
			return p.moved()
		}
	}
	p.env.Emit(ui.Say{Text: "No call in the filtered list matches"})
	return nil
}

// SearchState implements [ui.Searcher].
func (p *callList) SearchState() string {
	switch {
	case p.calls.search.query == "":
		return ""
	case !p.calls.search.done:
		return p.env.Keyed(ui.TextSearching)
	}
	return fmt.Sprintf("/%s: %s", text.Clean(p.calls.search.query), ui.Count(len(p.calls.search.hits), "call"))
}
