package memstore

import (
	"context"
	"errors"

	"memcurator/memstore/backend"
)

// view runs a view.
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
	t, err := s.locate(c.Path, false)
	if err == nil {
		err = ctx.Err()
	}
	text := ""
	if err == nil {
		text, err = s.render(ctx, t, viewRange{c.ViewRange, c.sentRange}, a)
	}
	if err != nil {
		return s.failedAt(CmdView, t, err).result()
	}
	return Result{Content: text}
}

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

// render returns the view of a file or a directory.
func (s *Store) render(ctx context.Context, t target, r viewRange, a backend.Access) (text string, err error) {
	if t.name == "." {
		return s.renderDir(ctx, t)
	}
	if text, err = s.renderFile(t, r, a); err == nil {
		return text, nil
	}
	if s.isDir(t.name, err) {
		return s.renderDir(ctx, t)
	}
	return "", t.lost(err)
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

// ViewedText returns the text whose rows a view of the file at path numbers: its bytes, or what the dialect makes of them, which may fold
// line ends or repair invalid UTF-8. The error is an [*Error], whose text for the agent [ViewError] returns. It is for programs that show a
// view page by page, and doesn't count as use of the file.
func (s *Store) ViewedText(path string) ([]byte, error) {
	t, err := s.locate(path, false)
	if err != nil {
		return nil, s.failedAt(CmdView, t, err)
	}
	text, _, err := s.viewedText(t.name, backend.Look)
	if err != nil {
		return nil, s.failedAt(CmdView, t, t.lost(err))
	}
	return text, nil
}
