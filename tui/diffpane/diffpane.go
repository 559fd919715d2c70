// Package diffpane is the diff tab: two versions of one path, or two files, as a unified
// diff or side by side, with the changed words marked. It is given a [Comparison] by the
// root, compares in a job and draws only the rows on the screen.
package diffpane

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// Comparison is what to compare and how to name it.
type Comparison struct {
	Key   string // the same key is not compared twice
	Title string // first row, where Heading has no path
	// Heading is the first row of a change: when, who, what, where.
	Heading kit.Heading
	// Subject is the same for comparisons of the same two things at different times: the
	// place and the search stay when the next one is shown. A patch of it is for the first
	// of them. Empty: a change of one path, which is its own subject.
	Subject string
	// Before and After load the two sides in the job; a sentence instead of
	// bytes explains why a side is not there. Nil bytes: there was no file.
	Before, After func() (data []byte, why string)
	Path          string // agent path of the patch
	OldPath       string // the path before, where the change renamed it
	Line          int    // of the text before, where the cursor begins; 0: at the first change
	// Reverted finds out how much of the change was reverted since; nil: that does not matter. It does I/O.
	Reverted func(context.Context) (undo.Reverted, error)

	sections *sections // of several files; nil: one file
}

// Pane is the diff tab. Make it with [New].
type Pane struct {
	env       *kit.Env
	actions   *kit.Actions
	owner     string
	target    Comparison
	result    *compared
	failure   string // why the target could not be compared
	context   int    // unchanged lines around each hunk
	split     bool   // two sides are wanted
	ignore    bool   // white space is ignored
	page      page
	find      finder
	selection selection
	reverted  undo.Reverted
	// None says why nothing is compared; "": the file has no change.
	None string
	// timeout bounds the comparing, 0 is the default of render/diff; tests that must not
	// depend on the load of the machine set it.
	timeout time.Duration
}

// New makes an empty diff tab; owner names its jobs.
func New(env *kit.Env, owner string) *Pane {
	p := &Pane{env: env, owner: owner, page: page{columns: columns{env: env, wrap: true}}, context: diff.DefaultContext}
	p.page.view = kit.TextView{Count: p.page.total, Height: p.page.columns.rowsOf}
	f := &p.find
	f.page = &p.page
	f.search = kit.NewSearch(env, searchOwner(owner), kit.Searched{Text: f.text, Here: f.here, On: f.onMatch, Show: f.show})
	p.actions = kit.NewActions(env, p.bindings()...)
	return p
}

// SetWrap wraps long lines or cuts them.
func (p *Pane) SetWrap(on bool) { p.page.setWrap(on) }

// Owners lists the owners of the jobs of a pane with that owner.
func Owners(owner string) []string { return []string{owner, searchOwner(owner), revertedOwner(owner)} }

// Title implements [kit.Tab].
func (p *Pane) Title() string { return "diff" }

// Shown returns the key of the comparison on the screen or under way; empty: none.
func (p *Pane) Shown() string { return p.target.Key }

// Drawn is the number of the revision whose diff is drawn; 0: none, or it is not compared yet.
func (p *Pane) Drawn() int64 {
	if p.result == nil || p.result.of.Key != p.target.Key {
		return 0
	}
	rev, _ := RevisionOf(p.target.Key)
	return rev
}

// Path returns the agent path whose versions are compared; empty: none.
func (p *Pane) Path() string { return p.target.Path }

// Show compares c and draws it; the diff shown before stays until it is ready.
func (p *Pane) Show(c Comparison) tea.Cmd {
	if c.Key == p.target.Key && p.failure == "" {
		p.target.Title, p.target.Heading = c.Title, c.Heading // more may be known of it by now
		return nil
	}
	p.target, p.failure = c, ""
	return p.compare()
}

// Clear forgets the comparison.
func (p *Pane) Clear() {
	p.env.Jobs.Cancel(p.owner)
	p.target, p.result, p.failure, p.reverted = Comparison{}, nil, "", undo.Reverted{}
	p.page.columns.on, p.page.notes = nil, nil
	p.page.goTop()
	p.find.search.List()
}

const textDiffFailed = "Can't compare. {global/messages} shows why"

// Failed shows that the job of the target failed.
func (p *Pane) Failed() { p.failure = p.env.Keyed(textDiffFailed) }

// Receive implements [kit.Pane].
func (p *Pane) Receive(done kit.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case *compared:
		if v.of.Key == p.target.Key {
			return p.take(v)
		}
	case kit.Found:
		p.find.search.Receive(v)
	}
	return nil
}

// take shows a new outcome. The same comparison in another form, and the same subject
// compared again, keep the place.
func (p *Pane) take(v *compared) tea.Cmd {
	old := p.result
	p.result, p.failure, p.reverted = v, "", v.reverted
	if old == nil || old.of.subject() != v.of.subject() || p.page.columns.on == nil {
		p.page.columns.on = nil
		p.page.goTop()
	}
	return p.adopt(v.followed)
}

func (c Comparison) subject() string {
	if c.Subject != "" {
		return c.Subject
	}
	return c.Key
}

// Actions implements [kit.Pane].
func (p *Pane) Actions() *kit.Actions { return p.actions }

