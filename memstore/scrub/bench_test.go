package scrub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// filler are size bytes of the entries of a file in testdata, which blank lines part. wordy.txt is full of the words that make
// scanners look, such as token, config, key and secret, without a value; quiet.txt has none of them.
func filler(t testing.TB, file string, size int) []byte {
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	entries := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.WriteString(entries[i*7%len(entries)])
		b.WriteByte('\n')
	}
	return b.Bytes()[:size]
}

// gitleaksMB is how much the programs are given to read: enough that what they do once does
// not count.
const gitleaksMB = 10

// BenchmarkBesideGitleaks reads notes of 4 KB with the engine and with gitleaks, which has to
// be installed, in turns and each on one core. x-gitleaks is how much faster the engine is:
// the median of the rounds, the start of the program taken off; x-start is New beside that start.
func BenchmarkBesideGitleaks(b *testing.B) {
	program, err := exec.LookPath("gitleaks")
	if err != nil {
		b.Skip("gitleaks is not installed")
	}
	for _, name := range []string{"wordy", "quiet"} {
		b.Run(name, func(b *testing.B) {
			dir, empty := b.TempDir(), b.TempDir()
			var texts [][]byte
			size := 0
			for i := range gitleaksMB << 8 {
				text := filler(b, name+".txt", 4<<10+i%512)
				texts, size = append(texts, text), size+len(text)
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), text, 0o600); err != nil {
					b.Fatal(err)
				}
			}
			var faster, starts, ours, theirs []float64
			for b.Loop() {
				start := time.Now()
				e, _ := New(Options{})
				made := time.Since(start)
				start = time.Now()
				for _, text := range texts {
					e.Find("note.md", text)
				}
				own := time.Since(start)
				begin := gitleaks(b, program, empty)
				other := gitleaks(b, program, dir) - begin
				faster, starts = append(faster, other.Seconds()/own.Seconds()), append(starts, made.Seconds()/begin.Seconds())
				ours, theirs = append(ours, float64(size)/1e6/own.Seconds()), append(theirs, float64(size)/1e6/other.Seconds())
			}
			b.ReportMetric(median(faster), "x-gitleaks")
			b.ReportMetric(median(starts), "x-start")
			b.ReportMetric(median(ours), "MB/s")
			b.ReportMetric(median(theirs), "gitleaks-MB/s")
			b.ReportMetric(0, "ns/op") // the loop's own time is that of both
		})
	}
}

// gitleaks runs the program on a folder, on one core.
func gitleaks(b *testing.B, program, dir string) time.Duration {
	b.Helper()
	report := filepath.Join(b.TempDir(), "report.json")
	c := exec.Command(program, "dir", dir, "--exit-code", "0", "--no-banner", "--log-level", "error", "--report-format", "json",
		"--report-path", report)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v %s", err, out)
	}
	took := time.Since(start)
	if text, err := os.ReadFile(report); err != nil || !json.Valid(text) {
		b.Fatal("gitleaks wrote no report")
	}
	return took
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
