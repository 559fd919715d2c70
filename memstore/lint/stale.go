package lint

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"memcurator/render/text"
)

// stale reports a progress log that was left behind.
const stale Rule = "stale-log"

var staleLogs = check{rules: []Rule{stale}, store: func(_ context.Context, w *checking) error { w.stale(); return nil }}

// What leaves a log behind: this many other notes have changed since, the last of them this long after.
const (
	staleFiles = 3
	staleAfter = 24 * time.Hour
	// maxLogs is how many logs of a store are checked: each is compared with every file.
	maxLogs = 100
)

// stale reports a progress log that did not change while other files did.
func (w *checking) stale() {
	looked := 0
	for _, s := range w.seen {
		if looked == maxLogs || !logs(s.file.Path) || s.file.Hidden || s.file.Changed.IsZero() {
			continue
		}
		looked++
		n := 0
		var newest File
		for _, o := range w.seen {
			if o.file.Hidden || !sameProject(s.file.Path, o.file.Path) || !o.file.Changed.After(s.file.Changed) {
				continue
			}
			n++
			if o.file.Changed.After(newest.Changed) {
				newest = o.file
			}
		}
		late := newest.Changed.Sub(s.file.Changed)
		if n < staleFiles || late < staleAfter {
			continue
		}
		w.add(Finding{
			Path: s.file.Path, Rule: stale, Severity: info, Count: 1, Others: []string{newest.Path}, Content: s.file.Digest,
			Reason: fmt.Sprintf("unchanged while %s changed, the last %s later", text.Count(n, "other file"), days(late)),
		})
	}
}

// sameProject reports whether a log is about a file: it is in the folder of the log or below.
func sameProject(log, other string) bool {
	return log != other && strings.HasPrefix(other, path.Dir(log)+"/")
}

func days(d time.Duration) string {
	return text.Count(int(d/(24*time.Hour)), "day")
}

// logs reports whether a file by its name is a log of progress, which every session brings up to date.
func logs(agentPath string) bool {
	base := strings.ToLower(path.Base(agentPath))
	for _, word := range []string{"progress", "進捗", "进度", "진행"} {
		if strings.Contains(base, word) {
			return true
		}
	}
	return false
}
