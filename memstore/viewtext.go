package memstore

import (
	"context"

	"memcurator/memstore/backend"
)

// ViewedText checks the file at path as a view does, and returns the text whose rows the view
// numbers where that is not the file's own bytes: where the dialect folds line ends, or mends
// what is no UTF-8. For all other files it is nil. Such a text is held in memory, and files of more than
// 256 MiB that need one are refused, as by a view. The error is an [*Error], whose text for the agent
// [ViewError] gives. It is for programs that show a view page by page; to them it is no use of the file.
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

// endingFile is a file whose reads end with a context.
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
