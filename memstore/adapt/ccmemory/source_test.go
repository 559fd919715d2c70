package ccmemory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

// opened is a source on a database with records: no server runs, it is noon, and there is a folder for backups.
func opened(t testing.TB, m cctest.Memory) *Source {
	t.Helper()
	_, folder := written(t, m)
	source, err := open(filepath.Join(folder, FileName))
	if err != nil {
		t.Fatal(err)
	}
	s := source.(*Source)
	s.servers = func() ([]int, error) { return nil, nil }
	s.now = func() time.Time { return noon }
	backups := t.TempDir()
	s.BackUpTo(func() string { return backups })
	return s
}

func imageOf(t testing.TB, s *Source) *adapt.Image {
	t.Helper()
	image, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func entryOf(t testing.TB, image *adapt.Image, name string) adapt.Entry {
	t.Helper()
	for _, e := range image.Entries {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("nothing at %s in %v", name, names(image))
	return adapt.Entry{}
}

func names(image *adapt.Image) (list []string) {
	for _, e := range image.Entries {
		list = append(list, e.Name)
	}
	return list
}

func find(t testing.TB, image *adapt.Image, prefix string) adapt.Entry {
	t.Helper()
	for _, e := range image.Entries {
		if strings.HasPrefix(e.Name, prefix) {
			return e
		}
	}
	t.Fatalf("nothing begins with %s in %v", prefix, names(image))
	return adapt.Entry{}
}

// Looking leaves the file and its folder as they are, and reads every record.
func TestLookingLeavesNoTrace(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-1000 * time.Hour)
	if err := os.Chtimes(s.path, old, old); err != nil {
		t.Fatal(err)
	}
	if !recognize(s.path) {
		t.Error("the database isn't recognized")
	}
	image := imageOf(t, s)
	for _, e := range image.Entries {
		if e.Fixed != "" || len(e.Text) == 0 {
			t.Errorf("%s: %q, %d bytes", e.Name, e.Fixed, len(e.Text))
		}
	}
	after, err := os.ReadFile(s.path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed: %v", err)
	}
	info, err := os.Stat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if at := time.Unix(info.Sys().(*syscall.Stat_t).Mtim.Unix()); !at.Equal(old.Truncate(0)) && at.Sub(old).Abs() > time.Second {
		t.Errorf("the time of the last change is %v", at)
	}
	if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want the database alone", entries, err)
	}
	for _, folder := range layers {
		if !strings.Contains(strings.Join(image.Folders, "\n"), folder) {
			t.Errorf("%s isn't there", folder)
		}
	}
	t.Log(strings.Join(names(image), "\n"))
}

// Every text that a record has is stored again as it was, and changes no column.
func TestFormKeepsTexts(t *testing.T) {
	t.Parallel()
	for _, m := range []cctest.Memory{cctest.Sample(noon), cctest.Random(noon, 7, 300)} {
		s := opened(t, m)
		image := imageOf(t, s)
		for _, e := range image.Entries {
			got, err := s.Form(image, e.Name, e.Text, e.Text)
			if err != nil || string(got) != string(e.Text) {
				t.Fatalf("%s: %v\n%s\nwas\n%s", e.Name, err, got, e.Text)
			}
		}
	}
}

// edit writes a text as a command does: in its form.
func edit(t testing.TB, s *Source, name string, replace ...string) error {
	t.Helper()
	image := imageOf(t, s)
	old := entryOf(t, image, name).Text
	data, err := s.Form(image, name, old, []byte(strings.NewReplacer(replace...).Replace(string(old))))
	if err != nil {
		return err
	}
	if err := s.Write(t.Context(), image, adapt.Edit{Name: name, Old: old, New: data}); err != nil {
		return err
	}
	if got := entryOf(t, imageOf(t, s), name).Text; string(got) != string(data) {
		t.Errorf("%s is %q, and %q was written", name, got, data)
	}
	return nil
}

func create(t testing.TB, s *Source, name, text string) error {
	t.Helper()
	image := imageOf(t, s)
	data, err := s.Form(image, name, nil, []byte(text))
	if err != nil {
		return err
	}
	if err := s.Write(t.Context(), image, adapt.Edit{Name: name, New: data}); err != nil {
		return err
	}
	if got := entryOf(t, imageOf(t, s), name).Text; string(got) != string(data) {
		t.Errorf("%s is %q, and %q was written", name, got, data)
	}
	return nil
}

// A change is refused where a server runs, without a folder for backups, and if the file has changed since it was read.
func TestGuards(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	image := imageOf(t, s)
	name := find(t, image, "working/").Name
	gone := adapt.Edit{Name: name}
	refused := func(want string) {
		t.Helper()
		var refusal *backend.Refusal
		if err := s.Write(t.Context(), image, gone); !errors.As(err, &refusal) || !strings.Contains(refusal.Why, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s.servers = func() ([]int, error) { return []int{12, 345}, nil }
	refused("Servers of cc-memory run (processes 12, 345)")
	s.servers = func() ([]int, error) { return []int{12}, nil }
	refused("A server of cc-memory runs (process 12)")
	s.servers = func() ([]int, error) { return nil, errors.ErrUnsupported }
	refused("can't be told")
	s.servers = func() ([]int, error) { return nil, nil }
	folder := s.backups
	s.BackUpTo(nil)
	refused("can't be backed up")
	s.BackUpTo(func() string { return s.path })
	refused("can't be backed up")
	s.BackUpTo(folder)
	if err := os.Chmod(s.path, 0o604); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), image, gone); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o604 {
		t.Errorf("%v, %v: want the mode of before", info.Mode(), err)
	}
	if err := s.Write(t.Context(), image, adapt.Edit{Name: find(t, image, "semantic/").Name}); !errors.Is(err, backend.ErrChanged) {
		t.Errorf("%v: the image is that of before", err)
	}
	backups := s.Backups()
	if len(backups) != 1 {
		t.Fatalf("backups: %v", backups)
	}
	if data, err := os.ReadFile(backups[0]); err != nil || string(data) != string(before) {
		t.Errorf("the backup isn't the database of before: %v", err)
	}
	if info, err := os.Stat(backups[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want the database alone", entries, err)
	}
}

func TestServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, work string
		want       bool
	}{
		{"node /opt/cc-memory/dist/index.js", "/", true},
		{"/usr/bin/node --inspect dist/http-server.js", "/src/cc-memory", true},
		{"node dist/index.js", "/src/shop", false},
		{"node /srv/lib/node_modules/.bin/cc-memory", "/", true},
		{"npx -y cc-memory", "/", true},
		{"npm exec cc-memory", "/", true},
		{"bash /src/cc-memory/run.sh", "/", true},
		{"cc-memory-cli serve", "/", true},
		{"vim /src/cc-memory/README.md", "/src/cc-memory", false},
		{"memcurator /data/cc-memory/memory.db", "/", false},
		{"node /srv/app/server.js --about cc-memory", "/", false},
	} {
		if got := isServer(strings.Fields(c.line), c.work); got != c.want {
			t.Errorf("%s in %s: %v", c.line, c.work, got)
		}
	}
	if pids, err := servers(); err != nil {
		t.Errorf("%v, %v", pids, err)
	}
}
