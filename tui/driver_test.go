package tui

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/load"
	"memcurator/memstore/memtest"
	"memcurator/memstore/policy"
	"memcurator/memstore/watch"
	"memcurator/render/theme"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
	"memcurator/tui/timeline"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

func TestMain(m *testing.M) { os.Exit(memtest.RunWaiting(m)) }

// patience is how long a test waits for something that must happen; a slow
// machine only makes it wait, never fail early.
var patience = flag.Duration("patience", time.Minute, "how long a test waits for what it expects on the screen")

// screenSizes are those at which a screen is drawn in tests: a usual one, a small one, and the smallest that shows all it has to.
var screenSizes = []struct {
	w, h int
	name string
}{{120, 35, "120x35"}, {80, 24, "80x24"}, {40, 12, "40x12"}}

// driver runs the model without a terminal: messages go in, commands are carried out,
// the screen comes out. Keys are followed by a wait for rest, never by a sleep.
type driver struct {
	t        testing.TB
	m        *Model
	w        *switcher // nil: only m
	dir      string
	agent    *memstore.Store // an agent in the same process, recorded by the watch
	messages chan tea.Msg
	running  int            // commands that will end
	clip     string         // what was copied last
	rang     bool           // the bell
	waiting  []waited       // for a time that passes when the test says so
	edited   bool           // something was changed that the tree may not show yet
	owned    bool           // dir is the file of another program
	stirred  bool           // a command was run since the last rest
	checked  map[string]int // rows that were found good, at this width
	quit     bool
}

// waited is a message that was put off.
type waited struct {
	after time.Duration
	msg   tea.Msg
}

type setup struct {
	dir      string
	w, h     int
	theme    theme.Options
	readOnly bool
	dialect  memstore.Dialect
	state    string // folder for the remembered layout
	prefer   Preferences
	emptied  string
	journal  string // state folder of a journal; "": it ends with the test
	titles   func(context.Context, []string) map[string]string
	grouped  bool // the Changes screen lists sessions, as it does for a user
	summary  bool // begin with what changed since the user looked last
	looked   time.Time
	rule     load.Rule // what the agent loads
	session  bool      // what the journal in memory records can be undone
	scrub    *Scrubbing
	rules    string // the configuration, in TOML

	transcripts *TranscriptPlaces // nil: nowhere
	stores      *Stores           // nil: no list of stores
	storeless   bool              // begin without a store
	late        time.Duration     // how much later than without it the clock is
}

// start opens the user interface on a directory and waits until the watch is live.
func start(t testing.TB, s setup) *driver {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	d := &driver{t: t, dir: s.dir, messages: make(chan tea.Msg, 1024)}
	o := d.open(ctx, s)
	begin := func() {
		d.m = New(ctx, o.Options)
		d.run(d.m.Init())
	}
	if s.stores != nil {
		begin = func() {
			d.w = newSwitcher(ctx, o, s.stores)
			d.m = d.w.now.model
			d.run(d.w.Init())
		}
	}
	begin()
	if m := d.m; m.changes != nil && !s.grouped {
		m.changes.Revisions().SetOrder(timeline.ByTime)
	}
	t.Cleanup(func() {
		cancel()
		d.m.Close()
		o.Close()
	})
	d.resize(s.w, s.h)
	d.until("the watch is live, and it is known what was recorded before", func() bool {
		return (d.m.feed == nil || d.m.feed.Begun()) && (d.m.store.Watched == watch.Live || s.storeless) && d.m.store.Snapshot != nil && d.m.store.Snapshot.Complete
	})
	d.rest()
	return d
}

