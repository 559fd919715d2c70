package findings

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/git"
)

// Git is the result of searching the commits of the work tree around a store. The search only reads: rewriting commits is up to people,
// who know who else has them.
type Git struct {
	Top   string   // folder of the work tree
	Paths []string // what was searched in it: the folder of the store, or the files of one of single files
	Held  []string // files and folders of which a commit or the index has a value, perhaps in the name: they are counted, not shown
	// Unread says why some or all commits could not be searched; "" if all were.
	Unread string

	around git.Repository
}

// Clean reports whether everything was searched and nothing found.
func (g *Git) Clean() bool { return len(g.Held) == 0 && g.Unread == "" }

// Limits of the search, and the reasons for stopping at them.
const (
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

func (g *Git) look(ctx context.Context, s *Scrubber) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	names, err := g.objects(ctx)
	if err != nil {
		return err
	}
	held := map[string]bool{}
	err = g.contents(ctx, names, func(name, kind string, text []byte) {
		switch {
		case s.holds("", []byte(name)), kind == "blob" && s.holds(name, text), kind == "tree" && g.inStore(name) && s.holdsAny(text):
			held[name] = true
		}
	})
	g.Held = slices.Sorted(maps.Keys(held))
	return err
}

// inStore reports whether a folder of the work tree is one of the store: those above it list other files too.
func (g *Git) inStore(name string) bool {
	return slices.ContainsFunc(g.Paths, func(at string) bool { return at == "." || name == at || strings.HasPrefix(name, at+"/") })
}

// objects are the IDs of what the index and the commits have of the store, each with one of its names, including commits that only a
// reflog reaches, such as amended ones.
func (g *Git) objects(ctx context.Context) (map[string]string, error) {
	names := map[string]string{}
	out, err := g.around.Command(ctx, append([]string{"ls-files", "--stage", "-z"}, g.pathspec()...)...).Output()
	if err != nil {
		return nil, err
	}
	for field := range strings.SplitSeq(string(out), "\x00") { // "mode blob stage", tab, name
		about, name, ok := strings.Cut(field, "\t")
		if parts := strings.Fields(about); ok && len(parts) == 3 {
			names[parts[1]] = name
		}
	}
	out, err = g.around.Command(ctx,
		append([]string{"rev-list", "--objects", "--all", "--reflog", "--full-history"}, g.pathspec()...)...).Output()
	for line := range strings.Lines(string(out)) { // of a commit only its ID
		if id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			names[id] = name
		}
	}
	return names, err
}

// contents calls visit with each object.
func (g *Git) contents(ctx context.Context, names map[string]string, visit func(name, kind string, text []byte)) (err error) {
	c := g.around.Command(ctx, "cat-file", "--batch")
	c.Stdin = strings.NewReader(strings.Join(slices.Collect(maps.Keys(names)), "\n") + "\n")
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Wait()) }()
	in := bufio.NewReaderSize(out, 64<<10)
	for range names {
		head, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		var id, kind string
		var size int64
		if n, _ := fmt.Sscan(head, &id, &kind, &size); n != 3 || size < 0 {
			continue // missing, as in a submodule
		}
		if size > maxFile {
			g.Unread = gitTooBig
			if _, err := io.CopyN(io.Discard, in, size+1); err != nil {
				return err
			}
			continue
		}
		text := make([]byte, size+1) // a newline follows
		if _, err := io.ReadFull(in, text); err != nil {
			return err
		}
		visit(names[id], kind, text[:size])
	}
	return nil
}

// holds reports whether a text contains a chosen value, in context or in any form.
func (s *Scrubber) holds(name string, text []byte) bool {
	return s.holdsAny(text) || len(s.find(name, text)) > 0
}
