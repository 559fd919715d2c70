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
	"memcurator/memstore/scrub/redact"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

// ownerPreview names the jobs of the preview.
const ownerPreview = "secrets.preview"

// preview is what a redaction does to the file of a place, as a diff in which no value can be read.
type preview struct{ *diffpane.Pane }

func newPreview(env *ui.Env) *preview { return &preview{diffpane.New(env, ownerPreview)} }

// Title implements [ui.Tab].
func (p *preview) Title() string { return "redaction preview" }

// Scopes implements [ui.Pane]: the keys of the values work here too.
func (p *preview) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Diff, keymap.Findings} }

// showPlace is the intent to show the place under the cursor.
type showPlace struct{}

// turned is called when another place is under the cursor.
func (s *Screen) turned() {
	s.Mask()
	s.env.Emit(showPlace{})
}

// showPreview shows the redaction of the selected values, and of the one under the cursor, in the file of its place. Dots stand for
// the values on the side before, and on both for those that stay: a diff stays on the screen.
func (s *Screen) showPreview() tea.Cmd {
	g := s.list.group()
	if g == nil || s.engine == nil || !s.beside || !s.Visible() {
		return nil
	}
	p, _ := s.list.place()
	groups := s.list.selection()
	if !s.list.selected[g.ID] {
		groups = append(groups, g)
	}
	hidden := append(s.list.inFile(p.Path), g)
	worker := s.scrubber(nil)
	hider := s.scrubber(nil) // of every value of the file, whatever is selected or configured
	hider.Treatment, hider.Action = redact.Treatment{}, nil
	read, mask := s.reader(&p), "••••"
	if s.env.ASCII {
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
				data, _ = worker.Clean(p.Path, data)
			}
			return hider.Masked(p.Path, data, mask), ""
		}
	}
	return s.preview.Show(diffpane.Comparison{
		Key: fmt.Sprintf("%d %s %x %d", s.list.version, p.Path, p.Content, p.Start), Title: previewTitle(groups, &p), Path: p.Path,
		Line: p.Line, Before: side(false), After: side(true),
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
	out := "Redacts " + ui.CountGrouped(here, "value") + " in " + relative(p.Path)
	if p.Past {
		out += ", in history"
	}
	return out
}

// reader reads the content that holds a place.
func (s *Screen) reader(p *findings.Place) func() ([]byte, string) {
	switch {
	case p.InName:
		return func() ([]byte, string) { return nil, "The value is in the name. A redaction renames the file" }
	case p.Past:
		return func() ([]byte, string) {
			data, err := s.Journal.Bytes(context.Background(), past.Side{Exists: true, Digest: p.Content})
			if err != nil {
				return nil, "Can't read this version: " + edits.Reason(err)
			}
			return data, ""
		}
	}
	return func() ([]byte, string) { return edits.ReadSmall(s.Store(), p.Path) }
}

// plainValue is the value under the cursor as it is, as long as its key is held.
type plainValue struct {
	env  *ui.Env
	of   *values
	w, h int
}

// Title implements [ui.Tab].
func (p *plainValue) Title() string { return "value" }

// Path implements [ui.Tab].
func (p *plainValue) Path() string { return p.of.Path() }

// Place implements [ui.Tab].
func (p *plainValue) Place() string { return "" }

// LineReader implements [ui.Tab]: a value is not copied.
func (p *plainValue) LineReader(int) func() (string, error) { return nil }

// Actions implements [ui.Pane].
func (p *plainValue) Actions() *ui.Actions { return p.of.Actions() }

// Receive implements [ui.Pane].
func (p *plainValue) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (p *plainValue) Resize(w, h int) { p.w, p.h = w, h }

// Scopes implements [ui.Pane].
func (p *plainValue) Scopes() []keymap.Scope { return p.of.Scopes() }

// Cursor implements [ui.Pane].
func (p *plainValue) Cursor() (ui.Point, bool) { return ui.Point{}, false }

// plainMost bounds what is shown of a value, in bytes: more than any screen holds.
const plainMost = 32 << 10

// Rows implements [ui.Pane]; an ellipsis ends a value that is longer.
func (p *plainValue) Rows(bool) []string {
	g := p.of.group()
	st, room := p.env.Styles, max(1, p.w-4)
	if g == nil {
		return ui.FillRows(nil, p.w, p.h)
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
	return ui.FillRows(rows, p.w, p.h)
}
