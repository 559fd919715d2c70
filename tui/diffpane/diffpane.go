// Package diffpane is the diff tab: two versions of one path, or two files, as a unified diff or side by side, with the changed words
// marked. It is given a [Comparison], compares in a job and shows the rows in a [kit.Text].
package diffpane

import (
	"cmp"
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
	// Subject is the same for comparisons of the same two things at different times: the place stays when the next one is shown. A patch
	// of it is for the first of them. Empty: a change of one path, which is its own subject.
	Subject string
	// Before and After load the two sides in the job; a sentence instead of bytes explains why a side is not there. Nil bytes: there was
	// no file.
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
	*kit.Text
	env      *kit.Env
	owner    string
	target   Comparison
	result   *compared    // what is on the screen; nil: nothing is compared
	failed   bool         // the target could not be compared
	context  int          // unchanged lines around each hunk
	split    bool         // two sides are wanted
	ignore   bool         // white space is ignored
	selected map[int]bool // the selected hunks of result.blocks
	// timeout bounds the comparing, 0 is the default of render/diff; tests that must not depend on the load of the machine set it.
	timeout time.Duration
}

// New makes an empty diff tab; owner names its jobs.
func New(env *kit.Env, owner string) *Pane {
	p := &Pane{env: env, owner: owner, context: diff.DefaultContext, selected: map[int]bool{}}
	p.Text = kit.NewText(env, kit.TextSpec{
		Title: "diff", Scope: keymap.Diff, Owner: owner, Lead: p.lead, Sign: p.sign, Find: p.find,
		More: []kit.Action{
			kit.On(keymap.HunkNext, func() { p.hunk(true) }),
			kit.On(keymap.HunkPrev, func() { p.hunk(false) }),
			{ID: keymap.ContextMore, Run: func() tea.Cmd { return p.setContext(p.context + 3) }},
			{ID: keymap.ContextLess, Run: func() tea.Cmd { return p.setContext(max(1, p.context-3)) }},
			kit.On(keymap.Mark, p.selectHunk),
			kit.On(keymap.MarkAll, p.selectAll),
			{ID: keymap.SideBySide, Run: kit.Do(p.toggleSides)},
			{ID: keymap.Whitespace, Run: p.toggleWhitespace},
		},
	})
	p.Clear("")
	return p
}

// Shown returns the key of the comparison on the screen or under way; empty: none.
func (p *Pane) Shown() string { return p.target.Key }

// Path returns the agent path whose versions are compared; empty: none.
func (p *Pane) Path() string { return p.target.Path }

// Drawn is the number of the revision whose diff is drawn; 0: none, or it is not compared yet.
func (p *Pane) Drawn() int64 {
	if p.result == nil || p.result.of.Key != p.target.Key {
		return 0
	}
	rev, _ := RevisionOf(p.target.Key)
	return rev
}

// Show compares c and draws it; the diff shown before stays until it is ready.
func (p *Pane) Show(c Comparison) tea.Cmd {
	if c.Key == p.target.Key && !p.failed {
		p.target.Title, p.target.Heading = c.Title, c.Heading // more may be known of it by now
		return nil
	}
	p.target = c
	return p.compare()
}

const (
	TextNoChangeFile = "No recorded change of this file. {tree/open} shows it"
	textDiffFailed   = "Can't compare. {global/messages} shows why"
)

// Clear forgets the comparison; why says why there is none, "" that the file has no change.
func (p *Pane) Clear(why string) {
	p.env.Jobs.Cancel(p.owner)
	p.target = Comparison{}
	p.say(cmp.Or(why, TextNoChangeFile))
}

// say shows a sentence in place of a diff.
func (p *Pane) say(why string) {
	p.result = nil
	p.Set("", &kit.Doc{Note: why})
}

// setContext shows more or fewer lines around the hunks.
func (p *Pane) setContext(lines int) tea.Cmd {
	p.context = lines
	return p.compare()
}

func (p *Pane) toggleWhitespace() tea.Cmd {
	p.ignore = !p.ignore
	said := "Comparing whitespace"
	if p.ignore {
		said = "Ignoring whitespace; copies keep it"
	}
	p.env.Emit(kit.Say{Text: said})
	return p.compare()
}

