package project

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend/quietfile"
	"memcurator/memstore/git"
	"memcurator/memstore/lint"
)

// Bounds of what is read of a project's code.
const (
	maxCode    = 512 << 20 // bytes
	maxSymbols = 5_000     // that are looked up
	codeBlock  = 256 << 10
)

// The reasons why claims about symbols stand unchecked.
const (
	textNoSymbols   = "Can't check symbols of the project: "
	textSomeSymbols = "Can't check all symbols of the project: "
)

// symbols are what is known of the words that notes use for parts of the code.
type symbols struct {
	mark string    // of the repository when the history was read
	read time.Time // when the code was read for those that were removed
	// known has all words that were looked up at this mark: how they were removed, or the zero value.
	known map[string]removal
	why   string // why some of them are unknown
	// absent are the folders of submodules that are not checked out.
	absent map[string]bool
}

// removal is the commit that removed the definition of a word; zero: none is known.
type removal struct {
	commit string
	time   time.Time
}

func (r removal) verdict() lint.Verdict {
	if r.commit == "" {
		return lint.Verdict{}
	}
	return lint.Verdict{Why: "removed by " + r.commit[:min(len(r.commit), 7)] + ", " + r.time.UTC().Format("2 Jan 2006")}
}

// lookSymbols finds out which words were defined in the code once and are nowhere in it now. It returns why that is unknown, as a
// sentence without a full stop. p.mu is held.
func (p *Project) lookSymbols(ctx context.Context, words map[string]bool) (why string, err error) {
	switch {
	case len(words) == 0:
		return "", nil
	case !p.in:
		return textNoSymbols + p.noGit, nil
	case p.why != "":
		return "", nil // it is said already
	}
	if mark := p.repo.Mark(); p.symbols.known == nil || mark != p.symbols.mark {
		p.symbols = symbols{mark: mark, known: map[string]removal{}}
	}
	s := &p.symbols
	fresh, again := map[string]bool{}, map[string]bool{}
	for word := range words {
		was, ok := s.known[word]
		switch {
		case !ok && len(s.known)+len(fresh) < maxSymbols:
			fresh[word] = true
		case was.commit != "" && time.Since(s.read) >= staysFor:
			again[word] = true
		}
	}
	if len(fresh)+len(again) == 0 {
		return s.why, nil
	}
	absent := map[string]bool{}
	for word := range fresh {
		absent[word] = true
	}
	for word := range again {
		absent[word] = true
	}
	if why, err = p.dropPresent(ctx, absent); why != "" || err != nil {
		return why, err
	}
	for word := range again {
		if !absent[word] {
			s.known[word] = removal{} // it is there again
		}
	}
	for word := range fresh {
		s.known[word] = removal{}
		if !absent[word] {
			delete(fresh, word)
		}
	}
	s.read = time.Now()
	if len(fresh) == 0 {
		return s.why, nil
	}
	return p.readRemovals(ctx, fresh)
}

// dropPresent drops from words those that are in the code of the work tree. It returns why that is unknown.
func (p *Project) dropPresent(ctx context.Context, words map[string]bool) (why string, err error) {
	top := p.repo.Top
	names, err := p.repo.Files(ctx, ".")
	if err == nil {
		var more []string
		more, err = p.repo.Untracked(ctx)
		names = append(names, more...)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return textNoSymbols + err.Error(), nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return textNoSymbols + "its folder can't be opened", nil
	}
	defer func() { _ = root.Close() }() // it was only read
	buf, left, missing := make([]byte, codeBlock), int64(maxCode), false
	p.symbols.absent = map[string]bool{}
	if names, err = p.withSubmodules(ctx, root, names); err != nil {
		return "", err
	} else if names == nil {
		return textNoSymbols + "its submodules have too many files", nil
	}
	for _, name := range names {
		if len(words) == 0 {
			return "", nil
		}
		if prose(name) {
			continue
		}
		size, err := dropWords(ctx, root, filepath.FromSlash(name), buf, left, words)
		left -= size
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			missing = true // removed just now, or never checked out
		case err != nil:
			return textNoSymbols + path.Base(name) + " can't be read", nil
		case left <= 0:
			return textNoSymbols + "more than 512 MB of code", nil
		}
	}
	if missing && len(words) > 0 {
		staged, err := p.repo.Staged(ctx, words, func(file string) bool { return !prose(file) })
		if ctx.Err() != nil {
			return "", ctx.Err()
		} else if err != nil {
			return textNoSymbols + err.Error(), nil
		}
		for _, word := range staged {
			delete(words, word)
		}
	}
	return "", nil
}

