package discover

import (
	"slices"
	"strings"
	"time"
)

// mostTranscripts bounds how many sessions of one project are named.
const mostTranscripts = 50

// Transcripts lists the sessions that are beside a memory directory, as Claude Code keeps them: the files
// of the project that the directory is the memory of, with those of its subagents, written last ones
// last. More than 50 are cut down to the newest. None for any other directory.
func (m Machine) Transcripts(dir string) []string {
	full, err := m.Files.Abs(dir)
	if err != nil {
		return nil
	}
	project, memory := m.split(full)
	projects, _ := m.split(project)
	claude, name := m.split(projects)
	if _, home := m.split(claude); memory != "memory" || name != "projects" || home != ".claude" {
		return nil
	}
	type session struct {
		file string
		at   time.Time
	}
	var list []session
	add := func(folder string) {
		entries, err := m.Files.ReadDir(folder, 0)
		if err != nil {
			return
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
				list = append(list, session{m.join(folder, e.Name()), info.ModTime()})
			}
		}
	}
	add(project)
	entries, err := m.Files.ReadDir(project, 0)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() {
			add(m.join(m.join(project, e.Name()), "subagents"))
		}
	}
	slices.SortFunc(list, func(a, b session) int { return a.at.Compare(b.at) })
	var out []string
	for _, s := range list[max(0, len(list)-mostTranscripts):] {
		out = append(out, s.file)
	}
	return out
}