// sidesFrom is the least width of a pane in which two sides are of use, in cells.
const sidesFrom = 70

// toggleSides changes between the unified and the split form.
func (p *Pane) toggleSides() {
	p.split = !p.split
	switch {
	case p.split && p.Width() < sidesFrom:
		said := fmt.Sprintf("Side by side needs %d columns, here are %d. {global/zoom} zooms", sidesFrom, p.Width())
		p.env.Emit(kit.Say{Level: kit.Warn, Text: p.env.Keyed(said)})
	case p.split:
		p.env.Emit(kit.Say{Text: p.env.Keyed("Side by side. {diff/side-by-side} stacks the sides")})
	default:
		p.env.Emit(kit.Say{Text: "Stacked"})
	}
	p.relay()
}

// Resize implements [kit.Pane]: a new width may ask for the other form.
func (p *Pane) Resize(w, h int) {
	p.Text.Resize(w, h)
	p.relay()
}

// relay lays the diff out again if it has another form now.
func (p *Pane) relay() {
	if p.result != nil && p.sheet() != p.result.shown {
		p.lay()
	}
}

// hunk goes to the next block of changed lines, or says that there is none.
func (p *Pane) hunk(forward bool) {
	if !p.nextHunk(forward) {
		p.env.Emit(kit.Say{Text: "No more hunks in this direction"})
	}
}

// nextHunk goes to the next block of changed lines, if there is one.
func (p *Pane) nextHunk(forward bool) bool {
	if p.result == nil || p.result.shown == nil {
		return false
	}
	s := p.result.shown
	_, cursor, _ := p.Lines()
	at := s.PrevChange(cursor)
	if forward {
		at = s.NextChange(cursor)
	}
	if at < 0 {
		return false
	}
	n := 1
	for at+n < s.Len() && n < p.Height() && p.result.at(at+n).Changed() {
		n++
	}
	p.MoveToBlock(at, n)
	p.showWords()
	return true
}

// showWords brings the first changed words of the cursor's line into sight: the line may be longer than the screen.
func (p *Pane) showWords() {
	l, _ := p.current()
	for side, row := range l.Sides {
		if len(row.Words) > 0 {
			p.ShowBytes(side, row.Words[0][0], row.Words[0][1])
			return
		}
	}
}

// current is the row under the cursor.
func (p *Pane) current() (diff.Line, bool) {
	l, _ := p.Current()
	of, ok := l.Of.(place)
	return of.line, ok
}

// Place describes the position for the status line.
func (p *Pane) Place() string {
	place := p.Text.Place()
	l, _ := p.current()
	if said := revertedText(p.revertedBy(l)); said != "" {
		return place + " " + said
	}
	for side, row := range l.Sides {
		switch {
		case row.Moved == 0:
		case side == 0 && row.Kind == diff.Removed:
			place = fmt.Sprintf("%s, moved to line %d", place, row.Moved)
		default:
			place = fmt.Sprintf("%s, moved from line %d", place, row.Moved)
		}
	}
	return place
}

// FileLine returns the line of the file that the cursor's row is about, from 1, and whether it is the file before, which it is for a
// line that is only there. 0: no line.
func (p *Pane) FileLine() (line int, before bool) {
	l, _ := p.current()
	a, b := l.Numbers()
	return cmp.Or(b, a), b == 0 && a > 0
}

// Became returns the line of the file after that a line of the file before became.
func (p *Pane) Became(line int) int {
	if p.result == nil || p.result.result == nil {
		return line
	}
	return p.result.result.Follow(line)
}

// LineReader returns a function that reads the text of the line under the cursor, without its sign; nil: the cursor is on no line. With
// two lines side by side it is that of the side after.
func (p *Pane) LineReader(limit int) func() (string, error) {
	l, ok := p.current()
	if !ok {
		return nil
	}
	row := l.Sides[0]
	if second := l.Sides[1]; second.Text != nil && second.Kind != diff.Filler {
		row = second
	}
	return kit.LineOf(row.Text, limit)
}
