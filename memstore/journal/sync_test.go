package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
)

// sync compares the store as a watcher does.
func (d *desk) sync() (made int) {
	d.t.Helper()
	made, err := d.j.Sync(d.t.Context(), past.Hints{})
	d.must(err)
	return made
}

func (d *desk) mv(from, to string) {
	d.t.Helper()
	d.must(os.Rename(d.at(from), d.at(to)))
}

func (d *desk) at(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func TestSyncRecordsTheChanges(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(d *desk)
		want []string
	}{
		{"nothing", func(*desk) {}, nil},
		{"a touch", func(d *desk) { d.must(os.Chtimes(d.at("a.md"), time.Time{}, time.Now().Add(-time.Hour))) }, nil},
		{"the same bytes again", func(d *desk) { d.outside("a.md", "text of a.md\n") }, nil},
		{"a new file", func(d *desk) { d.outside("new.md", "new\n") }, []string{"external create /memories/new.md"}},
		{"a file in new folders", func(d *desk) { d.outside("x/y/new.md", "new\n") }, []string{"external create /memories/x/y/new.md"}},
		{"an empty folder", func(d *desk) { d.must(os.Mkdir(d.at("x"), 0o700)) }, []string{"external create /memories/x"}},
		{"an edit", func(d *desk) { d.outside("a.md", "text of a.md\nmore\n") }, []string{"external edit /memories/a.md"}},
		{"an edit by a rename", func(d *desk) { d.outside("a.tmp", "other\n"); d.mv("a.tmp", "a.md") }, []string{"external edit /memories/a.md"}},
		{"a removal", func(d *desk) { d.gone("a.md") }, []string{"external delete /memories/a.md"}},
		{"a folder removed", func(d *desk) { d.gone("d") }, []string{
			"external delete /memories/d/two.md", "external delete /memories/d/sub/three.md", "external delete /memories/d/sub",
			"external delete /memories/d/one.md", "external delete /memories/d",
		}},
		{"a rename", func(d *desk) { d.mv("a.md", "b.md") }, []string{"external rename /memories/a.md /memories/b.md"}},
		{"a rename and an edit", func(d *desk) { d.mv("a.md", "b.md"); d.append("b.md", "more\n") }, []string{
			"external delete /memories/a.md", "external create /memories/b.md",
		}},
		{"a copy and a removal", func(d *desk) { d.outside("b.md", "text of a.md\n"); d.gone("a.md") }, []string{"external rename /memories/a.md /memories/b.md"}},
		{"a rename over another", func(d *desk) { d.mv("a.md", "d/one.md") }, []string{
			"external delete /memories/a.md", "external edit /memories/d/one.md",
		}},
		{"a folder renamed", func(d *desk) { d.mv("d", "e") }, []string{"external rename /memories/d /memories/e"}},
		{"a folder renamed, and more", func(d *desk) {
			d.mv("d", "e")
			d.append("e/one.md", "x\n")
			d.gone("e/two.md")
			d.outside("e/four.md", "4\n")
		}, []string{
			"external rename /memories/d /memories/e", "external delete /memories/e/two.md", "external create /memories/e/four.md", "external edit /memories/e/one.md",
		}},
		{"two folders, one in the other", func(d *desk) { d.mv("d", "e"); d.mv("e/sub", "sub") }, []string{
			"external rename /memories/d /memories/e", "external rename /memories/e/sub /memories/sub",
		}},
		{"a file becomes a folder", func(d *desk) { d.gone("a.md"); d.outside("a.md/in.md", "x\n") }, []string{
			"external delete /memories/a.md", "external create /memories/a.md/in.md",
		}},
		{"a folder becomes a file", func(d *desk) { d.gone("d"); d.outside("d", "x\n") }, []string{
			"external delete /memories/d/two.md", "external delete /memories/d/sub/three.md", "external delete /memories/d/sub",
			"external delete /memories/d/one.md", "external delete /memories/d", "external create /memories/d",
		}},
		{"in git's folder", func(d *desk) { d.outside(".git/index", "x\n") }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			for _, name := range []string{"a.md", "d/one.md", "d/two.md", "d/sub/three.md"} {
				d.outside(name, "text of "+name+"\n")
			}
			d.syncAll()
			test.do(d)
			d.sync()
			got, want := d.story(), test.want
			slices.Sort(got)
			want = slices.Sorted(slices.Values(want))
			if !slices.Equal(got, want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
			d.agrees()
			if made := d.sync(); made != 0 {
				t.Errorf("a second sync makes %d revisions", made)
			}
		})
	}
}

func (d *desk) append(name, text string) {
	d.t.Helper()
	f, err := os.OpenFile(d.at(name), os.O_APPEND|os.O_WRONLY, 0)
	d.must(err)
	_, err = f.WriteString(text)
	d.must(errors.Join(err, f.Close()))
}

// agrees fails where the disk is not what the journal has.
func (d *desk) agrees() {
	d.t.Helper()
	if r := d.check(); !r.OK() || r.Open > 0 {
		d.t.Errorf("the check says %+v", *r)
	}
	last, err := d.j.Last(d.t.Context())
	d.must(err)
	if diff := same(d.treeAt(last), d.plain()); diff != "" {
		d.t.Errorf("the journal is not the disk:\n%s", diff)
	}
}
