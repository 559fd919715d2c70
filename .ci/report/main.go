// Command report prints how large the code is and where it is crowded. It judges nothing: a figure that stands out is a
// reason to look. Run it from the top of the repository, or name that folder:
//
//	go run ./.ci/report
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	widest    = 140 // columns, a tab as one
	manyFiles = 30
	listed    = 10
	module    = "memcurator"
)

// source is one Go file.
type source struct {
	folder string // slash-separated, "." for the top
	name   string
	test   bool
	text   []byte
	parsed *ast.File
	set    *token.FileSet
}

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	files, err := read(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shown, err := embedders(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	report(os.Stdout, files, shown)
}

// read parses every Go file of the module below root.
func read(root string) ([]*source, error) {
	var files []*source
	err := filepath.WalkDir(root, func(disk string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if disk != root && (d.Name() == "testdata" || d.Name() == ".git" || strings.HasPrefix(d.Name(), "_")) {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(disk, "go.mod")); err == nil && disk != root {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(disk, ".go") {
			return nil
		}
		text, err := os.ReadFile(disk)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, disk, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(disk))
		if err != nil {
			return err
		}
		files = append(files, &source{
			folder: filepath.ToSlash(folder), name: d.Name(), test: strings.HasSuffix(d.Name(), "_test.go"), text: text, parsed: parsed, set: set,
		})
		return nil
	})
	return files, err
}

// forSomeSystems reports whether a file is built on some systems only, by its name or a constraint.
func forSomeSystems(f *source) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(f.name, ".go"), "_") {
		if slices.Contains([]string{"linux", "darwin", "windows", "amd64", "arm64"}, part) {
			return true
		}
	}
	return strings.HasPrefix(string(f.text), "//go:build ")
}

// counted is something with a number.
type counted struct {
	what string
	n    int
}

func report(w io.Writer, files []*source, shown map[string]bool) {
	lines, tokens, testLines, beside := 0, 0, 0, 0
	program := reachable(files)
	var wide []counted
	wideTests := 0
	filesOf := map[string]int{}
	var functions []counted
	methods := map[string]int{}
	for _, f := range files {
		l, t := measure(f)
		n := wideLines(f.text)
		if f.test {
			testLines += l
			wideTests += n
			continue
		}
		if n > 0 {
			wide = append(wide, counted{path.Join(f.folder, f.name), n})
		}
		lines, tokens = lines+l, tokens+t
		if !program[f.folder] {
			beside += l
		}
		if !forSomeSystems(f) {
			filesOf[f.folder]++
		}
		for _, d := range f.parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			at := f.set.Position(fn.Pos())
			length := f.set.Position(fn.End()).Line - at.Line + 1
			functions = append(functions, counted{fmt.Sprintf("%s.%s (%s:%d)", f.folder, fn.Name.Name, f.name, at.Line), length})
			if t := receiver(fn); t != "" {
				methods[f.folder+"."+t]++
			}
		}
	}
	fmt.Fprintf(w, "code      %d lines with code, %d Go tokens, in %d packages (tests, blank lines and comments left out)\n", lines,
		tokens, len(filesOf))
	fmt.Fprintf(w, "          %d of these lines are in packages that the program does not import: for tests and for work on the code\n",
		beside)
	fmt.Fprintf(w, "tests     %d lines with code\n", testLines)
	total := 0
	for _, f := range wide {
		total += f.n
	}
	fmt.Fprintf(w, "wide      %d lines over %d columns, and %d in tests\n", total, widest, wideTests)
	list(w, wide)
	fmt.Fprintf(w, "crowded   packages above %d files, tests and those for some systems only left out\n", manyFiles)
	list(w, slices.DeleteFunc(ranked(filesOf), func(c counted) bool { return c.n <= manyFiles }))
	fmt.Fprintf(w, "methods   most on one type\n")
	list(w, ranked(methods))
	fmt.Fprintf(w, "functions the longest, in lines\n")
	list(w, functions)
	private := usedAtHome(files, shown)
	total = 0
	for _, p := range private {
		total += p.n
	}
	fmt.Fprintf(w, "exported  %d names that no other package uses, no signature needs and no page for embedders shows\n", total)
	list(w, private)
}

// reachable are the folders of the packages that the program is made of.
func reachable(files []*source) map[string]bool {
	imports := map[string][]string{} // of a folder, without its tests
	for _, f := range files {
		if !f.test {
			imports[f.folder] = slices.AppendSeq(imports[f.folder], maps.Values(importsOf(f.parsed)))
		}
	}
	return closure([]string{"."}, imports)
}

// closure is what can be reached from some names.
func closure(from []string, next map[string][]string) map[string]bool {
	reached := map[string]bool{}
	for len(from) > 0 {
		name := from[len(from)-1]
		from = from[:len(from)-1]
		if !reached[name] {
			reached[name] = true
			from = append(from, next[name]...)
		}
	}
	return reached
}

// measure counts the lines of a file that have code on them, and its tokens.
func measure(f *source) (lines, tokens int) {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile(f.name, -1, len(f.text))
	s.Init(file, f.text, nil, 0)
	last := 0
	for {
		at, tok, text := s.Scan()
		if tok == token.EOF {
			return lines, tokens
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // inserted
		}
		tokens++
		first := file.Line(at)
		end := first + strings.Count(text, "\n")
		lines += end - max(first, last+1) + 1
		last = max(last, end)
	}
}

func wideLines(text []byte) (n int) {
	for line := range strings.Lines(string(text)) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > widest {
			n++
		}
	}
	return n
}

// receiver is the type that a method belongs to, "" for a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// ranked lists what was counted by its key.
func ranked(counts map[string]int) []counted {
	var out []counted
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, counted{what, counts[what]})
	}
	return out
}

// list prints the largest.
func list(w io.Writer, all []counted) {
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.n, a.n) })
	for _, c := range all[:min(len(all), listed)] {
		fmt.Fprintf(w, "  %6d  %s\n", c.n, c.what)
	}
}
