package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/backend/quietfile"
	"memcurator/memstore/memtest"
	"memcurator/memstore/memtest/dbtest"
)

// looked is a home in which every agent and every program keeps a memory, to be looked at.
type looked struct {
	home   string
	env    map[string]string
	stores map[string]string // those of other programs, by their kinds
}

func newLooked(t *testing.T) looked {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	memtest.WriteFiles(t, home, map[string]string{
		".claude/projects/-src-ferry/memory/MEMORY.md": "# Memory\n\n- The old ferry had 40 seats\n",
		".claude/projects/-src-ferry/19ff.jsonl":       `{"type":"user","cwd":"/src/ferry","message":{"role":"user","content":"Count the seats"}}`,
		".claude/CLAUDE.md":                            "# Ann\n",
		".codex/memories/memory_summary.md":            "Ann works on the ferry.\n",
		".qwen/memories/MEMORY.md":                     "# Index\n",
		"notes/family.jsonl":                           `{"type":"entity","name":"Bo","entityType":"person","observations":["Sails the ferry"]}`,
		".config/Claude/claude_desktop_config.json":    `{"mcpServers":{"memory":{"env":{"MEMORY_FILE_PATH":"` + home + `/notes/family.jsonl"}}}}`,
	})
	l := looked{home: home, stores: map[string]string{
		"graph":     filepath.Join(home, "notes/family.jsonl"),
		"cc-memory": filepath.Join(home, ".claude-memory/memory.db"),
		"export":    filepath.Join(home, "exports/memory.json"),
	}}
	must(t, os.Mkdir(filepath.Dir(l.stores["cc-memory"]), 0o700))
	must(t, dbtest.WriteCCMemory(l.stores["cc-memory"], time.Now(), false))
	for _, d := range dbtest.All {
		file := filepath.Join(home, d.Names)
		must(t, os.Mkdir(filepath.Dir(file), 0o700))
		db, err := d.Create(file)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() }) // till then there is a log beside it
		l.stores[d.Program] = file
	}
	must(t, os.Mkdir(filepath.Dir(l.stores["export"]), 0o700))
	ok(t, "export", l.stores["cc-memory"], "--as", "cc-memory", l.stores["export"])
	l.env = map[string]string{"HOME": home, "MEMCURATOR_STATE": filepath.Join(t.TempDir(), "state"),
		"MEMCURATOR_CONFIG": os.DevNull, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "TMPDIR": t.TempDir()}
	return l
}

// age sets all times back so far that every access would be recorded, and returns what there is of each file and folder.
func (l looked) age(t *testing.T) map[string]string {
	t.Helper()
	old := time.Now().Add(-72 * time.Hour)
	var all []string
	must(t, filepath.WalkDir(l.home, func(at string, e fs.DirEntry, err error) error {
		if err == nil && e.Type()&fs.ModeSymlink == 0 {
			all = append(all, at)
		}
		return err
	}))
	for _, at := range all { // after the walk, which is an access to each folder
		must(t, os.Chtimes(at, old, time.Time{}))
	}
	return l.stamps(t)
}

// stamps lists what the system has of each file and folder, with a digest of its bytes.
func (l looked) stamps(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	var walk func(string)
	walk = func(at string) {
		var st syscall.Stat_t
		must(t, syscall.Lstat(at, &st))
		sum := [sha256.Size]byte{}
		switch st.Mode & syscall.S_IFMT {
		case syscall.S_IFDIR:
			f, err := quietfile.Open(at, quietfile.Directory)
			must(t, err)
			names, err := f.Readdirnames(-1)
			must(t, errors.Join(err, f.Close()))
			for _, name := range names {
				walk(filepath.Join(at, name))
			}
		case syscall.S_IFREG:
			f, err := quietfile.Open(at, 0)
			must(t, err)
			data, err := io.ReadAll(f)
			must(t, errors.Join(err, f.Close()))
			sum = sha256.Sum256(data)
		}
		all[at] = fmt.Sprintf("inode %d, mode %o, %d bytes %x, changed %d.%09d and %d.%09d, accessed %d.%09d", st.Ino, st.Mode, st.Size, sum[:4],
			st.Mtim.Sec, st.Mtim.Nsec, st.Ctim.Sec, st.Ctim.Nsec, st.Atim.Sec, st.Atim.Nsec)
	}
	walk(l.home)
	return all
}

