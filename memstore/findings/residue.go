package findings

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/statedir"
)

// Residue is the result of searching store and state folder for purged values.
type Residue struct {
	Left []leftPlace
	// Unread is what could not be searched: if there is any, the proof is incomplete.
	Unread []Skipped
	Files  int   // searched, including contents of the journal
	Bytes  int64 // searched
	// Common counts the values searched only in context: short numbers and common words, which would match elsewhere by chance.
	Common int
	Git    *Git // what commits contain; nil: the store is not in a work tree
	// Stores are other stores with state below the same base that contain a value. A purge leaves them alone.
	Stores []otherStore
	Rotate []rotation
	// Transcripts are those that hold a value.
	Transcripts []string
}

// leftPlace is a place where a value remains.
type leftPlace struct {
	Where string // an agent path, "state: " and a file of the state folder, or "journal: " and an agent path
	Form  form
	ID    string
}

// Clean reports whether everything was searched and nothing found.
func (r *Residue) Clean() bool {
	return len(r.Left) == 0 && len(r.Unread) == 0 && len(r.Stores) == 0 && len(r.Transcripts) == 0 &&
		(r.Git == nil || r.Git.Clean())
}

// rotation is a class of secrets that was found: anyone who saw one can use it until it is rotated.
type rotation struct {
	Class  rule.Class
	Values int
}

// Prove searches for the chosen values, in every form, in all files of the store and the state folder, and in everything that the journal
// keeps. It names compressed files, which it can't search. Values that would match by chance, such as short numbers and common words, are
// searched in context.
func (s *Scrubber) Prove(ctx context.Context) (*Residue, error) {
	p := s.newProof(ctx)
	p.residue.Git, p.residue.Common = s.inGit(ctx), len(s.accept)-len(s.peculiar)
	p.residue.Rotate = s.rotate()
	steps := []func() error{p.store, p.state, p.journal, p.others}
	for i, step := range steps {
		s.Report(stepProof, i, len(steps))
		if err := step(); err != nil {
			return &p.residue, err
		}
	}
	return &p.residue, nil
}

func (s *Scrubber) rotate() (list []rotation) {
	counts := map[string]int{}
	for _, class := range s.accept {
		counts[class]++
	}
	for class, n := range counts {
		if c := s.Engine.Class(class); c.Rotate != "" {
			list = append(list, rotation{c, n})
		}
	}
	slices.SortFunc(list, func(a, b rotation) int {
		return cmp.Or(cmp.Compare(b.Class.Severity, a.Class.Severity), strings.Compare(a.Class.Name, b.Class.Name))
	})
	return list
}

// proof is one search.
type proof struct {
	s       *Scrubber
	ctx     context.Context
	residue Residue
	seen    map[leftPlace]bool
}

func (s *Scrubber) newProof(ctx context.Context) *proof {
	return &proof{s: s, ctx: ctx, seen: map[leftPlace]bool{}}
}

func (p *proof) leave(where string, form form, value string) {
	l := leftPlace{where, form, p.s.State.ID(value)}
	if !p.seen[l] {
		p.seen[l] = true
		p.residue.Left = append(p.residue.Left, l)
	}
}

// skip records what could not be searched. Entries skipped by rule, such as pipes, have no contents.
func (p *proof) skip(where string, why Reason) {
	one := Skipped{Path: where, Why: why}
	if !why.ByRule() && !slices.Contains(p.residue.Unread, one) {
		p.residue.Unread = append(p.residue.Unread, one)
	}
}

// chunk is how much of a file to search at once.
const chunk = 1 << 20

// search reads a file in overlapping pieces.
func (p *proof) search(where string, r io.ReaderAt, size int64) error {
	p.residue.Files++
	buf := make([]byte, min(size, chunk)+int64(p.s.needles.longest))
	for at := int64(0); at < size; at += chunk {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		n, err := r.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			p.skip(where, Unreadable)
			return nil
		}
		if at == 0 && isCompressed(buf[:n]) {
			p.skip(where, compressed)
		}
		p.residue.Bytes += int64(min(n, chunk))
		p.s.needles.in(buf[:n], func(one needle, _, _ int) { p.leave(where, one.form, p.s.peculiar[one.value]) })
	}
	return nil
}

// compressions begin files whose contents are compressed: gzip, ZIP with all documents that are ZIP files, bzip2, Zstandard, xz, 7z.
var compressions = []string{"\x1f\x8b\x08", "PK\x03\x04", "BZh", "\x28\xb5\x2f\xfd", "\xfd7zXZ", "7z\xbc\xaf"}

func isCompressed(head []byte) bool {
	return slices.ContainsFunc(compressions, func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) })
}

// holdsAny reports whether the proof would find a value in a text.
func (s *Scrubber) holdsAny(text []byte) bool {
	p := s.newProof(context.Background())
	_ = p.search("", bytes.NewReader(text), int64(len(text))) // reading from memory does not fail
	return len(p.residue.Left) > 0
}

// inContext finds values that are searched only in context.
func (p *proof) inContext(where, path string, text []byte) {
	for _, f := range p.s.find(path, text) {
		p.leave(where, rawForm, p.s.Engine.Plain(path, text, f))
	}
}

// name searches the name of a file.
func (p *proof) name(where, name string) {
	p.inContext(where, "", []byte(name))
	p.s.needles.in([]byte(name), func(one needle, _, _ int) { p.leave(where, one.form, p.s.peculiar[one.value]) })
}