// withSubmodules adds the files of the submodules to those of the project, and notes which of them are not checked out; nil: they have
// too many files. A submodule is read as a folder: its own repository is not asked.
func (p *Project) withSubmodules(ctx context.Context, root *os.Root, names []string) ([]string, error) {
	all, left := slices.Clone(names), maxWalked
	for _, name := range names {
		if info, err := root.Lstat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
			continue
		}
		found := false
		err := fs.WalkDir(quietfile.FS(root), name, func(file string, e fs.DirEntry, err error) error {
			switch left--; {
			case left < 0:
				return errTooMany
			case err != nil || e.IsDir() && (ignored[e.Name()] || strings.Count(file, "/") > maxDepth):
				return fs.SkipDir
			case !e.IsDir() && e.Name() != ".git":
				found = true
				all = append(all, file)
			}
			return ctx.Err()
		})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, errTooMany):
			return nil, nil
		case !found:
			p.symbols.absent[name] = true
		}
	}
	return all, nil
}

// dropWords drops from words those that a regular file has, and returns how much it read.
func dropWords(ctx context.Context, root *os.Root, name string, buf []byte, most int64, words map[string]bool) (int64, error) {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return 0, err // a submodule or a link
	}
	f, err := quietfile.OpenIn(root, name, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	kept, size := 0, int64(0)
	for size < most && ctx.Err() == nil {
		n, err := f.Read(buf[kept:])
		size += int64(n)
		if size == int64(n) && bytes.IndexByte(buf[:min(n, 8000)], 0) >= 0 {
			return size, nil // no text, by git's rule
		}
		data := buf[:kept+n]
		end := len(data)
		for err == nil && end > 0 && end > len(data)-maxWord && inWord(data[end-1]) {
			end-- // the rest of the word comes with the next block
		}
		eachWord(data[:end], func(word []byte, _ int) {
			if words[string(word)] {
				delete(words, string(word))
			}
		})
		kept = copy(buf, data[end:])
		switch {
		case errors.Is(err, io.EOF):
			return size, nil
		case err != nil:
			return size, err
		}
	}
	return size, ctx.Err()
}

// maxWord is the longest word that is looked up, in bytes.
const maxWord = 200

func inWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// eachWord calls visit for each word of a text and where it begins.
func eachWord(data []byte, visit func(word []byte, at int)) {
	for i := 0; i < len(data); i++ {
		if !inWord(data[i]) {
			continue
		}
		at := i
		for i < len(data) && inWord(data[i]) {
			i++
		}
		visit(data[at:i], at)
	}
}

// readRemovals finds in the history how the words left the code. It returns why some of that is unknown.
func (p *Project) readRemovals(ctx context.Context, words map[string]bool) (why string, err error) {
	s := &p.symbols
	commit, at := "", time.Time{}
	removed, added := map[string]bool{}, map[string]bool{} // by this commit
	into, unseen := "", ""                                 // a submodule that the commit changed and can't be read; the last that mattered
	var block blocks
	settle := func() {
		for word := range removed {
			switch {
			case !added[word] && into == "":
				s.known[word] = removal{commit, at}
			case !added[word]:
				unseen = into // it may have moved there
			}
			delete(words, word)
		}
		for word := range added { // it was there after that, or still is, and no commit says how it went
			delete(words, word)
		}
		clear(removed)
		clear(added)
		into = ""
	}
	err = p.repo.Lines(ctx, p.top, func(l git.Line) bool {
		if l.Commit != commit {
			settle()
			commit, at = l.Commit, l.Time
		}
		if len(words) == 0 {
			return false
		}
		if prose(l.File) {
			return true
		}
		if s.absent[l.File] && l.Added {
			into = l.File
		}
		inBlock := block.read(l)
		eachWord(l.Text, func(word []byte, at int) {
			if !words[string(word)] || !defines(l.Text[:at], l.Text[at+len(word):], string(word), l.File) &&
				!(inBlock && declared(l.Text, at, len(word))) {
				return
			}
			if l.Added || p.onDisk(l.File) {
				added[string(word)] = true
			} else {
				removed[string(word)] = true
			}
		})
		return true
	})
	if err == nil { // else the last commit was not read to its end
		settle()
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, git.ErrSlow):
		s.why = textSomeSymbols + "git took too long"
	case err != nil: // a shallow or partial clone
		s.why = textSomeSymbols + "git can't read its whole history"
	case unseen != "":
		s.why = textSomeSymbols + "its submodule " + path.Base(unseen) + " is not checked out"
	}
	return s.why, nil
}

// onDisk reports whether a file that git no longer keeps is there, as what a build makes: its words were not looked for.
func (p *Project) onDisk(file string) bool {
	name, ok := p.below(file)
	return ok && !p.files[name] && p.has(name)
}

// proseEndings are those of files in which people write about code.
var proseEndings = map[string]bool{".md": true, ".mdx": true, ".mdc": true, ".markdown": true, ".rst": true, ".txt": true, ".adoc": true,
	".org": true, ".tex": true, ".html": true, ".htm": true, ".ipynb": true, ".log": true, ".csv": true, ".svg": true, ".lock": true}

// prose reports whether a file is about code, and its words prove nothing: documents, notes, rules for agents.
func prose(name string) bool {
	base := path.Base(name)
	return proseEndings[strings.ToLower(path.Ext(base))] || strings.HasSuffix(base, "rules") && base[0] == '.'
}
