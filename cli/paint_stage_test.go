//go:build linux

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// perform starts a program with what an earlier one has left at home: the journal, the layout.
func perform(b *testing.B, home, name string, args ...string) (s *display, begun time.Time) {
	b.Helper()
	begun = time.Now()
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_STATE_HOME=" + home}
	return openSized(b, 200, 60, env, name, args...), begun
}

// quit ends the program.
func (s *display) quit() {
	s.t.Helper()
	s.press("q")
	s.leaves(0)
}

// answer presses keys and returns how long it took until something was drawn.
func (s *display) answer(keys string) time.Duration {
	s.t.Helper()
	before := len(s.text())
	begun := time.Now()
	s.press(keys)
	limit := time.After(patience)
	for {
		s.mu.Lock()
		now, at := s.seen.Len(), s.at
		s.mu.Unlock()
		if now > before {
			return at.Sub(begun)
		}
		select {
		case <-s.news:
		case <-limit:
			s.t.Fatal("no answer to a key")
		}
	}
}

// processor is the time that the program has spent on the processor.
func (s *display) processor() time.Duration {
	s.t.Helper()
	data, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/stat")
	if err != nil {
		s.t.Fatal(err)
	}
	// The second field is the name in brackets, which may hold anything.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	if errUser != nil || errSystem != nil {
		s.t.Fatalf("%q", data)
	}
	const ticks = 100 // a second, on every Linux that Go runs on
	return time.Duration(user+system) * time.Second / ticks
}

// minimal is the smallest full-screen program of our toolkit.
func minimal(b *testing.B) string {
	b.Helper()
	file, err := minimalBuilt()
	if err != nil {
		b.Fatal(err)
	}
	return file
}

// minimalBuilt stands beside our own program, which is removed at the end.
var minimalBuilt = sync.OnceValues(func() (string, error) {
	own, err := built()
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(own), "minimal")
	build := exec.Command("go", "build", "-o", file, "./testdata/bench/minimal")
	build.Dir = repository
	return file, build.Run()
})

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
