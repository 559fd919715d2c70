package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// refusal is why nothing can be committed, as the end of a sentence.
type refusal struct{ Why string }

func (r *refusal) Error() string { return r.Why }

func refuse(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// ErrUnchanged is returned where the last commit has the files as they are.
var ErrUnchanged = errors.New("the last commit has all your changes")

// Pending describes a commit of some files of a store before it is made.
type Pending struct {
	Repository Repository
	Files      []File // those that differ from the last commit, by their paths

	below       string // the store in the work tree
	head        string // the last commit, "" for none
	name, email string // of the author
}

// File says what a commit does to a file.
type File struct {
	Path string // agent path
	Does string // "add", "edit" or "delete"
}

// Record is a journal that also lists the changes it has.
type Record interface {
	Journal
	past.Lister
}

// PendChanges is [pend] for the files that the user changed and that no commit has with that change. A commit of a moment ago is
// recorded first.
func PendChanges(ctx context.Context, dir string, j Record) (p Pending, err error) {
	if _, err := Learn(ctx, dir, j); err != nil {
		return p, err
	}
	var paths []string
	err = j.List(ctx, past.Filter{Actors: []memstore.Actor{memstore.Curator}}, func(r past.Revision) bool {
		if r.Commit == "" && r.Kind == memstore.KindFile {
			paths = append(paths, r.Path)
			if r.OldPath != "" {
				paths = append(paths, r.OldPath)
			}
		}
		return true
	})
	if err != nil {
		return p, err
	}
	return pend(ctx, dir, paths)
}

// pend finds out which of some files of a store differ from the last commit, and whether they can be committed. dir is the directory of
// the store, paths are agent paths. Files that git ignores are left out. It writes nothing. The error is the reason as the end of a
// sentence, [ErrUnchanged], or one of a run.
func pend(ctx context.Context, dir string, paths []string) (p Pending, err error) {
	r, ok := Around(dir)
	if !ok {
		return p, refuse("the store is in no git repository")
	}
	p.Repository = r
	if p.below, ok = r.Below(dir); !ok {
		return p, refuse("the store is in no git repository")
	}
	why, err := r.Locked(ctx)
	if err != nil {
		return p, err
	}
	if why != "" {
		return p, refuse("%s", why)
	}
	if err := r.busy(); err != nil {
		return p, err
	}
	if p.head, err = r.Head(ctx); err != nil {
		return p, err
	}
	if p.Files, err = p.changed(ctx, paths); err != nil {
		return p, err
	}
	if len(p.Files) == 0 {
		return p, ErrUnchanged
	}
	if err := p.unfiltered(ctx); err != nil {
		return p, err
	}
	p.name, p.email, err = r.author(ctx)
	return p, err
}

// Message is the message that is suggested: Curate memory: edit 2 files, delete 1 file.
func (p *Pending) Message() string {
	var parts []string
	for _, does := range []string{"add", "edit", "delete"} {
		n := 0
		for _, f := range p.Files {
			if f.Does == does {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, does+" "+text.Count(n, "file"))
		}
	}
	return "Curate memory: " + strings.Join(parts, ", ")
}

// lockFile is the file in git's folder that whoever changes the index makes first.
const lockFile = "index.lock"

// busy refuses a repository in which another git is at work, or waits for the user.
func (r Repository) busy() error {
	for _, one := range []struct{ name, why string }{
		{lockFile, "another git is at work, or left .git/index.lock behind"},
		{"MERGE_HEAD", "a merge is in progress"},
		{"CHERRY_PICK_HEAD", "a cherry-pick is in progress"},
		{"REVERT_HEAD", "a revert is in progress"},
		{"rebase-merge", "a rebase is in progress"},
		{"rebase-apply", "a rebase is in progress"},
	} {
		if _, err := os.Lstat(filepath.Join(r.Top, folder, one.name)); err == nil {
			return refuse("%s", one.why)
		}
	}
	return nil
}

// file is the path of a file of the store from the top of the work tree.
func (p *Pending) file(agentPath string) string {
	name := memstore.BackendName(agentPath)
	if p.below == "." {
		return name
	}
	return p.below + "/" + name
}

// lines are the paths of the files from the top, each with a zero byte behind it.
func (p *Pending) lines() []byte {
	var b []byte
	for _, f := range p.Files {
		b = append(append(b, p.file(f.Path)...), 0)
	}
	return b
}

// changed returns those of some files that differ from the last commit and that git doesn't ignore, each once, sorted.
func (p *Pending) changed(ctx context.Context, paths []string) (list []File, err error) {
	r := p.Repository
	was, err := r.tree(ctx, p.head, p.below)
	if err != nil {
		return nil, err
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	var there []string
	for _, path := range paths {
		file := p.file(path)
		info, err := os.Lstat(filepath.Join(r.Top, filepath.FromSlash(file)))
		switch {
		case err == nil && info.Mode().IsRegular():
			there = append(there, path)
		case errors.Is(err, fs.ErrNotExist) && was[file] != "":
			list = append(list, File{path, "delete"})
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, refuse("%s can't be read", path)
		}
	}
	if len(there) == 0 {
		return list, nil
	}
	// only what is untracked can be ignored; this command takes no literal paths, but the dot in front makes them so
	var dotted []byte
	for _, path := range there {
		dotted = append(dotted, "./"+p.file(path)+"\x00"...)
	}
	out, err := r.run(ctx, []string{"GIT_LITERAL_PATHSPECS"}, maxFiles, dotted, "check-ignore", "-z", "--stdin")
	var failed *failure
	if err != nil && (!errors.As(err, &failed) || failed.Line != "") { // it fails without a word where nothing is ignored
		return nil, err
	}
	ignored := map[string]bool{}
	for file := range strings.SplitSeq(string(out), "\x00") {
		ignored[strings.TrimPrefix(file, "./")] = true
	}
	there = slices.DeleteFunc(there, func(path string) bool { return ignored[p.file(path)] })
	if len(there) == 0 {
		return list, nil
	}
	var names strings.Builder
	for _, path := range there {
		names.WriteString(quoted(p.file(path)) + "\n")
	}
	if out, err = r.run(ctx, nil, maxFiles, []byte(names.String()), "hash-object", "--stdin-paths"); err != nil {
		return nil, err
	}
	hashes := strings.Fields(string(out))
	if len(hashes) != len(there) {
		return nil, &failure{"hash-object answered something else"}
	}
	for i, path := range there {
		switch was[p.file(path)] {
		case hashes[i]:
		case "":
			list = append(list, File{path, "add"})
		default:
			list = append(list, File{path, "edit"})
		}
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// quoted is a path as a line for git, which reads one in quotes like a string of C.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// tree lists the files of a commit below a folder with the names of their contents.
func (r Repository) tree(ctx context.Context, commit, below string) (map[string]string, error) {
	list := map[string]string{}
	if commit == "" {
		return list, nil
	}
	out, err := r.read(ctx, maxFiles, "ls-tree", "-r", "-z", "--full-tree", commit, "--", below)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		about, file, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); len(fields) == 3 {
			list[file] = fields[2]
		}
	}
	return list, nil
}

// unfiltered refuses files that a program of the user's configuration is to convert: we don't run it, and without it the commit would
// have another text than theirs.
func (p *Pending) unfiltered(ctx context.Context) error {
	out, err := p.Repository.run(ctx, nil, maxFiles, p.lines(), "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return err
	}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		if value := fields[i+2]; value != "unspecified" && value != "unset" {
			return refuse("a filter applies to %s", fields[i])
		}
	}
	return nil
}

// home are the variables that say where the user configures git.
var home = []string{"HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"}

// author reads who commits here, from the configuration of the repository, else of the user: only these two values.
func (r Repository) author(ctx context.Context) (name, email string, err error) {
	env := []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}
	for _, v := range home {
		if value, ok := os.LookupEnv(v); ok {
			env = append(env, v+"="+value)
		}
	}
	for _, one := range []struct {
		key string
		to  *string
	}{{"user.name", &name}, {"user.email", &email}} {
		out, err := r.run(ctx, env, maxRef, nil, "config", "--get", one.key)
		var failed *failure
		if err != nil && (!errors.As(err, &failed) || failed.Line != "") {
			return "", "", err
		}
		if *one.to = strings.TrimSpace(string(out)); *one.to == "" {
			return "", "", refuse("git has no %s; set it with git config", one.key)
		}
	}
	return name, email, nil
}

