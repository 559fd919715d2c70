package browse

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// foundOwner is the owner of the search job.
const foundOwner = "found.search"

// state is how the newest search stands.
type state uint8

const (
	none state = iota
	running
	done
	canceled
	failed
)

// foundPane is the search tab: the names that match, then each file with its lines. Make it with [newFoundPane].
type foundPane struct {
	*kit.Table[item]
	env     *kit.Env
	state   state
	matcher *search.Matcher
	feed    *foundFeed // of the newest search
	totals  search.Totals
	results results
	stale   bool // the store changed since the search began
	moved   bool // the user has chosen a row: it stays under the cursor
}

// newFoundPane makes the tab; it is there once something was searched for.
func newFoundPane(env *kit.Env) *foundPane {
	p := &foundPane{env: env}
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { return p.Step(by, func(it item) bool { return it.hit >= 0 || it.name }) }
	}
	p.Table = kit.NewTable(env, kit.Spec[item]{
		Title:   "search",
		Scope:   keymap.Found,
		Key:     func(it item) string { return fmt.Sprint(it.file.order, " ", it.name, " ", it.hit) },
		Words:   func(it item) string { return strings.ToLower(it.line()) },
		Below:   item.below,
		Heading: func(it item) bool { return it.hit < 0 && !it.name },
		Columns: []kit.Column[item]{
			{Width: 6, Right: true, Text: item.number, Paint: func(_ item, st *theme.Styles) theme.Paint { return st.Number }},
			{Text: item.line, Marks: item.marks},
		},
		Whole:   p.whole,
		Paint:   paintItem,
		Summary: p.summary,
		Above:   p.note,
		Empty:   p.emptyText,
		Path:    func(it item) string { return it.file.path },
		Line:    item.line,
		Open: func(it item) tea.Cmd {
			env.Emit(it.match())
			return nil
		},
		Moved: func() tea.Cmd {
			p.moved = true
			return nil
		},
		More: []kit.Action{{ID: keymap.SearchNext, Run: step(1)}, {ID: keymap.SearchPrev, Run: step(-1)}},
	})
	return p
}

// foundFeed is where the job leaves what it finds. Safe for concurrent use.
type foundFeed struct {
	mu      sync.Mutex
	waiting []search.Found
	totals  atomic.Pointer[search.Totals]
	some    chan struct{} // closed at the first hit, or when the search ends
	once    sync.Once
}

func (f *foundFeed) add(batch []search.Found) {
	f.mu.Lock()
	f.waiting = append(f.waiting, batch...)
	f.mu.Unlock()
	f.tell()
}

func (f *foundFeed) tell() { f.once.Do(func() { close(f.some) }) }

func (f *foundFeed) take() []search.Found {
	f.mu.Lock()
	defer f.mu.Unlock()
	batch := f.waiting
	f.waiting = nil
	return batch
}

// firstHit makes the screen be drawn when the first hit is there: the clock of running jobs is slower.
type firstHit struct{}

// start looks for what m looks for in a store; the search before ends. snapshot is the tree to search, nil if it is incomplete.
func (p *foundPane) start(s *memstore.Store, m *search.Matcher, snapshot *memstore.Snapshot) tea.Cmd {
	f := &foundFeed{some: make(chan struct{})}
	f.totals.Store(&search.Totals{})
	p.forget()
	p.matcher, p.feed, p.state = m, f, running
	job := kit.Start(p.env.Jobs, kit.Job[search.Totals]{
		Owner: foundOwner, Label: kit.LabelFind, Failed: func() { p.state = failed },
		Work: func(ctx context.Context, progress *kit.Progress) (search.Totals, error) {
			defer f.tell()
			totals, err := search.Store(ctx, s, m, search.Options{Snapshot: snapshot, Found: f.add, Progress: func(t search.Totals) {
				f.totals.Store(&t)
				progress.Set(t.Bytes, max(t.AllBytes, 1))
			}})
			if errors.Is(err, context.Canceled) {
				err = nil
			}
			return totals, err
		},
		Done: func(t search.Totals) tea.Cmd {
			if p.feed == f {
				p.sync()
				p.totals, p.state = t, done
			}
			return nil
		},
	})
	return tea.Batch(job, func() tea.Msg { <-f.some; return firstHit{} })
}

// sync takes in what the job has found since.
func (p *foundPane) sync() {
	if p.state != running {
		return
	}
	p.totals = *p.feed.totals.Load()
	if batch := p.feed.take(); len(batch) > 0 {
		p.results.add(batch)
		p.list()
	}
}

// list lists the results. Until the user has moved, the cursor is on the first one.
func (p *foundPane) list() {
	rows := p.results.rows()
	p.Set(rows)
	if !p.moved && len(rows) > 0 {
		p.GoTo(p.Key(rows[0]))
	}
}

// forget drops what was found.
func (p *foundPane) forget() {
	p.state, p.matcher, p.feed, p.totals, p.results, p.stale = none, nil, nil, search.Totals{}, results{}, false
	p.Set(nil)
	p.moved = false
}

