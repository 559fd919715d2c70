package memtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"unicode/utf8"
)

func TestHostileReportIsTrue(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	report, err := Hostile{LineBytes: 100_003, Lines: 70_001}.Write(dir)
	t.Cleanup(func() {
		if err := report.Restore(); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Skipped {
		t.Log(s)
	}
	if runtime.GOOS == "linux" && len(report.Skipped) > 0 {
		t.Errorf("%d items skipped on Linux", len(report.Skipped))
	}
	seen := map[string]bool{}
	for _, it := range report.Items {
		t.Run(it.What, func(t *testing.T) {
			if seen[it.Path] {
				t.Errorf("%q is in the report twice", it.Path)
			}
			seen[it.Path] = true
			check(t, filepath.Join(dir, filepath.FromSlash(it.Path)), it)
		})
	}
}

// check compares an item with what is on disk.
func check(t *testing.T, disk string, it Item) {
	info, err := os.Lstat(disk)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Type() != it.Type {
		t.Errorf("type %v on disk, %v in the report", info.Mode().Type(), it.Type)
	}
	if it.Sealed && info.Mode().Perm() != 0 {
		t.Errorf("sealed folder has mode %v", info.Mode())
	}
	switch it.Type {
	case 0:
		data, err := os.ReadFile(disk)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(data)) != it.Size || utf8.Valid(data) != it.Valid {
			t.Errorf("%d bytes, UTF-8 %v; the report says %d, %v", len(data), utf8.Valid(data), it.Size, it.Valid)
		}
	case fs.ModeSymlink:
		_, err := os.Stat(disk)
		if (err == nil) != (it.Leads == LeadsInside || it.Leads == leadsOutside) && it.Path != "link-out-new.md" {
			t.Errorf("following the link gives %v", err)
		}
	}
}

func TestLongNameIsAsLongAsANameCanBe(t *testing.T) {
	if len(longName) != 255 {
		t.Errorf("the long name has %d bytes, want 255", len(longName))
	}
}
