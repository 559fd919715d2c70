package discover

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Home is where the notes of a stranded store may belong: the project that its own was renamed to, or the repository of which it was a
// worktree.
type Home struct {
	Store   string // names the store; where DIR is taken
	Missing bool   // the agent has not made the store yet
	Root    string // the folder of the project
	Why     string // why it may be the one, as a clause
	Certain bool   // the evidence leaves no other

	found, of int // files that the sessions of the gone project named, in this one
}

// Homes finds where the notes of a stranded store may belong, the likeliest first; a certain one stands alone. all are the stores of this
// machine. It reads the beginnings of the store's transcripts, the names beside the gone folder, and the settings of the repositories that
// are known.
func (m Machine) Homes(ctx context.Context, f Found, all []Found) []Home {
	if f.Root == "" || f.Kind == KindChain {
		return nil
	}
	h := &homes{Machine: m, ctx: ctx, of: f, all: all, byRoot: map[string]*Home{}}
	h.worktree()
	roots := h.roots()
	for _, root := range roots {
		if h.hadWorktree(root) {
			h.propose(root, "the folder was a worktree of its repository", true)
		}
	}
	if len(h.list) == 0 {
		h.sameFiles(roots)
		h.sameName(roots)
	}
	slices.SortFunc(h.list, func(a, b *Home) int { return cmp.Or(cmp.Compare(b.found, a.found), cmp.Compare(a.Root, b.Root)) })
	var out []Home
	for _, one := range h.list {
		if one.Certain {
			return []Home{*one}
		}
		out = append(out, *one)
	}
	return out
}

// homes is one search for a home.
type homes struct {
	Machine
	ctx    context.Context
	of     Found
	all    []Found
	list   []*Home
	byRoot map[string]*Home
}

// propose adds a project to the list, or another reason for one that is there.
func (h *homes) propose(root, why string, certain bool) *Home {
	one := h.byRoot[root]
	if one == nil {
		one = &Home{Root: root}
		if one.Store, one.Missing = h.storeIn(root); one.Store == "" {
			return &Home{}
		}
		h.byRoot[root] = one
		h.list = append(h.list, one)
	}
	if one.Why != "" {
		one.Why += "; "
	}
	one.Why += why
	one.Certain = one.Certain || certain
	return one
}

// storeIn is the store that the agent of the stranded one keeps for a project, "" if none is known.
func (h *homes) storeIn(root string) (store string, missing bool) {
	for _, f := range h.all {
		if f.Agent == h.of.Agent && f.Kind == h.of.Kind && f.Root == root && !f.Stranded && f.Path != h.of.Path &&
			strings.Contains(f.Project, ", ") == strings.Contains(h.of.Project, ", ") {
			return f.Path, f.Missing
		}
	}
	// Claude Code names the folder after the path.
	folder, memory := split(h.of.Dir)
	projects, slug := split(folder)
	name := encoded(root)
	_, parent := split(projects)
	if h.of.Agent != claudeCode.name || memory != "memory" || parent != "projects" || len(name) > longestSlug || name == slug {
		return "", false
	}
	store = under(projects, name, memory)
	return store, !h.isDir(store)
}

// roots are the folders of projects that agents work in.
func (h *homes) roots() (list []string) {
	add := func(root string) {
		if root != "" && root != h.of.Root && !slices.Contains(list, root) && len(list) < maxFound && h.isDir(root) {
			list = append(list, root)
		}
	}
	for _, f := range h.all {
		if !f.Stranded {
			add(f.Root)
		}
	}
	for _, a := range agents {
		if a.projects != nil {
			a.projects(h.ctx, h.Machine, add)
		}
	}
	return list
}

// worktree recognizes the places in which Claude Code makes worktrees.
func (h *homes) worktree() {
	const sep = string(filepath.Separator)
	root, name, ok := strings.Cut(h.of.Root, sep+".claude"+sep+"worktrees"+sep)
	if ok && name != "" && h.isDir(root) {
		h.propose(root, "the folder was its worktree "+name, true)
	}
}

// gitFileMost bounds a file of a repository, in bytes.
const gitFileMost = 64 << 10

// hadWorktree reports whether the repository of a project remembers the gone folder as its worktree.
func (h *homes) hadWorktree(root string) bool {
	worktrees := under(root, ".git", "worktrees")
	entries, err := h.Files.ReadDir(worktrees, maxFound)
	if err != nil {
		return false
	}
	for _, e := range entries {
		text := h.beginning(under(worktrees, e.Name(), "gitdir"), gitFileMost)
		if strings.TrimSpace(string(text)) == filepath.Join(h.of.Root, ".git") {
			return true
		}
	}
	return false
}

