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
	var again []string // files that are to have other names
	remade := false
	for i, at := range files {
		s.Report(StepFiles, i, len(files))
		r, err := s.record(ctx, b, at, textPart, d)
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
	refused := map[string]Reason{}
	if remade {
		if _, err := s.eachRecord(ctx, b, again, remadePart, refused, d); err != nil {
			return files, true, err
		}
		if _, err := s.eachRecord(ctx, b, files, textPart, refused, d); err != nil {
			return files, true, err
		}
	}
	renamed := map[string]string{}
	for before := len(again) + 1; len(again) > 0 && len(again) < before; { // one may be possible only after another
		before = len(again)
		clear(refused)
		done, err := s.eachRecord(ctx, b, again, namePart, refused, d)
		if err != nil {
			return files, true, err
		}
		maps.Copy(renamed, done)
		again = slices.DeleteFunc(again, func(at string) bool { return refused[at] == "" })
	}
	for i, at := range files {
		if now, ok := renamed[at]; ok {
			files[i] = now
		}
		if why := refused[at]; why != "" && !s.purge { // else what no rename could do is done in the records themselves
			d.Failed = append(d.Failed, Skipped{Path: at, Why: why})
		}
	}
	return slices.DeleteFunc(files, func(at string) bool { return refused[at] != "" }), true, nil
}

// eachRecord cleans a part of each of some records. It returns their names by those that they had, and collects refusals.
func (s *Scrubber) eachRecord(ctx context.Context, b memstore.Redactor, files []string, of part, refused map[string]Reason,
	d *Done) (names map[string]string, err error) {
	names = map[string]string{}
	for _, at := range files {
		r, err := s.record(ctx, b, at, of, d)
		var why *backend.Refusal
		switch {
		case errors.As(err, &why):
			refused[at] = Reason(why.Why)
		case err != nil:
			return names, err
		default:
			names[at] = r.Name
		}
	}
	return names, nil
}

// record cleans a part of one record. It returns what the file is to be, with its agent path.
func (s *Scrubber) record(ctx context.Context, b memstore.Redactor, at string, of part, d *Done) (backend.Redaction, error) {
	name := strings.TrimPrefix(at, memstore.Root+"/")
	stays := backend.Redaction{Name: at}
	for range rounds {
		text, why := read(s.Store.Backend(), name, s.MaxFile)
		if why != "" {
			return stays, ctx.Err() // the pass over the files says so
		}
		counts := map[string]int{}
		r, err := b.Redacted(name, func(part []byte) []byte {
			clean, n := s.cleanPlain(at, part)
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
		err = s.Store.Apply(ctx, st)
		var refused *backend.Refusal
		switch {
		case errors.Is(err, memstore.ErrChanged):
			continue // another program was faster
		case errors.As(err, &refused) && of == textPart:
			return r, nil // the pass over the files says so, unless a rename is what it takes
		case err != nil && !errors.Is(err, memstore.ErrExist):
			return r, err
		}
		s.count(d, of, counts)
		return r, nil
	}
	return stays, nil
}

func (s *Scrubber) count(d *Done, of part, counts map[string]int) {
	if of == namePart {
		d.Names++
		return
	}
	d.Files++
	for class, n := range counts {
		d.Classes[class] += n
		d.Values += n
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
