package transcript

import "testing"

func TestBlocks(t *testing.T) {
	for _, c := range []struct{ name, diff, before, after string }{
		{"one", "------- SEARCH\nb\n=======\nB\n+++++++ REPLACE", "a\nb\nc", "a\nB\nc"},
		{"older marks", "<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE", "a\nb\n", "a\nB\n"},
		{"with a line", "<<<<<<< SEARCH\n:start_line:2\n-------\nb\n=======\n>>>>>>> REPLACE", "a\nb\nc\n", "a\nc\n"},
		{"two", "------- SEARCH\na\n=======\n1\n2\n+++++++ REPLACE\n\n------- SEARCH\nb\n=======\n3\n+++++++ REPLACE", "a\nb\n", "1\n2\n3\n"},
		{"a whole file", "------- SEARCH\n=======\nx\n+++++++ REPLACE", "a\n", "x\n"},
		{"other blanks", "------- SEARCH\nb\n=======\nB\n+++++++ REPLACE", "a\n  b \n", "a\nB\n"},
		{"a rule of Markdown", "------- SEARCH\nb\n-------\n=======\nB\n+++++++ REPLACE", "b\n-------\n", "B\n"},
	} {
		files := map[string]string{"a": c.before}
		e, ok := parseBlocks("a", c.diff)
		if !ok || !run([]pathEdit{e}, files) || files["a"] != c.after {
			t.Errorf("%s: %v, %q, want %q", c.name, ok, files["a"], c.after)
		}
	}
	for _, broken := range []string{"", "x", "------- SEARCH\na\n=======\nb"} {
		if e, ok := parseBlocks("a", broken); ok {
			t.Errorf("%q has blocks: %+v", broken, e)
		}
	}
}
