package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memcurator/memstore"
)

// notes makes a store of about the given number of bytes: folders of notes of 10 KB in words of prose, with a
// needle in every 500th. MEMCURATOR_BENCH_MB says how many megabytes, 64 if it does not.
var notes = sync.OnceValues(func() (string, error) {
	megabytes := 64
	if _, err := fmt.Sscan(os.Getenv("MEMCURATOR_BENCH_MB"), &megabytes); err != nil {
		megabytes = 64
	}
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		return "", err
	}
	words := strings.Fields("the of and to in a is that it was for on are with as his they at be this from have or by one had not " +
		"but what all were when we there can an your which their said if do each about how up out them then she many some so these " +
		"would other into has more her two like him see time could no make than first been its who now people my made over did down " +
		"only way find use may water long little very after words called just where most know project preference deploy release meeting remember")
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for i := range megabytes * 100 {
		text.Reset()
		for text.Len() < 10_000 {
			for range 8 + r.IntN(8) {
				text.WriteString(words[r.IntN(len(words))])
				text.WriteByte(' ')
			}
			text.WriteByte('\n')
		}
		if i%500 == 250 {
			text.WriteString("the Quetzal flies\n")
		}
		folder := filepath.Join(dir, fmt.Sprintf("%03d", i/100))
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, fmt.Sprintf("%02d.md", i%100)),
			[]byte(text.String()), 0o600)); err != nil {
			return "", err
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built {
		if dir, err := notes(); err == nil {
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

var built bool

// BenchmarkAgainstRipgrep searches notes in turns with rg, which has to be installed, both
// with as many threads as there are processors. It reports the medians, in milliseconds.
func BenchmarkAgainstRipgrep(b *testing.B) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.Skip("rg is not installed")
	}
	built = true
	dir, err := notes()
	if err != nil {
		b.Fatal(err)
	}
	s, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	snapshot, err := s.Scan(context.Background(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, query string }{
		{"rare", "quetzal"}, {"exact", "Quetzal"}, {"none", "zebra crossing"}, {"common", "remember"},
		{"regexp", "/quetz.l fl[a-z]+s/"}, {"digits", `/[0-9]{4}-[0-9]{2}/`},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := must(b, ParseQuery(c.query))
			var ours, whole, theirs []time.Duration
			for range b.N {
				ours = append(ours, timed(func() { runStore(b, s, snapshot, m) }))
				whole = append(whole, timed(func() { runStore(b, s, nil, m) }))
				theirs = append(theirs, timed(func() { runRipgrep(rg, dir, m.Query()) }))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ms(median(ours)), "ours-ms")
			b.ReportMetric(ms(median(whole)), "with-scan-ms")
			b.ReportMetric(ms(median(theirs)), "rg-ms")
			b.ReportMetric(ms(median(theirs))/ms(median(whole)), "of-rg-speed")
		})
	}
}

func runStore(b *testing.B, s *memstore.Store, snapshot *memstore.Snapshot, m *Matcher) {
	if _, err := Store(context.Background(), s, m, Options{Snapshot: snapshot}); err != nil {
		b.Fatal(err)
	}
}

func runRipgrep(rg, dir string, q Query) {
	args := []string{"--smart-case", "--no-ignore", "--hidden", "--no-messages", "--line-number", "--no-heading"}
	if !q.Regexp {
		args = append(args, "--fixed-strings")
	}
	// It exits with 1 when nothing is found.
	_ = exec.Command(rg, append(args, "--", q.Text, dir)...).Run()
}

func timed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
