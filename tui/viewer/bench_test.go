package viewer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/keymap"
)

// write makes a file of the given number of lines; every tenth is long.
func write(tb testing.TB, dir, name string, lines int, line string) {
	tb.Helper()
	var b strings.Builder
	for i := range lines {
		b.WriteString(line)
		if i%10 == 9 {
			b.WriteString(strings.Repeat(line, 4))
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
}

const prose = "Some words of a note in plain text, "

func BenchmarkFrame200x60(b *testing.B) {
	for name, line := range map[string]string{
		"prose": prose, "cjk": "日本語とEnglishの混ざった行です、한국어도。", "controls": "\x1b[31mred\x1b[0m \u202e ", "16KB": strings.Repeat(prose, 500),
	} {
		for _, query := range []string{"", "e"} {
			b.Run(fmt.Sprintf("%s/search=%s", name, query), func(b *testing.B) {
				s := newStage(b, 200, 60)
				write(b, s.dir, "a.md", 200, line)
				s.show("/memories/a.md")
				s.Run(s.p.Finder.SetQuery(query))
				s.Does(keymap.PageDown)
				for b.Loop() {
					s.p.Rows(true)
				}
			})
		}
	}
}

func BenchmarkMotionAtLine500000(b *testing.B) {
	s := newStage(b, 200, 60)
	if err := os.WriteFile(filepath.Join(s.dir, "a.md"), []byte(strings.Repeat("some text of a line in a very long file of notes\n", 999_998)), 0o600); err != nil {
		b.Fatal(err)
	}
	s.show("/memories/a.md")
	for _, key := range []keymap.ID{keymap.Down, keymap.PageDown, keymap.HalfUp} {
		b.Run(string(key), func(b *testing.B) {
			s.Run(s.p.GoTo(500_000))
			for b.Loop() {
				s.Does(key)
				s.p.Rows(true)
			}
		})
	}
}

// Opening ends with the first rows on the screen; the lines are counted afterwards.
func BenchmarkOpen56MB(b *testing.B) {
	s := newStage(b, 200, 60)
	write(b, s.dir, "a.md", 56<<20/(len(prose)*14/10), prose)
	write(b, s.dir, "b.md", 10, prose)
	b.Run("first rows", func(b *testing.B) {
		for b.Loop() {
			s.Run(s.p.Show("/memories/b.md"))
			cmd := s.p.Show("/memories/a.md")
			done := s.done(cmd)
			s.Env.Jobs.Current(done)
			next := s.p.Receive(done)
			if rows := s.p.Rows(true); !strings.Contains(rows[1], "Some words") {
				b.Fatalf("the first row is %q", rows[1])
			}
			b.StopTimer()
			s.Run(next)
			b.StartTimer()
		}
	})
	b.Run("to the last line", func(b *testing.B) {
		for b.Loop() {
			s.Run(s.p.Show("/memories/b.md"))
			s.Run(s.p.Show("/memories/a.md"))
			s.Does(keymap.Bottom)
			s.p.Rows(true)
		}
	})
	b.Run("G when counted", func(b *testing.B) {
		s.Run(s.p.Show("/memories/a.md"))
		for b.Loop() {
			s.Does(keymap.Top)
			s.Does(keymap.Bottom)
			s.p.Rows(true)
		}
	})
}
