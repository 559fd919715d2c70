package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/browse"
	"memcurator/tui/curate"
	"memcurator/tui/disk"
	"memcurator/tui/feed"
	"memcurator/tui/losses"
	"memcurator/tui/replay"
	"memcurator/tui/ui"
)

// topBar shows name, directory, dialect, files and bytes, the state of the watch, what is unread, badges and the screens.
type topBar struct {
	env      *ui.Env
	title    string
	badge    string
	readOnly bool
	stage    *stage
	travel   *browse.Travel
	disk     *disk.Disk
	feed     *feed.Feed
	losses   *losses.Alarm
	curate   *curate.Screen
	replay   *replay.Screen
	recorded bool // there are screens of revisions
}

func (b *topBar) draw(w int) string {
	st := b.env.Styles
	right := b.right(w)
	room := w - ansi.StringWidth(right)
	left := " memcurator  "
	if w < singleWidth {
		left = " "
	}
	title := text.TruncateLeft(text.Clean(b.title), max(0, room-text.Width(left)-1), st.Glyphs.Ellipsis)
	left = text.Pad(left+title, max(0, room))
	return st.TopBar.Apply(left) + right
}

func (b *topBar) right(w int) string {
	st, shown := b.env.Styles, b.travel.Shown()
	var parts []string
	if w >= singleWidth {
		parts = append(parts, shown.Store.Dialect().String())
	}
	if s := shown.Snapshot(); s != nil && s.Root != nil {
		count := ui.Count(s.Root.Files, "file")
		if !s.Complete {
			count = fmt.Sprintf("%d+ files", s.Root.Files)
		}
		if w >= singleWidth {
			count += "  " + memstore.FormatSize(shown.Store.Dialect(), s.Root.Bytes)
		}
		parts = append(parts, count)
	}
	parts = append(parts, stateText(st, b.disk.State))
	if n := len(b.feed.Unread()); n > 0 {
		parts = append(parts, fmt.Sprintf("%s%d %s", st.Glyphs.Unread, n, "unread"))
	}
	if b.curate.Due() > 0 {
		parts = append(parts, st.Glyphs.Due+fmt.Sprintf("%d due", b.curate.Due()))
	}
	if b.travel.Present().Following.On() {
		parts = append(parts, "following")
	}
	badges := b.badges(w)
	if w >= screenNamesWidth && b.losses.Badge(false) == "" {
		badges += b.screenNames()
	}
	counts := ansi.Truncate(strings.Join(parts, "  ")+" ", max(0, w-ansi.StringWidth(badges)), "")
	return ansi.Truncate(st.TopBar.Apply(counts)+badges, w, "")
}

// badges are what must never be overlooked; the counts make room for them.
func (b *topBar) badges(w int) string {
	st := b.env.Styles
	out := ""
	if alarm := b.losses.Badge(w < singleWidth); alarm != "" {
		out += st.BadgeReadOnly.Apply(" " + st.Glyphs.Warning + " " + alarm + " ")
	}
	if past := b.travel.Badge(w >= singleWidth); past != "" {
		out += st.BadgeReadOnly.Apply(" " + past + " ")
	}
	if b.readOnly {
		out += st.BadgeReadOnly.Apply(" READ-ONLY ")
	}
	if b.badge != "" {
		out += st.Badge.Apply(" " + b.badge + " ")
	}
	return out
}

// stateText says how the store is watched.
func stateText(st *theme.Styles, state watch.State) string {
	g := st.Glyphs
	switch state {
	case watch.Live:
		return g.Live + " live"
	case watch.Limited:
		return g.Warning + " partly watched"
	case watch.Polling:
		return g.Live + " polling"
	case watch.Unavailable:
		return g.Gone + " unavailable"
	default:
		return g.Gone + " loading"
	}
}

// screenNamesWidth is the width from which on the top bar names the screens.
const screenNamesWidth = 110

// screenNames lists the screens with their keys.
func (b *topBar) screenNames() string {
	if !b.recorded && b.replay.IsEmpty() {
		return ""
	}
	st := b.env.Styles
	out := ""
	for _, s := range b.stage.screens {
		paint := st.TabInactive
		if b.stage.shows(s.id) {
			paint = st.TabActive
		}
		a, _ := b.env.Keys.ByID(s.id)
		out += st.TopBar.Apply(" ") + paint.Apply(a.KeyText(b.env.ASCII)+" "+s.name)
	}
	return out + st.TopBar.Apply(" ")
}
