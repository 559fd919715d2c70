package graph

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"memcurator/memstore/adapt"
)

// BenchmarkEdit adds one observation and one relation to an entity that has many of both: the time for each of them stays the same.
func BenchmarkEdit(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			e := entity{name: text{is: "Ann"}, kind: text{is: "person"}}
			f := &file{ended: true}
			for i := range n {
				e.observations = append(e.observations, text{is: fmt.Sprint("observation\nnumber ", i)})
				r := relation{from: e.name, to: text{is: fmt.Sprint("E", i)}, kind: text{is: "knows"}}
				f.lines = append(f.lines, f.newLine(r.object()))
			}
			f.lines = append([]*line{f.newLine(e.object())}, f.lines...)
			g := newGraph(parse(f.bytes()), "")
			old := g.text("person/Ann.md")
			now := slices.Concat(old[:7], []byte("- first\n"), old[7:], []byte("- knows [[Bo]]\n"))
			for b.Loop() {
				if _, err := g.form("person/Ann.md", now); err != nil {
					b.Fatal(err)
				}
				if _, err := g.edited(adapt.Edit{Name: "person/Ann.md", Old: old, New: now}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/observation")
		})
	}
}
