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

// The size of the terminal that the programs are measured in.
const (
	stageWidth  = 200
	stageHeight = 60
)

// stage is a program in a pseudo-terminal. Its output is stamped as it arrives and put on a
// screen afterwards, so that our reading never holds the program up.
type stage struct {
	b     *testing.B
	name  string
	cmd   *exec.Cmd
	tty   *os.File
	begun time.Time
	news  chan arrival
	grid  *grid
	at    time.Time // when what the grid shows arrived
}

// arrival is a piece of output and when it came.
type arrival struct {
	data []byte
	at   time.Time
}

// pieces is how much output may wait for its turn: more than any run here writes.
const pieces = 1 << 14

// perform starts a program with what an earlier one has left at home: the journal, the layout.
func perform(b *testing.B, home, name string, args ...string) *stage {
	b.Helper()
	s := &stage{b: b, name: filepath.Base(name), begun: time.Now(), news: make(chan arrival, pieces), grid: newGrid(stageWidth, stageHeight)}
	env := []string{"LESS=", "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_STATE_HOME=" + home}
	s.cmd, s.tty, _ = onTerminal(b, stageWidth, stageHeight, env, name, args...)
	go s.read()
	return s
}

func (s *stage) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := s.tty.Read(buf)
		if n > 0 {
			s.news <- arrival{bytes.Clone(buf[:n]), time.Now()}
		}
		if err != nil {
			close(s.news)
			return
		}
	}
}

// until waits for a screen and returns when it stood, counted from the start of the program.
func (s *stage) until(what string, shown func(*grid) bool) time.Duration {
	s.b.Helper()
	limit := time.After(2 * patience)
	for !shown(s.grid) {
		select {
		case piece, open := <-s.news:
			if !open {
				s.b.Fatalf("%s ended before it showed %s", s.name, what)
			}
			_, _ = s.grid.Write(piece.data)
			s.at = piece.at
		case <-limit:
			_ = s.cmd.Process.Kill()
			s.b.Fatalf("%s never showed %s:\n%s", s.name, what, s.grid)
		}
	}
	return s.at.Sub(s.begun)
}

// next waits for the next output and returns when it came.
func (s *stage) next() time.Time {
	s.b.Helper()
	select {
	case piece, open := <-s.news:
		if open {
			_, _ = s.grid.Write(piece.data)
			return piece.at
		}
		s.b.Fatalf("%s ended", s.name)
	case <-time.After(patience):
		s.b.Fatalf("%s does not answer a key:\n%s", s.name, s.grid)
	}
	return time.Time{}
}

// rest takes what has arrived and what arrives within pause after that.
func (s *stage) rest(pause time.Duration) {
	for {
		select {
		case piece, open := <-s.news:
			if !open {
				return
			}
			_, _ = s.grid.Write(piece.data)
		case <-time.After(pause):
			return
		}
	}
}

// shows is a condition for until: all texts on the screen, and something in its last row,
// which full-screen programs write last.
func shows(texts ...string) func(*grid) bool {
	return func(g *grid) bool {
		for _, text := range texts {
			if !g.contains(text) {
				return false
			}
		}
		return g.lastRow() != ""
	}
}

func (s *stage) press(keys string) time.Time {
	s.b.Helper()
	at := time.Now()
	if _, err := s.tty.WriteString(keys); err != nil {
		s.b.Fatal(err)
	}
	return at
}

// leave ends the program.
func (s *stage) leave() {
	s.b.Helper()
	s.press("q")
	timer := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	for range s.news { // until the terminal has no writer left
	}
	_ = s.cmd.Wait()
	timer.Stop()
	s.tty.Close()
}

// processor is the time that the program has spent on the processor.
func (s *stage) processor() time.Duration {
	s.b.Helper()
	data, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/stat")
	if err != nil {
		s.b.Fatal(err)
	}
	// The second field is the name in brackets, which may hold anything.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	if errUser != nil || errSystem != nil {
		s.b.Fatalf("%q", data)
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
