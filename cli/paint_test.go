//go:build linux

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkFirstPaint runs the program in a pseudo-terminal of 200 by 60, compared with a minimal
// program of the same toolkit, which shows what of the time is not ours. Each round runs every
// program once. Peers that are not installed are left out. It starts on 100,000 files in 1,000 folders, 1 GB (holes: nothing
// here depends on the bytes), and the tree fills the screen. first makes the journal; again knows all files.
func BenchmarkFirstPaint(b *testing.B) {
	bin, small := binary(b), minimal(b)
	lf, _ := exec.LookPath("lf")
	if lf == "" {
		b.Log("lf is not installed: left out")
	}
	dir := bigStore(b)
	const lastFolder, lastRow = "folder-0040", "row-0059"
	home := b.TempDir()
	known := exec.Command(bin, "exec", dir)
	known.Env = cleanEnv(homeIs(home)...)
	must(b, known.Run())
	h := heats{}
	for b.Loop() {
		s, begun := perform(b, b.TempDir(), bin, dir)
		h.add("first", s.shows(lastFolder).Sub(begun))
		s.quit()
		s, begun = perform(b, b.TempDir(), small)
		h.add("minimal", s.shows(lastRow).Sub(begun))
		s.quit()
		if lf != "" {
			s, begun = perform(b, b.TempDir(), lf, dir)
			h.add("lf", s.shows(lastFolder).Sub(begun))
			s.quit()
		}
		s, begun = perform(b, home, bin, dir)
		h.add("again", s.shows(lastFolder).Sub(begun))
		s.quit()
	}
	h.report(b)
	h.ratio(b, "first", "minimal")
	h.ratio(b, "first", "lf")
	h.ratio(b, "first", "again")
	h.ratio(b, "again", "minimal")
}

// bigStore is a store of 1,000 folders with 100 files of 10 KB each.
func bigStore(b *testing.B) string {
	b.Helper()
	root := filepath.Join(b.TempDir(), "memories")
	for d := range 1000 {
		dir := filepath.Join(root, fmt.Sprintf("folder-%04d", d))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		for f := range 100 {
			name := filepath.Join(dir, fmt.Sprintf("note-%03d.md", f))
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				b.Fatal(err)
			}
			if err := os.Truncate(name, 10<<10); err != nil {
				b.Fatal(err)
			}
		}
	}
	return root
}
