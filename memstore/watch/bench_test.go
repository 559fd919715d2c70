package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
)

// The benchmarks measure goal 9 beside its peer, turn about in one run: only
// the ratios mean anything.

func openBench(b *testing.B, dir string) *memstore.Store {
	b.Helper()
	s, err := memstore.Open(dir, memstore.Options{Workers: runtime.NumCPU()})
	must(b, err)
	return s
}

// waitLive reads updates until the state is Live.
func waitLive(b *testing.B, w *Watcher) {
	b.Helper()
	deadline := time.After(patience)
	for {
		select {
		case u := <-w.Updates():
			if u.State != Loading {
				return
			}
		case <-deadline:
			b.Fatal("the watch does not come alive")
		}
	}
}

// BenchmarkSetup watches 10,000 folders, beside a bare walk with an Add for
// each (goal: at most 1.5 times that).
func BenchmarkSetup(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		for j := range 100 {
			mkdir(b, filepath.Join(dir, fmt.Sprintf("d%02d", i), fmt.Sprintf("e%02d", j)))
		}
	}
	var ours, bare time.Duration
	for b.Loop() {
		start := time.Now()
		store := openBench(b, dir)
		w, err := Start(context.Background(), store, Options{})
		must(b, err)
		waitLive(b, w)
		ours += time.Since(start)
		w.Close()
		store.Close()

		start = time.Now()
		f, err := fsnotify.NewWatcher()
		must(b, err)
		must(b, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = f.Add(path)
			}
			return err
		}))
		bare += time.Since(start)
		f.Close()
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "watch-ms")
	b.ReportMetric(float64(bare.Milliseconds())/float64(b.N), "bare-ms")
	b.ReportMetric(float64(ours)/float64(bare), "x-bare")
}

// BenchmarkLatency writes 1,000 times a second, first a second with a bare fsnotify,
// then one with the watcher, and compares the time from the write to the event
// with that to the model (goal: p99 at most 3 times).
func BenchmarkLatency(b *testing.B) {
	const edits = 1000
	var ours, bare []time.Duration
	for b.Loop() {
		bare = append(bare, bareLatency(b, edits)...)
		ours = append(ours, modelLatency(b, edits)...)
	}
	report := func(name string, all []time.Duration) time.Duration {
		slices.Sort(all)
		p99 := all[len(all)*99/100]
		b.ReportMetric(float64(all[len(all)/2].Microseconds()), name+"-p50-us")
		b.ReportMetric(float64(p99.Microseconds()), name+"-p99-us")
		return p99
	}
	b.ReportMetric(float64(report("model", ours))/float64(report("bare", bare)), "x-bare-p99")
}

// pace calls edit n times, a millisecond apart, each for another of 50 files.
func pace(b *testing.B, dir string, n int, edit func(i int, path string)) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for i := range n {
		<-tick.C
		edit(i, filepath.Join(dir, fmt.Sprintf("f%02d.md", i%50)))
	}
}

func makeFiles(b *testing.B, dir string) {
	for i := range 50 {
		must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d.md", i)), []byte("start\n"), 0o600))
	}
}

func appendLine(b *testing.B, path string) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must(b, err)
	_, err = f.WriteString("one more line\n")
	must(b, err)
	must(b, f.Close())
}

func bareLatency(b *testing.B, n int) []time.Duration {
	dir := b.TempDir()
	makeFiles(b, dir)
	f, err := fsnotify.NewWatcher()
	must(b, err)
	defer f.Close()
	must(b, f.Add(dir))
	seen := make(chan time.Time, 1)
	go func() {
		for range f.Events {
			seen <- time.Now()
		}
	}()
	return measure(b, dir, n, seen)
}

func modelLatency(b *testing.B, n int) []time.Duration {
	dir := b.TempDir()
	makeFiles(b, dir)
	store := openBench(b, dir)
	defer store.Close()
	seen := make(chan time.Time, 1)
	w, err := Start(context.Background(), store, Options{onModel: func(string) { seen <- time.Now() }})
	must(b, err)
	defer w.Close()
	waitLive(b, w)
	done := make(chan struct{})
	defer close(done)
	go func() { // the reader that a UI is
		for {
			select {
			case <-w.Updates():
			case <-done:
				return
			}
		}
	}()
	return measure(b, dir, n, seen)
}

// measure takes the time from each edit to the one sign of it.
func measure(b *testing.B, dir string, n int, seen <-chan time.Time) []time.Duration {
	out := make([]time.Duration, 0, n)
	pace(b, dir, n, func(_ int, path string) {
		start := time.Now()
		appendLine(b, path)
		out = append(out, (<-seen).Sub(start))
	})
	return out
}

// BenchmarkBurst makes 50,000 files while events are lost on purpose, and
// compares the time from the last of them to a model that equals the disk with that of a
// listing (goal: at most 3 times).
func BenchmarkBurst(b *testing.B) {
	const files = 50_000
	var ours, listing time.Duration
	for b.Loop() {
		dir := b.TempDir()
		store := openBench(b, dir)
		w, err := Start(context.Background(), store, Options{queue: 1000})
		must(b, err)
		waitLive(b, w)
		for i := range files {
			must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%05d.md", i)), []byte("x"), 0o600))
		}
		start := time.Now()
		for w.Snapshot().Root.Files != files {
			<-w.Updates()
		}
		ours += time.Since(start)
		w.Close()
		start = time.Now()
		list, err := store.Scan(context.Background(), nil)
		must(b, err)
		listing += time.Since(start)
		if list.Root.Files != files {
			b.Fatal(list.Root.Files)
		}
		store.Close()
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "recovery-ms")
	b.ReportMetric(float64(listing.Milliseconds())/float64(b.N), "listing-ms")
	b.ReportMetric(float64(ours)/float64(listing), "x-listing")
}

// BenchmarkPoll polls 10,000 files in 100 folders, beside a listing of them, and
// reports what share of a core that is at the resulting pace.
func BenchmarkPoll(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		sub := filepath.Join(dir, fmt.Sprintf("d%02d", i))
		mkdir(b, sub)
		for j := range 100 {
			must(b, os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%02d.md", j)), []byte("x"), 0o600))
		}
	}
	store := openBench(b, dir)
	defer store.Close()
	tree, err := store.Scan(context.Background(), nil)
	must(b, err)
	s := openWatches(onDisk{root: dir}, &Options{pollAll: true, queue: 10})
	tree.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindDir {
			s.add(memstore.BackendName(path), n.Info)
		}
		return true
	})
	l := look{s: s, backend: store.Backend(), tree: tree, rootID: tree.Root.ID}
	var p polls
	var poll, listing time.Duration
	for b.Loop() {
		start := time.Now()
		must(b, l.run(context.Background()))
		cost := time.Since(start)
		poll += cost
		p.took(cost, pollLeast)
		start = time.Now()
		_, err := store.Scan(context.Background(), nil)
		must(b, err)
		listing += time.Since(start)
	}
	if events, lost := s.take(); len(events) > 0 || lost {
		b.Fatal("nothing has changed", events)
	}
	mean := poll / time.Duration(b.N)
	b.ReportMetric(float64(mean.Microseconds())/1000, "poll-ms")
	b.ReportMetric(p.every.Seconds(), "every-s")
	b.ReportMetric(100*float64(mean)/float64(p.every), "%-of-a-core")
	b.ReportMetric(float64(poll)/float64(listing), "x-listing")
}
