package secrets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/kit"
)

// ownerPreview names the jobs of the preview.
const ownerPreview = "secrets.preview"

// preview is what a redaction does to the file of a place, as a diff in which no value can be read.
type preview struct {
	*diffpane.Pane
	env   *kit.Env
	shell act.Shell
	o     *Options
	list  *valueList

	inSight bool
}

func newPreview(env *kit.Env, shell act.Shell, o *Options, list *valueList) *preview {
	p := &preview{Pane: diffpane.New(env, ownerPreview), env: env, shell: shell, o: o, list: list}
	p.None = "No value to preview"
	return p
}

// Title implements [kit.Tab].
func (p *preview) Title() string { return "redaction preview" }

// Scopes implements [kit.Pane]: the keys of the values work here too.
func (p *preview) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.Diff, keymap.Findings, keymap.Text}
}

// showPlace shows the redaction of the selected values, and of the one under the cursor, in the file of its place. Dots replace
// the values on the side before, and on both for those that stay: a diff stays on the screen.
func (p *preview) showPlace() tea.Cmd {
	g, choices := p.list.group(), p.list.choices
	if g == nil {
		p.Clear()
		return nil
	}
	if choices.engine() == nil || !p.inSight || !p.shell.Shows(keymap.ScreenFindings) {
		return nil
	}
	at, _ := p.list.place()
	groups := p.list.selection()
	if !p.list.Selected(row{group: g}) {
		groups = append(groups, g)
	}
	hidden := append(p.list.inFile(at.Path), g)
	worker := choices.scrubber()
	hider := choices.scrubber() // of every value of the file, whatever is selected or configured
	read, mask := p.reader(&at), "••••"
	if p.env.ASCII {
		mask = "****"
	}
	side := func(redacted bool) func() ([]byte, string) {
		return func() ([]byte, string) {
			data, why := read()
			if why != "" {
				return nil, why
			}
			hider.Accept(hidden)
			if redacted {
				worker.Accept(groups)
				data, _ = worker.Clean(at.Path, data)
			}
			return hider.Masked(at.Path, data, mask), ""
		}
	}
	return p.Show(diffpane.Comparison{
		Key: fmt.Sprintf("%d %s %x %d", p.list.version, at.Path, at.Content, at.Start), Title: previewTitle(groups, &at), Path: at.Path,
		Line: at.Line, Before: side(false), After: side(true),
	})
}

// previewTitle is the first row of a preview.
func previewTitle(groups []*findings.Group, p *findings.Place) string {
	here := 0
	for _, g := range groups {
		if slices.ContainsFunc(g.Places, func(one findings.Place) bool { return one.Path == p.Path }) {
			here++
		}
	}
	out := "Redacts " + kit.CountGrouped(here, "value") + " in " + relative(p.Path)
	if p.Past {
		out += ", in history"
	}
	return out
}

// reader reads the content that holds a place.
func (p *preview) reader(at *findings.Place) func() ([]byte, string) {
	switch {
	case at.InName:
		return func() ([]byte, string) { return nil, "The value is in the name. A redaction renames the file" }
	case at.Past:
		return func() ([]byte, string) {
			data, err := p.o.Lasting.Bytes(context.Background(), past.Side{Exists: true, Digest: at.Content})
			if err != nil {
				return nil, "Can't read this version: " + edits.Reason(err)
			}
			return data, ""
		}
	}
	return func() ([]byte, string) { return edits.ReadSmall(p.o.Handlers, at.Path) }
}

// plainValue is the unmasked value under the cursor, while its key is held.
type plainValue struct {
	env  *kit.Env
	of   *valueList
	w, h int
}

// Title implements [kit.Tab].
func (p *plainValue) Title() string { return "value" }

// Path implements [kit.Tab].
func (p *plainValue) Path() string { return p.of.Path() }

// Place implements [kit.Tab].
func (p *plainValue) Place() string { return "" }

// LineReader implements [kit.Tab]: a value is not copied.
func (p *plainValue) LineReader(int) func() (string, error) { return nil }

// Actions implements [kit.Pane].
func (p *plainValue) Actions() *kit.Actions { return p.of.Actions() }

// Receive implements [kit.Pane].
func (p *plainValue) Receive(kit.Done) tea.Cmd { return nil }

// Resize implements [kit.Pane].
func (p *plainValue) Resize(w, h int) { p.w, p.h = w, h }

// Scopes implements [kit.Pane].
func (p *plainValue) Scopes() []keymap.Scope { return p.of.Scopes() }

// Cursor implements [kit.Pane].
func (p *plainValue) Cursor() (kit.Point, bool) { return kit.Point{}, false }

// plainMost bounds what is shown of a value, in bytes: more than any screen holds.
const plainMost = 32 << 10

// Rows implements [kit.Pane]; an ellipsis ends a value that is longer.
func (p *plainValue) Rows(bool) []string {
	g := p.of.group()
	st, room := p.env.Styles, max(1, p.w-4)
	if g == nil {
		return kit.FillRows(nil, p.w, p.h)
	}
	var rows []string
	for line := range strings.Lines(g.Value()[:min(len(g.Value()), plainMost)]) {
		line = text.Clean(strings.TrimRight(line, "\r\n"))
		for _, r := range text.Wrap(nil, []byte(line), room, p.env.Text(0)) {
			rows = append(rows, line[r.Start:r.End])
		}
	}
	if len(rows) > p.h && p.h > 0 {
		rows = rows[:p.h]
		rows[p.h-1] = text.Truncate(rows[p.h-1], max(0, room-text.Width(st.Glyphs.Ellipsis)), "") + st.Glyphs.Ellipsis
	}
	for i, r := range rows {
		rows[i] = "  " + st.Match.Apply(text.Truncate(r, room, "")) + strings.Repeat(" ", max(0, p.w-2-min(room, text.Width(r))))
	}
	return kit.FillRows(rows, p.w, p.h)
}
