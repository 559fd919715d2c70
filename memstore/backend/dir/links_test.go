package dir

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

// linkStore is a store beside a secret, given by a path that is itself a link.
func linkStore(t *testing.T) (d *Dir, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(base, "real", "store"), 0o700))
	outside = filepath.Join(base, "outside")
	must(t, os.MkdirAll(outside, 0o700))
	must(t, os.WriteFile(filepath.Join(outside, "secret.md"), []byte("secret"), 0o600))
	must(t, os.MkdirAll(filepath.Join(base, "real", "store-evil"), 0o700))
	must(t, os.WriteFile(filepath.Join(base, "real", "store-evil", "a.md"), []byte("secret"), 0o600))
	given := filepath.Join(base, "given")
	if err := os.Symlink(filepath.Join(base, "real"), given); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if d, err = Open(filepath.Join(given, "store"), Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	plant(t, d, "a.md", "text")
	plant(t, d, "sub/deep/b.md", "text")
	return d, outside
}

func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the texts of the links are Unix paths")
	}
	d, outside := linkStore(t)
	given := d.Path()
	real, err := filepath.EvalSymlinks(given)
	must(t, err)
	alias := filepath.Join(filepath.Dir(outside), "alias")
	up := "../../../../../../../../../../../../../../../.."
	tests := []struct {
		name, text string
		open       string // "" for name
		want       error  // nil: the file is read
	}{
		{"relative", "a.md", "", nil},
		{"relative down and up", "sub/deep/../../a.md", "", nil},
		{"sub/relative up", "../a.md", "", nil},
		{"absolute as given", given + "/a.md", "", nil},
		{"absolute real", real + "/a.md", "", nil},
		{"absolute with dots", given + "/./sub//deep/../../a.md", "", nil},
		{"sub/absolute", real + "/sub/deep/b.md", "", nil},
		{"relative over the root and back", "../store/a.md", "", nil},
		{"relative over everything and back", up + real + "/a.md", "", nil},
		{"folder", "sub/deep", "folder/b.md", nil},
		{"absolute folder", real + "/sub", "absolute folder/deep/b.md", nil},
		{"root folder", given, "root folder/a.md", nil},
		{"root folder by a dot", ".", "root folder by a dot/root folder/sub/deep/b.md", nil},
		{"chain of both", "absolute folder/deep/b.md", "", nil},

		{"out", outside + "/secret.md", "", backend.ErrEscapes},
		{"out relative", "../../outside/secret.md", "", backend.ErrEscapes},
		{"out folder", outside, "out folder/secret.md", backend.ErrEscapes},
		{"out folder relative", "sub/../../../outside", "out folder relative/secret.md", backend.ErrEscapes},
		{"out by prefix", real + "-evil/a.md", "", backend.ErrEscapes},
		{"out by given prefix", given + "-evil/a.md", "", backend.ErrEscapes},
		{"out to nothing", "/nonexistent/file", "", backend.ErrEscapes},
		{"out to the folder above", "..", "out to the folder above/store/a.md", nil},
		{"out to above", "..", "", backend.ErrEscapes},
		{"out to the top", "/", "", backend.ErrEscapes},
		{"through outside and back", outside + "/back", "", nil},
		{"another name", alias + "/store/a.md", "", nil},
		{"another name with dots", alias + "/../real/./store//a.md", "", nil},
		{"another name relative", "../../alias/store/a.md", "", nil},
		{"another name folder", alias + "/store/sub", "another name folder/deep/b.md", nil},
		{"another name of the root", alias + "/store", "another name of the root/a.md", nil},
		{"another name above", alias, "another name above/store/a.md", nil},
		{"by a link outside in a folder", outside + "/in/deep/b.md", "", nil},
		{"over a chain outside", outside + "/chain0", "", nil},
		{"another name of nothing", alias + "/store/none", "", backend.ErrNotExist},
		{"another name through a file", alias + "/store/a.md/", "", backend.ErrNotDir},
		{"another name of a loop", alias + "/store/another name of a loop", "", backend.ErrLinkLoop},
		{"another name leads out", alias + "/store/../store-evil/a.md", "", backend.ErrEscapes},
		{"another name comes near", alias, "another name comes near/a.md", backend.ErrEscapes},
		{"to a loop outside", outside + "/loop", "", backend.ErrEscapes},
		{"through a loop outside", outside + "/loop/../back", "", backend.ErrEscapes},
		{"through a file outside", outside + "/secret.md/../back", "", backend.ErrEscapes},
		{"through nothing outside", outside + "/none/../back", "", backend.ErrEscapes},
		{"out after coming back", outside + "/in/../../../outside/secret.md", "", backend.ErrEscapes},

		{"slash", "a.md/", "", backend.ErrNotDir},
		{"slashes", "./a.md//", "", backend.ErrNotDir},
		{"slash and dot", "a.md/.", "", backend.ErrNotDir},
		{"absolute slash", given + "/a.md/", "", backend.ErrNotDir},
		{"absolute real slash", real + "/a.md/", "", backend.ErrNotDir},
		{"absolute to slash", real + "/slash", "", backend.ErrNotDir},
		{"folder slash", real + "/sub/", "folder slash/deep/b.md", nil},
		{"out device", "/dev/null", "", backend.ErrEscapes},

		{"dangling", "none", "", backend.ErrNotExist},
		{"dangling absolute", real + "/none", "", backend.ErrNotExist},
		{"dangling folder", "none", "dangling folder/x", backend.ErrNotExist},
		{"loop", "loop", "", backend.ErrLinkLoop},
		{"absolute loop", real + "/absolute loop", "", backend.ErrLinkLoop},
		{"loop of two", "loop of two b", "", backend.ErrLinkLoop},
		{"loop of two b", real + "/loop of two", "", backend.ErrLinkLoop},
		{"through a file", "a.md/../a.md", "", backend.ErrNotDir},
		{"absolute through a file", real + "/a.md/../a.md", "", backend.ErrNotDir},
		{"to a folder", real + "/sub", "", backend.ErrIsDir},
	}
	for name, text := range map[string]string{
		"outside/back": real + "/a.md", "alias": "real", "outside/in": "../alias/store/sub", "outside/loop": "loop",
		"outside/chain0": "chain1", "outside/chain1": outside + "/chain2", "outside/chain2": "../alias/store/chain of both",
	} {
		must(t, os.Symlink(text, filepath.Join(filepath.Dir(outside), name)))
	}
	for _, tt := range tests {
		_ = os.Remove(onDisk(d, tt.name))
		must(t, os.Symlink(tt.text, onDisk(d, tt.name)))
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := tt.open
			if name == "" {
				name = tt.name
			}
			for _, a := range []backend.Access{backend.Use, backend.Look} {
				f, err := d.Open(name, a)
				if err == nil {
					_ = f.Close()
				}
				if tt.want != nil {
					wantErr(t, "Open", err, tt.want)
				} else if err != nil {
					t.Errorf("Open: %v", err)
				}
			}
			if tt.want == nil {
				if got := readAll(t, d, name); got != "text" {
					t.Errorf("read %q", got)
				}
			}
			info, err := d.Lstat(tt.name)
			if err != nil || info.Kind != backend.KindLink {
				t.Errorf("Lstat: %+v, %v", info, err)
			}
			if text, err := d.Readlink(tt.name); err != nil || text != tt.text {
				t.Errorf("Readlink: %q, %v", text, err)
			}
		})
	}
}

func TestWritesThroughLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the texts of the links are Unix paths")
	}
	d, outside := linkStore(t)
	for name, text := range map[string]string{
		"in": "sub/deep/b.md", "absolute": d.Path() + "/sub/deep/b.md", "folder": d.Path() + "/sub",
		"out": outside + "/secret.md", "out folder": outside, "dangling": "none", "dangling folder": "none",
	} {
		must(t, os.Symlink(text, onDisk(d, name)))
	}
	before := memtest.DescribeDisk(t, outside)
	old := "text"
	for _, name := range []string{"in", "absolute", "folder/deep/b.md"} {
		must(t, d.Replace(name, []byte(old), []byte(name)))
		if old = readAll(t, d, "sub/deep/b.md"); old != name {
			t.Errorf("Replace through %s: the target holds %q", name, old)
		}
	}
	for _, name := range []string{"in", "absolute"} {
		if info, err := d.Lstat(name); err != nil || info.Kind != backend.KindLink {
			t.Errorf("the link %s did not stay: %+v, %v", name, info, err)
		}
	}
	must(t, d.Create("folder/new/n.md", []byte("n")))
	must(t, d.Rename("folder/new/n.md", "folder/moved.md"))
	if got := readAll(t, d, "sub/moved.md"); got != "n" {
		t.Errorf("sub/moved.md holds %q", got)
	}
	wantErr(t, "Replace of out", d.Replace("out", []byte("secret"), nil), backend.ErrEscapes)
	wantErr(t, "Replace below out", d.Replace("out folder/secret.md", []byte("secret"), nil), backend.ErrEscapes)
	wantErr(t, "Replace of a dangling link", d.Replace("dangling", nil, nil), backend.ErrChanged)
	wantErr(t, "Create at out", d.Create("out", nil), backend.ErrExist)
	wantErr(t, "Create at a dangling link", d.Create("dangling", nil), backend.ErrExist)
	wantErr(t, "Create below out", d.Create("out folder/n.md", nil), backend.ErrEscapes)
	wantErr(t, "Create far below out", d.Create("out folder/n/n.md", nil), backend.ErrEscapes)
	wantErr(t, "Create below a dangling link", d.Create("dangling folder/n.md", nil), backend.ErrNotDir)
	wantErr(t, "Remove below out", d.Remove("out folder/secret.md"), backend.ErrEscapes)
	wantErr(t, "Rename from out", d.Rename("out folder/secret.md", "x.md"), backend.ErrEscapes)
	wantErr(t, "Rename to out", d.Rename("a.md", "out folder/a.md"), backend.ErrEscapes)
	must(t, d.Rename("out", "sub/still out"))
	must(t, d.Rename("absolute", "sub/absolute"))
	for _, name := range []string{"sub/still out", "sub/absolute", "out folder", "folder"} {
		must(t, d.Remove(name))
		if _, err := d.Lstat(name); err == nil {
			t.Errorf("%s was not removed", name)
		}
	}
	if after := memtest.DescribeDisk(t, outside); after != before {
		t.Errorf("outside was\n%sand is\n%s", before, after)
	}
	if got := readAll(t, d, "sub/deep/b.md"); got == "" {
		t.Error("the target of a removed link is gone")
	}
}