// open opens the store of a setup for the interface.
func (d *driver) open(ctx context.Context, s setup) Opened {
	t := d.t
	t.Helper()
	backend := memstore.NewMemory()
	if !s.storeless {
		var err error
		if backend, err = openStore(s.dir); err != nil {
			t.Fatal(err)
		}
		_, d.owned = backend.(memstore.Adapted)
	}
	clock := func() time.Time { return time.Date(2026, 11, 21, 12, 4, 11, 0, time.UTC).Add(s.late) }
	plain := memstore.New(backend, memstore.Options{Dialect: s.dialect})
	j := openJournal(t, s, backend, clock)
	w, err := watch.Start(ctx, plain, watch.Options{Sync: j.Sync})
	if err != nil {
		t.Fatal(err)
	}
	recorders := []memstore.Recorder{j, w}
	recorded := func(o memstore.Origin, readOnly bool) *memstore.Store {
		return memstore.New(backend, memstore.Options{Dialect: s.dialect, Origin: o, Recorders: recorders, ReadOnly: readOnly, Now: clock})
	}
	d.agent = recorded(memstore.Origin{Actor: memstore.Agent}, false)
	rules := rulesOf(t, s)
	return Opened{Path: s.dir, Real: s.dir, Options: Options{
		Handlers: recorded(memstore.Origin{Actor: memstore.Curator}, s.readOnly), Watch: w, Unlinked: s.storeless,
		Title: "~/agent/memories", ReadOnly: s.readOnly, Theme: s.theme, StateDir: s.state, CopyDir: cmp.Or(s.state, t.TempDir()), Journal: j, Session: s.session, Now: clock,
		Rules: rules, Config: configOf(t, s), Preferences: s.prefer, Emptied: s.emptied, Scrub: s.scrub, After: d.putOff, Transcripts: s.transcripts,
		Summary: s.summary, Looked: s.looked, Titles: s.titles, Plan: policy.Input{Load: func() load.Rule { return s.rule }},
	}, Close: func() {
		_ = w.Close()
		_ = j.Close()
		_ = backend.Close()
	}}
}

// browse is the Browse screen of the moment that is shown.
func (d *driver) browse() *browse.Screen { return d.m.browse }

// tab is one of its tabs.
func (d *driver) tab(t browse.TabName) kit.Tab { return d.browse().Tabs.InOrder()[1+int(t)] }

// putOff keeps a message until [driver.passes].
func (d *driver) putOff(after time.Duration, msg tea.Msg) tea.Cmd {
	d.waiting = append(d.waiting, waited{after, msg})
	return nil
}

// passes advances the clock for delayed messages.
func (d *driver) passes(span time.Duration) {
	d.t.Helper()
	var due []tea.Msg
	d.waiting = slices.DeleteFunc(d.waiting, func(w waited) bool {
		if w.after <= span {
			due = append(due, w.msg)
		}
		return w.after <= span
	})
	for _, msg := range due {
		d.take(msg)
	}
	d.rest()
}

// openJournal opens the journal of a setup.
func openJournal(t testing.TB, s setup, b memstore.Backend, clock func() time.Time) *journal.Journal {
	t.Helper()
	o := journal.Options{Backend: b, Process: "ui", Now: clock}
	open := func() (*journal.Journal, error) { return journal.Open(s.journal, o) }
	if s.journal == "" {
		open = func() (*journal.Journal, error) { return journal.Memory(o) }
	}
	j, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// run carries out a command off the test's goroutine, as Bubble Tea does.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	d.stirred = true
	if d.w != nil || waiting.MatchString(runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()) {
		go func() {
			if msg := cmd(); msg != nil {
				d.messages <- msg
			}
		}()
		return
	}
	d.running++
	go func() { d.messages <- ended{cmd()} }()
}

// ended is the message of a command that rest waits for; nil: it had none.
type ended struct{ msg tea.Msg }

// waiting is the name of a command that waits for the outside or for a time to pass, and may never end.
// All others end by themselves.
var waiting = regexp.MustCompile(`\.waitFor|\bTick\b`)

// busy reports whether a job is under way.
func (d *driver) busy() bool { return d.m.Busy() || d.w != nil && d.w.env.Jobs.Busy() }

func (d *driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case ended:
		d.running--
		d.take(msg.msg)
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
		return
	case tea.QuitMsg:
		d.quit = true
		return
	case tea.RawMsg:
		d.rang = true
		return
	}
	if name := strings.TrimPrefix(typeName(msg), "tea."); name == "setClipboardMsg" {
		d.clip = stringOf(msg)
		return
	}
	if d.w != nil {
		_, cmd := d.w.Update(msg)
		d.m = d.w.now.model
		d.run(cmd)
		d.check()
		return
	}
	_, cmd := d.m.Update(msg)
	d.run(cmd)
	d.check()
}

// unnamedKey is the name of an action in a text that did not go through Keyed.
var unnamedKey = func() *regexp.Regexp {
	var names []string
	for _, s := range Keys().Scopes() {
		names = append(names, string(s))
	}
	return regexp.MustCompile(`\{(` + strings.Join(names, "|") + `)/[a-z-]+\}`)
}()

