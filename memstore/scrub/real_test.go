package scrub

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRealText prints what is found in real files below the folders named in
// MEMCURATOR_SCRUB_DIRS (separated by colons): a way to look at false alarms by eye.
func TestRealText(t *testing.T) {
	dirs := os.Getenv("MEMCURATOR_SCRUB_DIRS")
	if dirs == "" {
		t.Skip("set MEMCURATOR_SCRUB_DIRS to folders of real text")
	}
	e := engine(t)
	bytes, files, spent := 0, 0, time.Duration(0)
	for _, dir := range strings.Split(dirs, ":") {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(" .md .txt .json .yaml .yml .xml .toml .csv .rst ", " "+filepath.Ext(path)+" ") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) > 1<<20 {
				return nil
			}
			start := time.Now()
			found := e.Find(path, text)
			spent += time.Since(start)
			bytes, files = bytes+len(text), files+1
			for _, f := range found {
				from, to := max(0, f.Start-50), min(len(text), f.End+20)
				t.Logf("%s\t%s\t%s\t…%q", f.Rule, filepath.Base(path), text[f.Start:min(f.End, f.Start+70)], text[from:to])
			}
			return nil
		})
	}
	t.Logf("%d files, %d bytes, %.1f MB/s", files, bytes, float64(bytes)/1e6/spent.Seconds())
}
