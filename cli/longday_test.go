//go:build linux

package cli

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// What steers a long day from outside. CONTRIBUTING.md says how to run it.
const (
	dayLength = "MEMCURATOR_LONGDAY"        // how long it runs; without it dayShort
	daySeed   = "MEMCURATOR_LONGDAY_SEED"   // the same seed makes the same decisions
	dayWorld  = "MEMCURATOR_LONGDAY_WORLD"  // one world of that seed only
	daySteps  = "MEMCURATOR_LONGDAY_STEPS"  // kinds of steps, separated by commas; without it all of them
	dayBinary = "MEMCURATOR_LONGDAY_BINARY" // another build of the program
)

const (
	// dayShort is how long it runs in "go test ./...".
	dayShort = 20 * time.Second
	// dayPatience bounds a wait for something that must come, on a machine under any load.
	dayPatience = 2 * time.Minute
	// dayFaults is after how many worlds with a fault a day ends.
	dayFaults = 5
	// dayWanted is how often each kind must succeed within an hour.
	dayWanted = 100
)

// TestLongDay uses the program as a day would: many processes and programs on one store, saves of the configuration,
// purges, moves and kills, each step decided by the seed. After each step it compares the log, the disk and
// the state with what was acknowledged.
func TestLongDay(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	var lanes sync.WaitGroup
	for range d.lanes {
		lanes.Go(func() {
			for n, ok := d.next(); ok; n, ok = d.next() {
				d.run(n)
			}
		})
	}
	lanes.Wait()
	d.report()
}

// day is one run of the harness: worlds one after the other, on each lane one at a time.
type day struct {
	t      *testing.T
	binary string
	seed   uint64
	kinds  []dayKind
	lanes  int
	only   int // the one world to run, -1: all
	begun  time.Time
	until  time.Time
	long   bool

	mu     sync.Mutex
	worlds int
	failed int
	counts map[string]*dayCount
	kills  int
	edits  int
	checks int
	usual  map[string]time.Duration // how long a process of a kind took that was not killed
}

// dayOutcome is how a step ended, where nothing was wrong.
type dayOutcome int

const (
	dayOK      dayOutcome = iota
	dayRefused            // the program refused it with a sentence
	daySkipped            // the machine, or the state of the world, lacks what the step needs
	dayKilled             // it was killed as it should be, and what it left was sound
	dayFaulty             // something was wrong; the world ends
)

type dayCount struct {
	tried int
	by    [5]int
	why   map[string]int
	took  time.Duration
}

func newDay(t *testing.T) *day {
	d := &day{
		t: t, seed: 1, only: -1, lanes: 1, until: time.Now().Add(dayShort), begun: time.Now(),
		counts: map[string]*dayCount{}, usual: map[string]time.Duration{},
	}
	if text := os.Getenv(dayLength); text != "" {
		length, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("%s: %v", dayLength, err)
		}
		d.until, d.long, d.lanes, d.seed = d.begun.Add(length), true, 2, uint64(d.begun.UnixNano()%1e9)
	}
	number := func(name string, to func(int)) {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			to(n)
		}
	}
	number(daySeed, func(n int) { d.seed = uint64(n) })
	number(dayWorld, func(n int) { d.only, d.lanes = n, 1 })
	d.kinds = chosenKinds(t, os.Getenv(daySteps))
	if d.binary = os.Getenv(dayBinary); d.binary == "" {
		d.binary = binary(t)
	}
	return d
}

// chosenKinds are the kinds that are named, or all.
func chosenKinds(t *testing.T, names string) []dayKind {
	var out []dayKind
	for _, k := range dayKinds {
		if names == "" || slices.Contains(strings.Split(names, ","), k.name) {
			out = append(out, k)
		}
	}
	if names != "" && len(out) != len(strings.Split(names, ",")) {
		t.Fatalf("%s: there is a kind in %q that does not exist", daySteps, names)
	}
	return out
}

// next is the number of the next world to run; there is none when the time is over or too much has failed.
func (d *day) next() (int, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed >= dayFaults || d.worlds > 0 && (d.only >= 0 || d.over()) {
		return 0, false
	}
	d.worlds++
	if d.only >= 0 {
		return d.only, true
	}
	return d.worlds - 1, true
}

// over reports whether the time has come to end; a world that was asked for by its number runs to its end.
func (d *day) over() bool { return d.only < 0 && time.Now().After(d.until) }

// run lives through one world: every kind that is on once, in an order of the world's own.
func (d *day) run(n int) {
	w, err := newWorld(d, n)
	if err != nil {
		d.t.Errorf("world %d: %v", n, err)
		return
	}
	kept := false
	defer func() {
		w.close()
		if !kept {
			_ = os.RemoveAll(w.root)
		}
	}()
	deck := slices.Clone(dayKinds)
	w.r.Shuffle(len(deck), func(a, b int) { deck[a], deck[b] = deck[b], deck[a] })
	// Leaving kinds out leaves the order of the others.
	deck = slices.DeleteFunc(deck, func(k dayKind) bool {
		return !slices.ContainsFunc(d.kinds, func(on dayKind) bool { return on.name == k.name })
	})
	for i, k := range deck {
		if d.over() {
			break
		}
		begun := time.Now()
		out, why, fault := w.step(k)
		if fault != nil {
			out, why = dayFaulty, ""
		}
		d.count(k.name, out, why, time.Since(begun))
		if fault == nil && (i == len(deck)-1 || d.over()) {
			fault = w.guarded(w.end)
		}
		if fault != nil {
			kept = true
			d.fail(w, fault)
			return
		}
	}
}