// check holds what must be true of every frame: exact size, nothing raw.
func (d *driver) check() {
	d.t.Helper()
	rows, cursor := d.m.frame()
	if d.m.stage.w <= 0 || d.m.stage.h <= 0 {
		return
	}
	if len(rows) != d.m.stage.h {
		d.t.Fatalf("%d rows on a screen of %d:\n%s", len(rows), d.m.stage.h, strings.Join(rows, "\n"))
	}
	for i, row := range rows {
		if d.checked[row] == d.m.stage.w {
			continue // most rows stay from one frame to the next
		}
		if w := ansi.StringWidth(row); w != d.m.stage.w {
			d.t.Fatalf("row %d is %d cells wide on a screen of %d:\n%q", i, w, d.m.stage.w, row)
		}
		if named := unnamedKey.FindString(row); named != "" {
			d.t.Fatalf("row %d holds %s instead of a key: %q", i, named, ansi.Strip(row))
		}
		for _, r := range ansi.Strip(row) {
			if r < 0x20 || r >= 0x7f && r < 0xa0 {
				d.t.Fatalf("row %d holds a raw control character %q", i, r)
			}
		}
		if d.checked == nil || len(d.checked) > 10_000 {
			d.checked = map[string]int{}
		}
		d.checked[row] = d.m.stage.w
	}
	if cursor != nil && (cursor.X < 0 || cursor.Y < 0 || cursor.X >= d.m.stage.w || cursor.Y >= d.m.stage.h) {
		d.t.Fatalf("the cursor %v is off the screen", *cursor)
	}
}

// lull is how long the feed of the watch, whose messages cannot be counted, must be silent after commands were run. A test that needs what
// another program did waits for it by name: this only keeps one that does not from being the first to look.
const lull = 10 * time.Millisecond

// rest waits until no job runs, no command that ends is under way and no message waits.
func (d *driver) rest() {
	d.t.Helper()
	deadline := time.After(*patience)
	for {
		var quiet <-chan time.Time
		if d.running == 0 && len(d.messages) == 0 && !d.busy() {
			if !d.stirred {
				return
			}
			quiet = time.After(lull)
		}
		select {
		case msg := <-d.messages:
			d.take(msg)
		case <-quiet:
			d.stirred = false
			return
		case <-deadline:
			job, _ := d.m.env.Jobs.Oldest()
			d.t.Fatalf("no rest after %v, job %q; screen:\n%s", *patience, job.Owner, d.screen())
		}
	}
}

// idle is far longer than any news takes on an idle machine.
const idle = 5 * time.Second

// until lets messages come in until cond holds.
func (d *driver) until(what string, cond func() bool) {
	d.t.Helper()
	deadline := time.After(*patience)
	for !cond() {
		select {
		case msg := <-d.messages:
			d.take(msg)
		case <-time.After(idle):
			d.passes(time.Second) // perhaps the interface itself waits, since the news came in another order than usual
		case <-deadline:
			d.t.Fatalf("waited in vain until %s; screen:\n%s\nmessages: %+v", what, d.screen(), d.m.say.log)
		}
	}
	d.rest()
}

// sees waits until the screen holds text.
func (d *driver) sees(text string) {
	d.t.Helper()
	d.until("the screen shows "+text, func() bool { return strings.Contains(d.screen(), text) })
}

// unread waits until n changes are unread, and the tab of Changes or the top bar says so.
func (d *driver) unread(n int) {
	d.t.Helper()
	d.until(fmt.Sprint(n, " are unread"), func() bool { return len(d.m.feed.Unread()) == n })
}

func (d *driver) lacks(text string) {
	d.t.Helper()
	if strings.Contains(d.screen(), text) {
		d.t.Fatalf("the screen shows %q:\n%s", text, d.screen())
	}
}

// press sends keys by their names: "j", "G", "ctrl+d", "enter".
func (d *driver) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		if len(k) > 1 && k[0] == ':' { // an action without a key
			d.command(k[1:])
			continue
		}
		d.take(keyPress(k))
		d.rest()
	}
}

// leaves ends the program: what is done to the store afterwards it does not see.
func (d *driver) leaves() {
	d.t.Helper()
	d.press("q")
	_ = d.m.options.Watch.Close() // it only looks
}

// types sends each character of text as a key.
func (d *driver) types(text string) {
	d.t.Helper()
	for _, r := range text {
		d.take(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.rest()
}

// command types a line at ":" and accepts it.
func (d *driver) command(line string) {
	d.t.Helper()
	d.press(":")
	d.types(line)
	d.press("enter")
}

func (d *driver) resize(w, h int) {
	d.t.Helper()
	d.take(tea.WindowSizeMsg{Width: w, Height: h})
	d.rest()
}

// screen is what is on the screen, without colors.
func (d *driver) screen() string {
	rows, _ := d.m.frame()
	for i := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(rows[i]), " ")
	}
	return strings.Join(rows, "\n")
}

