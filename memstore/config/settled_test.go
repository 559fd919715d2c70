package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// stage is a file of rules, and a clock that only a wait moves on: what is to happen at a time happens then.
type stage struct {
	t      *testing.T
	file   string
	start  time.Time
	now    time.Time
	events map[time.Duration]func()
	opened func() // what happens right before the file is read first
}

func newStage(t *testing.T) *stage {
	t.Helper()
	now := time.Now()
	s := &stage{t: t, file: filepath.Join(t.TempDir(), "config.toml"), start: now, now: now, events: map[time.Duration]func(){}}
	s.touch(filepath.Dir(s.file), -time.Hour)
	return s
}

func (s *stage) touch(name string, age time.Duration) {
	s.t.Helper()
	if err := os.Chtimes(name, time.Time{}, s.now.Add(age)); err != nil {
		s.t.Fatal(err)
	}
}

// save writes the file in place, as of the time of the stage.
func (s *stage) save(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.touch(s.file, 0)
	s.touch(filepath.Dir(s.file), 0)
}

func (s *stage) remove() {
	s.t.Helper()
	if err := os.Remove(s.file); err != nil {
		s.t.Fatal(err)
	}
	s.touch(filepath.Dir(s.file), 0)
}

func (s *stage) read() (string, time.Duration, error) {
	w := settling{now: func() time.Time { return s.now }, sleep: func(d time.Duration) {
		s.now = s.now.Add(d)
		if do := s.events[s.now.Sub(s.start)]; do != nil {
			do()
		}
	}, load: func(file string) ([]byte, error) {
		if do := s.opened; do != nil {
			s.opened = nil
			do()
		}
		return Read(file)
	}}
	data, err := w.read(s.file)
	return string(data), s.now.Sub(s.start), err
}

func TestAStartWaitsForASave(t *testing.T) {
	const rules = "[[rule]]\nmatch = \"x\"\nlock = true\n"
	for _, c := range []struct {
		name   string
		before func(s *stage)
		want   string
		err    error
		within time.Duration
	}{
		{"untouched", func(s *stage) { s.save(rules); s.touch(s.file, -time.Hour) }, rules, nil, 0},
		{"not there, folder untouched", func(s *stage) {}, "", fs.ErrNotExist, 0},
		{"empty for long", func(s *stage) {
			s.save("")
			s.touch(s.file, -time.Hour)
			s.touch(filepath.Dir(s.file), -time.Hour)
		}, "", nil, SettledFor},
		{"looked at while it is truncated", func(s *stage) { // which sets its size before its time
			s.save("")
			s.touch(s.file, -time.Hour)
			s.touch(filepath.Dir(s.file), -time.Hour)
			s.events[lookEvery] = func() { s.save("") }
			s.events[400*time.Millisecond] = func() { s.save(rules) }
		}, rules, nil, 400*time.Millisecond + SettledFor},
		{"just saved", func(s *stage) { s.save(rules) }, rules, nil, SettledFor},
		{"truncated and written again", func(s *stage) {
			s.save("")
			s.events[400*time.Millisecond] = func() { s.save(rules) }
		}, rules, nil, 400*time.Millisecond + SettledFor},
		{"truncated between the look and the read", func(s *stage) {
			s.save(rules)
			s.touch(s.file, -time.Hour)
			s.opened = func() { s.save("") }
			s.events[100*time.Millisecond] = func() { s.save(rules) }
		}, rules, nil, 100*time.Millisecond + SettledFor},
		{"removed between the look and the read", func(s *stage) {
			s.save(rules)
			s.touch(s.file, -time.Hour)
			s.opened = s.remove
			s.events[100*time.Millisecond] = func() { s.save(rules) }
		}, rules, nil, 100*time.Millisecond + SettledFor},
		{"written in steps", func(s *stage) {
			s.save("[")
			s.events[100*time.Millisecond] = func() { s.save("[[rule]]\n") }
			s.events[260*time.Millisecond] = func() { s.save(rules) }
		}, rules, nil, 260*time.Millisecond + SettledFor},
		{"moved aside and made again", func(s *stage) {
			s.save(rules)
			s.remove()
			s.events[600*time.Millisecond] = func() { s.save("") }
			s.events[1200*time.Millisecond] = func() { s.save(rules) }
		}, rules, nil, 1200*time.Millisecond + SettledFor},
		{"its folder moved away and back", func(s *stage) {
			s.save(rules)
			folder := filepath.Dir(s.file)
			s.file = filepath.Join(folder, "memcurator", "config.toml")
			s.touch(folder, 0)
			s.events[600*time.Millisecond] = func() {
				if err := os.Mkdir(filepath.Dir(s.file), 0o700); err != nil {
					s.t.Fatal(err)
				}
				s.save(rules)
			}
		}, rules, nil, 600*time.Millisecond + SettledFor},
		{"emptied for good", func(s *stage) { s.save("") }, "", nil, freshFor},
		{"removed for good", func(s *stage) { s.save(rules); s.remove() }, "", fs.ErrNotExist, freshFor},
		{"saved without end", func(s *stage) {
			s.save(rules)
			for at := lookEvery; at < settlesWithin; at += lookEvery {
				s.events[at] = func() { s.save(rules[:len(rules)-int(at/lookEvery)%2]) }
			}
		}, "", errUnstable, settlesWithin},
		{"not there in a folder that is busy", func(s *stage) {
			s.touch(filepath.Dir(s.file), 0)
			for at := lookEvery; at < settlesWithin; at += lookEvery {
				s.events[at] = func() { s.touch(filepath.Dir(s.file), 0) }
			}
		}, "", fs.ErrNotExist, freshFor},
		{"a time in the future", func(s *stage) { s.save(rules); s.touch(s.file, time.Hour) }, rules, nil, SettledFor},
		{"empty, of a time in the future", func(s *stage) { s.save(""); s.touch(s.file, time.Hour) }, "", nil, SettledFor},
		{"not there, in a folder of a time in the future", func(s *stage) { s.touch(filepath.Dir(s.file), time.Hour) }, "", fs.ErrNotExist,
			freshFor},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			c.before(s)
			got, after, err := s.read()
			if got != c.want || !errors.Is(err, c.err) || after > c.within+2*lookEvery {
				t.Errorf("%q, %v after %v", got, err, after)
			}
		})
	}
}

func TestADanglingLinkIsNotAMissingFile(t *testing.T) {
	base := t.TempDir()
	link := func(to, name string) string {
		name = filepath.Join(base, name)
		if err := os.Symlink(filepath.Join(base, to), name); err != nil {
			t.Skip("no links here:", err)
		}
		return name
	}
	file := link("gone", "config.toml")
	folder := link("gone-too", "folder")
	for _, name := range []string{file, filepath.Join(folder, "config.toml")} {
		if _, err := Read(name); !errors.Is(err, errDangling) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(filepath.Join(base, "none", "config.toml")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
