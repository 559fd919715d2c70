package browse

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

const ownerLifetimes = "browse.lifetimes"

// textLasts says that records of another program have no end.
const textLasts = "The program keeps this for good: only its notes that show a time left can be given another"

// Lifetimes shows in the tree how long notes have left, and changes it.
type Lifetimes struct {
	screen  *Screen
	planned map[string]time.Time // by the rules
	own     map[string]time.Time // by the program whose memory it is; zero if it keeps a note for good
}

// actions change how long the chosen notes live.
func (l *Lifetimes) actions() []kit.Action {
	return []kit.Action{
		{Scope: keymap.Global, ID: keymap.TTL, Help: "keep the note for a time: :ttl 2h, :ttl 2026-12-31, :ttl keep",
			Run: kit.TypeArg(l.screen.shell, keymap.TTL), Why: l.whyNot, Arg: &kit.Arg{
				Takes: "a time: ttl 2h, ttl 3d, ttl 2026-12-31 18:00, ttl keep", Needed: true, Run: kit.AnyArg(l.set),
				Complete: func(string) []string { return nil },
			}},
	}
}

// set changes how long the chosen notes live to what was typed.
func (l *Lifetimes) set(typed string) tea.Cmd {
	by, err := policy.ParseLifetime(typed, l.screen.Env.Now())
	if err != nil {
		l.screen.shell.Tell(kit.Warn, "Can't keep the note for "+text.Clean(typed)+": "+err.Error())
		return nil
	}
	paths := chosenFiles(l.screen)
	if l.records() != nil { // most of them don't expire
		paths = slices.DeleteFunc(paths, func(path string) bool { return !l.expires(path) })
	}
	return l.screen.Edits.Live(paths, by)
}

// records are those of another program; nil for a directory.
func (l *Lifetimes) records() adapt.Records {
	r, _ := l.screen.Store.Backend().(adapt.Records)
	return r
}

// expires reports whether the program whose memory it is lets a record expire.
func (l *Lifetimes) expires(path string) bool {
	_, ok := l.own[path]
	return ok
}

// whyNot says why nothing here has a time left to change.
func (l *Lifetimes) whyNot() kit.Say {
	if why := l.screen.Edits.WhyNoWrite(); why.Text != "" {
		return why
	}
	if l.records() != nil && !slices.ContainsFunc(chosenFiles(l.screen), l.expires) {
		return kit.Say{Text: textLasts}
	}
	return kit.Say{}
}

// SetPlanned shows what the rules plan for the notes.
func (s *Screen) SetPlanned(p act.Planned) {
	s.Tree.now.due, s.Tree.now.pinned = p.Due, p.Pinned
	s.Tree.SetPast(s.Tree.past)
	s.Lifetimes.planned = p.Expiring
	s.Lifetimes.show()
}

// read asks the program whose memory it is when its records expire.
func (l *Lifetimes) read() tea.Cmd {
	records := l.records()
	if records == nil {
		return nil
	}
	return kit.Start(l.screen.Env.Jobs, kit.Job[map[string]time.Time]{
		Owner: ownerLifetimes, Label: "Looking for what expires",
		Work: func(context.Context, *kit.Progress) (map[string]time.Time, error) {
			all := map[string]time.Time{}
			for name, at := range records.Expiring() {
				all[memstore.AgentPath(name)] = at
			}
			return all, nil
		},
		Done: func(all map[string]time.Time) tea.Cmd {
			l.own = all
			l.show()
			return nil
		},
	})
}

// show shows the times left.
func (l *Lifetimes) show() {
	all := map[string]time.Time{}
	maps.Copy(all, l.planned)
	for path, at := range l.own {
		if !at.IsZero() {
			all[path] = at
		}
	}
	l.screen.Tree.now.expiring = all
	l.screen.Tree.SetPast(l.screen.Tree.past)
}

// chosenFiles are the files that are selected in the tree or below a selected folder, else the one at the cursor.
func chosenFiles(s *Screen) (paths []string) {
	chosen := outermost(s.Tree.Keys())
	if len(chosen) == 0 {
		chosen = []string{s.PathAtCursor()}
	}
	var add func(e entry)
	add = func(e entry) {
		if e.Kind == memstore.KindFile {
			paths = append(paths, e.path())
		}
		for _, below := range e.below() {
			if !below.Hidden {
				add(below)
			}
		}
	}
	for _, at := range chosen {
		if n := s.Files.Node(at); n != nil {
			add(entry{n, parentOf(at), strings.Count(at, "/") - 1})
		}
	}
	return paths
}
