package memstore

import (
	"errors"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// cell is one cell of the table in which the dialects part: a tree, a command, the
// answers of docs, typescript and python, and the file that is looked at after.
type cell struct {
	name    string
	files   map[string]string // names that end in a slash: links to what is given
	do      Command
	want    [3]string
	fine    [3]bool
	look    string // a name
	after   [3]string
	linked  [3]bool // whether it is a link after
	missing [3]bool
}

func all(s string) [3]string { return [3]string{s, s, s} }

var (
	allFine = [3]bool{true, true, true}
	rowsOf  = func(p, rows string) string { return "Here's the content of " + p + " with line numbers:\n" + rows }
)

const (
	headBoth = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n"
	headPy   = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
)

var cells = []cell{
	{
		name: "insert drops trailing newlines", files: map[string]string{"f": "a\nb\n"},
		do:   Command{Name: CmdInsert, Path: "/memories/f", InsertLine: 1, InsertText: "x\n\n"},
		want: all("The file /memories/f has been edited."), fine: allFine,
		look: "f", after: [3]string{"a\nx\n\nb\n", "a\nx\n\nb\n", "a\nx\nb\n"},
	},
	{
		name: "old_str over two lines", files: map[string]string{"f": "a\nb\n"},
		do: Command{Name: CmdStrReplace, Path: "/memories/f", OldStr: "a\nb", NewStr: "$&"},
		want: [3]string{
			snippet + "     1\t$&\n     2\t", "No replacement was performed, old_str `a\nb` did not appear verbatim in /memories/f.",
			snippet + "     1\t$&\n     2\t",
		},
		fine: [3]bool{true, false, true},
		look: "f", after: [3]string{"$&\n", "a\nb\n", "$&\n"},
	},
	{
		name: "twice on a line", files: map[string]string{"f": "a a"},
		do: Command{Name: CmdStrReplace, Path: "/memories/f", OldStr: "a", NewStr: "b"},
		want: [3]string{
			"No replacement was performed. Multiple occurrences of old_str `a` in lines: 1. Please ensure it is unique", snippet + "     1\tb a",
			"No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 1. Please ensure it is unique",
		},
		fine: [3]bool{false, true, false},
		look: "f", after: [3]string{"a a", "b a", "a a"},
	},
	{
		name: "duplicates overlap", files: map[string]string{"f": "aaaa\naa\n"},
		do: Command{Name: CmdStrReplace, Path: "/memories/f", OldStr: "aa", NewStr: "b"},
		want: [3]string{
			"No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1, 2. Please ensure it is unique",
			"No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1, 2. Please ensure it is unique",
			"No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1, 1, 1, 2. Please ensure it is unique",
		},
		look: "f", after: all("aaaa\naa\n"),
	},
	{
		name: "empty old_str in one line", files: map[string]string{"f": "é"},
		do: Command{Name: CmdStrReplace, Path: "/memories/f", OldStr: "", NewStr: "b"},
		want: [3]string{
			"No replacement was performed, old_str `` did not appear verbatim in /memories/f.", snippet + "     1\tbé",
			"No replacement was performed. Multiple occurrences of old_str `` in lines: 1, 1. Please ensure it is unique",
		},
		fine: [3]bool{false, true, false},
		look: "f", after: [3]string{"é", "bé", "é"},
	},
	{
		name: "empty old_str in an empty file", files: map[string]string{"f": ""},
		do: Command{Name: CmdStrReplace, Path: "/memories/f", OldStr: "", NewStr: "b"},
		want: [3]string{"No replacement was performed, old_str `` did not appear verbatim in /memories/f.", snippet + "     1\tb",
			snippet + "     1\tb"},
		fine: [3]bool{false, true, true},
		look: "f", after: [3]string{"", "b", "b"},
	},
	{
		name: "view of carriage returns", files: map[string]string{"f": "a\r\nb\rc\r\n"},
		do: Command{Name: CmdView, Path: "/memories/f"},
		want: [3]string{
			rowsOf("/memories/f", "     1\ta\r\n     2\tb\rc\r\n     3\t"), rowsOf("/memories/f", "     1\ta\r\n     2\tb\rc\r\n     3\t"),
			rowsOf("/memories/f", "     1\ta\n     2\tb\n     3\tc\n     4\t"),
		},
		fine: allFine,
	},
	{
		name: "view of bad bytes", files: map[string]string{"f": "a\xe2\x82b\xff\xff\xed\xa0\x80"},
		do: Command{Name: CmdView, Path: "/memories/f"},
		want: [3]string{
			"Error: File /memories/f is not valid UTF-8 text", rowsOf("/memories/f", "     1\ta\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"),
			"Error: File /memories/f is not valid UTF-8 text",
		},
		fine: [3]bool{false, true, false},
	},
	{
		name: "an end counted from the last row", files: map[string]string{"f": "a\nb\nc\nd"},
		do: Command{Name: CmdView, Path: "/memories/f", ViewRange: []int{2, -2}},
		want: [3]string{
			"Error: Invalid `view_range` parameter: [2, -2]. It should be two line numbers [start, end]; an end of -1 is the last line.",
			rowsOf("/memories/f", "     2\tb"), rowsOf("/memories/f", "     2\tb"),
		},
		fine: [3]bool{false, true, true},
	},
	{
		name: "a range of one", files: map[string]string{"f": "a\nb"},
		do: Command{Name: CmdView, Path: "/memories/f", ViewRange: []int{2}},
		want: [3]string{
			"Error: Invalid `view_range` parameter: [2]. It should be two line numbers [start, end]; an end of -1 is the last line.",
			rowsOf("/memories/f", "     1\ta\n     2\tb"), rowsOf("/memories/f", "     1\ta\n     2\tb"),
		},
		fine: [3]bool{false, true, true},
	},
	{
		name:  "listing: order, sizes, node_modules",
		files: map[string]string{"\U0001F642": "s", "\uFB01": "l", "node_modules": "x", "k": strings.Repeat("k", 1280), ".h": ""},
		do:    Command{Name: CmdView, Path: "/memories/"},
		want: [3]string{
			headBoth + "4.0K\t/memories\n1.2K\t/memories/k\n1B\t/memories/\uFB01\n1B\t/memories/\U0001F642",
			strings.Replace(headBoth, "s,", "s/,", 1) + "4K\t/memories/\n1.3K\t/memories//k\n1B\t/memories//\U0001F642\n1B\t/memories//\uFB01",
			strings.Replace(headPy, "s,", "s/,", 1) +
				"4K\t/memories/\n1.2K\t/memories//k\n1B\t/memories//node_modules\n1B\t/memories//\uFB01\n1B\t/memories//\U0001F642",
		},
		fine: allFine,
	},
	{
		name: "insert after the last slot", files: map[string]string{"f": "a\nb\n"},
		do: Command{Name: CmdInsert, Path: "/memories/f", InsertLine: 3, InsertText: "X"},
		want: [3]string{
			"Error: Invalid `insert_line` parameter: 3. It should be within the range of lines of the file: [0, 2]",
			"The file /memories/f has been edited.",
			"Invalid `insert_line` parameter: 3. It should be within the range [0, 2].",
		},
		fine: [3]bool{false, true, false},
		look: "f", after: [3]string{"a\nb\n", "a\nb\n\nX", "a\nb\n"},
	},
	{
		name: "insert out of range", files: map[string]string{"f": "a\nb"},
		do: Command{Name: CmdInsert, Path: "/memories/f", InsertLine: -1, InsertText: "X"},
		want: [3]string{
			"Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 2]",
			"Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 2]",
			"Invalid `insert_line` parameter: -1. It should be within the range [0, 2].",
		},
	},
	{
		name: "insert among line ends of all kinds", files: map[string]string{"f": "a\u2028b\r\nc\vd"},
		do:   Command{Name: CmdInsert, Path: "/memories/f", InsertLine: 1, InsertText: "X"},
		want: all("The file /memories/f has been edited."), fine: allFine,
		look: "f", after: [3]string{"a\u2028b\r\nX\nc\vd", "a\u2028b\r\nX\nc\vd", "a\nX\nb\nc\nd\n"},
	},
	{
		name: "delete the root by another spelling", do: Command{Name: CmdDelete, Path: "/memories/"},
		want: [3]string{
			"Error: Cannot delete the /memories directory itself", "Cannot delete the /memories directory itself",
			"Cannot delete the /memories directory itself",
		},
	},
	{
		name: "rename of nothing makes folders", do: Command{Name: CmdRename, OldPath: "/memories/none", NewPath: "/memories/p/q/x"},
		want: [3]string{"Error: The path /memories/none does not exist", "The path /memories/none does not exist",
			"The path /memories/none does not exist"},
		look: "p/q", missing: [3]bool{true, false, false},
	},
	{
		name: "rename with both wrong", files: map[string]string{"f": ""},
		do: Command{Name: CmdRename, OldPath: "/memories/none", NewPath: "/memories/f"},
		want: [3]string{"Error: The destination /memories/f already exists", "The destination /memories/f already exists",
			"The destination /memories/f already exists"},
	},
	{
		name: "create what exists", files: map[string]string{"f": ""}, do: Command{Name: CmdCreate, Path: "/memories/f"},
		want: [3]string{"Error: File /memories/f already exists", "File /memories/f already exists", "File /memories/f already exists"},
	},
	{
		name: "edit of a directory", do: Command{Name: CmdInsert, Path: "/memories"},
		want: [3]string{"Error: The path /memories does not exist", "The path /memories is not a file.", "The path /memories is not a file."},
	},
	{
		name: "edit of nothing", do: Command{Name: CmdInsert, Path: "/memories/none"},
		want: [3]string{
			"Error: The path /memories/none does not exist", "The path /memories/none does not exist. Please provide a valid path.",
			"The path /memories/none does not exist. Please provide a valid path.",
		},
	},
	{
		name: "dots that stay inside", files: map[string]string{"f": "x"}, do: Command{Name: CmdView, Path: "/memories/sub/../f"},
		want: [3]string{
			"Error: Path /memories/sub/../f would escape /memories directory", rowsOf("/memories/sub/../f", "     1\tx"),
			rowsOf("/memories/sub/../f", "     1\tx"),
		},
		fine: [3]bool{false, true, true},
	},
	{
		name: "dots that do not", do: Command{Name: CmdView, Path: "/memories/../x"},
		want: [3]string{
			"Error: Path /memories/../x would escape /memories directory", "Path /memories/../x would escape /memories directory",
			"Path /memories/../x would escape /memories directory",
		},
	},
	{
		name: "encoded dots", do: Command{Name: CmdCreate, Path: "/memories/%2e%2e/x"},
		want: [3]string{
			"Error: Path /memories/%2e%2e/x would escape /memories directory", "File created successfully at: /memories/%2e%2e/x",
			"File created successfully at: /memories/%2e%2e/x",
		},
		fine: [3]bool{false, true, true}, look: "%2e%2e/x", missing: [3]bool{true, false, false},
	},
	{
		name: "no memory path", do: Command{Name: CmdView, Path: "/etc"},
		want: [3]string{
			"Error: Path must start with /memories, got: /etc", "Path must start with /memories, got: /etc",
			"Path must start with /memories, got: /etc",
		},
	},
	{
		name: "a link out", files: map[string]string{"out/": "/etc"}, do: Command{Name: CmdView, Path: "/memories/out/passwd"},
		want: [3]string{
			"Error: Path /memories/out/passwd would escape /memories directory", "Path would escape /memories directory via symlink",
			"Path /memories/out/passwd would escape /memories directory",
		},
	},
	{
		name: "view of a dangling link", files: map[string]string{"gone/": "nothing"}, do: Command{Name: CmdView, Path: "/memories/gone"},
		want: [3]string{
			"The path /memories/gone does not exist. Please provide a valid path.", "Unsupported file type for /memories/gone",
			"The path /memories/gone does not exist. Please provide a valid path.",
		},
	},
	{
		name: "edit through a link", files: map[string]string{"f": "a", "to/": "f"},
		do:   Command{Name: CmdStrReplace, Path: "/memories/to", OldStr: "a", NewStr: "b"},
		want: all(snippet + "     1\tb"), fine: allFine, look: "f", after: [3]string{"b", "a", "b"},
	},
	{
		name: "edit through a link leaves", files: map[string]string{"f": "a", "to/": "f"},
		do:   Command{Name: CmdStrReplace, Path: "/memories/to", OldStr: "a", NewStr: "b"},
		want: all(snippet + "     1\tb"), fine: allFine, look: "to", after: all("b"), linked: [3]bool{true, false, true},
	},
	{
		name: "delete of a link", files: map[string]string{"f": "a", "to/": "f"}, do: Command{Name: CmdDelete, Path: "/memories/to"},
		want: all("Successfully deleted /memories/to"), fine: allFine, look: "f", after: all("a"),
	},
	{
		name: "rename of a link", files: map[string]string{"f": "a", "to/": "f"},
		do:   Command{Name: CmdRename, OldPath: "/memories/to", NewPath: "/memories/x"},
		want: all("Successfully renamed /memories/to to /memories/x"), fine: allFine, look: "x", after: all("a"),
		linked: [3]bool{true, true, true},
	},
	{
		name: "view past a link in a circle", files: map[string]string{"f": "a", "l/": "l"}, do: Command{Name: CmdView, Path: "/memories/l/../f"},
		want: [3]string{
			"Error: Path /memories/l/../f would escape /memories directory", rowsOf("/memories/l/../f", "     1\ta"),
			rowsOf("/memories/l/../f", "     1\ta"),
		},
		fine: [3]bool{false, true, true},
	},
	{
		name: "rename onto a dangling link", files: map[string]string{"f": "a", "gone/": "nothing"},
		do: Command{Name: CmdRename, OldPath: "/memories/f", NewPath: "/memories/gone"},
		want: [3]string{
			"Error: The destination /memories/gone already exists", "Successfully renamed /memories/f to /memories/gone",
			"The destination /memories/gone already exists",
		},
		fine: [3]bool{false, true, false}, look: "nothing", missing: [3]bool{true, true, true},
	},
}

func TestWhereDialectsPart(t *testing.T) {
	for _, c := range cells {
		for i, d := range []Dialect{Docs, TypeScript, Python} { // vscode has its vectors
			b := NewMemory().(*Memory)
			for name, data := range c.files {
				if at, isLink := strings.CutSuffix(name, "/"); isLink {
					must(t, b.Symlink(data, at))
				} else {
					must(t, b.Create(name, []byte(data)))
				}
			}
			r := New(b, Options{Dialect: d}).Do(t.Context(), c.do)
			if r.Content != c.want[i] || r.IsError == c.fine[i] {
				t.Errorf("%s in %s:\n got %v %q\nwant %q", c.name, d, r.IsError, r.Content, c.want[i])
			}
			if c.look == "" {
				continue
			}
			info, err := b.Lstat(c.look)
			if errors.Is(err, backend.ErrNotExist) != c.missing[i] {
				t.Errorf("%s in %s: %q after: %v", c.name, d, c.look, err)
				continue
			}
			if err != nil || info.Kind == backend.KindDir {
				continue
			}
			if data, err := backend.ReadFile(b, c.look, backend.Look, editLimit); err != nil || string(data) != c.after[i] ||
				(info.Kind == backend.KindLink) != c.linked[i] {
				t.Errorf("%s in %s: %q holds %q, kind %d, %v", c.name, d, c.look, data, info.Kind, err)
			}
		}
	}
}

func TestWithDialect(t *testing.T) {
	s := New(NewMemory(), Options{ReadOnly: true})
	other := s.WithDialect(Python)
	if s.Dialect() != Docs || other.Dialect() != Python || other.Backend() != s.Backend() {
		t.Error("the dialects or the backends are mixed up")
	}
	if r := other.Create(t.Context(), "/memories/a", ""); !errors.Is(r.Err, ErrReadOnly) {
		t.Errorf("the options got lost: %q", r.Content)
	}
	must(t, s.Close())
	for _, d := range Dialects() {
		if r := s.WithDialect(d).View(t.Context(), "/memories", nil); r.Content != "Error: The memory directory is not available" {
			t.Errorf("%s: %q", d, r.Content)
		}
	}
}
