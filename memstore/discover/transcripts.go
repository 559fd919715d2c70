package discover

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Transcript is a recorded conversation: a file that an agent wrote. What only its content shows is its [Head].
type Transcript struct {
	File    string
	Agent   string // as people call it
	Project string // the folder that the agent names its own folder after, "" where the name of none is known
	// Folder is the agent's own folder for the project, "" where only the content says which project that is.
	Folder  string
	Changed time.Time // when it was written last
	Size    int64
	Own     bool // it belongs to the store that the list was made for
	Side    bool // it is one of a subagent
}

// compare orders transcripts as people look for them: those of the store first, then what was written last.
func (t Transcript) compare(other Transcript) int {
	switch {
	case t.Own != other.Own && t.Own:
		return -1
	case t.Own != other.Own:
		return 1
	}
	return cmp.Or(other.Changed.Compare(t.Changed), strings.Compare(t.File, other.File))
}

// keeper is a folder below which an agent keeps its transcripts.
type keeper struct {
	// roots are the folders that may be there on this machine, "" for none.
	roots func(Machine) []string
	// files are patterns of names below a root, as [path.Match] reads them; the last name is that of the file.
	files [][]string
	// project names what a transcript is about, by the name of the agent's folder for the project, in which its memory is the folder
	// "memory"; nil: only its content says so.
	project func(name string) string
}

// AllTranscripts are the transcripts of this machine in the order of [Transcript.Before]. It reads names, sizes and times only, and ends
// early with ctx. store is the memory directory whose own come first, "" for none.
func (m Machine) AllTranscripts(ctx context.Context, store string) []Transcript {
	if store != "" {
		store = resolve(store)
	}
	l := lister{Machine: m, ctx: ctx, store: store}
	for _, a := range agents {
		for _, k := range a.transcripts {
			for _, root := range k.roots(m) {
				for _, pattern := range k.files {
					if root != "" {
						l.list(a.name, k, root, root, pattern)
					}
				}
			}
		}
	}
	slices.SortFunc(l.found, Transcript.compare)
	return l.found
}

// Transcripts lists the sessions that belong to a memory directory, with those of its subagents, written last ones last. More
// than 50 are cut down to the newest.
func (m Machine) Transcripts(ctx context.Context, store string) (files []string) {
	const most = 50
	for _, t := range m.AllTranscripts(ctx, store) { // its own come first, the newest of them before the others
		if t.Own && len(files) < most {
			files = append(files, t.File)
		}
	}
	slices.Reverse(files)
	return files
}

// ProjectTranscripts are those that may have what is in a memory: of the sessions that belong to it, and of those in its project. If there
// are none, they are all transcripts of this machine.
func (m Machine) ProjectTranscripts(ctx context.Context, store string) (files []string) {
	root, all := m.Of(ctx, store).Root, m.AllTranscripts(ctx, store)
	of := slices.DeleteFunc(slices.Clone(all), func(t Transcript) bool {
		if t.Own || root == "" {
			return !t.Own
		}
		worked, _ := m.Project(ctx, t.File) // one that can't be read says nothing
		below, err := filepath.Rel(resolve(root), resolve(worked))
		return worked == "" || err != nil || !filepath.IsLocal(below)
	})
	if len(of) == 0 {
		of = all
	}
	for _, t := range of {
		files = append(files, t.File)
	}
	return files
}

// lister collects transcripts.
type lister struct {
	Machine
	ctx   context.Context
	store string // the one whose own are wanted first, resolved; "" for none
	found []Transcript
}

// list looks into a folder for the files that a pattern leads to.
func (l *lister) list(agent string, k keeper, root, dir string, pattern []string) {
	entries, err := readDir(dir, 0)
	if err != nil || l.ctx.Err() != nil {
		return // it is not there, or closed to us
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch fits, _ := path.Match(pattern[0], e.Name()); {
		case !fits:
		case len(pattern) > 1 && e.IsDir():
			l.list(agent, k, root, at, pattern[1:])
		case len(pattern) == 1 && e.Type().IsRegular():
			info, err := e.Info()
			if err != nil {
				continue // it has gone meanwhile
			}
			t := Transcript{File: at, Agent: agent, Changed: info.ModTime(), Size: info.Size(), Side: ofSubagent(dir, e.Name())}
			if k.project != nil {
				below, _ := filepath.Rel(root, dir) // it is below
				name := parts(below)[0]
				t.Project, t.Folder = k.project(name), filepath.Join(root, name)
				t.Own = l.store != "" && resolve(filepath.Join(t.Folder, "memory")) == l.store
			}
			l.found = append(l.found, t)
		}
	}
}

// ofSubagent reports whether a file of a folder is the transcript of a subagent of Claude Code, which had them beside the sessions first.
func ofSubagent(dir, name string) bool {
	return filepath.Base(dir) == "subagents" || strings.HasPrefix(name, "agent-")
}

// StoreOf is the memory folder that Claude Code keeps beside a transcript, without links; "" where it keeps none there, or has not
// made it yet.
func (m Machine) StoreOf(file string) string {
	projects := resolve(under(claudeHome(m)[0], "projects"))
	below, err := filepath.Rel(projects, resolve(file))
	if err != nil || !filepath.IsLocal(below) || len(parts(below)) < 2 {
		return ""
	}
	if dir := resolve(filepath.Join(projects, parts(below)[0], "memory")); m.isDir(dir) {
		return dir
	}
	return ""
}

// endings are those of files that may be transcripts, where a folder is looked through for them.
var endings = []string{".jsonl", ".json", ".ndjson", ".har", ".sse"}

// packed are endings behind one of those.
var packed = []string{".gz", ".zst"}

// mayHold reports whether a file may be a transcript, by its name.
func mayHold(name string) bool {
	name = strings.ToLower(name)
	for _, end := range packed {
		name = strings.TrimSuffix(name, end)
	}
	return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })
}

// TranscriptsIn are the files below a folder that may be transcripts, what was written last first. Links are not followed. Like
// [Machine.AllTranscripts] it reads no contents.
func (m Machine) TranscriptsIn(ctx context.Context, dir string) []Transcript {
	l := lister{Machine: m, ctx: ctx}
	l.below(dir, 0)
	slices.SortFunc(l.found, Transcript.compare)
	return l.found
}

// below looks for what may be transcripts in a folder and all below it.
func (l *lister) below(dir string, depth int) {
	entries, err := readDir(dir, 0)
	if err != nil || depth > maxDepth || l.ctx.Err() != nil {
		return
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch info, err := e.Info(); {
		case err != nil: // it has gone meanwhile
		case e.IsDir():
			l.below(at, depth+1)
		case e.Type().IsRegular() && mayHold(e.Name()) && len(l.found) < maxEntries:
			l.found = append(l.found, Transcript{
				File: at, Project: filepath.Base(dir), Changed: info.ModTime(), Size: info.Size(), Side: ofSubagent(dir, e.Name()),
			})
		}
	}
}
