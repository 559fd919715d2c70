package policy

import (
	"context"
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/lint"
)

// inspect has the files of the snapshot checked by the lint, for in.Found. Call [Reader.Fill] before. report, if not nil, is called with the
// number of files done. The error is that of ctx, or [memstore.ErrUnavailable].
func (r *Reader) inspect(ctx context.Context, in *Input, report func(done, all int)) error {
	var files []lint.File
	var unread []string
	in.Snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind != memstore.KindFile || n.Hidden {
			return true
		}
		text, err := r.content(path, n.Info)
		switch {
		case errors.Is(err, memstore.ErrNotExist), errors.Is(err, memstore.ErrChanged): // the next plan looks at it
			return true
		case err != nil:
			unread = append(unread, path)
			return true
		}
		f := lint.File{Path: path, Size: n.Size, Digest: text.digest, Changed: in.Facts.Journal[path].Changed}
		if f.Changed.IsZero() {
			f.Changed = n.ModTime
		}
		files = append(files, f)
		return true
	})
	there := func(path string) bool { return in.Snapshot.Find(path) != nil }
	if in.Load != nil {
		rule := in.Load()
		if in.index = rule.Index(); in.index != "" {
			start, err := rule.Read(ctx, r.backend)
			if err != nil {
				return err
			}
			in.loads = start.Gauge()
		}
	}
	found, err := r.lint.Check(ctx, lint.Source{
		Files: files, Progress: report, Read: r.part, There: there, Loaded: in.index, Project: in.Project,
		Moved: func(ctx context.Context, missing string) (string, error) {
			return movedTo(ctx, in.Journal, there, missing)
		},
	})
	if err != nil {
		return err
	}
	found.Unread = append(found.Unread, unread...)
	in.Found = found
	return nil
}

// part reads the beginning of a file that still has its digest, for the lint.
func (r *Reader) part(f lint.File, most int) ([]byte, error) {
	data, err := memstore.ReadFile(r.backend, memstore.BackendName(f.Path), memstore.Look, largest)
	if err == nil && memstore.Sum(data) != f.Digest {
		err = memstore.ErrNotExist
	}
	return data[:min(len(data), most)], err
}
