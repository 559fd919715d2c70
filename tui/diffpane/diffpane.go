// Package diffpane is the diff tab: two versions of one path, or two files, as a unified diff or side by side, with the changed words
// marked. It is given a [Comparison], compares in a job and shows the rows in a [kit.Text].
package diffpane

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/tui/kit"
)

// Pane is the diff tab. Make it with [New].
type Pane struct {
	*kit.Text
	env    *kit.Env
	owner  string
	target Comparison
	result *compared // what is on the screen; nil: nothing is compared
	split  bool      // two sides are wanted
}

// New makes an empty diff tab; owner names its jobs.
func New(env *kit.Env, owner string) *Pane {
	p := &Pane{env: env, owner: owner}
	noHunks := kit.Unless(func() bool { return p.result != nil && p.result.shown != nil }, "Nothing here has hunks")
	p.Text = kit.NewText(env, kit.TextSpec{
		Title: "diff", Scope: keymap.Diff, Owner: owner, Lead: p.lead, Find: p.find,
		More: []kit.Action{
			{ID: keymap.HunkNext, Keys: "}", Help: "jump to the next hunk",
				Run: kit.Do(func() { p.hunk(true) }), Why: noHunks},
			{ID: keymap.HunkPrev, Keys: "{", Help: "jump to the previous hunk",
				Run: kit.Do(func() { p.hunk(false) }), Why: noHunks},
			{ID: keymap.SideBySide, Keys: "s", Help: "split the diff side by side, or join it", Hint: "split",
				Run: kit.Do(p.toggleSides)},
		},
	})
	p.Clear("")
	return p
}

// Path returns the agent path whose versions are compared; empty: none.
func (p *Pane) Path() string { return p.target.Path }

// Revision is the number of the revision whose diff is shown or under way; 0: none.
func (p *Pane) Revision() int64 { return p.target.Revision }

// Drawn is the number of the revision whose diff is drawn; 0: none, or it is not compared yet.
func (p *Pane) Drawn() int64 {
	if p.result == nil || p.result.of.Key != p.target.Key {
		return 0
	}
	return p.target.Revision
}

// Show compares c and draws it; the diff shown before stays until it is ready.
func (p *Pane) Show(c Comparison) tea.Cmd {
	if c.Key != p.target.Key {
		p.target = c
		return p.compare()
	}
	p.target.Title, p.target.Heading = c.Title, c.Heading // more may be known of it by now
	if p.result != nil && p.result.of.Key == c.Key {
		p.result.of = p.target
	}
	return nil
}

// Recheck finds out again whether the change on the screen was reverted since.
func (p *Pane) Recheck() tea.Cmd {
	if p.target.Revision == 0 {
		return nil
	}
	return p.compare()
}

const (
	textNoChangeFile = "No recorded change of this file"
	textDiffFailed   = "Can't compare. {global/messages} shows why"
)

// Clear forgets the comparison; why says why there is none, "" that the file has no change.
func (p *Pane) Clear(why string) {
	p.env.Jobs.Cancel(p.owner)
	p.target = Comparison{}
	p.say(cmp.Or(why, textNoChangeFile))
}

// say shows a sentence in place of a diff.
func (p *Pane) say(why string) {
	p.result = nil
	p.Set("", &kit.Doc{Note: why})
}

// List shows lines in place of a diff, below a title.
func (p *Pane) List(title string, lines []string) {
	p.Clear("")
	var rows []kit.Line
	for _, line := range append([]string{title, ""}, lines...) {
		rows = append(rows, kit.Line{Text: []byte(line)})
	}
	p.Set("", kit.Lines(rows))
}

// sidesFrom is the least width of a pane in which two sides are of use, in cells.
const sidesFrom = 70

// toggleSides changes between the unified and the split form.
func (p *Pane) toggleSides() {
	p.split = !p.split
	if p.split && p.Width() < sidesFrom {
		said := fmt.Sprintf("Side by side needs %d columns, here are %d. {global/zoom} zooms", sidesFrom, p.Width())
		p.env.Emit(kit.Say{Level: kit.Warn, Text: p.env.Keyed(said)})
	}
	p.relay()
	p.showWords()
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

// showWords brings the first changed words at the cursor or below it in its block into sight: a line may be longer than the screen.
func (p *Pane) showWords() {
	if p.result == nil || p.result.shown == nil {
		return
	}
	_, at, _ := p.Lines()
	for ; at < p.result.shown.Len() && p.result.shown.At(at).Changed(); at++ {
		for side, row := range p.result.shown.At(at).Sides {
			if len(row.Words) > 0 {
				p.ShowBytes(at, side, row.Words[0][0], row.Words[0][1])
				return
			}
		}
	}
}

// current is the row under the cursor.
func (p *Pane) current() (diff.Line, bool) {
	l, _ := p.Current()
	of, ok := l.Of.(place)
	return of.line, ok
}

// Place implements [kit.Tab]: the number of a row would read as that of the change.
func (p *Pane) Place() string { return "" }

// FileLine returns the line of the file after that the cursor's row is about, from 1; of a removed line it is the one in its place. 0:
// no line.
func (p *Pane) FileLine() int {
	l, _ := p.current()
	a, b := l.Numbers()
	if b == 0 && a > 0 {
		return p.result.result.Follow(a)
	}
	return b
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
