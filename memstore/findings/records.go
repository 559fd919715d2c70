package findings

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend"
)

// part is what is cleaned of a record at once, in the order in which each can be undone: texts; what can't be renamed, under its new name;
// the texts that refer to it; names.
type part int

const (
	textPart part = iota
	remadePart
	namePart
)

// records removes the chosen values from the records that files of the store show, and returns the files by their new names. named is
// false where files have names of their own.
func (s *Scrubber) records(ctx context.Context, files []string, d *Done) (now []string, named bool, err error) {
	b, ok := s.Store.Backend().(memstore.Redactor)
	if !ok {
		return files, false, nil
	}
	p := recordPass{s: s, b: b, done: d, refused: map[string]Reason{}}
	return p.all(ctx, files)
}

// recordPass cleans records part by part, and knows which of them refused the last part.
type recordPass struct {
	s       *Scrubber
	b       memstore.Redactor
	done    *Done
	refused map[string]Reason // by agent path
}

func (p *recordPass) all(ctx context.Context, files []string) (now []string, named bool, err error) {
	var again []string // files that are to have other names
	remade := false
	for i, at := range files {
		p.s.Report(StepFiles, i, len(files))
		r, err := p.record(ctx, at, textPart)
		if errors.Is(err, errors.ErrUnsupported) {
			return files, false, nil
		}
		if err != nil {
			return files, true, err
		}
		if r.Name != at {
			again, remade = append(again, at), remade || r.Remade
		}
	}
	if remade {
		if _, err := p.each(ctx, again, remadePart); err != nil {
			return files, true, err
		}
		if _, err := p.each(ctx, files, textPart); err != nil {
			return files, true, err
		}
	}
	renamed := map[string]string{}
	for before := len(again) + 1; len(again) > 0 && len(again) < before; { // one may be possible only after another
		before = len(again)
		clear(p.refused)
		done, err := p.each(ctx, again, namePart)
		if err != nil {
			return files, true, err
		}
		maps.Copy(renamed, done)
		again = slices.DeleteFunc(again, func(at string) bool { return p.refused[at] == "" })
	}
	for i, at := range files {
		if now, ok := renamed[at]; ok {
			files[i] = now
		}
		if why := p.refused[at]; why != "" && !p.s.purge { // else what no rename could do is done in the records themselves
			p.done.Failed = append(p.done.Failed, Skipped{Path: at, Why: why})
		}
	}
	return slices.DeleteFunc(files, func(at string) bool { return p.refused[at] != "" }), true, nil
}

// each cleans a part of each of some records. It returns their names by those that they had, and collects refusals.
func (p *recordPass) each(ctx context.Context, files []string, of part) (names map[string]string, err error) {
	names = map[string]string{}
	for _, at := range files {
		r, err := p.record(ctx, at, of)
		var why *backend.Refusal
		switch {
		case errors.As(err, &why):
			p.refused[at] = Reason(why.Why)
		case err != nil:
			return names, err
		default:
			names[at] = r.Name
		}
	}
	return names, nil
}

// record cleans a part of one record. It returns what the file is to be, with its agent path.
func (p *recordPass) record(ctx context.Context, at string, of part) (backend.Redaction, error) {
	name := strings.TrimPrefix(at, memstore.Root+"/")
	stays := backend.Redaction{Name: at}
	for range rounds {
		text, why := read(p.s.Store.Backend(), name, p.s.MaxFile)
		if why != "" {
			return stays, ctx.Err() // the pass over the files says so
		}
		counts := map[string]int{}
		r, err := p.b.Redacted(name, func(part []byte) []byte {
			clean, n := p.s.cleanPlain(at, part)
			for class, n := range n {
				counts[class] += n
			}
			return clean
		})
		if backend.IsAbsent(err) {
			return stays, ctx.Err()
		}
		if err != nil {
			return stays, err
		}
		sum, file := memstore.Sum(text), r.Name
		r.Name = memstore.AgentPath(r.Name)
		st := memstore.Step{Kind: memstore.KindFile, Path: at, Data: r.Text, Expect: &sum}
		switch {
		case of == textPart && !r.Remade && !bytes.Equal(text, r.Text):
		case of == remadePart && r.Remade:
			st.Path, st.Expect = r.Name, nil
		case of == namePart && r.Remade:
			st.Remove = true
		case of == namePart && file != name:
			st.Path, st.OldPath = r.Name, at
		default:
			return r, nil
		}
		err = p.s.Store.Apply(ctx, st)
		var refused *backend.Refusal
		switch {
		case errors.Is(err, memstore.ErrChanged):
			continue // another program was faster
		case errors.As(err, &refused) && of == textPart:
			return r, nil // the pass over the files says so, unless a rename is what it takes
		case err != nil && !errors.Is(err, memstore.ErrExist):
			return r, err
		}
		p.count(of, counts)
		return r, nil
	}
	return stays, nil
}

func (p *recordPass) count(of part, counts map[string]int) {
	if of == namePart {
		p.done.Names++
		return
	}
	p.done.Files++
	for class, n := range counts {
		p.done.Classes[class] += n
		p.done.Values += n
	}
}

// refusal is the reason for a permission error of the store.
func refusal(err error) Reason {
	var why *backend.Refusal
	switch {
	case errors.Is(err, memstore.ErrFixed):
		return fixed
	case errors.As(err, &why):
		return Reason(why.Why)
	}
	return Unreadable
}

// cleanPlain is Clean for a text that may be JSON, damaged or not: a value in it that is escaped without need is found as it reads.
func (s *Scrubber) cleanPlain(name string, text []byte) (clean []byte, counts map[string]int) {
	if plain := unescaped(text); plain != nil {
		if clean, counts = s.Clean(name, plain); !bytes.Equal(clean, plain) {
			return clean, counts
		}
	}
	return s.Clean(name, text)
}

// cleansNext reports whether what the store refused is done next by a purge, in the records themselves.
func (s *Scrubber) cleansNext(err error) bool {
	_, ok := s.Store.Backend().(memstore.Cleaner)
	var why *backend.Refusal
	return ok && s.purge && errors.As(err, &why) && !why.Fixed
}