// TestLinksAgreeWithTheSystem makes random trees of links and asks the system
// where each name leads. Inside it must be the same file, outside always an error.
func TestLinksAgreeWithTheSystem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the texts of the links are Unix paths")
	}
	for seed := range uint64(20) {
		d, outside := linkStore(t)
		real, err := filepath.EvalSymlinks(d.Path())
		must(t, err)
		r := rand.New(rand.NewPCG(seed, 1))
		names := []string{"a.md", "sub", "sub/deep", "sub/deep/b.md"}
		pick := func(from []string) string { return from[r.IntN(len(from))] }
		alias := filepath.Join(filepath.Dir(outside), "alias")
		must(t, os.Symlink(pick([]string{"real", filepath.Dir(real), "outside/../real"}), alias))
		for i := range 12 { // links outside: among themselves, out, and back in
			must(t, os.Symlink(pick([]string{
				fmt.Sprintf("l%d", r.IntN(12)), outside + fmt.Sprintf("/l%d", r.IntN(12)), "../alias/store", real, "..", "secret.md", "none",
				alias + "/store/sub", "../real/store/" + pick(names), fmt.Sprintf("l%d/../l%d", r.IntN(12), r.IntN(12)),
			}), filepath.Join(outside, fmt.Sprintf("l%d", i))))
		}
		for i := range 25 {
			name := filepath.ToSlash(filepath.Join(pick([]string{"", "sub", "sub/deep"}), fmt.Sprintf("l%d", i)))
			text := pick([]string{
				pick(names), "../" + pick(names), "../../" + pick(names), d.Path() + "/" + pick(names), real + "/" + pick(names),
				"../store/" + pick(names), outside, outside + "/secret.md", "..", ".", "none", pick(names) + "/../" + pick(names),
				alias + "/store/" + pick(names), alias, "../../alias/store", outside + fmt.Sprintf("/l%d", r.IntN(12)), pick(names) + "/",
				"../../outside/" + fmt.Sprintf("l%d/", r.IntN(12)) + pick(names), alias + "/../" + pick([]string{"real", "alias", "none"}) +
					"/store/" + pick(names),
			})
			must(t, os.Symlink(text, onDisk(d, name)))
			names = append(names, name, name+"/a.md", name+"/deep", name+"/"+fmt.Sprintf("l%d", r.IntN(25)))
		}
		for _, name := range names {
			checkAgainstSystem(t, d, real, name)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkAgainstSystem(t *testing.T, d *Dir, root, name string) {
	t.Helper()
	target, systemErr := filepath.EvalSymlinks(onDisk(d, name))
	inside := systemErr == nil && (target == root || strings.HasPrefix(target, root+"/"))
	info, err := d.Stat(name)
	real, realErr := d.Resolve(name, true)
	if !inside {
		if err == nil || realErr == nil && systemErr == nil {
			t.Errorf("%s: the system says %q, %v; Stat found %+v, Resolve %q", name, target, systemErr, info, real)
		}
		return
	}
	if onDisk(d, real) != filepath.Join(d.Path(), strings.TrimPrefix(target, root)) || realErr != nil {
		t.Errorf("%s leads to %s, Resolve says %q, %v", name, target, real, realErr)
	}
	want, statErr := os.Stat(target)
	must(t, statErr)
	if err != nil {
		t.Errorf("%s leads to %s, Stat says %v", name, target, err)
	} else if info.ID != FileID(want) {
		t.Errorf("%s leads to %s, Stat found another file", name, target)
	}
	if want.Mode().IsRegular() {
		if got := readAll(t, d, name); got != "text" {
			t.Errorf("%s read %q", name, got)
		}
	}
}

// TestFolderSwappedForALink: whatever is swapped while calls are under way, nothing
// outside is read or written (guarantee G2).
func TestFolderSwappedForALink(t *testing.T) {
	d, outside := linkStore(t)
	plant(t, d, "swap/secret.md", "text")
	before := memtest.DescribeDisk(t, outside)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(onDisk(d, "swap"), onDisk(d, "kept"))
			_ = os.Symlink(outside, onDisk(d, "swap"))
			_ = os.Remove(onDisk(d, "swap"))
			_ = os.Rename(onDisk(d, "kept"), onDisk(d, "swap"))
		}
	}()
	for i := range 150 {
		name := fmt.Sprintf("swap/n%d/n.md", i)
		_ = d.Create(name, []byte("x"))
		_ = d.Rename(name, fmt.Sprintf("swap/m%d.md", i))
		_ = d.Replace("swap/secret.md", []byte("text"), []byte("text"))
		_ = d.Remove(fmt.Sprintf("swap/m%d.md", i))
		if f, err := d.Open("swap/secret.md", backend.Use); err == nil {
			buf := make([]byte, 6)
			n, _ := f.ReadAt(buf, 0)
			_ = f.Close()
			if string(buf[:n]) != "text" {
				t.Fatalf("read %q from outside", buf[:n])
			}
		}
	}
	close(stop)
	<-done
	if after := memtest.DescribeDisk(t, outside); after != before {
		t.Errorf("outside was\n%sand is\n%s", before, after)
	}
}

