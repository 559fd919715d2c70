//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// These benchmarks run the program in a pseudo-terminal of 200 by 60, compared with a minimal
// program of the same toolkit, which shows what of the time is not ours. Each round runs every
// program once. Peers that are not installed are left out.

// BenchmarkFirstPaint starts on 100,000 files in 1,000 folders, 1 GB (holes: nothing
// here depends on the bytes). first: the tree fills the screen (goals: at most 2 of
// minimal, 1 of lf). answered: the same on a terminal that answers questions. index: every
// file is counted (goal: at most 2 of find, which prints path and size of each). These are first
// starts, which make the journal; again and againIndex are starts where it knows all files.
func BenchmarkFirstPaint(b *testing.B) {
	bin, small := binary(b), minimal(b)
	lf, _ := exec.LookPath("lf")
	if lf == "" {
		b.Log("lf is not installed: left out")
	}
	dir := bigStore(b)
	tree := shows("folder-0000", "folder-0040")
	home := b.TempDir()
	known := performAt(b, home, silent, bin, dir)
	known.until("every file", shows("100,000 files"))
	known.settle()
	known.leave()
	h := heats{}
	for b.Loop() {
		s := perform(b, silent, bin, dir)
		h.add("first", s.until("the tree", tree))
		h.add("index", s.until("every file", shows("100,000 files")))
		s.leave()
		h.add("find", findAll(b, dir))
		s = perform(b, silent, small)
		h.add("minimal", s.until("its rows", shows("row-0000", "row-0059")))
		s.leave()
		if lf != "" {
			s = perform(b, silent, lf, dir)
			h.add("lf", s.until("the folders", tree))
			s.leave()
		}
		s = perform(b, answers, bin, dir)
		h.add("answered", s.until("the tree", tree))
		s.leave()
		s = performAt(b, home, silent, bin, dir)
		h.add("again", s.until("the tree", tree))
		h.add("againIndex", s.until("every file", shows("100,000 files")))
		s.leave()
	}
	h.report(b)
	h.ratio(b, "first", "minimal")
	h.ratio(b, "first", "lf")
	h.ratio(b, "index", "find")
	h.ratio(b, "answered", "first")
	h.ratio(b, "first", "again")
	h.ratio(b, "again", "minimal")
	h.ratio(b, "againIndex", "find")
}

// BenchmarkBigFile opens the largest file that view shows, 999,999 rows. firstLine: from the
// start of the program over the tree, where the file is chosen, to its first line (goal: at
// most 2 of minimal). lastLine: then G, until the last line is there, in all (goal: at
// most 0.5 of less -N +G).
func BenchmarkBigFile(b *testing.B) {
	bin, small := binary(b), minimal(b)
	less, _ := exec.LookPath("less")
	if less == "" {
		b.Log("less is not installed: left out")
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "big.md")
	writeLines(b, file)
	last := fmt.Sprintf("note %d:", catLines-1)
	h := heats{}
	for b.Loop() {
		s := perform(b, silent, bin, dir)
		h.add("tree", s.until("the file's name", shows("big.md")))
		opened := s.press("jl").Sub(s.begun)
		first := s.until("the first line", shows("note 0:"))
		h.add("firstLine", first)
		h.add("open", first-opened)
		jumped := s.press("G").Sub(s.begun)
		end := s.until("the last line", shows(last))
		h.add("lastLine", end)
		h.add("jump", end-jumped)
		s.leave()
		s = perform(b, silent, small)
		h.add("minimal", s.until("its rows", shows("row-0000", "row-0059")))
		s.leave()
		if less != "" {
			s = perform(b, silent, less, "-N", "+G", file)
			h.add("less", s.until("the last line", shows(last)))
			s.leave()
		}
	}
	h.report(b)
	h.ratio(b, "firstLine", "minimal")
	h.ratio(b, "lastLine", "less")
	h.ratio(b, "jump", "less")
}