// store searches the store through its backend, including temporary files of other programs.
func (p *proof) store() error {
	unread := func(name string, err error) { p.skip(memstore.AgentPath(name), reasonOf(err)) }
	if b, ok := p.s.Store.Backend().(memstore.Adapted); ok {
		for _, at := range b.Files() { // they may hold more than the files of the store show
			if err := p.onDisk("file: "+filepath.Base(at), at, false); err != nil {
				return err
			}
		}
	}
	return eachFile(p.ctx, p.s.Store.Backend(), ".", unread, func(name string, i memstore.Info) error {
		p.name(memstore.AgentPath(name), i.Name)
		switch i.Kind {
		case memstore.KindFile:
			return p.file(name)
		case memstore.KindLink:
			to, err := p.s.Store.Backend().Readlink(name)
			if err != nil {
				unread(name, err)
			}
			p.name(memstore.AgentPath(name), to)
		}
		return nil
	})
}

// storeLeftToProof applies leftToProof to errors from a store.
func storeLeftToProof(err error) error {
	if errors.Is(err, memstore.ErrNotExist) || errors.Is(err, memstore.ErrPermission) || errors.Is(err, memstore.ErrNotRegular) {
		return nil
	}
	return err
}

// file searches a file of the store, whatever its type.
func (p *proof) file(name string) error {
	at := memstore.AgentPath(name)
	text, why := read(p.s.Store.Backend(), name)
	if why == "" && isUTF16(text) {
		why = encoded
	}
	if why != "" {
		p.skip(at, why)
		return nil
	}
	p.inContext(at, at, text)
	return p.search(at, bytes.NewReader(text), int64(len(text)))
}

// state searches the store's own state folder.
func (p *proof) state() error {
	if p.s.StateDir == "" {
		return nil
	}
	return p.folder(stateFolder{p.s.StateDir, ""}, p.s.Journal != nil || journal.IsOpen(p.s.StateDir))
}

// folder searches a state folder. It leaves the files of an open journal to the journal, since SQLite has them open.
func (p *proof) folder(of stateFolder, open bool) error {
	return filepath.WalkDir(of.dir, func(at string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(of.dir, at) // at is below it
		where := "state: " + of.label + filepath.ToSlash(rel)
		if err != nil || p.ctx.Err() != nil {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				p.skip(where, Unreadable)
			}
			return p.ctx.Err()
		}
		if at != of.dir { // its own name is derived from the path of the store
			p.name(where, e.Name())
		}
		top := journal.KindOf(filepath.ToSlash(rel))
		if !e.Type().IsRegular() || open && top == journal.DatabaseFile || open && of.dir == p.s.StateDir && top == journal.CopyFile ||
			ofStore(at) {
			return nil
		}
		return p.onDisk(where, at, !inUse(e.Name()) && !hashed[e.Name()])
	})
}

// ofStore reports whether a file only records the path of an existing store: a value in that path is on disk whatever a purge does.
func ofStore(at string) bool {
	if filepath.Base(at) != statedir.IdentityFile {
		return false
	}
	path, err := statedir.Recorded(filepath.Dir(at))
	if err != nil {
		return false
	}
	_, err = os.Lstat(path)
	return err == nil
}

// onDisk searches a file outside the store; with plain, as a text too. A
// missing file is fine.
func (p *proof) onDisk(where, at string, plain bool) error {
	f, err := os.Open(at)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			p.skip(where, Unreadable)
		}
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		p.skip(where, Unreadable)
		return nil
	}
	if plain {
		if err := p.asText(where, filepath.Base(at), f, info.Size()); err != nil {
			p.skip(where, Unreadable)
			return nil
		}
	}
	return p.search(where, f, info.Size())
}

// asText searches a file outside the store for values in context.
func (p *proof) asText(where, base string, r io.ReaderAt, size int64) error {
	if size > maxFile {
		if p.residue.Common > 0 {
			p.skip(where, tooBig)
		}
		return nil
	}
	text := make([]byte, size)
	n, err := r.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	p.inContext(where, base, text[:n])
	return nil
}

// journal searches everything that the journal keeps. Its files need no search: a purge has rebuilt them from that.
func (p *proof) journal() error {
	if p.s.Journal == nil {
		return nil
	}
	return p.past("journal: ", p.s.Journal)
}

// past searches the contents of a journal, and reports one that can't be read to the end.
func (p *proof) past(where string, j *journal.Journal) error {
	if err := p.kept(where, j); err != nil {
		if p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		p.skip(strings.TrimSuffix(where, ": "), reasonOfJournal(err))
	}
	return nil
}

func (p *proof) kept(where string, j *journal.Journal) error {
	err := j.Contents(p.ctx, func(k past.Kept, text []byte) bool {
		p.inContext(where+k.Path, k.Path, text)
		return p.search(where+k.Path, bytes.NewReader(text), int64(len(text))) == nil // ctx is checked below
	})
	if err = cmp.Or(err, p.ctx.Err()); err != nil {
		return err
	}
	if err := j.Names(p.ctx, func(path string) bool {
		p.name(where+"a name", path)
		return p.ctx.Err() == nil
	}); err != nil {
		return err
	}
	return j.Texts(p.ctx, func(column, text string) bool {
		p.name(where+column, text)
		return p.ctx.Err() == nil
	})
}

// eachFile visits everything below a folder of a store as it is on disk, including what the agent never sees. unread gets the folders
// that can't be read; if visit returns [fs.SkipDir], the folder is skipped.
func eachFile(ctx context.Context, b memstore.Backend, dir string, unread func(name string, err error),
	visit func(name string, i memstore.Info) error) error {
	list, err := b.ReadDir(dir)
	if err != nil {
		if errors.Is(err, memstore.ErrUnavailable) {
			return err
		}
		unread(dir, err)
		return ctx.Err()
	}
	for _, i := range list {
		name := path.Join(dir, i.Name)
		err := visit(name, i)
		if errors.Is(err, fs.SkipDir) {
			continue
		}
		if err == nil && i.Kind == memstore.KindDir {
			err = eachFile(ctx, b, name, unread, visit)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