func (d *day) count(kind string, out dayOutcome, why string, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.counts[kind]
	if c == nil {
		c = &dayCount{why: map[string]int{}}
		d.counts[kind] = c
	}
	c.tried++
	c.by[out]++
	c.took += took
	if why != "" {
		c.why[why]++
	}
}

// fail reports a fault in a way that can be reproduced, and keeps the store and the state folder.
func (d *day) fail(w *world, fault error) {
	d.mu.Lock()
	d.failed++
	d.mu.Unlock()
	names := make([]string, 0, len(d.kinds))
	for _, k := range d.kinds {
		names = append(names, k.name)
	}
	d.t.Errorf("seed %d, world %d, %s: %v\nthe last steps:\n%s\nkept: %s\nagain: %s=%d %s=%d %s=%s go test ./cli -run LongDay",
		d.seed, w.n, w.now, fault, strings.Join(w.steps[max(0, len(w.steps)-80):], "\n"), w.root,
		daySeed, d.seed, dayWorld, w.n, daySteps, strings.Join(names, ","))
}

// report prints the steps, one kind a line; in a run of an hour each kind must have succeeded often enough.
func (d *day) report() {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %6s %6s %8s %8s %7s %7s %8s\n", "kind", "tried", "ok", "refused", "skipped", "killed", "faults", "mean")
	for _, k := range dayKinds {
		c := d.counts[k.name]
		if c == nil {
			continue
		}
		fmt.Fprintf(&b, "%-16s %6d %6d %8d %8d %7d %7d %8s\n", k.name, c.tried, c.by[dayOK], c.by[dayRefused], c.by[daySkipped],
			c.by[dayKilled], c.by[dayFaulty],
			(c.took / time.Duration(c.tried)).Round(time.Millisecond))
		for _, why := range sortedByCount(c.why) {
			fmt.Fprintf(&b, "%16s %d: %s\n", "", c.why[why], why)
		}
		enough := c.by[dayOK]+c.by[dayKilled] >= dayWanted
		if skipped := c.by[daySkipped] == c.tried; !enough && !skipped && time.Since(d.begun) >= time.Hour {
			d.t.Errorf("%s succeeded %d times in %v, not %d", k.name, c.by[dayOK]+c.by[dayKilled], time.Since(d.begun).Round(time.Second), dayWanted)
		}
	}
	d.t.Logf("%d worlds, %d steps checked, %d kills, %d edits, %.1f minutes, seed %d, %d with a fault\n%s",
		d.worlds, d.checks, d.kills, d.edits, time.Since(d.begun).Minutes(), d.seed, d.failed, b.String())
}

// sortedByCount are the reasons, the most frequent first, ten at most.
func sortedByCount(why map[string]int) []string {
	var out []string
	for text := range why {
		out = append(out, text)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(why[b], why[a]), strings.Compare(a, b)) })
	return out[:min(len(out), 10)]
}

// world is one store with its state, configuration and processes, from its beginning to its end.
type world struct {
	day   *day
	n     int
	r     *rand.Rand
	now   string   // the step under way
	steps []string // for finding the cause of a failure

	root   string
	store  string // where it is now
	config string // the file
	named  bool   // every process gets --config; otherwise the file is in the default place, and may be missing
	state  string // what $XDG_STATE_HOME names
	mounts []string

	agents []*dayAgent
	screen *dayScreen
	book
}

// newWorld makes a store with a few files in it, some of which agents must not change.
func newWorld(d *day, n int) (*world, error) {
	root, err := os.MkdirTemp(temporary, "memcurator-longday-")
	if err != nil {
		return nil, err
	}
	w := &world{day: d, n: n, r: rand.New(rand.NewPCG(d.seed, uint64(n))), root: root, book: newBook()}
	w.store, w.config, w.state = filepath.Join(root, "a", "memories"), filepath.Join(root, "config", "config.toml"),
		filepath.Join(root, "state")
	if w.named = n%2 == 0; !w.named {
		w.config = filepath.Join(root, "home", "memcurator", "config.toml")
	}
	for _, dir := range []string{w.store, filepath.Dir(w.config), w.state, filepath.Join(root, "home"), filepath.Join(root, "tmp"),
		filepath.Join(root, "given")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(w.config, []byte(dayRules), 0o600); err != nil {
		return nil, err
	}
	for i := range 6 {
		w.plant(fmt.Sprintf("n/%c.md", 'a'+i), fmt.Sprintf("first %d\nEND\n", i))
	}
	for i := range 2 {
		w.plant(fmt.Sprintf("locked/%c.md", 'a'+i), fmt.Sprintf("locked %d\nEND\n", i))
	}
	// A program that the user runs saves the rules a while before the day begins.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(w.config, old, old); err != nil {
		return nil, err
	}
	w.now = "the beginning"
	return w, w.guarded(w.catchUp)
}

// plant puts a file into the store before the journal begins.
func (w *world) plant(name, text string) {
	file := filepath.Join(w.store, filepath.FromSlash(name))
	if os.MkdirAll(filepath.Dir(file), 0o700) == nil && os.WriteFile(file, []byte(text), 0o600) == nil {
		w.first["/memories/"+name] = digest(text)
	}
}

// close ends every process and mount of the world, whatever state they are in.
func (w *world) close() {
	for _, a := range w.agents {
		a.kill()
	}
	if w.screen != nil {
		w.screen.kill()
	}
	for _, at := range w.mounts {
		unmount(at)
	}
	w.day.mu.Lock()
	defer w.day.mu.Unlock()
	for _, e := range w.edits {
		if e.state == dayDone && e.command.writes() {
			w.day.edits++
		}
	}
}