// BenchmarkKeys moves the cursor down and up with 100,000 files loaded and waits for the screen to
// answer, at moments that have nothing to do with the toolkit's clock (goal: the slowest
// of 20 at most 1.5 of minimal's). The time on the processor that a key takes, with all that it
// sets off, is told too: it depends less on what else the machine does.
func BenchmarkKeys(b *testing.B) {
	bin, small := binary(b), minimal(b)
	ours := perform(b, silent, bin, bigStore(b))
	ours.until("every file", shows("100,000 files"))
	ours.settle()
	peer := perform(b, silent, small)
	peer.until("its rows", shows("row-0059"))
	stages := map[string]*stage{"ours": ours, "minimal": peer}
	h := heats{}
	before := map[string]time.Duration{"ours": ours.processor(), "minimal": peer.processor()}
	for b.Loop() {
		for i := range 20 {
			for name, s := range stages {
				s.rest(time.Duration(20+rand.IntN(20)) * time.Millisecond)
				at := s.press([]string{"j", "k"}[i%2])
				h.add(name, s.next().Sub(at))
			}
		}
	}
	for name, s := range stages {
		spent := s.processor() - before[name]
		b.ReportMetric(1000*spent.Seconds()/float64(len(h[name])), name+"-cpu-ms/key")
	}
	ours.leave()
	peer.leave()
	h.report(b)
	b.ReportMetric(slowest(h["ours"]), "ours-p95-ms")
	b.ReportMetric(slowest(h["minimal"]), "minimal-p95-ms")
	b.ReportMetric(slowest(h["ours"])/slowest(h["minimal"]), "p95-ours/minimal")
}

// slowest is the 95th percentile.
func slowest(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)*95/100]
}

// idleFor is how long the programs run undisturbed: the system counts their time in
// steps of 10 ms.
const idleFor = 10 * time.Second

// BenchmarkIdle leaves the program alone with 100,000 files, compared with the minimal one at the
// same time (goal: at most 1.5 of its time on the processor). settled: how long after
// the start our own work in the background had ended.
func BenchmarkIdle(b *testing.B) {
	bin, small := binary(b), minimal(b)
	dir := bigStore(b)
	for b.Loop() {
		ours := perform(b, silent, bin, dir)
		ours.until("every file", shows("100,000 files"))
		ours.settle()
		settled := time.Since(ours.begun)
		peer := perform(b, silent, small)
		peer.until("its rows", shows("row-0059"))
		peer.settle()
		own, other := ours.processor(), peer.processor()
		time.Sleep(idleFor)
		own, other = ours.processor()-own, peer.processor()-other
		b.ReportMetric(settled.Seconds(), "settled-s")
		b.ReportMetric(100*own.Seconds()/idleFor.Seconds(), "ours-%cpu")
		b.ReportMetric(100*other.Seconds()/idleFor.Seconds(), "minimal-%cpu")
		b.ReportMetric(ours.resident()/(1<<20), "ours-MiB")
		b.ReportMetric(peer.resident()/(1<<20), "minimal-MiB")
		ours.leave()
		peer.leave()
	}
	b.ReportMetric(0, "ns/op")
}

// settle waits until the program uses less than a twentieth of a processor.
func (s *stage) settle() {
	s.b.Helper()
	for range 120 {
		before := s.processor()
		s.rest(time.Second)
		if s.processor()-before < time.Second/20 {
			return
		}
	}
	s.b.Logf("%s does not come to rest", s.name)
}

// bigStore is a store of 1,000 folders with 100 files of 10 KB each.
func bigStore(b *testing.B) string {
	b.Helper()
	root := filepath.Join(b.TempDir(), "memories")
	for d := range 1000 {
		dir := filepath.Join(root, fmt.Sprintf("folder-%04d", d))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		for f := range 100 {
			name := filepath.Join(dir, fmt.Sprintf("note-%03d.md", f))
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				b.Fatal(err)
			}
			if err := os.Truncate(name, 10<<10); err != nil {
				b.Fatal(err)
			}
		}
	}
	return root
}

// findAll times find over the whole tree.
func findAll(b *testing.B, dir string) time.Duration {
	b.Helper()
	find := exec.Command("find", dir, "-printf", `%p %s\n`)
	var said strings.Builder
	find.Stderr = &said
	begun := time.Now()
	if err := find.Run(); err != nil {
		b.Skipf("find cannot do this here: %v %s", err, said.String())
	}
	return time.Since(begun)
}