// FuzzDirNames gives the backend names that ParsePath would never let through.
// Nothing outside may change or be read, and nothing may panic.
func FuzzDirNames(f *testing.F) {
	for _, name := range []string{"", ".", "..", "a.md", "../outside", "/etc/passwd", "sub/../../outside/secret.md",
		"sub/..", "sub/.", "a\x00b", "sub//deep", "../store/a.md", "out/secret.md", "sub/", "\xff", "con", "C:\\x"} {
		f.Add(name, "new/"+name)
		f.Add("a.md", name)
	}
	base := f.TempDir()
	outside := filepath.Join(base, "outside")
	must(f, os.Mkdir(outside, 0o700))
	must(f, os.WriteFile(filepath.Join(outside, "secret.md"), []byte("secret"), 0o600))
	before := memtest.DescribeDisk(f, outside)
	f.Fuzz(func(t *testing.T, name, other string) {
		store := filepath.Join(base, "store")
		must(t, os.RemoveAll(store))
		d, err := Open(store, Options{Create: true})
		must(t, err)
		defer d.Close()
		plant(t, d, "a.md", "text")
		plant(t, d, "sub/deep/b.md", "text")
		_ = os.Symlink(outside, onDisk(d, "out"))
		if file, err := d.Open(name, backend.Use); err == nil {
			buf := make([]byte, 6)
			if n, _ := file.ReadAt(buf, 0); string(buf[:n]) == "secret" {
				t.Errorf("%q reads a file outside", name)
			}
			_ = file.Close()
		}
		_, _ = d.ReadDir(name)
		_, _ = d.Readlink(name)
		_ = d.Create(other, []byte("new"))
		_ = d.Replace(name, []byte("text"), []byte("other"))
		_ = d.Replace(name, []byte("secret"), []byte("other"))
		_ = d.Rename(name, other)
		_ = d.Remove(other)
		_ = d.Remove(name)
		if after := memtest.DescribeDisk(t, outside); after != before {
			t.Errorf("names %q and %q changed the outside to\n%s", name, other, after)
		}
		if entries, err := os.ReadDir(base); err != nil || len(entries) != 2 {
			t.Errorf("names %q and %q: beside the store there is now %v, %v", name, other, entries, err)
		}
	})
}
