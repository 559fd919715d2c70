// Package findings is the box of sensitive values: the values that a scan found, grouped so that one decision
// holds for all places of one value, and below them where the value under the cursor stands, masked until it is
// asked for. The root gives it surveys and carries out its intents; the box does no I/O and keeps decisions by the id of a
// value, so that a newer survey never loses them.
package findings

import (
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/tui/pane"
)

// The intents of the box. Groups are those that were accepted.
type (
	// Purge asks to take the values out everywhere.
	Purge struct{ Groups []*findings.Group }
	// Redact asks to take them out of the files.
	Redact struct{ Groups []*findings.Group }
	// Allow asks to judge a value harmless, or not to.
	Allow struct {
		Group *findings.Group
		On    bool
	}
	// Preview asks for the diff of a file.
	Preview struct {
		Path   string
		Groups []*findings.Group
	}
	// Open asks for the file of a place.
	Open struct{ Place findings.Place }
	// Again asks for another scan.
	Again struct{}
	// Stop asks to end the work under way, or to close the box.
	Stop struct{}
	// Help asks for the keys.
	Help struct{}
)

// Box is the box. Make it with [New]. It stays with the root while it is closed.
type Box struct {
	env      *pane.Env
	survey   *findings.Survey // nil: there is none yet
	groups   []*findings.Group
	accepted map[string]bool   // by id of the group
	class    map[string]string // by id, where the user chose another one
	classes  []scrub.Class
	list     pane.List
	place    int // of the group under the cursor
	shown    reveal
	work     string // what is being done, "" for nothing
}

// New makes an empty box.
func New(env *pane.Env) *Box {
	return &Box{env: env, accepted: map[string]bool{}, class: map[string]string{}}
}

// SetSurvey takes a newer survey. The cursor stays on its value; what is gone is forgotten.
func (b *Box) SetSurvey(s *findings.Survey, classes []scrub.Class) {
	was := b.selected()
	b.survey, b.classes = s, classes
	b.groups = s.Groups
	still := map[string]bool{}
	for _, g := range b.groups {
		still[g.ID] = b.accepted[g.ID] && !g.Allowed
	}
	b.accepted = still
	b.list.SetCount(len(b.groups))
	if was == nil {
		b.list.MoveTo(0)
		return
	}
	if i := slices.IndexFunc(b.groups, func(g *findings.Group) bool { return g.ID == was.ID }); i >= 0 {
		b.list.MoveTo(i)
		b.place = min(b.place, len(b.groups[i].Places)-1)
		return
	}
	b.turn()
}

// Survey is the newest survey, nil before the first one.
func (b *Box) Survey() *findings.Survey { return b.survey }

// SetWork says what is being done, "" for nothing.
func (b *Box) SetWork(label string) { b.work = label }

// Class is what the user takes a value for.
func (b *Box) Class(g *findings.Group) string {
	if c := b.class[g.ID]; c != "" {
		return c
	}
	return g.Class
}

// Classes are the choices of the user by id of the group.
func (b *Box) Classes() map[string]string { return b.class }

// selected is the group under the cursor, nil where there is none.
func (b *Box) selected() *findings.Group {
	i, ok := b.list.At()
	if !ok || i >= len(b.groups) {
		return nil
	}
	return b.groups[i]
}

// Accepted are the groups that were accepted.
func (b *Box) Accepted() (groups []*findings.Group) {
	for _, g := range b.groups {
		if b.accepted[g.ID] && !g.Allowed {
			groups = append(groups, g)
		}
	}
	return groups
}

// AcceptsAll tells whether every value is accepted that is not judged harmless.
func (b *Box) AcceptsAll() bool { return len(b.Accepted()) == b.open() }

// AcceptIn accepts the values that stand in one of the paths, or below one that is a folder.
func (b *Box) AcceptIn(paths []string) {
	for _, g := range b.groups {
		b.accepted[g.ID] = !g.Allowed && slices.ContainsFunc(g.Places, func(p findings.Place) bool {
			return !p.Past && slices.ContainsFunc(paths, func(path string) bool { return p.Path == path || strings.HasPrefix(p.Path, path+"/") })
		})
	}
}

