package policy

import (
	"context"
	"errors"
	"io"

	"memcurator/memstore"
	"memcurator/memstore/lint"
)

// Inspect has the files of the snapshot checked by the lint, for in.Found. Call [Reader.Fill] before. report, if not nil, is called with the number of files done. The
// error is that of ctx, or [memstore.ErrUnavailable].
func (r *Reader) Inspect(ctx context.Context, c *lint.Checker, in *Input, report func(done, all int)) error {
	var files []lint.File
	infos := map[string]memstore.Info{}
	in.Snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind != memstore.KindFile || n.Hidden {
			return true
		}
		f := lint.File{Path: path, Size: n.Size, Changed: in.Facts.Journal[path].Changed}
		if f.Changed.IsZero() {
			f.Changed = n.ModTime
		}
		if c, err := r.content(path, n.Info); err == nil { // else the lint reports it
			f.Digest = c.digest
			known := in.Facts.Files[path]
			known.Lines, known.Chars, known.Loaded = c.lines, c.chars, c.loaded
			in.Facts.Files[path] = known
		}
		infos[path] = n.Info
		files = append(files, f)
		return true
	})
	there := func(path string) bool { return in.Snapshot.Find(path) != nil }
	index, _ := in.Load.Of(in.Snapshot).Index()
	found, err := c.Check(ctx, lint.Source{
		Files: files, Progress: report, Read: r.part(infos), There: there, Loaded: index, Project: in.Project,
		Moved: func(ctx context.Context, missing string) (string, error) {
			return movedTo(ctx, in.Journal, there, missing)
		},
	})
	if err != nil {
		return err
	}
	in.Found = found
	return nil
}

// part reads the beginning of a file that is still what the snapshot says, for the lint. Another
// one is passed over: the next plan looks at it.
func (r *Reader) part(infos map[string]memstore.Info) func(context.Context, lint.File, int) ([]byte, int64, error) {
	return func(_ context.Context, file lint.File, most int) ([]byte, int64, error) {
		f, err := r.backend.Open(memstore.BackendName(file.Path), memstore.Look)
		if err != nil {
			return nil, 0, err
		}
		defer f.Close()
		data := make([]byte, min(int64(most), file.Size))
		n, err := f.ReadAt(data, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, err
		}
		info, err := f.Info()
		if err != nil {
			return nil, 0, err
		}
		if !same(info, infos[file.Path]) {
			return nil, 0, memstore.ErrNotExist
		}
		return data[:n], info.Size, nil
	}
}
