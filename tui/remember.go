package tui

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/statedir"
	"memcurator/tui/browse"
	"memcurator/tui/changes"
	"memcurator/tui/disk"
	"memcurator/tui/edits"
	"memcurator/tui/session"
	"memcurator/tui/stores"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// rememberAfter is how long after a key or a click the layout is written.
const rememberAfter = 3 * time.Second

// The owners of the jobs that write the layout, and that drop what a purge removed.
const (
	ownerRemember = "remember"
	ownerForget   = "purges.forget"
	labelRemember = "remembering the layout"
)

// remembered is the layout that outlasts the program; without a keeper nothing is remembered.
type remembered struct {
	env         *ui.Env
	log         *slog.Logger
	stage       *stage
	line        *typing
	pointer     *pointer
	preferences *preferences
	browse      *browse.Screen  // of the present
	changes     *changes.Screen // nil without a journal
	edits       *edits.Queue

	arrangement *arrangedStores // nil: there is no list of stores

	secret  func(line string) bool // whether a typed line holds a secret; nil: no one knows
	keeper  *session.Keeper
	last    session.State // what was handed to the keeper last
	filters [2]string     // of the tree and of Changes, as they were before this start
	due     bool          // a rememberMsg is under way
	looked  time.Time     // when the user saw the store last before this start; zero: never
}

// rememberMsg says that the layout may have settled.
type rememberMsg struct{}

// restore restores the layout of the run before, or that of the last visit in this one. It reads one small file, before the first
// screen, and must not fail the program.
func (r *remembered) restore(folder string, back *place) {
	var s session.State
	if folder != "" {
		r.keeper = session.NewKeeper(folder)
		if r.secret != nil {
			r.keeper.Hide(r.secret)
		}
		var err error
		if s, err = session.Load(folder); err != nil {
			r.log.Warn("can't use the saved layout", "error", err)
		}
	}
	if back != nil { // the file may be from before
		looked := s.Looked
		s = back.layout
		if r.keeper != nil && r.keeper.LastPurge() != back.purged {
			s, _ = r.keeper.Purged(s) // fails only if the file can't be read: then all goes
		}
		s.Looked = looked
	}
	if s.Version == 0 {
		return
	}
	if s.Looked > 0 {
		r.looked = time.Unix(s.Looked, 0)
	}
	preferred := r.preferences.last
	if s.ScreenOver != preferred.screen() { // the configuration has changed since: it is newer
		s.Sort, s.HideHidden, s.CutLines, s.MouseOff = preferred.Sort, preferred.HideHidden, preferred.NoWrap, preferred.MouseOff
	}
	r.stage.width, r.stage.zoom, r.pointer.off = s.TreeWidth, s.Zoom, s.MouseOff
	r.browse.Tree.Restore(tree.Memory{Order: s.Sort, Hidden: !s.HideHidden, Unfolded: s.Unfolded, Selected: s.Selected})
	r.browse.View.SetWrap(!s.CutLines)
	r.restorePlaces(s)
	r.edits.Indexes.Restore(s.Index)
	r.browse.Tabs.Restore(s.Tab)
	r.filters = [2]string{s.Filter, s.Changes}
	if s.Theme != "" && s.ThemeOver == string(preferred.Theme) {
		r.preferences.chosen, r.preferences.over = s.Theme, s.ThemeOver
		r.preferences.useTheme(s.Theme)
	}
	r.last = r.state()
}

// restorePlaces restores typed lines, and where the user was in files.
func (r *remembered) restorePlaces(s session.State) {
	spots := make([]viewer.Spot, len(s.Places))
	for i, p := range s.Places {
		spots[i] = viewer.Spot{Path: p.Path, Top: p.Top, Line: p.Line}
	}
	r.browse.View.SetSpots(spots)
	r.line.SetHistory(s.History)
}

