package journal

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
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

// grown is a journal with as many files and revisions, made by import: the quick way.
func grown(b *testing.B, files, revisions int) *desk {
	b.Helper()
	d := newDesk(b)
	d.must(d.j.tx(context.Background(), false, func(w *writer) {
		for i := range files {
			name := fmt.Sprintf("f%03d/n%06d.md", i%1000, i)
			w.makeFolders(name)
			w.putFile(&file{name: name, kind: memstore.KindFile, blob: w.put(contentOf(fmt.Appendf(nil, "file %d\n", i)), 0, nil), size: 12})
		}
		w.set(metaBegan, 1)
		m := maker{time: time.Now(), actor: memstore.Agent, command: "create"}
		for i := range revisions {
			id := w.put(contentOf(noteOf(4096, uint64(i))), 0, nil)
			c := change{kind: memstore.KindFile, shape: past.Edited, name: fmt.Sprintf("f%03d/n%06d.md", i%1000, i%files), after: id, size: 4096}
			w.record(&m, &c)
		}
	}))
	return d
}

// BenchmarkPast: reopening with 10,000 revisions (goal: 10 ms), a word in all of them (100 ms),
// and what 1,000 revisions take on disk.
func BenchmarkPast(b *testing.B) {
	d := grown(b, 100, 10_000)
	found, err := d.j.Check(context.Background())
	d.must(err)
	b.Run("reopen", func(b *testing.B) {
		for range b.N {
			d.reopen()
			_, err := past.Revisions(context.Background(), d.j, past.Filter{Newest: true, Limit: 50})
			d.must(err)
		}
		b.ReportMetric(float64(found.Bytes)/10/1024, "KiB/1000rev")
	})
	b.Run("search", func(b *testing.B) {
		m, err := search.Compile(search.Query{Text: "no such word"})
		d.must(err)
		for range b.N {
			_, _, err := d.j.Gone(context.Background(), m, 1)
			d.must(err)
		}
	})
}

// BenchmarkOpenLarge is what the Changes screen reads of a journal of 2,000 files and 20,000 revisions, all unread: the newest 1,000, and
// the 10,000 newest unread ones.
func BenchmarkOpenLarge(b *testing.B) {
	d := grown(b, 2_000, 20_000)
	for name, f := range map[string]past.Filter{"changes": {Newest: true, Limit: 1000}, "unread": {Unread: true, Newest: true, Limit: 10_000}} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				_, err := past.Revisions(context.Background(), d.j, f)
				d.must(err)
			}
		})
	}
}

// BenchmarkBlame is of a file with 1,000 revisions (100 ms).
func BenchmarkBlame(b *testing.B) {
	d := newDesk(b)
	text := bytes.SplitAfter(noteOf(4096, 1), []byte{'\n'})
	d.do(create("/memories/a.md", string(bytes.Join(text, nil))))
	for i := range 1000 {
		text[i%(len(text)/2)] = fmt.Appendf(nil, "line %d\n", i)
		d.do(create("/memories/a.md", string(bytes.Join(text, nil))))
	}
	b.ResetTimer()
	for range b.N {
		_, err := d.j.Blame(context.Background(), "/memories/a.md", 0)
		d.must(err)
	}
}
