// Package project answers, for the lint, whether a project still has the files that notes name. It reads the list of
// files and the renames and deletions that git has; it runs nothing of the project and changes nothing. Without git it knows nothing.
// Called by cli and, through a function, by the Curate screen.
package project

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/git"
	"memcurator/memstore/lint"
)

// Bounds of what is read of a project.
const (
	maxFiles   = 200_000 // in the list; above that, paths are not checked
	maxRenames = 8       // of one file, one after the other
	staysFor   = time.Minute
)

// Project is the folder of a project. It is safe for concurrent use: one look at a time.
type Project struct {
	root string // absolute
	repo git.Repository
	in   bool   // in a repository
	top  string // of the root in it, slash-separated, "." for the whole

	mu   sync.Mutex
	read time.Time // when the state below was read; zero: not yet
	head string    // the commit that was checked out then
	state
}

// state is a project as it was read at one time.
type state struct {
	files  map[string]bool     // paths of files and folders, relative to the root
	byName map[string][]string // the same by their last name
	past   map[string]git.Gone // what was removed or renamed; nil: unknown
	gone   map[string][]string // its paths by their last name
	why    string              // why paths are not checked; "": they are
}

// Open prepares the project in a folder; it reads nothing yet.
func Open(root string) *Project {
	p := &Project{root: root}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		p.root = real
	}
	if p.repo, p.in = git.Around(p.root); p.in {
		p.top, p.in = p.repo.Below(p.root)
	}
	return p
}

// Root is the work tree of git that a store is in, below its top; "" if it is in none.
func Root(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if r, ok := git.Around(dir); ok {
		if below, ok := r.Below(dir); ok && below != "." {
			return r.Top
		}
	}
	return ""
}

// Look is [lint.Source.Project].
func (p *Project) Look(ctx context.Context, claims []lint.Claim) (out lint.Checked, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(ctx); err != nil {
		return out, err
	}
	out.Why = p.why
	out.Verdicts = make([]lint.Verdict, len(claims))
	for i, c := range claims {
		out.Verdicts[i] = p.path(string(c))
	}
	return out, nil
}

// load reads the state, unless it is recent or the repository is as it was then.
func (p *Project) load(ctx context.Context) error {
	if !p.read.IsZero() && time.Since(p.read) < staysFor {
		return nil
	}
	past := p.past
	p.state = state{files: map[string]bool{}, byName: map[string][]string{}, gone: map[string][]string{}}
	if err := p.list(ctx); err != nil {
		return err
	}
	if p.why == "" {
		head, err := p.repo.Head(ctx)
		if err == nil && head != "" && head != p.head {
			past, err = p.repo.Gone(ctx, head, p.top)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			p.why = textUnchecked + err.Error()
		default:
			p.head, p.past = head, past
		}
		for name := range past {
			p.gone[path.Base(name)] = append(p.gone[path.Base(name)], name)
		}
	}
	p.read = time.Now()
	return nil
}

// The reasons why claims about paths stand unchecked.
const (
	textUnchecked = "Can't check the paths of the project: "
	textTooMany   = textUnchecked + "it has too many files"
	textNoFiles   = textUnchecked + "git lists no files of it"
	textNoGit     = textUnchecked + "it isn't in git"
)

// list reads the names of the files from git.
func (p *Project) list(ctx context.Context) error {
	if !p.in {
		p.why = textNoGit
		return nil
	}
	names, err := p.repo.Files(ctx, p.top)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.why = textUnchecked + err.Error()
	case len(names) > maxFiles:
		p.why = textTooMany
	case len(names) == 0: // as after a clone without a checkout: everything would seem gone
		p.why = textNoFiles
	}
	if p.why != "" {
		return nil
	}
	for _, name := range names {
		if name, ok := p.below(name); ok {
			p.add(name)
		}
	}
	return nil
}

// below is the path of a file of the work tree relative to the root.
func (p *Project) below(name string) (string, bool) {
	if p.top == "." {
		return name, true
	}
	return strings.CutPrefix(name, p.top+"/")
}

// add adds a file and the folders above it.
func (p *Project) add(name string) {
	for ; name != "." && !p.files[name]; name = path.Dir(name) {
		p.files[name] = true
		p.byName[path.Base(name)] = append(p.byName[path.Base(name)], name)
	}
}

// has reports whether the project has a file or folder of this name: in its root, on the disk also of those that git ignores, or below
// one of its folders.
func (p *Project) has(name string) bool {
	if p.files[name] || endsWith(p.byName[path.Base(name)], name) != "" {
		return true
	}
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return true // paths elsewhere are not checked
	}
	_, err := os.Lstat(filepath.Join(p.root, local))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// endsWith is the first of paths that is another path below some folder.
func endsWith(paths []string, name string) string {
	for _, p := range paths {
		if p == name || strings.HasSuffix(p, "/"+name) {
			return p
		}
	}
	return ""
}

// path checks a path: git has to have had it.
func (p *Project) path(claim string) lint.Verdict {
	if p.why != "" || p.has(claim) {
		return lint.Verdict{}
	}
	was := p.was(claim)
	if was == "" {
		return lint.Verdict{}
	}
	gone := p.past[was]
	date := gone.Time.UTC().Format("2 Jan 2006")
	to := was
	for range maxRenames {
		if to = p.past[to].To; to == "" || p.files[to] {
			break
		}
	}
	if to == "" || !p.files[to] {
		return lint.Verdict{Why: "deleted " + date}
	}
	name := to
	if prefix := strings.TrimSuffix(was, claim); prefix != was && prefix != "" && strings.HasPrefix(to, prefix) {
		name = strings.TrimPrefix(to, prefix)
	}
	return lint.Verdict{Why: "-> " + name, To: name}
}

// was is the path at which git had what a note names; "" if it had nothing, or several files of that name.
func (p *Project) was(name string) string {
	if _, ok := p.past[name]; ok {
		return name
	}
	found := ""
	for _, one := range p.gone[path.Base(name)] {
		if !strings.HasSuffix(one, "/"+name) {
			continue
		}
		if found != "" {
			return ""
		}
		found = one
	}
	return found
}
