package kit

import (
	"slices"
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Heading describes a change in one row: when, who, what, where.
type Heading struct {
	Lead          []string // clean; a narrow screen drops the last ones first
	Path, OldPath string   // agent paths; OldPath only for a rename
	Counts        string   // of lines
}

// Text returns the full heading in one line.
func (h Heading) Text(st *theme.Styles) string {
	parts := append([]string{}, h.Lead...)
	return strings.Join(compact(append(parts, h.Where(st, -1), h.Counts)), "  ")
}

// Fit returns the heading in at most width cells: it drops folders first, then the lead, then the name, and the counts last.
func (h Heading) Fit(st *theme.Styles, width int) string {
	for kept := len(h.Lead); ; kept-- {
		parts := compact(append(append([]string{}, h.Lead[:kept]...), h.Counts))
		room := width - text.Width(strings.Join(parts, "  ")) - 2*min(len(parts), 1)
		if path := h.Where(st, room); kept == 0 || room >= h.least(st) {
			whole := append(append(append([]string{}, h.Lead[:kept]...), path), h.Counts)
			return text.Truncate(strings.Join(compact(whole), "  "), width, st.Glyphs.Ellipsis)
		}
	}
}

// least is the minimum width that keeps the names whole.
func (h Heading) least(st *theme.Styles) int {
	name := func(path string) int {
		path = PathText(path)
		last := path[strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1:]
		return min(text.Width(path), text.Width(last)+text.Width(st.Glyphs.Ellipsis)+1)
	}
	if h.OldPath == "" {
		return name(h.Path)
	}
	return 2*max(name(h.Path), name(h.OldPath)) + text.Width(st.Glyphs.Arrow) + 2
}

// Where is the path, or both paths of a rename, in at most room cells; negative: unlimited.
func (h Heading) Where(st *theme.Styles, room int) string {
	fit := func(path string, room int) string {
		path = PathText(path)
		if room < 0 {
			return path
		}
		return text.FitPath(path, room, st.Glyphs.Ellipsis)
	}
	if h.OldPath == "" {
		return fit(h.Path, room)
	}
	arrow := " " + st.Glyphs.Arrow + " "
	if room < 0 {
		return fit(h.OldPath, room) + arrow + fit(h.Path, room)
	}
	room = max(0, room-text.Width(arrow))
	old := fit(h.OldPath, max(room/2, room-text.Width(PathText(h.Path))))
	now := fit(h.Path, room-text.Width(old))
	if now == old { // the folders that tell them apart are cut off
		now = text.TruncateLeft(PathText(h.Path), room-text.Width(old), st.Glyphs.Ellipsis)
	}
	return old + arrow + now
}

// compact drops empty parts, in place.
func compact(parts []string) []string {
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}
