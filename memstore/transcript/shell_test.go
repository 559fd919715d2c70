package transcript

import (
	"maps"
	"testing"
)

func TestShell(t *testing.T) {
	before := map[string]string{"/m/a": "one\ntwo\n"}
	for command, after := range map[string]map[string]string{
		"cat >> /m/a <<'EOF'\nthree $x `y`\n\nEOF\n": {"/m/a": "one\ntwo\nthree $x `y`\n\n"},
		"cat <<EOF > /m/c\nplain\nEOF":               {"/m/a": "one\ntwo\n", "/m/c": "plain\n"},
		"cat > \"/m/a b\" << \"END\"\nEOF\nEND":      {"/m/a": "one\ntwo\n", "/m/a b": "EOF\n"},
		"cat >a <<'E'\nE":                            {"/m/a": "one\ntwo\n", "a": ""},
		"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: /m/a\n@@\n-two\n+2\n*** End Patch\nEOF": {"/m/a": "one\n2\n"},
	} {
		files := maps.Clone(before)
		list, shown := parseShell(command)
		if len(list) != 1 || shown != "" || !run(list, files) || !maps.Equal(files, after) {
			t.Errorf("%s: %+v, %q, %q, want %q", command, list, shown, files, after)
		}
	}
	for command, want := range map[string]string{"cat ~/m/a": "~/m/a", "cat 'a b'": "a b", "cat $HOME/x.md": "~/x.md"} {
		if list, shown := parseShell(command); shown != want || len(list) > 0 {
			t.Errorf("%q shows %q, %+v", command, shown, list)
		}
	}
	for _, command := range []string{"", "python x.py > /m/a", "rm /m/a", "cat <<EOF > /m/a\n$X\nEOF", "cat > /m/a <<'EOF'\nx",
		"cat > /m/a <<'E'\nx\nE\nrm /m/b", "cat > /m/a <<'E'\nx\nE\nrm /m/b\nE", "cat > $X <<'E'\nx\nE", "cat /m/a | tee /m/b", "cat /m/*", "cat a b"} {
		if list, shown := parseShell(command); shown != "" || len(list) > 0 {
			t.Errorf("%q is taken: %+v, %q", command, list, shown)
		}
	}
}

func FuzzShell(f *testing.F) {
	for _, s := range []string{"cat <<'E' > b\nx\nE", "cat >> ~/a <<E\nx\nE", "cat \"a b\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		list, _ := parseShell(command)
		run(list, map[string]string{"a": "one\n"})
		list = parsePatch(command)
		run(list, map[string]string{"a": "one\n"})
	})
}
