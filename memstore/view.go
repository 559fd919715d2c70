package memstore

import (
	"context"
	"errors"
	"io"
	"strings"

	"memcurator/memstore/backend"
)

// view runs a view and returns its text as one string.
func (s *Store) view(ctx context.Context, c Command) Result {
	o := s.origin(ctx)
	r := s.rendered(ctx, c, accessOf(o))
	if r.Err == nil {
		s.viewed(ctx, c, o)
	}
	return r
}

// rendered runs a view without reporting it to recorders.
func (s *Store) rendered(ctx context.Context, c Command, a backend.Access) Result {
	b := builders.get()
	bad := s.render(ctx, b, c, a)
	for try := 1; bad != nil && try < maxTries && errors.Is(bad, backend.ErrChanged); try++ {
		b.Reset() // the file is being written in place: what was read matches no single state of it
		bad = s.render(ctx, b, c, a)
	}
	r := Result{Content: b.String()}
	if bad != nil {
		r = bad.result()
	}
	b.Reset() // the text belongs to the caller now
	builders.put(b)
	return r
}

// builders save each view an allocation.
var builders = make(freeList[strings.Builder], 16)

// accessOf: a curator's reads leave no trace in the store.
func accessOf(o Origin) backend.Access {
	if o.Actor == Curator {
		return backend.Look
	}
	return backend.Use
}

// viewed reports a view to the recorders that want it. A curator's view doesn't count as use.
func (s *Store) viewed(ctx context.Context, c Command, o Origin) {
	if o.Actor == Curator {
		return
	}
	for _, rec := range s.options.Recorders {
		if v, ok := rec.(ViewRecorder); ok {
			if t, err := s.locate(c.Path, false); err == nil {
				v.Viewed(ctx, backend.AgentPath(t.name), o, s.now())
			}
		}
	}
}

// ViewTo runs a view and writes its text to w, the same bytes that [Store.Do] returns, in bounded memory whatever the size of the file.
// It calls w on the caller's goroutine only. If the view fails, nothing has been written and the error is an [*Error], whose text for the
// agent [ViewError] returns. If the file changes meanwhile, the error is an [*Error] too ([ErrChanged]), but w may have a part of the
// text. Errors of w are returned unchanged.
func (s *Store) ViewTo(ctx context.Context, w io.Writer, c Command) error {
	c.Name = CmdView
	o := s.origin(ctx)
	out := &sinkWriter{w: w}
	if bad := s.render(ctx, out, c, accessOf(o)); bad != nil {
		if out.err != nil {
			return out.err
		}
		return bad
	}
	s.viewed(ctx, c, o)
	return nil
}

// sinkWriter keeps the writer's own error apart from those of the store.
type sinkWriter struct {
	w   io.Writer
	err error
}

func (s *sinkWriter) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if err != nil {
		s.err = err
	}
	return n, err
}

// render writes the view of a file or a directory.
func (s *Store) render(ctx context.Context, w io.Writer, c Command, a backend.Access) *Error {
	t, err := s.locate(c.Path, false)
	if err != nil {
		return s.failedAt(CmdView, t, err)
	}
	if err := ctx.Err(); err != nil {
		return s.failedAt(CmdView, t, err)
	}
	if t.name == "." {
		return s.renderDir(ctx, w, t)
	}
	f, err := s.backend.Open(t.name, a)
	if err != nil {
		if s.isDir(t.name, err) {
			return s.renderDir(ctx, w, t)
		}
		if s.rules.linksAreOther && errors.Is(err, backend.ErrNotExist) && backend.IsDangling(s.backend, t.name) {
			err = backend.ErrNotRegular
		}
		return s.failedAt(CmdView, t, t.lost(err))
	}
	defer f.Close()
	return s.renderFile(ctx, w, f, t, viewRange{c.ViewRange, c.sentRange})
}

// isDir reports whether opening name as a file failed because it is a
// directory. Files, the common case, are opened without checking first.
func (s *Store) isDir(name string, openErr error) bool {
	if errors.Is(openErr, backend.ErrIsDir) {
		return true
	}
	if !errors.Is(openErr, backend.ErrNotRegular) {
		return false
	}
	info, err := s.backend.Stat(name)
	return err == nil && info.Kind == backend.KindDir
}

// ViewedText checks the file at path as a view does. It returns the text whose rows the view numbers if that differs from the bytes: if
// the dialect folds line ends or repairs invalid UTF-8. Otherwise it returns nil. The text is held in memory, and files of more than 256
// MiB that need one are refused, as in a view. The error is an [*Error], whose text for the agent [ViewError] returns. ViewedText is for
// programs that show a view page by page; it doesn't count as use of the file.
func (s *Store) ViewedText(ctx context.Context, path string) ([]byte, error) {
	t, err := s.locate(path, false)
	if err != nil {
		return nil, s.failedAt(CmdView, t, err)
	}
	f, err := s.backend.Open(t.name, backend.Look)
	if err != nil {
		return nil, s.failedAt(CmdView, t, t.lost(err))
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		return nil, s.failedAt(CmdView, t, err)
	}
	chunk := chunks.get()
	defer chunks.put(chunk)
	asked, _ := s.rules.askedRows(viewRange{})
	text, _, err := s.measured(endingFile{f, ctx}, info.Size, asked, chunk.in[:])
	if err != nil {
		return nil, s.failedAt(CmdView, t, err)
	}
	if other, ok := text.(otherText); ok {
		return other.data, nil
	}
	return nil, nil
}

// endingFile is a file whose reads fail once its context ends.
type endingFile struct {
	backend.File
	ctx context.Context
}

// ReadAt implements [io.ReaderAt].
func (f endingFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}
