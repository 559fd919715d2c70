package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memcurator/keymap"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/memstore/search"
	"memcurator/render/loadlimit"
)

// listedRow is a row of the list of stores, age before the clock of the driver.
func listedRow(path, agent, project string, files int, bytes int64, age time.Duration) FoundStore {
	at := time.Time{}
	if files > 0 {
		at = time.Date(2026, 11, 21, 12, 4, 11, 0, time.UTC).Add(-age)
	}
	return FoundStore{Real: path, Row: overview.RowOf(discover.Found{
		Path: path, Kind: discover.KindDir, Agent: agent, Project: project, Files: files, Bytes: bytes, Newest: at,
	})}
}

// machine are the stores of a machine.
func machine() []FoundStore {
	day := 24 * time.Hour
	rows := []FoundStore{
		listedRow("/home/ann/.claude/projects/-home-ann-src-ferrybook/memory", "Claude Code", "ferrybook", 14, 31_900, 2*time.Minute),
		listedRow("/home/ann/.claude/projects/-home-ann-src-tide-tables/memory", "Claude Code", "tide-tables", 6, 10_030, 2*day),
		listedRow("/home/ann/.claude/projects/-home-ann-src-old-ferry/memory", "Claude Code", "old-ferry", 9, 12_400, 99*day),
		listedRow("/home/ann/.codex/memories", "Codex", "user, all projects", 22, 49_100, day),
		listedRow("/home/ann/.config/Code/User/globalStorage/github.copilot-chat/memory-tool/memories", "VS Code", "user", 5, 7_900, 13*day),
		listedRow("/home/ann/agent/memories", "memory tool", "", 19, 24_500, 10*time.Second),
		listedRow("/home/ann/none/memories", "memory tool", "", 0, 0, 0),
		listedRow("/home/ann/wide/\x1b[31m\u65e5\u672c\u202e"+strings.Repeat("x", 300)+"/memory", "Gemini CLI", "", 20_000, 1<<30, 400*day),
	}
	for i, name := range []string{"ferrybook", "tide-tables", "old-ferry"} {
		rows[i].Root = "/home/ann/src/" + name
	}
	rows[2].Row.Found.Stranded = true
	rows[5].Name = "agent"
	rows[7].More = true
	for i, row := range rows {
		rows[i].Row = overview.RowOf(row.Found)
		rows[i].Done = true
	}
	number := func(n int) *int { return &n }
	gauge := func(lines, limit int64) *overview.Load {
		have := loadlimit.Extent{Lines: lines, Bytes: 40 * lines, Chars: 40 * lines, Tokens: 10 * lines}
		return &overview.Load{Given: have, Gauge: loadlimit.Gauge{Have: have, Limit: loadlimit.Extent{Lines: limit}}}
	}
	rows[0].Unread, rows[0].Due, rows[0].Secrets, rows[0].Start = number(17), number(4), number(1), gauge(141, 200)
	rows[1].Start = gauge(38, 200)
	rows[2].Due, rows[2].Start = number(9), gauge(185, 200)
	rows[3].Unread, rows[3].Start = number(0), gauge(460, 0)
	rows[4].Unread, rows[4].Start = number(140), gauge(212, 200)
	rows[4].State = overview.OverLimit
	rows[6].Problems, rows[6].State = []string{"The journal is damaged"}, overview.Damaged
	return append(rows, FoundStore{Row: overview.RowOf(discover.Found{Name: "gone", Path: "/home/ann/gone", Missing: true})})
}

// fakeStores are stores of a machine. A function that is nil finds nothing.
type fakeStores struct {
	list   func(context.Context, func(FoundStore)) error
	search func(context.Context, []FoundStore, *search.Matcher, func(Searched)) error
	open   func(context.Context, StoreChoice) (Opened, error)
}

func (f *fakeStores) Title(path string) string { return strings.Replace(path, "/home/ann", "~", 1) }

func (f *fakeStores) Open(ctx context.Context, c StoreChoice) (Opened, error) { return f.open(ctx, c) }

func (f *fakeStores) List(ctx context.Context, report func(FoundStore)) error {
	return f.list(ctx, report)
}