// turn begins with another value: masked, at its first place.
func (b *Box) turn() {
	b.place = 0
	b.Mask()
}

// Title implements overlay.Overlay.
func (b *Box) Title() string { return pane.TextFindingsTitle }

// Scopes implements overlay.Overlay.
func (b *Box) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Findings, keymap.Motion} }

// Handle implements overlay.Overlay.
func (b *Box) Handle(id keymap.ID) bool {
	switch id {
	case keymap.Close:
		b.env.Emit(Stop{})
		return true
	case keymap.Help:
		b.env.Emit(Help{})
		return true
	case keymap.FindingAgain:
		b.env.Emit(Again{})
		return true
	}
	g := b.selected()
	if g == nil {
		return false
	}
	if at, _ := b.list.At(); b.list.Motion(id) {
		if now, _ := b.list.At(); now != at {
			b.turn()
		}
		return true
	}
	return b.decide(id, g) || b.look(id, g)
}

// decide performs what changes a decision, or asks for what was decided.
func (b *Box) decide(id keymap.ID, g *findings.Group) bool {
	switch id {
	case keymap.FindingTick:
		if !g.Allowed {
			b.accepted[g.ID] = !b.accepted[g.ID]
		}
		if at, _ := b.list.At(); at+1 < len(b.groups) {
			b.list.MoveTo(at + 1)
			b.turn()
		}
	case keymap.FindingTickAll:
		all := len(b.Accepted()) < b.open()
		for _, one := range b.groups {
			b.accepted[one.ID] = all && !one.Allowed
		}
	case keymap.FindingClass:
		b.nextClass(g)
	case keymap.FindingAllow:
		b.env.Emit(Allow{g, !g.Allowed})
	case keymap.FindingPurge, keymap.FindingRedact:
		groups := b.Accepted()
		switch {
		case len(groups) == 0:
			b.env.Emit(pane.Say{Level: pane.Info, Text: b.env.Keyed(pane.TextFindingsNoTick)})
		case id == keymap.FindingPurge:
			b.env.Emit(Purge{groups})
		default:
			b.env.Emit(Redact{groups})
		}
	default:
		return false
	}
	return true
}

// open counts the values that are not judged harmless.
func (b *Box) open() (n int) {
	for _, g := range b.groups {
		if !g.Allowed {
			n++
		}
	}
	return n
}

func (b *Box) nextClass(g *findings.Group) {
	if len(b.classes) == 0 {
		return
	}
	now := b.Class(g)
	i := slices.IndexFunc(b.classes, func(c scrub.Class) bool { return c.Name == now })
	next := b.classes[(i+1)%len(b.classes)].Name
	if next == g.Class {
		next = ""
	}
	b.class[g.ID] = next
}

// look performs what only shows something.
func (b *Box) look(id keymap.ID, g *findings.Group) bool {
	switch id {
	case keymap.FindingReveal:
		b.show()
	case keymap.FindingNext:
		b.place = (b.place + 1) % len(g.Places)
	case keymap.FindingPrev:
		b.place = (b.place + len(g.Places) - 1) % len(g.Places)
	case keymap.FindingOpen:
		b.env.Emit(Open{g.Places[b.place]})
	case keymap.FindingDiff:
		groups := b.Accepted()
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		b.env.Emit(Preview{g.Places[b.place].Path, groups})
	default:
		return false
	}
	return true
}

// Size implements overlay.Overlay.
func (b *Box) Size(maxW, maxH int) (int, int) { return maxW, max(1, maxH) }

// Footer implements overlay.Overlay.
func (b *Box) Footer() string {
	if b.work != "" {
		return b.work
	}
	return b.env.Keyed(pane.TextFindingsFooter)
}

// Cursor is where the terminal's own cursor belongs.
func (b *Box) Cursor() (pane.Point, bool) {
	i, ok := b.list.At()
	return pane.Point{Y: 1 + max(0, i-b.list.Top())}, ok
}
