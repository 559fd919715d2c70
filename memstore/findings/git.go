package findings

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/git"
)

// Git is the result of searching the commits of the work tree around a store. The search only reads: rewriting commits is up to people,
// who know who else has them.
type Git struct {
	Top     string   // folder of the work tree
	Paths   []string // what was searched in it: the folder of the store, or the files of one of single files
	Commits []string // with a value in a file or a name of the store, newest first
	Staged  bool     // the index contains a value, for the next commit
	// Unread says why some or all commits could not be searched; "" if all were.
	Unread string

	around git.Repository
}

// Clean reports whether everything was searched and nothing found.
func (g *Git) Clean() bool { return len(g.Commits) == 0 && !g.Staged && g.Unread == "" }

// Limits of the search, and the reasons for stopping at them.
const (
	gitBlobs    = 100_000
	gitTooMuch  = "too many contents to search"
	gitNoAnswer = "git can't read them"
	gitTooBig   = "skipped contents above 64 MiB"
	gitPatience = 2 * time.Minute
)

// inGit searches the commits of the work tree around the store for the chosen values; nil if the store is in none.
func (s *Scrubber) inGit(ctx context.Context) *Git {
	around, ok := git.Around(s.Dir)
	if !ok {
		return nil
	}
	g := &Git{Top: around.Top, around: around}
	below, ok := around.Below(s.Dir)
	if !ok {
		return g
	}
	g.Paths = []string{below}
	if b, ok := s.Store.Backend().(memstore.PathFinder); ok {
		g.Paths = s.pathsIn(ctx, around, b)
	}
	if len(s.accept) == 0 || len(g.Paths) == 0 {
		return g
	}
	g.search(ctx, s)
	return g
}

// search searches the commits, and says why it could not.
func (g *Git) search(ctx context.Context, s *Scrubber) {
	limited, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	err := g.look(limited, s)
	switch why := git.Explain(err); {
	case err == nil:
	case errors.Is(why, git.ErrMissing):
		g.Unread = why.Error()
	case errors.Is(err, errTooMuch):
		g.Unread = gitTooMuch
	case ctx.Err() == nil && limited.Err() != nil:
		g.Unread = git.ErrSlow.Error()
	default:
		g.Unread = gitNoAnswer
	}
}

// pathsIn are the files of the store that are in a work tree.
func (s *Scrubber) pathsIn(ctx context.Context, around git.Repository, b memstore.PathFinder) (list []string) {
	// the scan reports unreadable folders
	_ = eachFile(ctx, s.Store.Backend(), ".", func(string, error) {}, func(name string, i memstore.Info) error {
		disk := b.PathOf(name)
		if path, ok := around.Below(disk); ok && disk != "" && i.Kind != memstore.KindDir {
			list = append(list, path)
		}
		return nil
	})
	return list
}

// pathspec are arguments that limit a command of git to what is searched.
func (g *Git) pathspec() []string {
	return append([]string{"--"}, g.Paths...)
}

var errTooMuch = errors.New(gitTooMuch)

// gitChange is a version of a file in a commit or in the index.
type gitChange struct{ commit, blob, name string }

// gitIndex takes the place of a commit ID for the index.
const gitIndex = ""

func (g *Git) look(ctx context.Context, s *Scrubber) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes, err := g.changes(ctx)
	if err != nil {
		return err
	}
	held, err := g.blobs(ctx, s, changes)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, c := range changes {
		if seen[c.commit] || !held[c.blob] && !s.holds("", []byte(c.name)) {
			continue
		}
		if seen[c.commit] = true; c.commit == gitIndex {
			g.Staged = true
		} else {
			g.Commits = append(g.Commits, c.commit)
		}
	}
	return nil
}

// staged lists the files of the store in the index.
func (g *Git) staged(ctx context.Context) (list []gitChange, err error) {
	out, err := g.around.Command(ctx, append([]string{"ls-files", "--stage", "-z"}, g.pathspec()...)...).Output()
	if err != nil {
		return nil, err
	}
	for field := range strings.SplitSeq(string(out), "\x00") { // "mode blob stage", tab, name
		about, name, ok := strings.Cut(field, "\t")
		if parts := strings.Fields(about); ok && len(parts) == 3 {
			list = append(list, gitChange{gitIndex, parts[1], name})
		}
	}
	return list, nil
}

// changes lists the index and the changes of all commits below the store, newest commit first, including commits that only a reflog
// reaches, such as amended ones.
func (g *Git) changes(ctx context.Context) (list []gitChange, err error) {
	if list, err = g.staged(ctx); err != nil {
		return nil, err
	}
	commits, err := g.around.Command(ctx, append([]string{"rev-list", "--all", "--reflog"}, g.pathspec()...)...).Output()
	if err != nil {
		return nil, err
	}
	tree := g.around.Command(ctx, append([]string{
		"diff-tree", "--stdin", "-r", "-m", "-z", "--root", "--no-renames", "--no-ext-diff", "--no-textconv",
	}, g.pathspec()...)...)
	tree.Stdin = bytes.NewReader(commits)
	out, err := tree.Output()
	if err != nil {
		return nil, err
	}
	// A commit, or ":mode mode blob blob letter" followed by a name, each terminated by a zero byte.
	commit, change := "", ""
	for field := range strings.SplitSeq(string(out), "\x00") {
		switch {
		case change != "":
			parts := strings.Fields(change)
			if change = ""; len(parts) != 5 {
				return nil, fmt.Errorf("git answers %d fields", len(parts))
			}
			// The old side belongs to the commit before, which is listed too.
			if blob := parts[3]; strings.Trim(blob, "0") != "" {
				list = append(list, gitChange{commit, blob, field})
			}
		case strings.HasPrefix(field, ":"):
			change = field
		case field != "":
			commit, _, _ = strings.Cut(strings.TrimSpace(field), " ")
		}
	}
	return list, nil
}

// blobs searches the contents of changes, each once.
func (g *Git) blobs(ctx context.Context, s *Scrubber, changes []gitChange) (held map[string]bool, err error) {
	names := map[string]string{}
	var ask strings.Builder
	for _, c := range changes {
		if _, ok := names[c.blob]; !ok {
			names[c.blob] = c.name
			ask.WriteString(c.blob + "\n")
		}
	}
	if len(names) > gitBlobs {
		return nil, errTooMuch
	}
	c := g.around.Command(ctx, "cat-file", "--batch")
	c.Stdin = strings.NewReader(ask.String())
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Wait()) }()
	held = map[string]bool{}
	in := bufio.NewReaderSize(out, 64<<10)
	for range names {
		head, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		var blob, kind string
		var size int64
		if n, _ := fmt.Sscan(head, &blob, &kind, &size); n != 3 || size < 0 {
			continue // missing, as in a submodule
		}
		if size > maxFile {
			g.Unread = gitTooBig
			if _, err := io.CopyN(io.Discard, in, size+1); err != nil {
				return nil, err
			}
			continue
		}
		text := make([]byte, size+1) // a newline follows
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, err
		}
		held[blob] = kind == "blob" && s.holds(names[blob], text[:size])
	}
	return held, nil
}

// holds reports whether a text contains a chosen value, in context or in any form.
func (s *Scrubber) holds(name string, text []byte) bool {
	return s.holdsAny(text) || len(s.find(name, text)) > 0
}