func (p *Pane) bindings() []kit.Action {
	return append(p.page.motions(),
		kit.On(keymap.HunkNext, func() { p.page.hunk(true) }),
		kit.On(keymap.HunkPrev, func() { p.page.hunk(false) }),
		kit.On(keymap.SearchNext, func() { p.find.next(false) }),
		kit.On(keymap.SearchPrev, func() { p.find.next(true) }),
		kit.Action{ID: keymap.ContextMore, Run: func() tea.Cmd { return p.setContext(p.context + 3) }},
		kit.Action{ID: keymap.ContextLess, Run: func() tea.Cmd { return p.setContext(max(1, p.context-3)) }},
		kit.On(keymap.Mark, p.selectHunk),
		kit.On(keymap.MarkAll, p.selectAll),
		kit.Action{ID: keymap.SideBySide, Run: p.toggleSides},
		kit.Action{ID: keymap.Whitespace, Run: func() tea.Cmd {
			p.ignore = !p.ignore
			p.env.Emit(kit.Say{Text: whitespaceText(p.ignore)})
			return p.again()
		}},
	)
}

// whitespaceText describes what counts as a difference now.
func whitespaceText(ignored bool) string {
	if ignored {
		return "Ignoring whitespace; copies keep it"
	}
	return "Comparing whitespace"
}

func (p *Pane) setContext(lines int) tea.Cmd {
	p.context = lines
	return p.again()
}

// again compares or lays out the target again after a choice of the user.
func (p *Pane) again() tea.Cmd {
	if p.target.Key == "" {
		return nil
	}
	return p.compare()
}

// toggleSides changes between the unified and the split form.
func (p *Pane) toggleSides() tea.Cmd {
	p.split = !p.split
	switch {
	case p.split && p.page.columns.w < sidesFrom:
		p.env.Emit(kit.Say{Level: kit.Warn, Text: p.env.Keyed(narrowText(sidesFrom, p.page.columns.w))})
	default:
		p.env.Emit(kit.Say{Text: p.env.Keyed(sidesText(p.split))})
	}
	if p.split && p.result != nil && p.result.split == nil {
		return p.again()
	}
	return p.adopt(nil)
}

// sidesText says in which form a diff is shown now.
func sidesText(two bool) string {
	if two {
		return "Side by side. {diff/side-by-side} stacks the sides"
	}
	return "Stacked"
}

// narrowText says that two sides do not fit.
func narrowText(need, have int) string {
	return fmt.Sprintf("Side by side needs %d columns, here are %d. {global/zoom} zooms", need, have)
}

// Resize implements [kit.Pane]. Where the new width asks for the other form, Settle sees to it.
func (p *Pane) Resize(w, h int) {
	p.page.columns.w, p.page.view.H = w, h
	p.page.view.Follow()
}

// Settle implements [kit.Settler].
func (p *Pane) Settle() tea.Cmd { return p.adopt(nil) }

// Scopes implements [kit.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Diff, keymap.Text} }

// Place describes the position for the status line.
func (p *Pane) Place() string {
	if p.page.total() == 0 {
		return ""
	}
	place := fmt.Sprintf("%d/%d", p.page.line()+1, p.page.total())
	if l, ok := p.page.current(); ok {
		if said := revertedText(p.revertedBy(l.numbers())); l.changed() && said != "" {
			return place + " " + said
		}
		for side, row := range l.sides {
			if row.Moved > 0 {
				place = movedText(place, side == 0 && row.Kind == diff.Removed, row.Moved)
			}
		}
	}
	return place
}

// movedText adds to a place where the line under the cursor was moved to or came from.
func movedText(place string, away bool, line int) string {
	if away {
		return fmt.Sprintf("%s, moved to line %d", place, line)
	}
	return fmt.Sprintf("%s, moved from line %d", place, line)
}

// FileLine returns the line of the file that the cursor's row is about, from 1, and whether
// it is the file before, which it is for a line that is only there. 0: no line.
func (p *Pane) FileLine() (line int, before bool) {
	l, ok := p.page.current()
	if !ok {
		return 0, false
	}
	a, b := l.numbers()
	if b == 0 {
		return a, a > 0
	}
	return b, false
}

// Became returns the line of the file after that a line of the file before became.
func (p *Pane) Became(line int) int {
	if p.result == nil || p.result.result == nil {
		return line
	}
	return p.result.result.Follow(line)
}

// LineReader returns a function that reads the text of the line under the cursor, without
// its sign; nil: the cursor is on no line. With two lines side by side it is that of the
// side after. A line longer than limit bytes is an error.
func (p *Pane) LineReader(limit int) func() (string, error) {
	l, ok := p.page.current()
	if !ok {
		return nil
	}
	row := l.sides[0]
	if second := l.sides[1]; second.Text != nil && second.Kind != diff.Filler {
		row = second
	}
	return kit.LineOf(row.Text, limit)
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	hit, again := p.page.view.Click(y)
	if hit {
		p.page.view.Reveal()
	}
	return again
}

// Cursor implements [kit.Pane].
func (p *Pane) Cursor() (kit.Point, bool) {
	return kit.Point{Y: p.page.view.CursorRow()}, p.result != nil
}