// Commit makes a commit of the pending files as they are now, and returns its hash. What others staged stays staged, and out of the
// commit. No hook runs, and nothing is signed.
func (p *Pending) Commit(ctx context.Context, message string, now time.Time) (hash string, err error) {
	if message = strings.TrimSpace(message); message == "" || strings.Contains(message, "\x00") {
		return "", refuse("the message is empty")
	}
	r := p.Repository
	if head, err := r.Head(ctx); err != nil || head != p.head {
		if err == nil {
			err = refuse("another commit was made meanwhile")
		}
		return "", err
	}
	ctx = context.WithoutCancel(ctx) // git, killed halfway, would leave its lock behind
	if _, err := r.run(ctx, nil, maxRef, p.lines(), "update-index", "--add", "--remove", "-z", "--stdin"); err != nil {
		return "", err
	}
	stamp := fmt.Sprintf("%d %s", now.Unix(), now.Format("-0700"))
	env := []string{
		"GIT_AUTHOR_NAME=" + p.name, "GIT_AUTHOR_EMAIL=" + p.email, "GIT_AUTHOR_DATE=" + stamp,
		"GIT_COMMITTER_NAME=" + p.name, "GIT_COMMITTER_EMAIL=" + p.email, "GIT_COMMITTER_DATE=" + stamp,
	}
	_, err = r.run(ctx, env, maxFiles, p.lines(), "commit", "--only", "--quiet", "--no-verify", "--no-status", "--cleanup=verbatim",
		"--message="+message, "--pathspec-from-file=-", "--pathspec-file-nul")
	var failed *failure
	if errors.As(err, &failed) && failed.Line == "" { // it complains of nothing else in its output
		return "", ErrUnchanged
	}
	if err != nil {
		return "", err
	}
	return r.Head(ctx)
}
