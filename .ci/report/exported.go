package main

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// embeddersPage says what of the library other programs use.
const (
	embeddersPage = "docs/embedding.md"
	library       = "memstore" // and what is below it
)

var (
	codeText = regexp.MustCompile("(?s)```.*?```|`[^`]+`")
	word     = regexp.MustCompile(`[A-Z]\w*`)
)

// embedders are the names that the page for embedders writes as code.
func embedders(root string) (map[string]bool, error) {
	page, err := os.ReadFile(filepath.Join(root, embeddersPage))
	if err != nil {
		return nil, err
	}
	shown := map[string]bool{}
	for _, code := range codeText.FindAllString(string(page), -1) {
		for _, name := range word.FindAllString(code, -1) {
			shown[name] = true
		}
	}
	return shown, nil
}

// usedAtHome counts, by package, the exported names of the top level that are exported for nobody. Others use a name if another
// package names it (tests and examples in a package of their own count as one), if the page for embedders shows it, or if it is in the
// signature of a name that they use: that of a function or a method, a field, what a type is made of. They use the constants of a type if
// they use the type.
func usedAtHome(files []*source, shown map[string]bool) []counted {
	needs := map[string][]string{} // by folder and name
	var todo []string
	for _, f := range files {
		imports := importsOf(f.parsed)
		outside := strings.HasSuffix(f.parsed.Name.Name, "_test")
		ast.Inspect(f.parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && imports[x.Name] != "" && (outside || imports[x.Name] != f.folder) {
					todo = append(todo, imports[x.Name]+"."+s.Sel.Name)
				}
			}
			return true
		})
		if !f.test {
			declared(f, needs)
		}
	}
	for name := range needs {
		if dot := strings.LastIndexByte(name, '.'); shown[name[dot+1:]] && strings.HasPrefix(name, library) {
			todo = append(todo, name)
		}
	}
	used := closure(todo, needs)
	private := map[string]int{}
	for _, f := range files {
		if f.test || f.parsed.Name.Name == "main" {
			continue
		}
		for _, name := range exportedNames(f.parsed) {
			if !used[f.folder+"."+name] {
				private[f.folder]++
			}
		}
	}
	return ranked(private)
}

// importsOf are the folders of the module's packages that a file imports, by their names in the file.
func importsOf(f *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		folder, ours := strings.CutPrefix(imported, module+"/")
		if err != nil || !ours {
			continue
		}
		name := path.Base(folder)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = folder
	}
	return imports
}

// declared adds to needs, of each name that a file declares at the top level, the names of its package in its signature.
func declared(f *source, needs map[string][]string) {
	add := func(name string, parts ...ast.Node) {
		name = f.folder + "." + name
		needs[name] = append(needs[name], namesIn(f.folder, parts...)...)
	}
	for _, d := range f.parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch t := receiver(d); {
			case t == "":
				add(d.Name.Name, d.Type)
			case d.Name.IsExported():
				add(t, d.Type)
			}
		case *ast.GenDecl:
			var typ ast.Expr
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name, s.Type)
				case *ast.ValueSpec:
					if s.Type != nil || len(s.Values) > 0 {
						typ = s.Type
					}
					for _, id := range s.Names {
						if typ == nil {
							add(id.Name)
							continue
						}
						add(id.Name, typ)
						if of, ok := typ.(*ast.Ident); ok && d.Tok == token.CONST {
							add(of.Name, id)
						}
					}
				}
			}
		}
	}
}

// namesIn are the names of a package that a signature has, those in fields and methods that are not exported left out.
func namesIn(folder string, parts ...ast.Node) (names []string) {
	for _, part := range parts {
		ast.Inspect(part, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr: // of another package, which counts as used by that
				return false
			case *ast.StructType:
				for _, field := range n.Fields.List {
					if len(field.Names) == 0 || field.Names[0].IsExported() {
						names = append(names, namesIn(folder, field.Type)...)
					}
				}
				return false
			case *ast.Ident:
				names = append(names, folder+"."+n.Name)
			}
			return true
		})
	}
	return names
}

func exportedNames(f *ast.File) (names []string) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}
