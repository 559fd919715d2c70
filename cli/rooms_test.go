package cli_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The limits in lines, of code that is no test. Nine in ten keep the first one, all the second.
const (
	fileMost, fileMax         = 400, 600
	functionMost, functionMax = 40, 100
)

// room is a file or a function and its length.
type room struct {
	name  string
	lines int
}

func TestRoomsStaySmall(t *testing.T) {
	t.Parallel()
	var files, functions []room
	root := moduleRoot(t)
	eachGoFile(t, func(disk, _ string) {
		if strings.HasSuffix(disk, "_test.go") {
			return
		}
		name, err := filepath.Rel(root, disk)
		if err != nil {
			t.Error(err)
			return
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, disk, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		files = append(files, room{filepath.ToSlash(name), set.File(parsed.FileStart).LineCount()})
		functions = append(functions, functionsOf(set, parsed)...)
	})
	judgeRooms(t, "file", files, fileMost, fileMax)
	judgeRooms(t, "function", functions, functionMost, functionMax)
}

// functionsOf measures the declared functions; a function literal counts with the one around it.
func functionsOf(set *token.FileSet, f *ast.File) []room {
	var found []room
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		from, to := set.Position(fn.Pos()), set.Position(fn.End())
		name := fmt.Sprintf("%s.%s (%s:%d)", f.Name.Name, fn.Name.Name, filepath.Base(from.Filename), from.Line)
		found = append(found, room{name, to.Line - from.Line + 1})
	}
	return found
}

func judgeRooms(t *testing.T, what string, rooms []room, most, limit int) {
	if len(rooms) == 0 {
		t.Fatalf("found no %s", what)
	}
	slices.SortFunc(rooms, func(a, b room) int { return cmp.Compare(a.lines, b.lines) })
	p90 := rooms[(len(rooms)*9+9)/10-1].lines
	last := rooms[len(rooms)-1]
	t.Logf("%d of kind %s: median %d lines, p90 %d, largest %d (%s)",
		len(rooms), what, rooms[len(rooms)/2].lines, p90, last.lines, last.name)
	if p90 > most {
		t.Errorf("one %s in ten has more than %d lines, the limit is %d", what, p90, most)
	}
	for _, r := range rooms {
		if r.lines > limit {
			t.Errorf("%s %s has %d lines, the limit is %d", what, r.name, r.lines, limit)
		}
	}
}
