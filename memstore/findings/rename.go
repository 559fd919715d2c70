package findings

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// link removes a link to a name with a value: the file or folder that it leads to gets another name.
func (s *Scrubber) link(ctx context.Context, at string) error {
	to, err := s.Store.Backend().Readlink(strings.TrimPrefix(at, memstore.Root+"/"))
	if err != nil {
		return storeLeftToProof(err)
	}
	for part := range strings.SplitSeq(to, "/") {
		if string(s.redactName([]byte(part))) == part {
			continue
		}
		sum := memstore.Sum([]byte(to))
		_, err = s.Store.Apply(ctx, memstore.Step{Kind: memstore.KindLink, Path: at, Remove: true, Expect: &sum})
		if errors.Is(err, memstore.ErrChanged) {
			return nil // another program has replaced it
		}
		return storeLeftToProof(err)
	}
	return nil
}

// names renames files and folders with a chosen value in their names, deepest first.
func (s *Scrubber) names(ctx context.Context, all []string, d *Done) error {
	taken := map[string]bool{}
	for _, at := range all {
		taken[at] = true
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, at := range all {
		base := journal.RedactName(path.Base(at), s.redactName)
		if base == path.Base(at) {
			continue
		}
		to := journal.FreeName(path.Dir(at)+"/"+base, func(name string) bool { return taken[name] })
		_, err := s.Store.Apply(ctx, memstore.Step{Path: to, OldPath: at, Kind: memstore.KindFile})
		switch {
		case errors.Is(err, memstore.ErrNotExist):
			continue
		case errors.Is(err, memstore.ErrPermission):
			d.Failed = append(d.Failed, Skipped{Path: at, Why: refusal(err)})
			continue
		case err != nil:
			return err
		}
		taken[to] = true
		d.Names++
	}
	return nil
}

// redactName returns the name of a file or folder without the values. Values that only a parent folder reveals are known from the survey.
func (s *Scrubber) redactName(base []byte) []byte {
	var found []scrub.Finding
	for _, value := range s.named[string(base)] {
		if i := bytes.Index(base, []byte(value)); i >= 0 {
			found = append(found, scrub.Finding{Start: i, End: i + len(value), Class: s.accept[value], Score: 100})
		}
	}
	if len(found) > 0 {
		base = s.Engine.Redact("", base, scrub.Merge(found, nil))
	}
	clean, _ := s.Clean(ofName, base)
	return clean
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
	return unwritable
}
