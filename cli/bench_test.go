package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// catLines is the most lines that view takes, each ended by a newline.
const catLines = 999_998

// BenchmarkCat runs `memcurator cat` of the largest file that view accepts beside `cat -n`,
// taking turns, with the output to a file and to the null device. It reports the ratio of the
// medians and the most memory that the program used.
func BenchmarkCat(b *testing.B) {
	peer, err := exec.LookPath("cat")
	if err != nil {
		b.Skip("there is no cat to compare with")
	}
	bin := binary(b)
	dir := b.TempDir()
	file := filepath.Join(dir, "big.md")
	writeLines(b, file)
	for name, out := range map[string]string{"null": os.DevNull, "file": filepath.Join(b.TempDir(), "out")} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs []time.Duration
			var peak int64
			for b.Loop() {
				d, _ := timed(b, out, peer, "-n", file)
				theirs = append(theirs, d)
				d, rss := timed(b, out, bin, "cat", dir, "/memories/big.md")
				ours, peak = append(ours, d), max(peak, rss)
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			own, other := ours[len(ours)/2], theirs[len(theirs)/2]
			b.ReportMetric(float64(own)/float64(other), "x-cat-n")
			b.ReportMetric(float64(own.Microseconds())/1000, "ms")
			if peak > 0 {
				b.ReportMetric(float64(peak)/(1<<20), "MiB-peak")
			}
			b.ReportMetric(0, "ns/op") // the loop's own time is that of both programs
		})
	}
}

func writeLines(b *testing.B, file string) {
	b.Helper()
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for i := range catLines {
		_, _ = w.WriteString("- note " + strconv.Itoa(i) + ": what the agent learned on this day, in a line\n")
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// timed runs a program with its output to a file and returns the wall time and, where
// the system tells, its largest resident set in bytes.
func timed(b *testing.B, out, name string, args ...string) (time.Duration, int64) {
	b.Helper()
	f, err := os.Create(out)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	c := exec.Command(name, args...)
	c.Stdout, c.Env = f, cleanEnv()
	begun := time.Now()
	if err := c.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun), peakMemory(c.ProcessState)
}