// goldens compares the screen at each size with a file.
func (d *driver) goldens(name string) {
	d.t.Helper()
	for _, size := range screenSizes {
		d.resize(size.w, size.h)
		d.golden(name + "-" + size.name)
	}
}

// golden compares the screen with a file; -update writes it.
func (d *driver) golden(name string) {
	d.t.Helper()
	if d.edited { // the record may be quicker than the watch
		d.agrees()
	}
	file := filepath.Join("testdata", name+".golden")
	got := d.screen() + "\n"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	if got != string(want) {
		d.t.Errorf("%s differs. If that is meant: go test ./tui -update\n--- got\n%s--- want\n%s", name, got, want)
	}
}

// write changes a file as another program would, in one step: on a busy machine an empty file between two would be a change of its own.
func (d *driver) write(name, content string) {
	d.t.Helper()
	file, written := filepath.Join(d.dir, name), filepath.Join(filepath.Dir(d.dir), "written")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		d.t.Fatal(err)
	}
	writeText(d.t, written, content)
	if err := os.Rename(written, file); err != nil {
		d.t.Fatal(err)
	}
}

// arrived waits until n revisions have come since the start, and the tree shows what they are about.
func (d *driver) arrived(n int) {
	d.t.Helper()
	d.until(fmt.Sprintf("%d revisions have arrived", n), func() bool { return len(d.m.feed.Revisions()) == n })
	d.agrees()
}

// agrees waits until the listing is what is on the disk, by names, sizes and times.
func (d *driver) agrees() {
	d.t.Helper()
	d.edited = false
	d.until("the listing is what is on the disk", func() bool {
		var found []string
		if d.owned {
			return slices.Equal(d.filesIn(d.program()), d.filesIn(d.m.store.Snapshot))
		}
		err := filepath.WalkDir(d.dir, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			name, err := filepath.Rel(d.dir, file)
			found = append(found, fmt.Sprint(memstore.AgentPath(filepath.ToSlash(name)), " ", info.Size(), " ", info.ModTime().UnixNano()))
			return err
		})
		if err != nil {
			d.t.Fatal(err)
		}
		listed := d.filesIn(d.m.store.Snapshot)
		slices.Sort(found)
		slices.Sort(listed)
		return slices.Equal(found, listed)
	})
}

// program is what the file of another program has now.
func (d *driver) program() *memstore.Snapshot {
	d.t.Helper()
	s, err := memstore.New(d.agent.Backend(), memstore.Options{}).Scan(d.t.Context(), memstore.ScanOptions{})
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// filesIn are the files of a listing, with their sizes and times.
func (*driver) filesIn(s *memstore.Snapshot) (list []string) {
	s.Walk(func(name string, n *memstore.Node) bool {
		if n.Kind != memstore.KindDir {
			list = append(list, fmt.Sprint(name, " ", n.Size, " ", n.ModTime.UnixNano()))
		}
		return true
	})
	return list
}

// does runs a command as the agent.
func (d *driver) does(c memstore.Command) {
	d.t.Helper()
	d.edited = true
	if r := d.agent.Do(context.Background(), c); r.IsError {
		d.t.Fatalf("the agent's %s failed: %s", c.Name, r.Content)
	}
}

// curates is an edit of the user by other means than keys.
func (d *driver) curates(c memstore.Command) {
	d.t.Helper()
	if r := d.browse().Store.Do(context.Background(), c); r.IsError {
		d.t.Fatalf("the user's %s failed: %s", c.Name, r.Content)
	}
}

// chooses puts the cursor of the tree on a path.
func (d *driver) chooses(path string) {
	d.t.Helper()
	d.run(d.browse().Select(path, true))
	d.run(d.m.stage.focusOn(onList))
	d.rest()
}

// store copies a sample store into a fresh directory with a fixed time.
func store(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memories")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "testdata", "stores", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files makes a store of the given files.
func files(t testing.TB, contents map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memories")
	memtest.WriteFiles(t, dir, contents)
	return dir
}

func writeText(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holds compares a file on the disk.
func (d *driver) holds(name, want string) {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil || string(data) != want {
		d.t.Fatalf("%s holds %.200q, %v; want %.200q", name, data, err, want)
	}
}

func (d *driver) absent(name string) {
	d.t.Helper()
	if _, err := os.Lstat(filepath.Join(d.dir, name)); err == nil {
		d.t.Fatalf("%s is there", name)
	}
}
