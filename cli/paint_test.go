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
// here depends on the bytes). first: the tree fills the screen. index: every file is counted, beside
// find, which prints path and size of each. These are first starts, which make the journal; again and
// againIndex are starts where it knows all files.
func BenchmarkFirstPaint(b *testing.B) {
	bin, small := binary(b), minimal(b)
	lf, _ := exec.LookPath("lf")
	if lf == "" {
		b.Log("lf is not installed: left out")
	}
	dir := bigStore(b)
	const lastFolder, lastRow, everyFile = "folder-0040", "row-0059", "100,000 files"
	home := b.TempDir()
	known, _ := perform(b, home, bin, dir)
	known.shows(everyFile)
	known.settle()
	known.quit()
	h := heats{}
	for b.Loop() {
		s, begun := perform(b, b.TempDir(), bin, dir)
		h.add("first", s.shows(lastFolder).Sub(begun))
		h.add("index", s.shows(everyFile).Sub(begun))
		s.quit()
		h.add("find", findAll(b, dir))
		s, begun = perform(b, b.TempDir(), small)
		h.add("minimal", s.shows(lastRow).Sub(begun))
		s.quit()
		if lf != "" {
			s, begun = perform(b, b.TempDir(), lf, dir)
			h.add("lf", s.shows(lastFolder).Sub(begun))
			s.quit()
		}
		s, begun = perform(b, home, bin, dir)
		h.add("again", s.shows(lastFolder).Sub(begun))
		h.add("againIndex", s.shows(everyFile).Sub(begun))
		s.quit()
	}
	h.report(b)
	h.ratio(b, "first", "minimal")
	h.ratio(b, "first", "lf")
	h.ratio(b, "index", "find")
	h.ratio(b, "first", "again")
	h.ratio(b, "again", "minimal")
	h.ratio(b, "againIndex", "find")
}

// BenchmarkBigFile opens the largest file that view shows, 999,999 rows. firstLine: from the start of the program over the tree, where the
// file is chosen, to its first line. lastLine: then G, until the last line is there, in all. open and jump count from the key.
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
		s, begun := perform(b, b.TempDir(), bin, dir)
		h.add("tree", s.shows("big.md").Sub(begun))
		pressed := time.Now()
		s.press("jl")
		first := s.shows("note 0:")
		h.add("firstLine", first.Sub(begun))
		h.add("open", first.Sub(pressed))
		pressed = time.Now()
		s.press("G")
		end := s.shows(last)
		h.add("lastLine", end.Sub(begun))
		h.add("jump", end.Sub(pressed))
		s.quit()
		s, begun = perform(b, b.TempDir(), small)
		h.add("minimal", s.shows("row-0059").Sub(begun))
		s.quit()
		if less != "" {
			s, begun = perform(b, b.TempDir(), less, "-N", "+G", file)
			h.add("less", s.shows(last).Sub(begun))
			s.quit()
		}
	}
	h.report(b)
	h.ratio(b, "firstLine", "minimal")
	h.ratio(b, "lastLine", "less")
	h.ratio(b, "jump", "less")
}

// BenchmarkKeys moves the cursor down and up with 100,000 files loaded and waits for the screen to
// answer, at moments that have nothing to do with the toolkit's clock. The time on the processor that a key takes, with all that it
// sets off, is told too: it depends less on what else the machine does.
func BenchmarkKeys(b *testing.B) {
	bin, small := binary(b), minimal(b)
	ours, _ := perform(b, b.TempDir(), bin, bigStore(b))
	ours.shows("100,000 files")
	ours.settle()
	peer, _ := perform(b, b.TempDir(), small)
	peer.shows("row-0059")
	stages := map[string]*display{"ours": ours, "minimal": peer}
	h := heats{}
	before := map[string]time.Duration{"ours": ours.processor(), "minimal": peer.processor()}
	for b.Loop() {
		for i := range 20 {
			for name, s := range stages {
				time.Sleep(time.Duration(20+rand.IntN(20)) * time.Millisecond)
				h.add(name, s.answer([]string{"j", "k"}[i%2]))
			}
		}
	}
	for name, s := range stages {
		spent := s.processor() - before[name]
		b.ReportMetric(1000*spent.Seconds()/float64(len(h[name])), name+"-cpu-ms/key")
	}
	ours.quit()
	peer.quit()
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

// settle waits until the program uses less than a twentieth of a processor.
func (s *display) settle() {
	s.t.Helper()
	for range 120 {
		before := s.processor()
		time.Sleep(time.Second)
		if s.processor()-before < time.Second/20 {
			return
		}
	}
	s.t.Log("it does not come to rest")
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
