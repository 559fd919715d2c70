package memstore

import (
	"context"
	"errors"
	"strings"
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

func TestDocsCreate(t *testing.T) {
	long := strings.Repeat("n", 256)
	run(t, []string{"a", "text", "d/x", "", "e/", ""}, []wanted{
		{c: create("/memories/new", "x\r\n\x00é"), content: "File created successfully at: /memories/new", text: "x\r\n\x00é"},
		{c: create("/memories/p/q//r/", "x"), content: "File created successfully at: /memories/p/q/r", text: "x"},
		{c: create("/memories/d/a%2fb", "x"), content: "File created successfully at: /memories/d/a%2fb", text: "x"},
		{c: create("/memories/...", "x"), content: "File created successfully at: /memories/...", text: "x"},
		{c: create("/memories/a", "new"), content: "Error: File /memories/a already exists", err: backend.ErrExist, text: "text"},
		{c: create("/memories/d", ""), content: "Error: File /memories/d already exists", err: backend.ErrExist},
		{c: create("/memories/", ""), content: "Error: File /memories already exists", err: backend.ErrExist},
		{c: create("/memories", ""), content: "Error: File /memories already exists", err: backend.ErrExist},
		{c: create("/memories/a/b", ""), content: "Error: Cannot create /memories/a/b, because /memories/a is not a directory",
			err: backend.ErrNotDir},
		{c: create("/memories/d/x/b/c", ""), content: "Error: Cannot create /memories/d/x/b/c, because /memories/d/x is not a directory",
			err: backend.ErrNotDir},
		{c: create("/memories/"+long, ""), content: "Error: The path /memories/" + long + " has a name that is too long",
			err: backend.ErrNameTooLong},
		{c: create("/memories/new/"+long+"/x", ""), content: "Error: The path /memories/new/" + long + "/x has a name that is too long",
			err: backend.ErrNameTooLong},
		{c: create("/memories/x", "\xff"), content: "Error: The field `file_text` is not valid UTF-8", err: ErrInput},
	})
}

func TestDocsStrReplace(t *testing.T) {
	files := []string{
		"a", "one\ntwo\nthree\nfour\nfive\nsix\n", "dup", "a\nb\na a\n", "same", "x x", "aaa", "aaa", "aaaa", "aaaa",
		"crlf", "x\r\ny\r\n", "bad", "a\xff", "empty", "", "d/x", "",
	}
	none := func(old, p string) string {
		return "No replacement was performed, old_str `" + old + "` did not appear verbatim in " + p + "."
	}
	many := func(old, lines string) string {
		return "No replacement was performed. Multiple occurrences of old_str `" + old + "` in lines: " + lines + ". Please ensure it is unique"
	}
	run(t, files, []wanted{
		{c: replace("/memories/a", "three", "3"), content: snippet + "     1\tone\n     2\ttwo\n     3\t3\n     4\tfour\n     5\tfive",
			text: "one\ntwo\n3\nfour\nfive\nsix\n"},
		{c: replace("/memories/a", "one", "1"), content: snippet + "     1\t1\n     2\ttwo\n     3\tthree"},
		{c: replace("/memories/a", "six\n", "6\n"), content: snippet + "     4\tfour\n     5\tfive\n     6\t6\n     7\t"},
		{c: replace("/memories/a", "two\nthree\nfour", "2"), content: snippet + "     1\tone\n     2\t2\n     3\tfive\n     4\tsix",
			text: "one\n2\nfive\nsix\n"},
		{c: replace("/memories/a", "two", "1\n2\n3\n4\n5"), content: snippet + "     1\tone\n     2\t1\n     3\t2\n     4\t3"},
		{c: replace("/memories/a", "two\n", ""), content: snippet + "     1\tone\n     2\tthree\n     3\tfour\n     4\tfive",
			text: "one\nthree\nfour\nfive\nsix\n"},
		{c: replace("/memories/a", "\nthree", ""), content: snippet + "     1\tone\n     2\ttwo\n     3\tfour\n     4\tfive"},
		{c: replace("/memories/a", "two", "$& $1 $$ $` \\1 %s {p}"), content: snippet + "     1\tone\n     2\t$& $1 $$ $` \\1 %s " +
			"{p}\n     3\tthree\n     4\tfour"},
		{c: replace("/memories/a", "one\ntwo\nthree\nfour\nfive\nsix\n", ""), content: snippet + "     1\t"},
		{c: replace("/memories//a/", "two", "two"), content: snippet + "     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour"},
		{c: replace("/memories/aaa", "aa", "b"), content: snippet + "     1\tba", text: "ba"},
		{c: replace("/memories/crlf", "x\r\ny", "z"), content: snippet + "     1\tz\r\n     2\t", text: "z\r\n"},
		{c: replace("/memories/crlf", "x\ny", "z"), content: none("x\ny", "/memories/crlf"), err: ErrNoMatch, text: "x\r\ny\r\n"},
		{c: replace("/memories//a", "zero {p}", ""), content: none("zero {p}", "/memories/a"), err: ErrNoMatch},
		{c: replace("/memories/a", "", "x"), content: none("", "/memories/a"), err: ErrNoMatch},
		{c: replace("/memories/empty", "", "x"), content: none("", "/memories/empty"), err: ErrNoMatch},
		{c: replace("/memories/dup", "a", "x"), content: many("a", "1, 3"), err: ErrNoMatch},
		{c: replace("/memories/same", "x", "y"), content: many("x", "1"), err: ErrNoMatch},
		{c: replace("/memories/aaaa", "aa", "y"), content: many("aa", "1"), err: ErrNoMatch},
		{c: replace("/memories/a", "\n", " "), content: many("\n", "1, 2, 3, 4, 5, 6"), err: ErrNoMatch},
		{c: replace("/memories/none", "a", "b"), content: "Error: The path /memories/none does not exist. Please provide a valid path.",
			err: backend.ErrNotExist},
		{c: replace("/memories/d", "a", "b"), content: "Error: The path /memories/d does not exist. Please provide a valid path.",
			err: backend.ErrIsDir},
		{c: replace("/memories", "a", "b"), content: "Error: The path /memories does not exist. Please provide a valid path.",
			err: backend.ErrIsDir},
		{c: replace("/memories/a/x", "a", "b"), content: "Error: The path /memories/a/x does not exist. Please provide a valid path.",
			err: backend.ErrNotDir},
		{c: replace("/memories/bad", "a", "b"), content: "Error: File /memories/bad is not valid UTF-8 text", err: ErrNotText, text: "a\xff"},
		{c: replace("/memories/a", "one", "\xff"), content: "Error: The field `new_str` is not valid UTF-8", err: ErrInput},
	})
}

func TestDocsInsert(t *testing.T) {
	files := []string{
		"a", "a\nb\n", "noend", "a\nb", "empty", "", "nl", "\n", "ls", "a\u2028b\r\nc\n", "bad", "\xff", "d/x", "",
	}
	done := func(p string) string { return "The file " + p + " has been edited." }
	outside := func(n, lines string) string {
		return "Error: Invalid `insert_line` parameter: " + n + ". It should be within the range of lines of the file: [0, " + lines + "]"
	}
	run(t, files, []wanted{
		{c: insert("/memories/a", 0, "X\n"), content: done("/memories/a"), text: "X\na\nb\n"},
		{c: insert("/memories/a", 1, "X"), content: done("/memories/a"), text: "a\nX\nb\n"},
		{c: insert("/memories//a", 2, "X"), content: done("/memories/a"), text: "a\nb\nX\n"},
		{c: insert("/memories/a", 1, "x\n\n"), content: done("/memories/a"), text: "a\nx\n\nb\n"},
		{c: insert("/memories/a", 1, ""), content: done("/memories/a"), text: "a\n\nb\n"},
		{c: insert("/memories/a", 1, "\n"), content: done("/memories/a"), text: "a\n\nb\n"},
		{c: insert("/memories/a", 1, "x\r\n"), content: done("/memories/a"), text: "a\nx\r\nb\n"},
		{c: insert("/memories/noend", 0, "X"), content: done("/memories/noend"), text: "X\na\nb"},
		{c: insert("/memories/noend", 1, "X\n"), content: done("/memories/noend"), text: "a\nX\nb"},
		{c: insert("/memories/noend", 2, "X\n"), content: done("/memories/noend"), text: "a\nb\nX\n"},
		{c: insert("/memories/noend", 2, "X"), content: done("/memories/noend"), text: "a\nb\nX"},
		{c: insert("/memories/empty", 0, "X"), content: done("/memories/empty"), text: "X\n"},
		{c: insert("/memories/empty", 0, "X\nY\n"), content: done("/memories/empty"), text: "X\nY\n"},
		{c: insert("/memories/empty", 0, ""), content: done("/memories/empty"), text: "\n"},
		{c: insert("/memories/nl", 1, "X"), content: done("/memories/nl"), text: "\nX\n"},
		{c: insert("/memories/ls", 1, "X"), content: done("/memories/ls"), text: "a\u2028b\r\nX\nc\n"},
		{c: insert("/memories/a", 3, "X"), content: outside("3", "2"), err: ErrRange, text: "a\nb\n"},
		{c: insert("/memories/a", -1, "X"), content: outside("-1", "2"), err: ErrRange},
		{c: insert("/memories/noend", 3, "X"), content: outside("3", "2"), err: ErrRange},
		{c: insert("/memories/empty", 1, "X"), content: outside("1", "0"), err: ErrRange},
		{c: insert("/memories/none", 9, "X"), content: "Error: The path /memories/none does not exist", err: backend.ErrNotExist},
		{c: insert("/memories/d/", 0, "X"), content: "Error: The path /memories/d does not exist", err: backend.ErrIsDir},
		{c: insert("/memories/bad", 9, "X"), content: "Error: File /memories/bad is not valid UTF-8 text", err: ErrNotText},
	})
}

func TestDocsDelete(t *testing.T) {
	for _, root := range []string{"/memories", "/memories/", "/memories/.", "/memories//./"} {
		run(t, []string{"a", ""}, []wanted{{c: remove(root), content: "Error: Cannot delete the /memories directory itself",
			err: backend.ErrRoot}})
	}
	files := []string{"a", "x", "d/e/f", "y", "d/.h", "", "bad", "\xff"}
	run(t, files, []wanted{
		{c: remove("/memories//a/"), content: "Successfully deleted /memories/a"},
		{c: remove("/memories/d"), content: "Successfully deleted /memories/d"},
		{c: remove("/memories/bad"), content: "Successfully deleted /memories/bad"},
		{c: remove("/memories/none"), content: "Error: The path /memories/none does not exist", err: backend.ErrNotExist},
		{c: remove("/memories/a/b"), content: "Error: The path /memories/a/b does not exist", err: backend.ErrNotDir},
	})
	s := storeOf(t, Options{}, files...)
	s.Delete(context.Background(), "/memories/d/e")
	if got, want := storeTree(t, s, ""), "\"a\" 1 600 \"x\"\n\"bad\" 1 600 \"\\xff\"\n\"d\" 2 700\n\"d/.h\" 1 600 \"\"\n"; got != want {
		t.Errorf("left\n%s", got)
	}
}

func TestDocsRename(t *testing.T) {
	missing := func(p string) string { return "Error: The path " + p + " does not exist" }
	taken := func(p string) string { return "Error: The destination " + p + " already exists" }
	inside := func(a, b string) string { return "Error: Cannot rename " + a + " to " + b + ", which is inside it" }
	const root = "Error: Cannot rename the /memories directory itself"
	run(t, []string{"a", "x", "b", "y", "d/e/f", "z"}, []wanted{
		{c: move("/memories//a", "/memories/c/"), content: "Successfully renamed /memories/a to /memories/c"},
		{c: move("/memories/d", "/memories/p/q/d"), content: "Successfully renamed /memories/d to /memories/p/q/d"},
		{c: move("/memories/d", "/memories/dd"), content: "Successfully renamed /memories/d to /memories/dd"},
		{c: move("/memories", "/memories/x"), content: root, err: backend.ErrRoot},
		{c: move("/memories/.", "/memories"), content: root, err: backend.ErrRoot},
		{c: move("/memories/d", "/memories/d/x"), content: inside("/memories/d", "/memories/d/x"), err: backend.ErrInside},
		{c: move("/memories/d", "/memories/d/e"), content: inside("/memories/d", "/memories/d/e"), err: backend.ErrInside},
		{c: move("/memories/none", "/memories/none/x"), content: inside("/memories/none", "/memories/none/x"), err: backend.ErrInside},
		{c: move("/memories/a", "/memories/b"), content: taken("/memories/b"), err: backend.ErrExist},
		{c: move("/memories/none", "/memories/b"), content: taken("/memories/b"), err: backend.ErrExist},
		{c: move("/memories/a", "/memories/a"), content: taken("/memories/a"), err: backend.ErrExist},
		{c: move("/memories/a", "/memories"), content: taken("/memories"), err: backend.ErrExist},
		{c: move("/memories/none", "/memories/none"), content: missing("/memories/none"), err: backend.ErrNotExist},
		{c: move("/memories/none", "/memories/p/q/x"), content: missing("/memories/none"), err: backend.ErrNotExist},
		{c: move("/memories/none", "/memories/a/x"), content: missing("/memories/none"), err: backend.ErrNotExist},
		{c: move("/memories/b", "/memories/a/x"), content: "Error: Cannot create /memories/a/x, because /memories/a is not a directory",
			err: backend.ErrNotDir},
		{c: move("a", "/memories/x"), content: "Error: Path must start with /memories, got: a", err: backend.ErrPrefix},
		{c: move("/memories/a", "/memories/../x"), content: "Error: Path /memories/../x would escape /memories directory",
			err: backend.ErrEscapes},
	})
}

// What a link leads to, for each command.
func TestDocsLinks(t *testing.T) {
	ctx := context.Background()
	const escape = "Error: Path %s would escape /memories directory"
	fresh := func() *Store {
		s := storeOf(t, Options{}, "f", "one\n", "d/x", "deep\n")
		m := s.backend.(*Memory)
		must(t, m.Symlink("f", "in"))
		must(t, m.Symlink("d", "ind"))
		must(t, m.Symlink("/memories/f", "abs"))
		must(t, m.Symlink("/etc/passwd", "out"))
		must(t, m.Symlink("../..", "outd"))
		must(t, m.Symlink("nothing", "gone"))
		must(t, m.Symlink("loop2", "loop"))
		must(t, m.Symlink("loop", "loop2"))
		must(t, m.Symlink("..", "d/up"))
		return s
	}
	for _, w := range []wanted{
		{c: view("/memories/in"), content: "Here's the content of /memories/in with line numbers:\n     1\tone\n     2\t"},
		{c: view("/memories/ind/x", 1, 1), content: "Here's the content of /memories/ind/x with line numbers:\n     1\tdeep"},
		{c: view("/memories/out"), content: strings.ReplaceAll(escape, "%s", "/memories/out"), err: backend.ErrEscapes},
		{c: view("/memories/outd/memories/f"), content: "Here's the content of /memories/outd/memories/f with line numbers:\n     1\tone\n " +
			"    2\t"},
		{c: view("/memories/outd/other/memories/f"), content: strings.ReplaceAll(escape, "%s", "/memories/outd/other/memories/f"),
			err: backend.ErrEscapes},
		{c: view("/memories/outd"), content: strings.ReplaceAll(escape, "%s", "/memories/outd"), err: backend.ErrEscapes},
		{c: view("/memories/gone"), content: "The path /memories/gone does not exist. Please provide a valid path.", err: backend.ErrNotExist},
		{c: view("/memories/loop"), content: "Error: The path /memories/loop leads through too many links", err: backend.ErrLinkLoop},
		{c: replace("/memories/out", "a", "b"), content: strings.ReplaceAll(escape, "%s", "/memories/out"), err: backend.ErrEscapes},
		{c: insert("/memories/out", 0, "a"), content: strings.ReplaceAll(escape, "%s", "/memories/out"), err: backend.ErrEscapes},
		{c: create("/memories/outd/x", "a"), content: strings.ReplaceAll(escape, "%s", "/memories/outd/x"), err: backend.ErrEscapes},
		{c: remove("/memories/outd/x"), content: strings.ReplaceAll(escape, "%s", "/memories/outd/x"), err: backend.ErrEscapes},
		{c: move("/memories/outd/x", "/memories/y"), content: strings.ReplaceAll(escape, "%s", "/memories/outd/x"), err: backend.ErrEscapes},
		{c: move("/memories/f", "/memories/outd/y"), content: strings.ReplaceAll(escape, "%s", "/memories/outd/y"), err: backend.ErrEscapes},
		{c: create("/memories/gone", ""), content: "Error: File /memories/gone already exists", err: backend.ErrExist},
		{c: create("/memories/gone/x", ""), content: "Error: Cannot create /memories/gone/x, because /memories/gone is not a directory",
			err: backend.ErrNotDir},
		{c: move("/memories/f", "/memories/gone"), content: "Error: The destination /memories/gone already exists", err: backend.ErrExist},
		{c: move("/memories/d", "/memories/ind/p/q"), content: "Error: Cannot rename /memories/d to /memories/ind/p/q, which is inside it",
			err: backend.ErrInside},
		{c: move("/memories/d", "/memories/ind/q"), content: "Error: Cannot rename /memories/d to /memories/ind/q, which is inside it",
			err: backend.ErrInside},
		{c: move("/memories/d", "/memories/d/up/d/x"), content: "Error: Cannot rename /memories/d to /memories/d/up/d/x, which is inside it",
			err: backend.ErrInside},
		{c: move("/memories/d", "/memories/d/up/d"), content: "Error: The destination /memories/d/up/d already exists", err: backend.ErrExist},
		{c: replace("/memories/abs", "one", "two"), content: snippet + "     1\ttwo\n     2\t", text: "two\n"},
		{c: insert("/memories/ind/x", 1, "more"), content: "The file /memories/ind/x has been edited.", text: "deep\nmore\n"},
		{c: remove("/memories/ind"), content: "Successfully deleted /memories/ind"},
		{c: remove("/memories/out"), content: "Successfully deleted /memories/out"},
		{c: remove("/memories/gone"), content: "Successfully deleted /memories/gone"},
		{c: move("/memories/out", "/memories/away"), content: "Successfully renamed /memories/out to /memories/away"},
		{c: move("/memories/gone", "/memories/ind/went"), content: "Successfully renamed /memories/gone to /memories/ind/went"},
	} {
		s := fresh()
		before := storeTree(t, s, "")
		r := s.Do(ctx, w.c)
		if r.Content != w.content || !errors.Is(r.Err, w.err) || r.IsError != (w.err != nil) {
			t.Errorf("%+v\ngot  %q (%v)\nwant %q", w.c, r.Content, r.Err, w.content)
		}
		if r.IsError && storeTree(t, s, "") != before {
			t.Errorf("%+v changed the tree", w.c)
		}
		if w.text != "" {
			name, _ := backend.ParsePath(w.c.Path)
			if got := textOf(t, s, name); got != w.text {
				t.Errorf("%+v left %q", w.c, got)
			}
		}
		for _, kept := range []string{"f", "d/x"} {
			if _, err := s.backend.Lstat(kept); err != nil {
				t.Errorf("%+v lost %s", w.c, kept)
			}
		}
	}
}

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
