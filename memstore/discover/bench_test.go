package discover_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
)

// BenchmarkFindBesideFind compares a search for stores with find, which lists the same trees with sizes and times: 200 stores of 50 notes
// in a home with 10,000 project folders. The two take turns, so that what else the machine does slows both. Reported are the medians: of
// the first row, of all rows in places of the user (stores), of all rows with those within 10,000 projects (all), of find, and of the
// ratios.
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
	plantProjects(b, home, projects, stores, notes)
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

// plantProjects makes projects of Claude Code, each with a transcript, and to some of them a memory of some notes.
func plantProjects(b *testing.B, home string, projects, stores, notes int) {
	b.Helper()
	state, files := map[string]any{}, map[string]string{}
	for i := range projects {
		name := fmt.Sprintf("project-%05d", i)
		root := filepath.Join(home, "src", name)
		folder := ".claude/projects/" + strings.ReplaceAll(root, "/", "-") + "/"
		state[root] = map[string]any{"allowedTools": []string{}, "hasTrustDialogAccepted": true}
		files["src/"+name+"/main.go"] = "package main\n"
		files[folder+"s.jsonl"] = fmt.Sprintf(`{"type":"user","cwd":%q,"message":{"role":"user","content":"Hello"}}`+"\n", root)
		if i%(projects/stores) != 0 {
			continue
		}
		for n := range notes {
			files[fmt.Sprintf("%smemory/note-%02d.md", folder, n)] = fmt.Sprintf("# Note %d\n\nThe ferry leaves at nine.\n", n)
		}
	}
	settings, err := json.Marshal(map[string]any{"numStartups": 7, "projects": state})
	if err != nil {
		b.Fatal(err)
	}
	files[".claude.json"] = string(settings)
	memtest.WriteFiles(b, home, files)
}

func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}
