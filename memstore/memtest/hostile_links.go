package memtest

import (
	"io/fs"
	"os"
	"path/filepath"
)

// links are optional as a whole: on Windows making one is a privilege.
func (w *hostileWriter) links() {
	absolute, err := filepath.Abs(w.Dir)
	w.must(err)
	outside, err := filepath.Abs(w.Outside)
	w.must(err)
	beside := "../" + filepath.Base(outside)
	for _, l := range []struct {
		path, what, text string
		leads            Leads
	}{
		{"link-in.md", "a link to a file inside", "plain.md", LeadsInside},
		{"link-folder", "a link to a folder inside", "work", LeadsInside},
		{"link-absolute.md", "an absolute link that points inside", filepath.Join(absolute, "plain.md"), leadsOutside},
		{"link-chain.md", "a link to a link to a file inside", "link-in.md", LeadsInside},
		{"work/link-up.md", "a link inside that climbs first", "../plain.md", LeadsInside},
		{"link-root", "a link to the store itself", ".", LeadsInside},
		{"work/link-parent", "a link to the folder above", "..", LeadsInside},
		{"link-hidden.md", "a link to a hidden file", ".hidden.md", LeadsInside},
		{"link-out.md", "a link to a file outside", beside + "/secret.md", leadsOutside},
		{"link-out-absolute.md", "an absolute link to a file outside", filepath.Join(outside, "secret.md"), leadsOutside},
		{"link-out-folder", "a link to a folder outside", beside + "/folder", leadsOutside},
		{"link-out-new.md", "a link to a missing file outside", beside + "/missing.md", leadsOutside},
		{"link-out-back.md", "a link that leaves and comes back", "../" + filepath.Base(absolute) + "/plain.md", leadsOutside},
		{"link-out-chain.md", "a link to a link that leads out", "link-out.md", leadsOutside},
		{"link-dangling.md", "a link to nothing", "missing.md", leadsDangling},
		{"link-dangling-folder.md", "a link below a missing folder", "missing/folder/note.md", leadsDangling},
		{"link-through-file.md", "a link through a file", "plain.md/below.md", leadsDangling},
		{"link-self.md", "a link to itself", "link-self.md", leadsLoop},
		{"link-loop-a", "a link in a loop of two", "link-loop-b", leadsLoop},
		{"link-loop-b", "the other link of the loop", "link-loop-a", leadsLoop},
	} {
		it := Item{Path: l.path, What: l.what, Type: fs.ModeSymlink, Leads: l.leads, Named: true}
		w.add(it, true, func(disk string) error { return os.Symlink(l.text, disk) })
	}
}
