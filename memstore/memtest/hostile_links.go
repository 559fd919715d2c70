package memtest

import (
	"io/fs"
	"os"
	"path/filepath"
)

// links are optional as a whole: on Windows making one is a privilege.
func (w *hostileWriter) links() {
	beside := "../" + filepath.Base(w.outside)
	for _, l := range []struct {
		path, what, text string
		inside           bool
	}{
		{"link-in.md", "a link to a file inside", "plain.md", true},
		{"link-folder", "a link to a folder inside", "work", true},
		{"link-absolute.md", "an absolute link that points inside", filepath.Join(w.dir, "plain.md"), false},
		{"link-chain.md", "a link to a link to a file inside", "link-in.md", true},
		{"work/link-up.md", "a link inside that climbs first", "../plain.md", true},
		{"link-root", "a link to the store itself", ".", true},
		{"work/link-parent", "a link to the folder above", "..", true},
		{"link-hidden.md", "a link to a hidden file", ".hidden.md", true},
		{"link-out.md", "a link to a file outside", beside + "/secret.md", false},
		{"link-out-absolute.md", "an absolute link to a file outside", filepath.Join(w.outside, "secret.md"), false},
		{"link-out-folder", "a link to a folder outside", beside + "/folder", false},
		{"link-out-new.md", "a link to a missing file outside", beside + "/missing.md", false},
		{"link-out-back.md", "a link that leaves and comes back", "../" + filepath.Base(w.dir) + "/plain.md", false},
		{"link-out-chain.md", "a link to a link that leads out", "link-out.md", false},
		{"link-dangling.md", "a link to nothing", "missing.md", false},
		{"link-dangling-folder.md", "a link below a missing folder", "missing/folder/note.md", false},
		{"link-through-file.md", "a link through a file", "plain.md/below.md", false},
		{"link-self.md", "a link to itself", "link-self.md", false},
		{"link-loop-a", "a link in a loop of two", "link-loop-b", false},
		{"link-device", "a link to a device", os.DevNull, false},
		{"link-loop-b", "the other link of the loop", "link-loop-a", false},
	} {
		w.add(Item{Path: l.path, What: l.what, Type: fs.ModeSymlink, Inside: l.inside}, func(disk string) error { return os.Symlink(l.text, disk) })
	}
}
