package browse

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// foundOwner is the owner of the search job.
const foundOwner = "found.search"

// goneMost is how many lines that are gone are listed.
const goneMost = 200

// StoreSearch is the search tab: the names that match, then each file with its lines, then the lines that are gone.
type StoreSearch struct {
	*kit.Table[item]
	screen  *Screen
	matcher *search.Matcher // of the newest search; nil: none
	running bool
	failed  bool
	stale   bool // the store changed since the search began
	found   foundText
}

// foundText is the outcome of a search.
type foundText struct {
	search.Result
	gone   []journal.Gone
	more   bool  // more lines are gone
	unread error // why the journal was not searched
}

// item is what is in a row.
type item struct {
	file *search.Found
	name bool // the row is a match of the name
	hit  int  // place in Hits; -1 for a name or the head of a file, len(Hits) for what is not listed
	// gone are the Hits of lines that are gone, and state is why: the file is "deleted", or it is a "past" version that had them.
	gone  []journal.Gone
	state string
}

// below are the rows of a file below its head.
func (it item) below() (rows []item) {
	if it.name || it.hit >= 0 {
		return nil
	}
	for i := range it.file.Hits {
		rows = append(rows, item{file: it.file, hit: i, gone: it.gone, state: it.state})
	}
	if it.file.Lines > len(it.file.Hits) {
		rows = append(rows, item{file: it.file, hit: len(it.file.Hits)})
	}
	return rows
}

// matches reports whether the row is not the heading of a file.
func (it item) matches() bool { return it.hit >= 0 || it.name }

// lineNumber is that of a match in the file, from 1; 0: it has none.
func (it item) lineNumber() int {
	if it.hit < 0 || it.hit >= len(it.file.Hits) || it.file.Binary || it.gone != nil {
		return 0
	}
	return it.file.Hits[it.hit].Line
}

// line is the text with the match.
func (it item) line() string {
	switch f := it.file; {
	case it.hit < 0 && f.Kind == memstore.KindDir:
		return f.Path + "/"
	case it.hit < 0, it.hit >= len(f.Hits):
		return f.Path
	case f.Binary:
		return "binary file matches"
	default:
		return string(f.Hits[it.hit].Text)
	}
}

// marks are the bytes of line that match.
func (it item) marks() (marks [][2]int) {
	spans := it.file.Name
	if it.hit >= 0 && it.file.Binary {
		return nil
	} else if it.hit >= 0 {
		spans = it.file.Hits[it.hit].Spans
	}
	for _, s := range spans {
		marks = append(marks, [2]int{s.Start, s.End})
	}
	return marks
}

// whole is the text of a row without columns: the head of a file, or what is not listed of it.
func (it item) whole() string {
	switch f := it.file; {
	case it.name, it.hit >= 0 && it.hit < len(f.Hits):
		return ""
	case it.hit >= 0:
		return kit.CountGrouped(f.Lines-len(f.Hits), "line") + " more"
	case it.gone != nil:
		return it.state + "  " + f.Path + "  " + kit.CountMatches(f.Matches)
	default:
		return f.Path + "  " + kit.CountMatches(f.Matches)
	}
}

// newStoreSearch makes the tab; it is there once something was searched for.
func newStoreSearch(s *Screen) *StoreSearch {
	p := &StoreSearch{screen: s}
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { return p.Step(by, item.matches) }
	}
	p.Table = kit.NewTable(s.Env, kit.Spec[item]{
		Title:   "search",
		Scope:   keymap.Found,
		Key:     func(it item) string { return fmt.Sprint(it.file.Path, " ", it.name, " ", it.hit, " ", it.state) },
		Words:   func(it item) string { return strings.ToLower(it.line()) },
		Below:   item.below,
		Heading: func(it item) bool { return !it.matches() },
		Columns: []kit.Column[item]{
			{Width: 6, Right: true, Text: func(it item) string {
				switch {
				case it.name:
					return "name"
				case it.gone != nil:
					return fmt.Sprintf("#%d", it.gone[it.hit].By.Rev)
				}
				return strconv.Itoa(it.lineNumber())
			}, Paint: func(_ item, st *theme.Styles) theme.Paint { return st.Number }},
			{Text: item.line, Marks: item.marks},
		},
		Whole: item.whole,
		Paint: func(it item, st *theme.Styles) theme.Paint {
			if it.hit < 0 {
				return st.Path
			}
			return st.Text
		},
		Summary: p.summary,
		Above:   p.note,
		Empty:   p.emptyText,
		Path:    func(it item) string { return it.file.Path },
		Line:    item.line,
		Open:    p.open,
		More: []kit.Action{
			{ID: keymap.Open, Keys: "enter", Help: "open the file at the match, or the change that removed the line; n and N go on", Hint: "open"},
			{ID: keymap.SearchNext, Keys: "n", Help: "find the next match", Run: step(1)},
			{ID: keymap.SearchPrev, Keys: "N", Help: "find the previous match", Run: step(-1)},
			{ID: "find-again", Keys: "f5", Help: "refresh: search the store again", Hint: "again", Run: p.Again},
		},
	})
	return p
}

