package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mostTranscripts bounds how many sessions of one project are named.
const mostTranscripts = 50

// Transcripts lists the sessions that lie beside a memory directory, as Claude Code keeps them: the files
// of the project that the directory is the memory of, with those of its subagents, written last ones
// last. More than 50 are cut down to the newest. None for any other directory.
func Transcripts(dir string) []string {
	full, err := filepath.Abs(dir)
	if err != nil || filepath.Base(full) != "memory" {
		return nil
	}
	project := filepath.Dir(full)
	projects := filepath.Dir(project)
	if filepath.Base(projects) != "projects" || filepath.Base(filepath.Dir(projects)) != ".claude" {
		return nil
	}
	type session struct {
		file string
		at   time.Time
	}
	var list []session
	add := func(folder string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
				list = append(list, session{filepath.Join(folder, e.Name()), info.ModTime()})
			}
		}
	}
	add(project)
	entries, err := os.ReadDir(project)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			add(filepath.Join(project, e.Name(), "subagents"))
		}
	}
	slices.SortFunc(list, func(a, b session) int { return a.at.Compare(b.at) })
	var out []string
	for _, s := range list[max(0, len(list)-mostTranscripts):] {
		out = append(out, s.file)
	}
	return out
}
