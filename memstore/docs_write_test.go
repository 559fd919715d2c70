package memstore

import (
	"context"
	"errors"
	"testing"

	"memcurator/memstore/backend"
)

func create(path, text string) Command {
	return Command{Name: CmdCreate, Path: path, FileText: text}
}

func replace(path, old, new string) Command {
	return Command{Name: CmdStrReplace, Path: path, OldStr: old, NewStr: new}
}

func insert(path string, line int, text string) Command {
	return Command{Name: CmdInsert, Path: path, InsertLine: line, InsertText: text}
}

func remove(path string) Command { return Command{Name: CmdDelete, Path: path} }

func move(from, to string) Command { return Command{Name: CmdRename, OldPath: from, NewPath: to} }

// Special files are reported as such, and can only be deleted or moved.
func TestDocsSpecialFiles(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Options{Overwrite: true})
	special(t, s, "pipe")
	const told = "Error: Unsupported file type for /memories/pipe"
	for _, c := range []Command{view("/memories/pipe"), replace("/memories/pipe", "a", "b"), insert("/memories/pipe", 0, "a")} {
		if r := s.Do(ctx, c); r.Content != told || !errors.Is(r.Err, backend.ErrNotRegular) {
			t.Errorf("%+v: %q", c, r.Content)
		}
	}
	if r := s.Create(ctx, "/memories/pipe", ""); r.Content != "Error: File /memories/pipe already exists" {
		t.Error(r.Content)
	}
	if r := s.Rename(ctx, "/memories/pipe", "/memories/p"); r.IsError {
		t.Error(r.Content)
	}
	if r := s.Delete(ctx, "/memories/p"); r.IsError {
		t.Error(r.Content)
	}
}
