package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A command that a package defines but root.go doesn't list can't be run.
func TestEveryCommandIsRegistered(t *testing.T) {
	t.Parallel()
	registered := registeredCommands(t)
	seen := 0
	eachGoFile(t, func(disk, folder string) {
		if path.Dir(folder) != "cli" || strings.HasSuffix(disk, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), disk, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || !makesCommand(fn) {
				continue
			}
			seen++
			if name := path.Base(folder) + "." + fn.Name.Name; !slices.Contains(registered, name) {
				t.Errorf("%s makes a command that cli/root.go does not list", name)
			}
		}
	})
	if seen < 20 {
		t.Errorf("only %d commands were seen", seen)
	}
}

// registeredCommands are the functions that the list in root.go names.
func registeredCommands(t *testing.T) (names []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "root.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "allCommands" {
			return true
		}
		ast.Inspect(spec.Values[0], func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				names = append(names, s.X.(*ast.Ident).Name+"."+s.Sel.Name)
			}
			return true
		})
		return false
	})
	return names
}

// makesCommand reports whether a function takes a session alone and returns a command.
func makesCommand(fn *ast.FuncDecl) bool {
	in, out := fn.Type.Params, fn.Type.Results
	if fn.Recv != nil || in.NumFields() != 1 || out.NumFields() != 1 {
		return false
	}
	result, ok := out.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := result.X.(*ast.SelectorExpr)
	return ok && name.Sel.Name == "Command" && name.X.(*ast.Ident).Name == "cobra"
}

// ourPath finds the files and folders of the repository that a text names.
var ourPath = regexp.MustCompile("`((?:cli|tui|memstore|render|keymap|docs|\\.ci)/[\\w./-]*)`")

// placeholder stands for names of the reader's choice, as in DIALECT.json.
var placeholder = regexp.MustCompile(`[A-Z]{3}`)

func TestDocsNameWhatExists(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
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