// Start searches the store and shows the search tab.
func (p *StoreSearch) Start(m *search.Matcher) tea.Cmd {
	s := p.screen
	var whole *memstore.Snapshot
	if s.Files.snapshot != nil && s.Files.snapshot.Complete {
		whole = s.Files.snapshot
	}
	shown := s.shell.Show(keymap.ScreenBrowse) // the search may have been typed on any screen
	s.Tabs.at = Search
	s.Summary.leave()
	p.Forget()
	p.matcher, p.running = m, true
	store, past := s.Store, s.Edits.Journal
	if s.Away() {
		past = nil
	}
	return tea.Batch(shown, s.shell.FocusDetail(), kit.Start(s.Env.Jobs, kit.Job[foundText]{
		Owner: foundOwner, Label: "searching the store", Failed: func() { p.running, p.failed = false, true },
		Work: func(ctx context.Context, progress *kit.Progress) (out foundText, err error) {
			out.Result, err = search.Store(ctx, store, m, search.Options{Snapshot: whole, Progress: func(done, all int64) {
				progress.Set(done, max(all, 1))
			}})
			if err == nil && past != nil {
				progress.Set(0, 0)
				out.gone, out.more, out.unread = past.Gone(ctx, m, goneMost)
			}
			return out, cmp.Or(err, ctx.Err())
		},
		Done: func(found foundText) tea.Cmd {
			p.running, p.found = false, found
			p.Set(append(rowsOf(found.Found), p.goneRows()...))
			p.First()
			if it, some := p.Current(); some && !it.matches() {
				return p.Step(1, item.matches)
			}
			return nil
		},
	}))
}

// rowsOf are the names, then the files with their lines below them.
func rowsOf(found []*search.Found) (names []item) {
	var files []item
	for _, f := range found {
		if len(f.Name) > 0 {
			names = append(names, item{file: f, name: true, hit: -1})
		}
		if f.Lines > 0 {
			files = append(files, item{file: f, hit: -1})
		}
	}
	return append(names, files...)
}

// goneRows are the files that lines are gone from.
func (p *StoreSearch) goneRows() (files []item) {
	at := map[string]int{}
	for _, g := range p.found.gone {
		i, known := at[g.Path]
		if !known {
			i = len(files)
			at[g.Path] = i
			files = append(files, item{file: &search.Found{Path: g.Path}, hit: -1, state: "past"})
			if p.screen.Files.Node(g.Path) == nil {
				files[i].state = "deleted"
			}
		}
		f := files[i].file
		f.Hits, f.Lines, f.Matches = append(f.Hits, g.Line), f.Lines+1, f.Matches+g.Line.Matches
		files[i].gone = append(files[i].gone, g)
	}
	return files
}

// Again repeats the search.
func (p *StoreSearch) Again() tea.Cmd {
	if p.matcher == nil {
		p.screen.shell.Tell(kit.Warn, p.screen.Env.Keyed(textNothing))
		return nil
	}
	return p.Start(p.matcher)
}

// Forget drops what was found, and the marks in the view.
func (p *StoreSearch) Forget() {
	p.screen.Env.Jobs.Cancel(foundOwner)
	p.unmark(p.screen.View.Search())
	p.unmark(p.screen.Diff.pane.Search())
	p.matcher, p.running, p.failed, p.stale, p.found = nil, false, false, false, foundText{}
	p.Set(nil)
}

// unmark ends the search in a text that looks for the same, and reports whether it did.
func (p *StoreSearch) unmark(in *kit.Search) bool {
	if in == nil || p.matcher == nil || in.Key() != p.matcher {
		return false
	}
	in.SetQuery("")
	return true
}