func (f *fakeStores) Search(ctx context.Context, rows []FoundStore, m *search.Matcher, report func(Searched)) error {
	return f.search(ctx, rows, m, report)
}

// fake are the stores of a list.
func (s *Stores) fake() *fakeStores { return s.Source.(*fakeStores) }

// listed lists those of machine, and opens none.
func listed() *Stores {
	return &Stores{
		Source: &fakeStores{
			list: func(_ context.Context, report func(FoundStore)) error {
				for _, row := range machine() {
					report(row)
				}
				return nil
			},
			search: func(_ context.Context, rows []FoundStore, m *search.Matcher, report func(Searched)) error {
				for i, row := range rows[:3] {
					s := Searched{Store: row.Path}
					switch i {
					case 0:
						s.Problem = "Can't search 1 file"
					case 1:
						s.Found = 40
						for line := range 3 {
							s.Matches = append(s.Matches, StoreMatch{
								Path: "/memories/projects/timetable.md", Line: line + 7, Text: "\tthe ferry leaves \x1b[31m" + strings.Repeat("late ", 40),
							})
						}
						s.Matches = append(s.Matches, StoreMatch{Path: "/memories/ferry.md"})
					}
					report(s)
				}
				return nil
			},
			open: func(_ context.Context, c StoreChoice) (Opened, error) {
				return Opened{}, errors.New("Can't read " + c.Path + ": permission denied")
			},
		},
	}
}

func TestGoldenStores(t *testing.T) {
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: listed()})
	d.sees("ferrybook")
	d.press("j")
	d.goldens("stores")
	d.resize(120, 35)
	d.press("o")
	d.sees("by agent")
	d.golden("stores-agents-120x35")
}

// f5 finds the stores that appeared, and drops those that vanished.
func TestStoresComeAndGo(t *testing.T) {
	s := listed()
	var lists atomic.Int32
	s.fake().list = func(_ context.Context, report func(FoundStore)) error {
		rows := machine()
		if lists.Add(1) > 1 {
			rows[6].Problem = "Expected a folder, found a file" // no longer an empty store
			rows = append(rows[1:], listedRow("/home/ann/new", "Codex", "appeared", 3, 10, 0))
		}
		for _, row := range rows {
			report(row)
		}
		return nil
	}
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
	d.sees("ferrybook")
	d.press("f5")
	d.sees("appeared")
	d.sees("9 stores")
	d.sees("memory tool  user")
	d.lacks("ferrybook")
}

// A first start without any memory says what to do next.
func TestGoldenNoStores(t *testing.T) {
	s := listed()
	s.fake().list = func(context.Context, func(FoundStore)) error { return nil }
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
	d.sees("memcurator demo")
	d.goldens("stores-none")
}

// Without a store, the screens that need one say so.
func TestNoStoreIsOpen(t *testing.T) {
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: listed()})
	d.sees("ferrybook")
	for _, key := range []string{"1", "2", "3", "5", "6"} {
		d.press(key)
		d.sees("No store is open. 0 lists them, enter opens one")
		if !d.m.stage.shows(keymap.ScreenStores) {
			t.Fatalf("%s leads elsewhere:\n%s", key, d.screen())
		}
	}
	d.press("4")
	d.sees("transcripts")
	d.press("esc")
	d.sees("stores on this machine")
	for _, key := range []string{"esc", "e", "d", "u", "S", "F", "L", "a", ".", "t", "V", "x", "esc", "i", "esc", "M", "esc", "?", "esc", "tab", "j", "h", "w", "z"} {
		d.press(key)
	}
	if !d.m.stage.shows(keymap.ScreenStores) {
		t.Fatalf("elsewhere:\n%s", d.screen())
	}
}

func TestAStoreThatDoesNotOpen(t *testing.T) {
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: listed()})
	d.sees("ferrybook")
	d.press("enter")
	d.sees("Can't read /home/ann/agent/memories: permission denied")
	d.press("j")
	d.sees("stores on this machine")
	d.press("f")
	d.types("gone")
	d.press("enter", "enter")
	d.sees("Can't read /home/ann/gone: permission denied")
}

