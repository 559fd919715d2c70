package transcript

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
)

// Reading is a step that showed a file to an agent.
type Reading struct {
	Step int
	Path string // agent path, as it was called then
}

// ReadBefore lists the files that the agent of step n had read before it, each as it read it last, oldest first. What it read before
// its conversation was compacted counts too: the summary may hold it.
func (t *Track) ReadBefore(n int) (list []Reading) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if n < 1 || n > len(t.steps) {
		return nil
	}
	who := &t.steps[n-1]
	for i := n - 1; i >= 1; i-- {
		s := &t.steps[i-1]
		if s.Session != who.Session || s.Side != who.Side {
			continue
		}
		for _, p := range t.shownBy(i) {
			if !slices.ContainsFunc(list, func(r Reading) bool { return r.Path == p }) {
				list = append(list, Reading{i, p})
			}
		}
	}
	slices.Reverse(list)
	return list
}

// Wrote lists the lines of a file that step n wrote, blank ones left out; nil if it only read.
func (t *Track) Wrote(ctx context.Context, agentPath string, n int) (lines [][]byte) {
	if steps := t.Steps(); n < 1 || n > len(steps) || !steps[n-1].writes() {
		return nil
	}
	data, _ := t.Content(agentPath, n)
	text := diff.NewText(data)
	for i, owner := range t.Blame(ctx, agentPath, n) {
		if line := bytes.TrimSpace(text.Line(i)); owner == n && len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// shownBy lists the files that step n showed to its agent.
func (t *Track) shownBy(n int) (paths []string) {
	known := map[string]Seen{}
	learn(known, &t.steps[n-1], n)
	for p, k := range known {
		if !k.Wrote && t.lives[p] != nil {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// Effect is a change that a session made after it had read a text.
type Effect struct {
	Read, Step int // steps: the session's first read of the text, and the change
	Path       string
}

// LedTo lists what was written after a text was read, from step n on: the reads of a file, by any session, while it held one of
// the lines (nil: whatever it held), and every later change by a session that had read it. Renames of the file are followed.
func (t *Track) LedTo(agentPath string, lines [][]byte, n int) (list []Effect) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	since := map[string]int{} // the first read, by session
	changes := make([][]string, len(t.steps)+1)
	for p, l := range t.lives {
		for i, v := range l.versions {
			if v.kind == memstore.KindFile || i > 0 && v.kind == 0 && l.versions[i-1].kind == memstore.KindFile {
				changes[v.step] = append(changes[v.step], p)
			}
		}
	}
	at := agentPath
	for i := max(n, 1); i <= len(t.steps); i++ {
		s := &t.steps[i-1]
		if read := since[s.Session]; read > 0 && s.writes() {
			slices.Sort(changes[i])
			for _, p := range changes[i] {
				if s.short.Name == memstore.CmdRename && t.lives[p].kindAt(i) == 0 {
					continue // the new name tells
				}
				list = append(list, Effect{read, i, p})
			}
		}
		if to, moved := s.movesTo(at); moved {
			at = to
		}
		if since[s.Session] > 0 || !slices.Contains(t.shownBy(i), at) {
			continue
		}
		data, ok := t.contentOf(at, i)
		holds := func(line []byte) bool { return bytes.Contains(data, line) }
		if ok && (lines == nil || slices.ContainsFunc(lines, holds)) {
			since[s.Session] = i
		}
	}
	return list
}

// movesTo is the new path of a file that the step renamed, or a folder above it.
func (s *Step) movesTo(agentPath string) (to string, moved bool) {
	cmd := s.short
	if s.Family != Memory || s.bad || !s.shown || cmd.Name != memstore.CmdRename {
		return "", false
	}
	rest, below := strings.CutPrefix(agentPath, cmd.OldPath)
	if !below || rest != "" && rest[0] != '/' {
		return "", false
	}
	return cmd.NewPath + rest, true
}

// Made is the step that made a revision: the one with its id, else, of those that left the same bytes at its path, the nearest in
// time; 0: there is none.
func (t *Track) Made(ctx context.Context, r past.Revision) int {
	steps := t.Steps()
	if r.ToolUseID != "" {
		for i, s := range steps {
			if s.ID == r.ToolUseID {
				return i + 1
			}
		}
	}
	best, nearest := 0, time.Duration(0)
	for _, w := range t.Writes(ctx, 0) {
		if w.Path != r.Path || w.Sum == nil || *w.Sum != r.After.Digest || !r.After.Exists {
			continue
		}
		if away := steps[w.Step-1].When.Sub(r.Time).Abs(); best == 0 || away < nearest {
			best, nearest = w.Step, away
		}
	}
	return best
}
