package discover_test

import (
	"cmp"
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
)

// BenchmarkFindBesideFind compares a search for stores with find, which lists the same trees with sizes and times: 200 stores of 50 notes
// in a home with 10,000 project folders. The two take turns, so that what else the machine does slows both. Reported are the medians: of the
// first row, of all rows in places of the user (stores), of all rows with those within 10,000 projects (all), of find, and of the ratios.
func BenchmarkFindBesideFind(b *testing.B) {
	find, err := exec.LookPath("find")
	if err != nil || runtime.GOOS != "linux" {
		b.Skip("needs the find of GNU")
	}
	home, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Chdir(b.TempDir())
	const projects, stores, notes = 10_000, 200, 50
	h := memtest.AgentHome{Home: home}
	if err := h.WriteProjects(projects, stores, notes); err != nil {
		b.Fatal(err)
	}
	m := discover.Local(home, nil)
	var first, counted, all, peer []time.Duration
	var ratios, ratiosAll []float64
	for b.Loop() {
		begin := time.Now()
		if out, err := exec.Command(find, home, "-type", "f", "-printf", `%p %s %T@\n`).Output(); err != nil || len(out) == 0 {
			b.Fatal(err)
		}
		peer = append(peer, time.Since(begin))
		begin = time.Now()
		var rows, files int
		m.Each(context.Background(), nil, func(f discover.Found) {
			if rows++; rows == 1 {
				first = append(first, time.Since(begin))
			}
			if f.Counted {
				if files += f.Files; files == stores*notes {
					counted = append(counted, time.Since(begin))
				}
			}
		})
		all = append(all, time.Since(begin))
		last := len(all) - 1
		ratios = append(ratios, float64(counted[last])/float64(peer[last]))
		ratiosAll = append(ratiosAll, float64(all[last])/float64(peer[last]))
		if files != stores*notes || rows != 2*stores {
			b.Fatalf("%d files in %d rows", files, rows)
		}
	}
	b.ReportMetric(0, "ns/op")
	for unit, list := range map[string][]time.Duration{"ms-first": first, "ms-stores": counted, "ms-all": all, "ms-find": peer} {
		b.ReportMetric(float64(median(list).Microseconds())/1000, unit)
	}
	b.ReportMetric(median(ratios), "stores/find")
	b.ReportMetric(median(ratiosAll), "all/find")
}

func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}