// switching is a driver with two stores and the list of them.
func switching(t *testing.T) (d *driver, ferry, tides string) {
	ferry = files(t, map[string]string{"alpha.md": "first line of alpha\n", "beta.md": "first line of beta\n"})
	tides = files(t, map[string]string{"gamma.md": "first line of gamma\n"})
	rows := []FoundStore{listedRow(ferry, "Claude Code", "ferry", 2, 40, time.Hour), listedRow(tides, "Codex", "tides", 1, 20, 2*time.Hour)}
	s := listed()
	s.fake().list = func(_ context.Context, report func(FoundStore)) error {
		for _, row := range rows {
			report(row)
		}
		return nil
	}
	states := map[string]string{ferry: t.TempDir(), tides: t.TempDir()}
	s.fake().open = func(ctx context.Context, c StoreChoice) (Opened, error) {
		if _, err := os.Stat(c.Path); err != nil {
			return Opened{}, errors.New("No directory " + c.Path)
		}
		return d.open(ctx, setup{dir: c.Path, theme: dark, journal: states[c.Path], state: states[c.Path]}), nil
	}
	d = &driver{}
	*d = *start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
	d.sees("ferry")
	return d, ferry, tides
}

// A store that is left and opened again is as it was, with the note under the cursor. Writes that were under way are done.
func TestSwitchingStores(t *testing.T) {
	d, ferry, _ := switching(t)
	d.press("enter")
	d.sees("alpha.md")
	first := d.m
	d.press("j", "j")
	d.press("f")
	d.types("beta")
	d.press("enter", "0")
	d.sees("stores on this machine")
	if d.press("enter"); d.m != first || !d.m.stage.shows(keymap.ScreenBrowse) {
		t.Fatalf("enter does not go back:\n%s", d.screen())
	}
	d.press("2", "0", "esc")
	if !d.m.stage.shows(keymap.ScreenChanges) {
		t.Fatalf("esc does not go back:\n%s", d.screen())
	}
	d.press("0", "j", "enter")
	d.sees("gamma.md")
	if d.m == first {
		t.Fatal("the same interface for another store")
	}
	writeText(t, filepath.Join(ferry, "beta-2.md"), "x\n")
	// Nothing that the previous store still reports arrives.
	d.take(visitMsg{&visit{model: first}, tickMsg{}})
	d.press("0", "k", "enter")
	d.sees("beta-2.md")
	if selected, _ := d.m.browse.Tree.Selected(); selected != "/memories/beta.md" {
		t.Errorf("the cursor is on %s", selected)
	}
	d.press("M")
	d.sees("Messages")
}

// esc ends the opening of a store that does not answer, and the list stays usable meanwhile.
func TestOpeningStops(t *testing.T) {
	s := listed()
	ended := make(chan struct{})
	s.fake().open = func(ctx context.Context, c StoreChoice) (Opened, error) {
		<-ctx.Done()
		close(ended)
		return Opened{}, ctx.Err()
	}
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
	d.sees("ferrybook")
	d.take(keyPress("enter"))
	d.take(keyPress("j"))
	if !strings.Contains(d.screen(), "opening ~/agent/memories: esc stop") {
		t.Fatalf("screen:\n%s", d.screen())
	}
	d.press("esc")
	<-ended
	d.sees("Stopped opening ~/agent/memories")
	d.press("k", "j")
	d.sees("stores on this machine")
}

// A filter finds the stores that need the user, and the order by need puts them first.
func TestStoresThatNeedTheUser(t *testing.T) {
	rows := machine()
	rows[5].State = overview.NotLoaded
	s := listed()
	s.fake().list = func(_ context.Context, report func(FoundStore)) error {
		for _, row := range rows {
			report(row)
		}
		return nil
	}
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
	for term, want := range map[string]string{"stranded": "old-ferry", "over": "12 lines cut", "unread ferrybook": "ferrybook"} {
		d.press("f")
		d.types("is:" + term)
		d.press("enter")
		d.sees(want)
		d.sees("1 of 9")
		d.press("esc")
	}
	d.press("f")
	d.types("is:due")
	d.sees("2 of 9")
	d.press("esc", "f")
	d.types("is:lost")
	d.press("enter")
	d.sees("is:lost is not a filter term")
	d.press("esc", "esc")
	d.press("f")
	d.types("is:not-loaded")
	d.press("enter")
	d.sees("1 of 9")
}
