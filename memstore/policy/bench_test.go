package policy_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
)

// usualRules are as many rules as a careful user writes.
const usualRules = `
[limits]
max_files = 2000
[[rule]]
match = "**"
max_file_bytes = "100KB"
[[rule]]
match = "**"
max_idle = "60d"
max_age = "730d"
[[rule]]
match = ["**/*.log", "logs/**"]
ttl = "14d"
expire = "archive"
archive_to = "archive"
[[rule]]
match = ["keep/**", "**/README.md"]
pin = true
[[rule]]
match = ["**/scratch/**", "**/scratch.*"]
ttl = "30m"
[[rule]]
match = ["**/context/**", "**/context.*"]
ttl = "1h"
[[rule]]
match = ["**/decision/**", "**/decision.*"]
ttl = "4h"
[[rule]]
match = ["**/tasks/**", "**/tasks.*"]
ttl = "1d"
`

// tree makes n files in folders of a hundred.
func tree(b *testing.B, n int) memstore.Backend {
	dir := b.TempDir()
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("folder%04d", i/100))
		if i%100 == 0 {
			if err := os.Mkdir(folder, 0o700); err != nil {
				b.Fatal(err)
			}
		}
		name := filepath.Join(folder, fmt.Sprintf("note-%02d.%s", i%100, []string{"md", "log", "txt"}[i%3]))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = backend.Close() })
	return backend
}

// A plan over 100,000 files beside one scan of their metadata, turn by turn (goal: at most three times the
// scan). A quarter of them has expired. "reading" is the look at the access times of what would expire.
func BenchmarkPlan(b *testing.B) {
	const files = 100_000
	backend := tree(b, files)
	store := memstore.New(backend, memstore.Options{ReadOnly: true})
	ctx := context.Background()
	snap, err := store.Scan(ctx, memstore.ScanOptions{})
	if err != nil {
		b.Fatal(err)
	}
	at := time.Now()
	facts := policy.Facts{Journal: map[string]past.Fact{}}
	i := 0
	snap.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile {
			old := at.Add(-time.Duration(i%80) * day)
			facts.Journal[path] = past.Fact{FirstSeen: old, Changed: old, Used: old}
			i++
		}
		return true
	})
	var scans, plans, both []float64 // milliseconds, and ratios of each round
	actions := 0
	b.ResetTimer()
	for range b.N {
		begun := time.Now()
		if snap, err = store.Scan(ctx, memstore.ScanOptions{}); err != nil {
			b.Fatal(err)
		}
		scan := time.Since(begun).Seconds()
		p := parse(b, usualRules)
		in := policy.Input{Snapshot: snap, Facts: facts, Now: at}
		begun = time.Now()
		actions = len(p.Plan(in).Actions)
		plan := time.Since(begun).Seconds()
		if err := policy.NewReader(backend).Fill(ctx, p, &in); err != nil {
			b.Fatal(err)
		}
		scans, plans, both = append(scans, scan*1000), append(plans, plan/scan), append(both, time.Since(begun).Seconds()/scan)
	}
	b.ReportMetric(median(scans), "scan-ms")
	b.ReportMetric(median(plans), "plan/scan")
	b.ReportMetric(median(both), "plan+reading/scan")
	b.ReportMetric(float64(actions), "actions")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
