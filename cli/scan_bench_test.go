package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// scanMB is how much the programs are given to read, in notes of about 4 KB.
const scanMB = 10

// BenchmarkScan runs `memcurator scan` over notes full of words such as token and config beside
// `gitleaks dir`, which has to be installed, in turns. x-gitleaks is how many times the speed of
// gitleaks scan has, by the wall clock, and x-cpu by the time on the processor, which depends
// less on what else the machine does; the start of both is in it. warm is a scan of files whose
// findings are known, beside one that has to look.
func BenchmarkScan(b *testing.B) {
	program, err := exec.LookPath("gitleaks")
	if err != nil {
		b.Skip("gitleaks is not installed")
	}
	bin, dir, size := binary(b), b.TempDir(), 0
	words, err := os.ReadFile(filepath.Join(repository, "memstore", "scrub", "testdata", "wordy.txt"))
	if err != nil {
		b.Fatal(err)
	}
	words = bytes.Repeat(words, 16)
	for i := range scanMB << 8 {
		text := append(fmt.Appendf(nil, "# Note %d\n", i), words[:4<<10+i%512]...) // no two are the same
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	report := filepath.Join(b.TempDir(), "report.json") // never the null device: gitleaks replaces it by a file
	var wall, processor, warm, speed []float64
	for b.Loop() {
		state := "XDG_STATE_HOME=" + b.TempDir()
		cold, coldCPU := ran(b, state, bin, "scan", dir)
		again, _ := ran(b, state, bin, "scan", dir)
		other, otherCPU := ran(b, state, program, "dir", dir, "--exit-code", "0", "--no-banner", "--log-level", "error", "--report-path",
			report, "--report-format", "json")
		wall, processor = append(wall, other.Seconds()/cold.Seconds()), append(processor, otherCPU.Seconds()/coldCPU.Seconds())
		warm, speed = append(warm, again.Seconds()/cold.Seconds()), append(speed, float64(size)/1e6/cold.Seconds())
	}
	b.ReportMetric(middle(wall), "x-gitleaks")
	b.ReportMetric(middle(processor), "x-cpu")
	b.ReportMetric(middle(warm), "warm")
	b.ReportMetric(middle(speed), "MB/s")
	b.ReportMetric(0, "ns/op") // the loop's own time is that of both programs
}

// ran runs a program and returns its time by the clock and on the processor.
func ran(b *testing.B, env, name string, args ...string) (wall, processor time.Duration) {
	b.Helper()
	c := exec.Command(name, args...)
	c.Env = cleanEnv(env)
	begun := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v %s", err, out)
	}
	return time.Since(begun), c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}
