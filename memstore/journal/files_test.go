package journal

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"memcurator/memstore/past"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyTheJournalNamesItsFiles: other packages go through this one, so that no code opens what SQLite has open.
// Package statedir recognizes a state folder by the database in it, and must not import this one.
func TestOnlyTheJournalNamesItsFiles(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	named := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(rel))
		if folder == "memstore/journal" || strings.HasPrefix(folder, "memstore/journal/") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		if _, err := parser.ParseFile(files, path, text, parser.PackageClauseOnly); err != nil {
			return err
		}
		var s scanner.Scanner
		s.Init(files.AddFile(path, -1, len(text)), text, nil, 0)
		for _, kind, literal := s.Scan(); kind != token.EOF; _, kind, literal = s.Scan() {
			if kind != token.STRING || !strings.Contains(literal, fileName) {
				continue
			}
			if folder == "memstore/statedir" {
				named++
				continue
			}
			t.Errorf("%s names a file of the journal: %s", rel, literal)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named != 1 {
		t.Errorf("package statedir names the database %d times", named)
	}
}

// TestIsOpen: a journal that this process has open is known by whatever name its folder has, and is not set aside.
func TestIsOpen(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "a\n"))
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Symlink(d.state, other); err != nil {
		t.Skip(err)
	}
	if !IsOpen(d.state) || !IsOpen(other) || IsOpen(t.TempDir()) {
		t.Error("the open journal is unknown, or mistaken for another")
	}
	if _, err := SetAside(other); !errors.Is(err, past.ErrBusy) {
		t.Errorf("an open journal is set aside: %v", err)
	}
	d.close()
	if IsOpen(d.state) {
		t.Error("a closed journal counts as open")
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]FileKind{
		"journal.db": DatabaseFile, "journal.db-wal": DatabaseFile, "journal.db-shm": DatabaseFile, "journal.db-journal": DatabaseFile,
		"journal.db-ended-7-X": EndingsFile, "journal.db.copy-0-1": CopyFile,
		"journal.db.copying-1": CopyFile, "journal.db.damaged-2": AsideFile, "journal.db.damaged-2-wal": AsideFile,
		"journal.db-bell": otherFile, "calls.jsonl": otherFile, "x/journal.db": otherFile, "state.json": otherFile,
	} {
		if got := KindOf(name); got != want {
			t.Errorf("%s is of kind %d, want %d", name, got, want)
		}
	}
}
