package journal

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyTheJournalNamesItsFiles: other packages go through this one, so that no code opens what SQLite has open.
// Package statedir recognises a state folder by the database in it, and may not import this one.
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
			for _, name := range []string{fileName, "journal.proof", "reserve.bin"} {
				if kind != token.STRING || !strings.Contains(literal, name) {
					continue
				}
				if folder == "memstore/statedir" && name == fileName {
					named++
					continue
				}
				t.Errorf("%s names a file of the journal: %s", rel, literal)
			}
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