// untouched checks that all is as it was before a look.
func (l looked) untouched(t *testing.T, look string, before map[string]string) {
	t.Helper()
	after := l.stamps(t)
	for at, was := range before {
		if after[at] != was {
			t.Errorf("%s: ~%s\nwas %s\nis  %s", look, strings.TrimPrefix(at, l.home), was, after[at])
		}
	}
	if len(after) != len(before) {
		t.Errorf("%s: there were %d files and folders, and now there are %d", look, len(before), len(after))
	}
}

// recorded reports whether the file system records accesses. If it does not, the test would find any look quiet.
func (l looked) recorded(t *testing.T) bool {
	t.Helper()
	file := l.stores["graph"]
	before := l.age(t)[file]
	_, err := os.ReadFile(file)
	must(t, err)
	return l.stamps(t)[file] != before
}

// No way of looking at the memories of agents and of other programs changes a byte, a time or an access count of any file or folder.
func TestLookingMovesNothing(t *testing.T) {
	t.Parallel()
	l := newLooked(t)
	if !l.recorded(t) {
		t.Skip("this file system doesn't record accesses")
	}
	before := l.age(t)
	look := func(statuses string, args ...string) {
		t.Helper()
		o := call{args: args, env: l.env}.run(t)
		if !strings.Contains(statuses, fmt.Sprint(o.code)) {
			t.Errorf("%q: exit status %d, want one of %s\n%s", args, o.code, statuses, o.err)
		}
		l.untouched(t, strings.Join(args, " "), before)
	}
	for _, args := range [][]string{{"stores"}, {"replay", filepath.Join(l.home, ".claude/projects")}} {
		look("013", args...)
	}
	for kind, store := range l.stores {
		for _, args := range [][]string{{"ls"}, {"search", "the"}, {"scan"}, {"stats"}, {"doctor"}, {"log"}, {"plan", "--suggest"}, {"trash"},
			{"diff", "0"}} {
			look("01", append(args, "--dir", store)...)
		}
		look("0", "cat", "--dir", store, firstFile(t, l, store))
		look("01", "blame", "--dir", store, firstFile(t, l, store))
		look("2", "apply", "--suggest", "--dir", store) // asks first, which it can't here
		look("01", "search", "--recall", "--dir", store, "pool")
		look("01", "export", store, "--bundle", filepath.Join(t.TempDir(), kind+".memcurator"))
		look("01", "export", store, "--as", "cc-memory", filepath.Join(t.TempDir(), kind+".json"))
	}
}

// Nor does the interface, on any of its screens.
func TestScreensMoveNothing(t *testing.T) {
	t.Chdir(t.TempDir()) // the last row of Stores offers to start a memory here
	l := newLooked(t)
	if !l.recorded(t) {
		t.Skip("this file system doesn't record accesses")
	}
	var env []string
	for name, value := range l.env {
		env = append(env, name+"="+value)
	}
	before := l.age(t)
	s := openScreen(t, env)
	s.await(enterAlternate, "all stores")
	s.shows("8 stores")    // all of them are there
	const esc = "\x1b[27u" // as the keyboard protocol of kitty writes it: no key that follows belongs to it
	s.press(strings.Repeat("j", 50) + "]jj\r" + esc + "[iL" + esc + "Lo")
	s.press("Sferry\r")
	s.await("matches in")
	s.press("4")
	s.shows("[4 Replay]")
	s.shows("Count the seats") // the last of the rows: keys that come before there are any are lost
	s.press("+gj\r")           // a transcript: the first row below the first heading
	s.shows("[diff] result memory")
	s.press("q")
	s.leaves(0)
	l.untouched(t, "Stores", before)
	for kind, store := range l.stores {
		s := openScreen(t, env, store)
		s.await(enterAlternate)
		s.shows("▾ /memories")
		s.press("+jjjj\r")
		s.press("]]]]]][i")
		s.shows("━ Info ━")
		s.press(esc + "Sthe\r" + esc)
		for _, screen := range []string{"2 Changes", "3 Curate", "4 Replay", "5 Trash", "6 Secrets", "1 Browse"} {
			s.press(screen[:1])
			s.shows("[" + screen)
			s.press("j")
		}
		s.press("0")
		s.shows("[0 Stores")
		s.press("q")
		s.leaves(0)
		l.untouched(t, "the interface on "+kind, before)
	}
}

// firstFile is the agent path of a file of a store.
func firstFile(t *testing.T, l looked, store string) string {
	t.Helper()
	o := call{args: []string{"ls", "--json", "--dir", store}, env: l.env}.run(t)
	for _, row := range jsonOf(t, o.out) {
		if path, _ := row["path"].(string); strings.HasSuffix(path, ".md") {
			return path
		}
	}
	t.Fatalf("%s has no files: %+v", store, o)
	return ""
}
