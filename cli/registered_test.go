package cli_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"
)

// ourPath finds the files and folders of the repository that a text names.
var ourPath = regexp.MustCompile("`((?:cli|tui|memstore|render|keymap|docs|\\.ci)/[\\w./-]*)`")

// placeholder stands for names of the reader's choice, as in DIALECT.json.
var placeholder = regexp.MustCompile(`[A-Z]{3}`)

func TestDocsNameWhatExists(t *testing.T) {
	t.Parallel()
	root := moduleRoot
	var texts []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, found...)
	}
	named := 0
	for _, file := range texts {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ourPath.FindAllStringSubmatch(string(text), -1) {
			if placeholder.MatchString(m[1]) {
				continue
			}
			named++
			if _, err := fs.Stat(os.DirFS(root), path.Clean(m[1])); err != nil {
				t.Errorf("%s names %s, which is not there", filepath.Base(file), m[1])
			}
		}
	}
	if named < 10 {
		t.Errorf("the documents were seen to name %d paths only", named)
	}
}
