package findings

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// Residue is what a search for purged values has found, in the memory and in the state folder.
type Residue struct {
	Left  []Left
	Files int   // searched, contents of the journal among them
	Bytes int64 // searched, unpacked
	// Common counts the values that were sought only where something says what they are: short numbers and common
	// words, which would be met by chance elsewhere.
	Common int
	Git    *Git // what commits hold; nil: the memory lies in no work tree
	Rotate []Rotate
}

// Left is a place where a value still stands.
type Left struct {
	Where  string // an agent path, or "state: " and a file of the state folder, or "journal: " and an agent path
	Form   Form
	Packed bool // inside something compressed
	ID     string
}

// Rotate is a class of secrets that was found: whoever has seen them may use them until they are changed.
type Rotate struct {
	Class  scrub.Class
	Values int
}

// Prove looks for the accepted values, in every form, in all files of the memory and of the state folder,
// inside compressed ones, and in all that the journal keeps. Values that would be met by chance, as short numbers
// and common words, are sought where something says what they are.
func (s *Scrubber) Prove(ctx context.Context) (*Residue, error) {
	s.seekMore()
	p := &proof{s: s, ctx: ctx, values: s.peculiar, needles: s.needles, seen: map[Left]bool{}}
	p.residue.Git, p.residue.Common = s.inGit(ctx), len(s.accept)-len(s.peculiar)
	p.residue.Rotate = s.rotate()
	steps := []func() error{p.memory, p.state, p.outside, p.journal}
	for i, step := range steps {
		s.Report(StepProof, i, len(steps))
		if err := step(); err != nil {
			return &p.residue, err
		}
	}
	return &p.residue, nil
}

func (s *Scrubber) rotate() (list []Rotate) {
	counts := map[string]int{}
	for _, class := range s.accept {
		counts[class]++
	}
	for class, n := range counts {
		if c := s.Engine.Class(class); c.Rotate != "" {
			list = append(list, Rotate{c, n})
		}
	}
	slices.SortFunc(list, func(a, b Rotate) int {
		return cmp.Or(cmp.Compare(b.Class.Severity, a.Class.Severity), strings.Compare(a.Class.Name, b.Class.Name))
	})
	return list
}

// proof is one search.
type proof struct {
	s       *Scrubber
	ctx     context.Context
	values  []string
	needles *needles
	residue Residue
	seen    map[Left]bool
}

func (p *proof) leave(where string, form Form, packed bool, value string) {
	l := Left{where, form, packed, p.s.Memory.ID(value)}
	if !p.seen[l] {
		p.seen[l] = true
		p.residue.Left = append(p.residue.Left, l)
	}
}

// chunk is how much of a file is searched at once.
const chunk = 1 << 20

// search looks through a file in pieces that overlap, and into what in it is compressed.
func (p *proof) search(where string, r io.ReaderAt, size int64) error {
	p.residue.Files++
	buf := make([]byte, min(size, chunk)+int64(p.needles.longest))
	for at := int64(0); at < size; at += chunk {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		n, err := r.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		p.unpack(where, r, at, size, buf[:min(n, chunk)])
		p.residue.Bytes += int64(min(n, chunk))
		p.needles.in(buf[:n], func(one needle, _, _ int) { p.leave(where, one.form, false, p.values[one.value]) })
	}
	return nil
}

// holdsAny tells whether the proof would find a value in a text, compressed ones too.
func (s *Scrubber) holdsAny(text []byte) bool {
	p := &proof{s: s, ctx: context.Background(), values: s.peculiar, needles: s.needles, seen: map[Left]bool{}}
	_ = p.search("", bytes.NewReader(text), int64(len(text))) // reading from memory does not fail
	return len(p.residue.Left) > 0
}

// inContext finds values that are sought only where something says what they are.
func (p *proof) inContext(where, path string, text []byte) {
	for _, f := range p.s.find(path, text) {
		p.leave(where, Raw, false, p.s.Engine.Plain(path, text, f))
	}
}

// name looks at the name of a file.
func (p *proof) name(where, name string) {
	p.inContext(where, "", []byte(name))
	p.needles.in([]byte(name), func(one needle, _, _ int) { p.leave(where, one.form, false, p.values[one.value]) })
}

// memory searches the store, through its backend, temporary files of others too.
func (p *proof) memory() error {
	return eachFile(p.ctx, p.s.Store.Backend(), ".", func(name string, i memstore.Info) error {
		p.name(memstore.AgentPath(name), i.Name)
		switch i.Kind {
		case memstore.KindFile:
			return p.file(name)
		case memstore.KindLink:
			to, err := p.s.Store.Backend().Readlink(name)
			p.name(memstore.AgentPath(name), to)
			return ignoreStoreGone(err)
		}
		return nil
	})
}

func ignoreStoreGone(err error) error {
	if errors.Is(err, memstore.ErrNotExist) || errors.Is(err, memstore.ErrPermission) || errors.Is(err, memstore.ErrNotRegular) {
		return nil
	}
	return err
}

func (p *proof) file(name string) error {
	f, err := p.s.Store.Backend().Open(name, memstore.Look)
	if err != nil {
		return ignoreStoreGone(err)
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return err
	}
	at := memstore.AgentPath(name)
	if text, why := read(p.s.Store.Backend(), name, p.s.MaxFile); why == "" {
		p.inContext(at, at, text)
	}
	return p.search(at, f, info.Size)
}

// state searches the state folder, the files of the journal too.
func (p *proof) state() error {
	if p.s.StateDir == "" {
		return nil
	}
	return filepath.WalkDir(p.s.StateDir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || p.ctx.Err() != nil {
			return errors.Join(p.ctx.Err(), ignoreGone(err))
		}
		rel, _ := filepath.Rel(p.s.StateDir, at) // at lies below it
		where := "state: " + filepath.ToSlash(rel)
		p.name(where, e.Name())
		if !e.Type().IsRegular() {
			return nil
		}
		return p.onDisk(where, at, !isJournal(e.Name()) && !hashed[e.Name()])
	})
}

// onDisk searches a file that is none of the store; plain: it is a text that is looked through as such.
func (p *proof) onDisk(where, at string, plain bool) error {
	f, err := os.Open(at)
	if err != nil {
		return ignoreGone(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if base := filepath.Base(at); plain && info.Size() <= p.s.MaxFile {
		text := make([]byte, info.Size())
		n, err := f.ReadAt(text, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		// Of what programs write for themselves only what was accepted counts: it has hashes, which look like much.
		p.s.onlyAccepted(func() { p.inContext(where, base, text[:n]) })
	}
	return p.search(where, f, info.Size())
}

// journal searches what the journal keeps, unpacked.
func (p *proof) journal() error {
	if p.s.Journal == nil {
		return nil
	}
	return p.past("journal: ", p.s.Journal)
}

// past searches what a journal keeps.
func (p *proof) past(where string, j *journal.Journal) error {
	err := j.Contents(p.ctx, func(k journal.Kept, text []byte) bool {
		p.inContext(where+k.Path, k.Path, text)
		return p.search(where+k.Path, bytes.NewReader(text), int64(len(text))) == nil // ctx is asked below
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
