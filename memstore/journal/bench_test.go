package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
)

// BenchmarkCommit compares what an edit of 4 KB waits for, the record of its beginning and its end, with one append and fsync of as many
// bytes, interleaved. durable is the curator's record, which reaches the disk before the act; the agent's is safe from the death of the
// process.
func BenchmarkCommit(b *testing.B) {
	for _, c := range []struct {
		name  string
		actor memstore.Actor
	}{{"agent", memstore.Agent}, {"durable", memstore.Curator}} {
		b.Run(c.name, func(b *testing.B) {
			d := newDesk(b)
			f, err := os.Create(filepath.Join(b.TempDir(), "append"))
			d.must(err)
			defer f.Close()
			var ours, theirs []time.Duration
			for i := range b.N {
				data := noteOf(4096, uint64(i))
				e := &memstore.Edit{
					Command: memstore.Command{Name: memstore.CmdCreate}, Origin: memstore.Origin{Actor: c.actor}, Time: time.Now(),
					Changes: []memstore.Change{{Kind: memstore.KindFile, Path: fmt.Sprintf("/memories/%d.md", i), After: memstore.NewContent(data)}},
				}
				start := time.Now()
				end, err := d.j.Begin(context.Background(), e)
				d.must(err)
				end(nil)
				ours = append(ours, time.Since(start))
				start = time.Now()
				_, err = f.Write(data)
				d.must(err)
				d.must(f.Sync())
				theirs = append(theirs, time.Since(start))
			}
			b.ReportMetric(float64(median(ours).Microseconds()), "µs/commit")
			b.ReportMetric(float64(median(theirs).Microseconds()), "µs/append")
			b.ReportMetric(float64(median(ours))/float64(median(theirs)), "x")
		})
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkCommands runs commands on notes of 3.6 KB on disk with and without the journal.
func BenchmarkCommands(b *testing.B) {
	const notes = 10
	with, without := newDesk(b), newDesk(b)
	backend := without.store.Backend()
	without.store = memstore.New(backend, memstore.Options{})
	text := string(noteOf(3600, 1)) + "\nstate: 0\n"
	steps := []struct {
		name string
		call func(i int) memstore.Command
	}{
		{"create", func(i int) memstore.Command { return create(fmt.Sprintf("/memories/f%02d/n%d.md", i%20, i), text) }},
		{"str_replace", func(i int) memstore.Command {
			return replace(fmt.Sprintf("/memories/f%02d/n%d.md", i%20, i), "state: 0", "state: 1")
		}},
		{"insert", func(i int) memstore.Command {
			return memstore.Command{Name: memstore.CmdInsert, Path: fmt.Sprintf("/memories/f%02d/n%d.md", i%20, i), InsertLine: 2, InsertText: "a line more\n"}
		}},
		{"delete", func(i int) memstore.Command { return remove(fmt.Sprintf("/memories/f%02d/n%d.md", i%20, i)) }},
	}
	on, off := map[string][]time.Duration{}, map[string][]time.Duration{}
	for range b.N {
		for _, s := range steps {
			for i := range notes {
				for _, side := range []struct {
					d     *desk
					times map[string][]time.Duration
				}{{with, on}, {without, off}} {
					c := s.call(i)
					start := time.Now()
					side.d.do(c)
					side.times[s.name] = append(side.times[s.name], time.Since(start))
				}
			}
		}
	}
	for _, s := range steps {
		b.ReportMetric(float64(median(on[s.name]).Microseconds()), "µs/"+s.name+"-on")
		b.ReportMetric(float64(median(off[s.name]).Microseconds()), "µs/"+s.name+"-off")
	}
}