// filter filters again as the user did.
func (r *remembered) filter() tea.Cmd {
	var cmds []tea.Cmd
	if r.filters[0] != "" {
		cmd, _ := r.browse.Tree.SetFilter(r.filters[0])
		cmds = append(cmds, cmd)
	}
	if r.filters[1] != "" && r.changes != nil {
		cmd, _ := r.changes.Revisions().SetFilter(r.filters[1])
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// state is what would be remembered now.
func (r *remembered) state() session.State {
	t := r.browse.Tree.Memory()
	s := session.State{
		Version: 1, TreeWidth: r.stage.width, Zoom: r.stage.zoom, MouseOff: r.pointer.off,
		Sort: t.Order, HideHidden: !t.Hidden, Unfolded: t.Unfolded, Selected: t.Selected,
		Tab: r.browse.Tabs.Shown().Title(), CutLines: !r.browse.View.Wrapped(), History: r.line.History(),
		Theme: r.preferences.chosen, ThemeOver: r.preferences.over, ScreenOver: r.preferences.last.screen(),
		Index: r.edits.Indexes.Answer(), Filter: r.browse.Tree.Filter(),
	}
	if r.changes != nil {
		s.Changes = r.changes.Revisions().Filter()
	}
	for _, p := range r.browse.View.Spots() {
		s.Places = append(s.Places, session.Place{Path: p.Path, Top: p.Top, Line: p.Line})
	}
	return s
}

// arrange arranges for a write after the user did something; no timer runs otherwise.
func (r *remembered) arrange(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseMsg:
	default:
		return nil
	}
	if r.keeper == nil && r.arrangement == nil || r.due {
		return nil
	}
	r.due = true
	return tea.Tick(rememberAfter, func(time.Time) tea.Msg { return rememberMsg{} })
}

// write writes what changed, in a job.
func (r *remembered) write() tea.Cmd {
	r.due = false
	save := r.changed()
	if save == nil {
		return nil
	}
	log := r.log
	return ui.Start(r.env.Jobs, ui.Job[struct{}]{
		Owner: ownerRemember, Label: labelRemember,
		Work: func(context.Context, *ui.Progress) (none struct{}, _ error) {
			if err := save(); err != nil {
				log.Warn("can't save the layout", "error", err)
			}
			return none, nil
		},
	})
}

// changed returns what saves the changes since the last time; nil: there are none.
func (r *remembered) changed() func() error {
	saveList := r.arrangement.changed()
	s := r.state()
	if r.keeper == nil || reflect.DeepEqual(s, r.last) {
		return saveList
	}
	r.last = s
	s.Looked = r.env.Now().Unix()
	keeper := r.keeper
	return func() error {
		err := keeper.Save(s)
		if saveList != nil {
			err = errors.Join(err, saveList())
		}
		return err
	}
}

// arrangedStores is how the list of stores is arranged, which outlasts the program. It is one for all stores that are opened in a run.
type arrangedStores struct {
	screen *stores.Screen
	folder string // in which it is remembered
	last   stores.Memory
	purged int64             // when the last purge was as the list was loaded
	secret func(string) bool // whether a filter holds a secret; nil: no one knows
}

// newArrangedStores arranges the list as it was in the run before; nil: nothing is remembered.
func newArrangedStores(screen *stores.Screen, folder string) *arrangedStores {
	if folder == "" {
		return nil
	}
	screen.Restore(stores.Memory(session.LoadList(folder)))
	return &arrangedStores{screen: screen, folder: folder, last: screen.Memory(), purged: statedir.LastPurge(folder)}
}

// changed returns what saves the arrangement if it changed since the last time, else nil.
func (a *arrangedStores) changed() func() error {
	if a == nil {
		return nil
	}
	list, folder := a.screen.Memory(), a.folder
	if reflect.DeepEqual(list, a.last) {
		return nil
	}
	a.last = list
	purged, secret := a.purged, a.secret
	return func() error {
		if statedir.LastPurge(folder) != purged && session.LoadList(folder).Filter != list.Filter ||
			list.Filter != "" && secret != nil && secret(list.Filter) {
			list.Filter = ""
		}
		return session.SaveList(folder, session.List(list))
	}
}

// leave writes the layout at the end of the program, when no more messages are handled.
func (r *remembered) leave() {
	if r.keeper == nil {
		return
	}
	s := r.state()
	s.Looked = r.env.Now().Unix()
	if err := r.keeper.Save(s); err != nil {
		r.log.Warn("can't save the layout", "error", err)
	}
}

// forgotten is what remains of the remembered lines and places.
type forgotten struct {
	state session.State
	kept  bool // state is valid
}

// forget drops the remembered lines and places that a purge removed.
func (r *remembered) forget() tea.Cmd {
	log, keeper, state, now := r.log, r.keeper, r.state(), r.env.Now().Unix()
	return ui.Start(r.env.Jobs, ui.Job[forgotten]{
		Owner: ownerForget, Label: labelRemember,
		Work: func(context.Context, *ui.Progress) (out forgotten, _ error) {
			defer disk.FreeMemory()
			if keeper == nil {
				return out, nil
			}
			var err error
			state.Looked = now
			out.state, err = keeper.Purged(state)
			if out.kept = err == nil; err != nil {
				log.Warn("can't clean the saved layouts", "error", err)
			}
			return out, nil
		},
		Done: func(out forgotten) tea.Cmd {
			if out.kept {
				r.restorePlaces(out.state)
			}
			return nil
		},
	})
}

// followPurges lets what is remembered follow the purges of other programs; purges is how many there were.
func (r *remembered) followPurges(count func(context.Context) (int64, error), purges int64) {
	if r.keeper != nil {
		r.keeper.Watch(func() (int64, error) { return count(context.Background()) }, purges)
	}
}