// beginning reads the beginning of a file; nil if it can't be read.
func (m Machine) beginning(file string, most int64) []byte {
	if !m.isFile(file) {
		return nil
	}
	f, err := m.Files.Open(file)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	text, _ := io.ReadAll(io.LimitReader(f, most))
	return text
}

// Bounds of the search for files that sessions named.
const (
	namingSessions = 8
	namingBytes    = 1 << 20 // of each session
	maxNamed       = 200
	leastNamed     = 4 // fewer files prove nothing
	// README.md is in every project: this many must be below a folder of it, and more to be certain.
	leastDeep   = 2
	certainDeep = 4
)

// sameFiles proposes the projects that have the files that sessions of the gone one named. Projects beside it count, too: a folder is
// most often renamed where it is.
func (h *homes) sameFiles(roots []string) {
	named := h.named()
	if len(named) < leastNamed {
		return
	}
	parent, _ := split(h.of.Root)
	if entries, err := h.Files.ReadDir(parent, maxFound); err == nil {
		for _, e := range entries {
			if root := filepath.Join(parent, e.Name()); e.IsDir() && !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	var best *Home
	second, bestDeep := 0, 0
	for _, root := range roots {
		found, deep := 0, 0
		for _, rel := range named {
			if h.ctx.Err() != nil {
				return
			}
			if _, err := h.Files.Stat(filepath.Join(root, rel)); err == nil {
				found++
				if strings.ContainsAny(rel, separators) {
					deep++
				}
			}
		}
		if found*2 < len(named) || deep < leastDeep {
			continue
		}
		one := h.propose(root, fmt.Sprintf("it has %d of %d files that the sessions named", found, len(named)), false)
		one.found, one.of = found, len(named)
		switch {
		case best == nil || found > best.found:
			if best != nil {
				second = best.found
			}
			best, bestDeep = one, deep
		default:
			second = max(second, found)
		}
	}
	if best != nil && best.Store != "" && bestDeep >= certainDeep && best.found*5 >= best.of*4 && second*5 < best.of*4 {
		best.Certain = true
	}
}

// named are paths below the gone folder that its sessions named, relative to it.
func (h *homes) named() (list []string) {
	folder, _ := split(h.of.Dir)
	root := h.of.Root + string(filepath.Separator)
	if h.System == "windows" {
		root = strings.ReplaceAll(root, `\`, `\\`)
	}
	seen := map[string]bool{}
	sessions := claudeSessions(h.Machine, folder)
	for _, file := range sessions[:min(len(sessions), namingSessions)] {
		text := h.beginning(file, namingBytes)
		for len(list) < maxNamed && h.ctx.Err() == nil {
			_, after, ok := bytes.Cut(text, []byte(root))
			if !ok {
				break
			}
			text = after
			rel := string(after[:pathEnd(after)])
			if h.System == "windows" {
				rel = strings.ReplaceAll(rel, `\\`, `\`)
			}
			rel = strings.TrimRight(rel, `.,:;/\`)
			if rel != "" && !strings.Contains(rel, "..") && !strings.HasPrefix(rel, ".") && !seen[rel] {
				seen[rel] = true
				list = append(list, rel)
			}
		}
	}
	return list
}

// pathEnd is where a path in a line of JSON ends.
func pathEnd(text []byte) int {
	for i, c := range text {
		if c <= ' ' || strings.IndexByte("\"'`<>|*?()[]{}$", c) >= 0 || c == '\\' && i+1 < len(text) && text[i+1] != '\\' &&
			(i == 0 || text[i-1] != '\\') {
			return i
		}
	}
	return len(text)
}

// sameName proposes the projects whose folder or repository has the name of the gone folder.
func (h *homes) sameName(roots []string) {
	_, gone := split(h.of.Root)
	for _, root := range roots {
		if h.ctx.Err() != nil {
			return
		}
		if _, name := split(root); name == gone {
			h.propose(root, "its folder has the same name", false)
		}
		if h.repository(root) == gone {
			h.propose(root, "its repository is named "+gone, false)
		}
	}
}

// repository is the name of the remote repository of a project, "" if it has none.
func (h *homes) repository(root string) string {
	for line := range strings.Lines(string(h.beginning(under(root, ".git", "config"), gitFileMost))) {
		key, url, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(key) == "url" {
			url = strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(url), "/"), ".git")
			return url[strings.LastIndexAny(url, "/:")+1:]
		}
	}
	return ""
}
