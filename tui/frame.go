package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// View implements [tea.Model]. The frame is a concatenation of rows of exact
// width: measured about fifty times cheaper than composing layers.
func (m *Model) View() tea.View {
	rows, cursor := m.frame()
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen = true
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	m.secrets.WantReleases(&v)
	v.WindowTitle = "memcurator " + text.Clean(m.options.Title)
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
		v.Cursor.Blink = false
	}
	return v
}

const textTooSmall = "too small"

// frame draws the screen as rows and says where the terminal's cursor stands.
func (m *Model) frame() ([]string, *ui.Point) {
	if m.w <= 0 || m.h <= 0 {
		return nil, nil
	}
	if m.layout.tooSmall {
		rows := make([]string, m.h)
		for i := range rows {
			rows[i] = strings.Repeat(" ", m.w)
		}
		rows[0] = text.Pad(textTooSmall, m.w)
		return rows, nil
	}
	rows := make([]string, 0, m.h)
	rows = append(rows, m.topBar())
	rows = append(rows, m.body()...)
	if !m.layout.strip.Empty() {
		rows = append(rows, m.strip.Rows(m.focus == onStrip)...)
	}
	if m.bannerHeight() > 0 {
		rows = append(rows, m.banner())
	}
	bottom, at := m.bottomBar()
	rows = append(rows, bottom)
	cursor := m.paneCursor()
	if note := m.lineNote(); note != "" && len(rows) > 2 {
		rows[len(rows)-2] = note
	}
	if top, ok := m.boxes.Top(); ok {
		cursor = m.drawOverlay(rows, top)
	}
	if at >= 0 {
		cursor = &ui.Point{X: at, Y: m.h - 1}
	}
	return rows, cursor
}

func (m *Model) body() []string {
	l := m.layout
	var left, right []string
	if !l.tree.Empty() {
		left = m.box(l.tree, m.focus == onTree, m.shownScreen().ListTitle(l.tree.W-4), m.firstPane().Rows(m.focus == onTree))
	}
	if !l.main.Empty() {
		right = m.box(l.main, m.focus == onMain, m.shownScreen().DetailTitle(l.main.W-4), m.secondPane().Rows(m.focus == onMain))
	}
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	case l.tree.Y != l.main.Y:
		return append(left, right...)
	}
	for i := range left {
		left[i] += right[i]
	}
	return left
}

// box puts a border with a title around rows; title is painted and w-4 cells wide at most.
func (m *Model) box(r ui.Rect, focused bool, title string, rows []string) []string {
	st := m.env.Styles
	b, paint := st.Glyphs.Border, st.Border
	if focused {
		b, paint = st.Glyphs.BorderFocused, st.BorderFocused
	}
	out := make([]string, 0, r.H)
	fill := max(0, r.W-2-ansi.StringWidth(title)-1)
	out = append(out, paint.Apply(b.TopLeft+b.Top)+title+paint.Apply(strings.Repeat(b.Top, fill)+b.TopRight))
	for _, row := range rows {
		out = append(out, paint.Apply(b.Left)+row+paint.Apply(b.Right))
	}
	return append(out, paint.Apply(b.BottomLeft+strings.Repeat(b.Bottom, max(0, r.W-2))+b.BottomRight))
}

func (m *Model) paneCursor() *ui.Point {
	at, ok := m.focused().Cursor()
	if !ok {
		return nil
	}
	r := m.focusedRect()
	if r.Empty() {
		return nil
	}
	return &ui.Point{X: r.X + min(at.X, r.W-1), Y: r.Y + min(at.Y, r.H-1)}
}

func (m *Model) focusedRect() ui.Rect {
	switch m.focus {
	case onTree:
		return inner(m.layout.tree)
	case onStrip:
		return m.layout.strip
	default:
		return inner(m.layout.main)
	}
}

// relayout recomputes the rectangles and tells the panes their inner sizes.
func (m *Model) relayout() tea.Cmd {
	height := m.h - m.bannerHeight()
	if m.screen == onBrowse {
		m.layout = arrange(m.w, height, m.focus, m.zoom, m.treeWidth)
		m.strip.Resize(m.layout.strip.W, m.layout.strip.H)
	} else {
		m.layout = arrangeBoard(m.w, height, m.focus, m.zoom)
	}
	return m.shownScreen().Resize(inner(m.layout.tree), inner(m.layout.main))
}