// end takes one layer away: a running search is canceled, then the results are cleared. It reports which, or neither.
func (p *foundPane) end() (stopped, cleared bool) {
	switch p.state {
	case none:
		return false, false
	case running:
		p.sync()
		p.env.Jobs.Cancel(foundOwner)
		p.state = canceled
		return true, false
	}
	p.forget()
	return false, true
}

// Rows implements [kit.Pane].
func (p *foundPane) Rows(focused bool) []string {
	p.sync()
	return p.Table.Rows(focused)
}

// Available implements [kit.Optional].
func (p *foundPane) Available() bool { return p.state != none }

// Path implements [kit.Tab].
func (p *foundPane) Path() string {
	if path := p.Table.Path(); path != "" {
		return path
	}
	return memstore.Root
}

// summary is what was searched for and how that stands, in one line.
func (p *foundPane) summary() string {
	if p.matcher == nil {
		return ""
	}
	t, line := &p.totals, p.matcher.Query().String()
	if !p.matcher.Query().Regexp {
		line = strconv.Quote(line)
	}
	line = text.Truncate(text.Clean(line), max(12, p.Width()/3), p.env.Styles.Glyphs.Ellipsis) + ": " + foundText(t.Matches, t.Matched, t.Names)
	percent := min(int(t.Bytes*100/max(t.AllBytes, 1)), 100)
	switch p.state {
	case running:
		line += fmt.Sprintf(", searching %d%%", percent)
	case canceled:
		line += fmt.Sprintf(", canceled at %d%%", percent)
	case failed:
		line += ", failed"
	}
	return line
}

// foundText is how much a search of the store has found.
func foundText(count, files, names int) string {
	line := kit.CountMatches(count)
	if count > 0 {
		line += " in " + kit.CountGrouped(files, "file")
	}
	if names > 0 {
		line += ", " + kit.CountGrouped(names, "name")
	}
	return line
}

const (
	textNothing    = "No search yet. {global/find} searches all names and text"
	textAgain      = "Search stopped early. {found/find-again} searches again"
	textFindFailed = "Can't read the store. {found/find-again} searches again"
)

// note is what the counts do not tell.
func (p *foundPane) note() string {
	var notes []string
	switch {
	case p.state == canceled:
		notes = append(notes, p.env.Keyed(textAgain))
	case p.state == failed:
		notes = append(notes, p.env.Keyed(textFindFailed))
	case p.state == done && p.stale:
		notes = append(notes, p.env.Keyed("files changed since. {found/find-again} searches again"))
	}
	if p.state != running && p.totals.Kept < p.totals.Lines {
		notes = append(notes, fmt.Sprintf("%s of %s lines listed, counts complete", kit.Number(p.totals.Kept), kit.Number(p.totals.Lines)))
	}
	if p.totals.Skips > 0 {
		notes = append(notes, kit.CountGrouped(p.totals.Skips, "file")+" unreadable")
	}
	if p.totals.CutLines > 0 {
		notes = append(notes, kit.CountGrouped(p.totals.CutLines, "long line")+" searched in the first 256 KiB only")
	}
	return strings.Join(notes, " "+p.env.Styles.Glyphs.Separator+" ")
}

// emptyText is shown instead of a list without rows.
func (p *foundPane) emptyText() string {
	switch {
	case p.state == none:
		return p.env.Keyed(textNothing)
	case p.state == running:
		return p.env.Keyed(kit.TextSearching)
	case p.state == failed:
		return p.env.Keyed(textFindFailed)
	case p.state == canceled:
		return p.env.Keyed(textAgain)
	case p.totals.AllFiles == 0:
		return "No files in this store yet"
	}
	line := "No match for " + text.Clean(p.matcher.Query().String()) + p.env.Keyed(". {global/find} searches again, {global/back} closes")
	if !p.matcher.Fold() {
		line += ". Lowercase ignores case"
	}
	return line
}

// where names the file and the line under the cursor, for the status line.
func (p *foundPane) where() string {
	it, ok := p.Current()
	switch {
	case !ok:
		return p.summary()
	case it.hit >= 0 && it.hit < len(it.file.hits) && !it.file.binary:
		return kit.PathText(it.file.path) + ":" + strconv.Itoa(it.file.hits[it.hit].Line)
	}
	return kit.PathText(it.file.path)
}

// whole is the text of a row without columns: the head of a file, or what is not listed of it.
func (p *foundPane) whole(it item) string {
	f := it.file
	switch {
	case it.name:
		return ""
	case it.hit >= len(f.hits):
		return kit.CountGrouped(f.lines-len(f.hits), "line") +
			p.env.Keyed(" more; {found/open} opens the file, {global/search-next} goes to the next")
	case it.hit >= 0:
		return ""
	}
	said := f.path + "  " + kit.CountMatches(f.matches)
	switch {
	case f.gone:
		said += ", gone"
	case f.changed:
		said += ", changed"
	}
	return said
}

func paintItem(it item, st *theme.Styles) theme.Paint {
	switch {
	case it.hit < 0 && it.file.folder:
		return st.Directory
	case it.hit < 0:
		return st.Path
	case it.file.changed:
		return st.Dim
	}
	return st.Text
}
