package git

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Bounds of what is read of git's own small files, in bytes.
const (
	maxRef = 4 << 10
	maxLog = 1 << 20
)

// Mark is a text that changes when a commit is made, or another one is checked out. It costs a few small files, and no run of git.
func (r Repository) Mark() string {
	own, common := r.folders()
	head := tail(filepath.Join(own, "HEAD"), maxRef)
	mark := string(head)
	if name, ok := strings.CutPrefix(strings.TrimSpace(mark), "ref: "); ok && filepath.IsLocal(name) {
		mark += string(tail(filepath.Join(common, filepath.FromSlash(name)), maxRef))
	}
	for _, file := range []string{filepath.Join(own, "logs", "HEAD"), filepath.Join(common, "packed-refs"),
		filepath.Join(common, "reftable", "tables.list")} {
		if info, err := os.Stat(file); err == nil {
			mark += strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10) + "\n"
		}
	}
	return mark
}

// folders are git's folder of this work tree, and the one that it shares with others. A linked work tree names them in files.
func (r Repository) folders() (own, common string) {
	own = filepath.Join(r.Top, folder)
	if info, err := os.Lstat(own); err == nil && info.Mode().IsRegular() {
		if to, ok := strings.CutPrefix(strings.TrimSpace(string(tail(own, maxRef))), "gitdir: "); ok {
			own = below(r.Top, to)
		}
	}
	if to := strings.TrimSpace(string(tail(filepath.Join(own, "commondir"), maxRef))); to != "" {
		return own, below(own, to)
	}
	return own, own
}

// below is a path that a file in a folder names.
func below(dir, to string) string {
	if filepath.IsAbs(to) {
		return filepath.Clean(to)
	}
	return filepath.Join(dir, filepath.FromSlash(to))
}

// tail reads the last bytes of a regular file, at most limit; nil if there is none.
func tail(name string, limit int64) []byte {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-limit), limit))
	if err != nil {
		return nil
	}
	return data
}

// moves say when HEAD came to commits.
type moves struct {
	at    map[string]time.Time // by their hashes
	since time.Time            // when they begin; zero: with the repository
}

// moved reads git's log of HEAD.
func (r Repository) moved() moves {
	own, _ := r.folders()
	return parseMoves(tail(filepath.Join(own, "logs", "HEAD"), maxLog))
}

// parseMoves reads lines "old new name <mail> seconds zone", a tab, and a message. Others are passed over.
func parseMoves(data []byte) moves {
	m := moves{at: map[string]time.Time{}}
	for line := range strings.SplitSeq(string(data), "\n") {
		line, _, _ = strings.Cut(line, "\t")
		hashes, about, ok := strings.Cut(line, " <")
		fields := strings.Fields(hashes)
		_, when, closed := strings.Cut(about, "> ")
		if !ok || !closed || len(fields) < 2 || !isHash(fields[0]) || !isHash(fields[1]) {
			continue
		}
		seconds, _, _ := strings.Cut(when, " ")
		at, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil {
			continue
		}
		if len(m.at) == 0 && strings.Trim(fields[0], "0") != "" {
			m.since = time.Unix(at, 0)
		}
		m.at[fields[1]] = time.Unix(at, 0)
	}
	return m
}

// isHash reports whether a text is the name of an object.
func isHash(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