// StartAt searches the store and shows a match; without a path what is found.
func (p *StoreSearch) StartAt(m *search.Matcher, path string, line int) tea.Cmd {
	started := p.Start(m)
	if path == "" {
		return started
	}
	return tea.Batch(started, p.openAt(path, line))
}

func (p *StoreSearch) open(it item) tea.Cmd {
	if it.gone == nil {
		return p.openAt(it.file.Path, it.lineNumber())
	}
	useMatcher(p.screen.Diff.pane.Search(), p.matcher)
	return p.screen.OpenRevision(it.gone[max(0, it.hit)].By)
}

// beyond opens the next file with a match, by 1, or the previous one, by -1, at the match next to this file.
func (p *StoreSearch) beyond(by int) tea.Cmd {
	here := p.screen.View.Path()
	if p.found.Matched < 2 {
		return p.screen.View.Search().Step(by)
	}
	moved := p.Step(by, func(it item) bool { return it.lineNumber() > 0 && it.file.Path != here })
	it, _ := p.Current()
	if it.lineNumber() == 0 {
		return moved
	}
	return tea.Batch(moved, p.openAt(it.file.Path, it.lineNumber()))
}

// openAt shows a match in the view, which looks for the same.
func (p *StoreSearch) openAt(path string, line int) tea.Cmd {
	s := p.screen
	selected := s.Select(path, true)
	s.Tabs.at = View
	s.View.FindAt(p.matcher, line)
	return tea.Batch(selected, s.shell.FocusDetail())
}

// Available implements [kit.Optional].
func (p *StoreSearch) Available() bool { return p.matcher != nil }

// Path implements [kit.Tab].
func (p *StoreSearch) Path() string {
	if path := p.Table.Path(); path != "" {
		return path
	}
	return memstore.Root
}

// summary is what was searched for and how that stands, in one line.
func (p *StoreSearch) summary() string {
	if p.matcher == nil {
		return ""
	}
	line, t := p.matcher.Query().String(), &p.found.Result
	line = text.Truncate(text.Clean(line), max(12, p.Width()/3), p.screen.Env.Styles.Glyphs.Ellipsis)
	switch {
	case p.running:
		return line + ": searching"
	case p.failed:
		return line + ": failed"
	}
	line += ": " + kit.CountMatches(t.Matches)
	if t.Matches > 0 {
		line += " in " + kit.CountGrouped(t.Matched, "file")
	}
	if t.Names > 0 {
		line += ", " + kit.CountGrouped(t.Names, "name")
	}
	if n := len(p.found.gone); n > 0 {
		line += ", " + kit.CountGrouped(n, "removed line")
	}
	return line
}

const (
	textNothing    = "No search yet. {global/find} searches all names and text"
	textFindFailed = "Can't read the store. {found/find-again} searches again"
)

// note is what the counts do not tell.
func (p *StoreSearch) note() string {
	var notes []string
	if p.stale {
		notes = append(notes, p.screen.Env.Keyed("Files changed since. {found/find-again} searches again"))
	}
	if p.found.Kept < p.found.Lines {
		notes = append(notes, fmt.Sprintf("%s of %s lines listed, counts complete", kit.Number(p.found.Kept), kit.Number(p.found.Lines)))
	}
	if p.found.more {
		notes = append(notes, fmt.Sprintf("%d removed lines listed: memcurator search lists all", goneMost))
	}
	if p.found.unread != nil {
		notes = append(notes, "Removed lines not searched: "+p.found.unread.Error())
	}
	if p.found.Skips > 0 {
		first := p.found.Skipped
		notes = append(notes, "not searched: "+kit.CountGrouped(p.found.Skips, "file")+", first "+kit.PathText(first.Path)+": "+memstore.Reason(first.Err))
	}
	return strings.Join(notes, " "+p.screen.Env.Styles.Glyphs.Separator+" ")
}

// emptyText is shown instead of a list without rows.
func (p *StoreSearch) emptyText() string {
	keyed := p.screen.Env.Keyed
	switch {
	case p.matcher == nil:
		return keyed(textNothing)
	case p.running:
		return keyed("Searching... {global/back} cancels")
	case p.failed:
		return keyed(textFindFailed)
	}
	return "No match for " + text.Clean(p.matcher.Query().String()) + keyed(". {global/find} searches again, {global/back} closes")
}
