//go:build linux

package cli

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// perform starts a program with what an earlier one has left at home: the journal, the layout.
func perform(b *testing.B, home, name string, args ...string) (s *display, begun time.Time) {
	b.Helper()
	begun = time.Now()
	return openSized(b, 200, 60, homeIs(home), name, args...), begun
}

// homeIs has programs keep all that they keep in a folder.
func homeIs(home string) []string {
	return []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_STATE_HOME=" + home}
}

// quit ends the program.
func (s *display) quit() {
	s.t.Helper()
	s.press("q")
	s.leaves(0)
}

// minimal is the smallest full-screen program of our toolkit. It stands beside our own program, which is removed at the end.
func minimal(b *testing.B) string {
	b.Helper()
	file := filepath.Join(filepath.Dir(binary(b)), "minimal")
	build := exec.Command("go", "build", "-o", file, "./testdata/bench/minimal")
	build.Dir = repository
	must(b, build.Run())
	return file
}

// heats are the times of several programs, one of each in every round.
type heats map[string][]float64

func (h heats) add(name string, d time.Duration) {
	h[name] = append(h[name], float64(d)/float64(time.Millisecond))
}

// report gives the median of each program in milliseconds.
func (h heats) report(b *testing.B) {
	for name, times := range h {
		b.ReportMetric(middle(times), name+"-ms")
	}
	b.ReportMetric(0, "ns/op") // of a whole round: says nothing
}

// ratio reports how ours stands to a peer: the median over the rounds.
func (h heats) ratio(b *testing.B, ours, peer string) {
	var ratios []float64
	for i := range min(len(h[ours]), len(h[peer])) {
		ratios = append(ratios, h[ours][i]/h[peer][i])
	}
	if len(ratios) > 0 {
		b.ReportMetric(middle(ratios), ours+"/"+peer)
	}
}

// middle is the median.
func middle(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
