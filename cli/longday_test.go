//go:build linux

package cli

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/cli/session"
)

// What steers a long day from outside. CONTRIBUTING.md says how to run it.
const (
	dayLength = "MEMCURATOR_LONGDAY"       // how long it runs; without it one world
	daySeed   = "MEMCURATOR_LONGDAY_SEED"  // the same seed makes the same decisions
	dayWorld  = "MEMCURATOR_LONGDAY_WORLD" // the world to begin with
)

// dayPatience bounds a wait for something that must come, on a machine under any load.
const dayPatience = 2 * time.Minute

// TestLongDay uses the program as a day would: many processes and programs on one store, undos and kills, each step decided
// by the seed. After each step it compares the log, the disk and the state with what was acknowledged.
func TestLongDay(t *testing.T) {
	t.Parallel()
	d := &day{t: t, binary: binary(t), seed: uint64(numberFrom(t, daySeed, 1))}
	length, err := time.ParseDuration(cmp.Or(os.Getenv(dayLength), "0"))
	must(t, err)
	first, begun := numberFrom(t, dayWorld, 0), time.Now()
	for n := first; n == first || time.Since(begun) < length && !t.Failed(); n++ {
		d.run(n)
	}
	t.Logf("seed %d: %d checks, %d kills", d.seed, d.checks, d.kills)
}

func numberFrom(t *testing.T, variable string, otherwise int) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv(variable), strconv.Itoa(otherwise)))
	must(t, err)
	return n
}

// day is one run of the harness: worlds one after the other.
type day struct {
	t      *testing.T
	binary string
	seed   uint64
	kills  int
	checks int
}

// run lives through one world: every kind of step once, in an order of the world's own.
func (d *day) run(n int) {
	w := newWorld(d, n)
	defer func() {
		for _, a := range w.agents {
			a.kill()
		}
		if d.t.Failed() {
			d.t.Logf("seed %d, world %d, %s\nthe last steps:\n%s\nkept: %s\nagain: %s=%d %s=%d go test ./cli -run LongDay",
				d.seed, n, w.now, strings.Join(w.steps[max(0, len(w.steps)-80):], "\n"), w.root, daySeed, d.seed, dayWorld, n)
			return
		}
		_ = os.RemoveAll(w.root)
	}()
	w.catchUp()
	deck := slices.Clone(dayKinds)
	w.r.Shuffle(len(deck), func(a, b int) { deck[a], deck[b] = deck[b], deck[a] })
	deck = append(deck, dayKind{"the end", (*world).stepEnd})
	for _, k := range deck {
		w.now = k.name
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", n, k.name)
		r := rand.New(rand.NewPCG(d.seed, h.Sum64()))
		k.run(w, r)
		w.check()
	}
}

// dayKind is a kind of step; what is wrong ends it by failf.
type dayKind struct {
	name string
	run  func(w *world, r *rand.Rand)
}

// dayKinds is the table of all kinds.
var dayKinds = []dayKind{
	{"exec", (*world).stepExec},
	{"mcp", (*world).stepMCP},
	{"crowd", (*world).stepCrowd},
	{"outside", (*world).stepOutside},
	{"undo", (*world).stepUndo},
	{"kill-exec", (*world).stepKillExec},
	{"kill-mcp", (*world).stepKillMCP},
	{"kill-delete", (*world).stepKillDelete},
	{"kill-restore", (*world).stepKillRestore},
}

// world is one store with its state and processes, from its beginning to its end.
type world struct {
	day   *day
	n     int
	r     *rand.Rand
	now   string   // the step under way
	steps []string // for finding the cause of a failure

	root  string
	store string
	state string // what $XDG_STATE_HOME names

	agents []*dayAgent
	book
}

// newWorld makes a store with a few files in it.
func newWorld(d *day, n int) *world {
	root, err := os.MkdirTemp("", "memcurator-longday-")
	must(d.t, err)
	w := &world{day: d, n: n, r: rand.New(rand.NewPCG(d.seed, uint64(n))), now: "the beginning", root: root, book: newBook()}
	w.store, w.state = filepath.Join(root, "memories"), filepath.Join(root, "state")
	for _, dir := range []string{w.store, w.state, filepath.Join(root, "home"), filepath.Join(root, "tmp")} {
		must(d.t, os.MkdirAll(dir, 0o700))
	}
	for i := range 6 {
		name, text := fmt.Sprintf("/memories/n/%c.md", 'a'+i), fmt.Sprintf("first %d\nEND\n", i)
		must(d.t, writeFile(w.disk(name), text))
		w.first[name] = digest(text)
	}
	return w
}

// env is the environment of every process of the world.
func (w *world) env() []string {
	home := filepath.Join(w.root, "home")
	return cleanEnv("HOME="+home, "XDG_STATE_HOME="+w.state, "XDG_CONFIG_HOME="+home, "TMPDIR="+filepath.Join(w.root, "tmp"),
		session.EnvConfig+"=")
}

// stepEnd lets every agent end, as in the evening.
func (w *world) stepEnd(*rand.Rand) { w.dismiss() }
