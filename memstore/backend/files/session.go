package files

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Bounds of a session. What exceeds them is reported, not read.
const (
	mostFiles    = 1_000
	mostRules    = 16  // nested folders of rules
	mostAncestry = 100 // folders above the project
)

// ruleSuffix ends the names of rules.
const ruleSuffix = ".md"

// documents are the endings of files with prose.
var documents = []string{".md", ".markdown", ".mdc", ".mdx", ".txt", ".rst", ".adoc"}

// isDocument reports whether a file of this name may hold prose.
func isDocument(name string) bool { return slices.Contains(documents, strings.ToLower(path.Ext(name))) }

// scope is the audience of a folder: all users, the user, or a project.
type scope uint8

const (
	forSystem scope = iota
	forUser
	forProject
)

// session reads what a session in a folder gets.
type session struct {
	*Folder
	ctx     context.Context
	user    string // the user's folder; "" if it is unknown
	project string
	list    []backend.StartFile
	seen    map[string]bool // real paths of files that were read, and of folders with a final slash
}

// Start implements [backend.Starter]: the files that a session gets, those for all users first, then the user's, those of the folders above
// and those of the project, each import after the file that imports it.
func (f *Folder) Start(ctx context.Context) ([]backend.StartFile, error) {
	if _, err := f.disk.Lstat("."); err != nil {
		return nil, err
	}
	s := &session{Folder: f, ctx: ctx, user: f.agent.folder(f.agent.user, f.machine), project: f.Project(), seen: map[string]bool{}}
	if at := f.agent.folder(f.agent.system, f.machine); at != "" {
		s.folder(at, f.agent.UserFiles, forSystem)
	}
	if s.user != "" {
		s.folder(s.user, f.agent.UserFiles, forUser)
	}
	if s.user != f.home {
		for _, at := range s.above() {
			s.folder(at, f.agent.Files, forProject)
		}
	}
	return s.list, ctx.Err()
}

// above are the folders from the topmost whose files are read down to that of the store.
func (s *session) above() (list []string) {
	for at := s.home; len(list) < mostAncestry; at = filepath.Dir(at) {
		list = append(list, at)
		if at == s.project && !s.agent.Above || at == filepath.Dir(at) {
			break
		}
	}
	slices.Reverse(list)
	if s.agent.Above && len(list) > 1 {
		list = list[1:] // not that of the whole disk
	}
	return list
}

// folder reads the files of one folder.
func (s *session) folder(at string, names []string, of scope) {
	for _, n := range names {
		file := filepath.Join(at, filepath.FromSlash(n))
		switch {
		case strings.HasSuffix(n, "/"):
			s.rules(file, of, 0)
		case of == forProject && filepath.Dir(file) == s.user: // ~/.claude is the user's, not that of a project in the home folder
		case s.file(file, of, false) && s.agent.First:
			return
		}
	}
}

// rules reads a folder of rules and the folders in it.
func (s *session) rules(at string, of scope, depth int) {
	real, err := filepath.EvalSymlinks(at)
	if err != nil || depth > mostRules || s.seen[real+"/"] || of == forProject && filepath.Dir(at) == s.user {
		return
	}
	s.seen[real+"/"] = true
	entries, err := os.ReadDir(real)
	if err != nil {
		s.fail(at, "its folder can't be read")
	}
	for _, e := range entries {
		file := filepath.Join(at, e.Name())
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			s.rules(file, of, depth+1)
		} else if strings.HasSuffix(e.Name(), ruleSuffix) {
			s.file(file, of, true)
		}
	}
}

// file reads a file that belongs to the session by its name; it reports whether the file is there.
func (s *session) file(file string, of scope, rule bool) bool {
	if _, err := os.Lstat(file); err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		s.fail(file, "its link leads nowhere")
	} else {
		s.read(file, real, of, rule, 0)
	}
	return true
}

// read adds a file, and after it those that it imports. Each is read once.
func (s *session) read(file, real string, of scope, rule bool, hops int) {
	switch {
	case s.seen[real], s.ctx.Err() != nil, len(s.list) > mostFiles:
		return
	case len(s.list) == mostFiles:
		s.fail(file, "more than 1,000 files, so it and later ones are not counted")
		return
	}
	s.seen[real] = true
	text, err := readWhole(real)
	switch {
	case err != nil:
		s.fail(file, whyNot(err))
		return
	case rule && hasPaths(text):
		return // it is loaded when the agent works on one of them
	}
	name, own := s.NameOf(file)
	if !own {
		name = s.label(file)
	}
	s.list = append(s.list, backend.StartFile{Name: name, Elsewhere: !own, Text: text, Free: s.agent.Limit > 0 && of != forProject})
	if hops == s.agent.Imports || !isDocument(real) {
		return
	}
	for _, m := range mentions(text) {
		s.imported(m, file, of, hops+1)
	}
}

// imported reads the file that an import leads to.
func (s *session) imported(written, by string, of scope, hops int) {
	file := s.resolve(written, filepath.Dir(by))
	if file == "" {
		return
	}
	real, err := filepath.EvalSymlinks(file)
	root := s.project
	if of == forUser {
		root = s.user
	}
	switch _, inside := relTo(root, real); {
	case err != nil && !isPath(written):
	case err != nil:
		s.fail(file, "it doesn't exist, and "+s.label(by)+" imports it")
	case s.agent.Inside && !inside:
		s.fail(file, "it is outside the project")
	default:
		s.read(file, real, of, false, hops)
	}
}

// resolve is where an import leads; "" if that is nowhere.
func (s *session) resolve(written, from string) string {
	rest, home := strings.CutPrefix(written, "~/")
	switch {
	case home:
		return s.machine.below(filepath.FromSlash(rest))
	case filepath.IsAbs(written):
		return filepath.Clean(written)
	}
	return filepath.Join(from, filepath.FromSlash(written))
}

// fail adds a file that can't be read, or isn't, with the reason as a clause.
func (s *session) fail(file, why string) {
	s.list = append(s.list, backend.StartFile{Name: s.label(file), Elsewhere: true, Problem: why})
}

// label is how people know a file: by its path from the folder of the store in the same project, else from their home folder.
func (s *session) label(file string) string {
	if _, ok := relTo(s.project, file); ok {
		if rel, err := filepath.Rel(s.home, file); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	if rel, ok := relTo(realOf(s.machine.Home), file); ok && s.machine.Home != "" {
		return "~/" + rel
	}
	return file
}

// mostText is the largest file in bytes that is read, of settings and of instructions. Claude Code reads no larger ones either.
const mostText = 4 << 20

// readWhole reads a file without a trace; a device, a pipe or a file that is too large is an error.
func readWhole(file string) ([]byte, error) {
	d, err := dir.Open(filepath.Dir(file), dir.Options{Lazy: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }() // it was only read
	return backend.ReadFile(d, filepath.Base(file), backend.Look, mostText)
}

// hasPaths reports whether the front matter of a rule says for which paths it is.
func hasPaths(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	first, has := true, false
	for line := range bytes.Lines(text) {
		switch s := strings.TrimRight(string(line), " \t\r\n"); {
		case first && s != "---":
			return false
		case !first && s == "---":
			return has
		case strings.HasPrefix(s, "paths:"):
			has = true
		}
		first = false
	}
	return false
}

func whyNot(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, backend.ErrTooBig):
		return "it is larger than the agent reads"
	case errors.Is(err, backend.ErrIsDir):
		return "it is a folder"
	case errors.Is(err, backend.ErrNotRegular):
		return "it is not a regular file"
	case errors.Is(err, backend.ErrNotExist):
		return "it is gone"
	}
	return "it can't be read"
}
