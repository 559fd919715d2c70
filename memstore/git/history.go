package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// Bounds of one look at the history.
const (
	maxCommits = 500
	maxHistory = 8 << 20 // bytes of git's answer
)

// commit is one commit of the history.
type commit struct {
	hash    string
	time    time.Time
	subject string
	paths   []string // relative to the top, slash-separated
}

// Head is the hash of the commit that is checked out, "" in a repository without one.
func (r Repository) Head(ctx context.Context) (string, error) {
	out, err := r.read(ctx, maxRef, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
	if hash := strings.TrimSpace(string(out)); err == nil && isHash(hash) {
		return hash, nil
	}
	var failed *failure
	if errors.As(err, &failed) && failed.Line == "" {
		return "", nil // a branch without a commit
	}
	return "", err
}

// commits lists the commits from known, or the newest ones if that is "", to head, not those before a moment, oldest first, with the
// paths that each changed below a folder of the work tree.
func (r Repository) commits(ctx context.Context, below, known, head string, since time.Time) ([]commit, error) {
	args := []string{"log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-only",
		"--diff-merges=first-parent", "--max-count=" + strconv.Itoa(maxCommits), "--format=%x01%H%x00%ct%x00%s",
		"--since=" + strconv.FormatInt(since.Unix(), 10), head}
	if known != "" {
		args = append(args, "^"+known)
	}
	out, err := r.read(ctx, maxHistory, append(args, "--", below)...)
	if err != nil {
		return nil, err
	}
	list := parseCommits(out)
	slices.Reverse(list)
	return list, nil
}

// parseCommits reads the answer of git log: of each commit a byte 1, the hash, the time, the subject, and the paths, which end with
// zero bytes.
func parseCommits(data []byte) (list []commit) {
	for block := range strings.SplitSeq(string(data), "\x01") {
		fields := strings.Split(block, "\x00")
		if len(fields) < 3 || !isHash(fields[0]) {
			continue
		}
		seconds, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			continue
		}
		c := commit{hash: fields[0], time: time.Unix(seconds, 0), subject: fields[2]}
		for _, path := range fields[3:] {
			if path = strings.TrimPrefix(path, "\n"); path != "" {
				c.paths = append(c.paths, path)
			}
		}
		list = append(list, c)
	}
	return list
}

// Journal records the commits of the repository around its store.
type Journal interface {
	// KnownCommit returns the newest commit recorded, "" for none yet.
	KnownCommit(ctx context.Context) (string, error)
	// Began returns since when there are revisions: no earlier commit can have any. Zero: the files are still being listed.
	Began(ctx context.Context) (time.Time, error)
	// LearnCommits groups the revisions that each commit consists of, and keeps known; it returns how many groups it made.
	LearnCommits(ctx context.Context, list []past.Commit, known string) (groups int, err error)
}

// Learn records in a journal the commits that the repository of its store got since the last time. dir is the directory of the store.
// Without a repository nothing happens.
func Learn(ctx context.Context, dir string, j Journal) (groups int, err error) {
	r, ok := Around(dir)
	if !ok {
		return 0, nil
	}
	below, ok := r.Below(dir)
	if !ok {
		return 0, nil
	}
	known, err := j.KnownCommit(ctx)
	if err != nil {
		return 0, err
	}
	head, err := r.Head(ctx)
	if err != nil || head == "" || head == known {
		return 0, err
	}
	began, err := j.Began(ctx)
	if err != nil || began.IsZero() {
		return 0, err
	}
	list, err := r.commits(ctx, below, known, head, began)
	var failed *failure
	if errors.As(err, &failed) && known != "" { // gone, as after a rewrite
		list, err = r.commits(ctx, below, "", head, began)
	}
	if err != nil && !errors.Is(err, ErrSlow) && !errors.Is(err, errTooMuch) { // the next look would take as long: it begins here
		return 0, err
	}
	return j.LearnCommits(ctx, r.moved().join(list, below), head)
}

// join makes one commit for the journal of all those that came at once, as with a pull: the files were written for the last.
func (m moves) join(list []commit, below string) (out []past.Commit) {
	count := 0
	paths := map[string]bool{}
	for i, c := range list {
		count++
		for _, path := range c.paths {
			if path, ok := strings.CutPrefix("/"+path, strings.TrimSuffix("/"+below, "/.")+"/"); ok {
				paths[memstore.AgentPath(path)] = true
			}
		}
		at, moved := m.at[c.hash]
		if !moved {
			if len(m.at) > 0 && i < len(list)-1 && !c.time.Before(m.since) {
				continue // HEAD passed over it
			}
			at = c.time
		}
		one := past.Commit{Hash: c.hash, Title: c.subject, Time: at, Paths: paths}
		if count > 1 {
			one.Title = fmt.Sprintf("%s, and %s", c.subject, text.Count(count-1, "more commit"))
		}
		out = append(out, one)
		count, paths = 0, map[string]bool{}
	}
	return out
}

// The clock of [Follow]: how often it looks, and how long it waits after a commit for the edits before it to be recorded.
const (
	followEvery = 3 * time.Second
	followAfter = time.Second
)

// Follow is Learn now and after each commit, until ctx ends; after an error, the next commit tries again. At rest it looks at a few small
// files of git's folder.
func Follow(ctx context.Context, dir string, j Journal) {
	seen := ""
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		if r, ok := Around(dir); ok {
			if mark := r.Mark(); mark != seen {
				if !sleep(ctx, followAfter) {
					return
				}
				seen = mark
				_, _ = Learn(ctx, dir, j)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// sleep waits, and reports whether ctx still goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
