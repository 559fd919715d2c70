package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A page is read in a terminal too. Tables and links may be longer; what a program prints is cut with "…".
func TestPagesFitATerminal(t *testing.T) {
	t.Parallel()
	const widest, longestREADME = 120, 160
	root := moduleRoot(t)
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if filepath.Base(page) == "README.md" && len(lines) > longestREADME {
			t.Errorf("README.md has %d lines", len(lines))
		}
		for i, line := range lines {
			table, link := strings.HasPrefix(line, "|"), !strings.Contains(strings.TrimSpace(line), " ")
			if !table && !link && utf8.RuneCountInString(line) > widest {
				t.Errorf("%s:%d has %d columns", filepath.Base(page), i+1, utf8.RuneCountInString(line))
			}
		}
	}
}
