package edits

import (
	"maps"
	"testing"
)

func TestShell(t *testing.T) {
	before := map[string]string{"/m/a": "one\ntwo\n", "/m/b": "b\n"}
	for _, c := range []struct {
		command string
		after   map[string]string // paths that differ; "" for none
	}{
		{"echo three >> /m/a", map[string]string{"/m/a": "one\ntwo\nthree\n"}},
		{"echo 'it is' \"5 $ or\" so > /m/c", map[string]string{"/m/c": "it is 5 $ or so\n"}},
		{"cd /m && echo x >> a && rm b", map[string]string{"/m/a": "one\ntwo\nx\n", "/m/b": ""}},
		{"cat >> /m/a <<'EOF'\nthree $x `y`\n\nEOF\n", map[string]string{"/m/a": "one\ntwo\nthree $x `y`\n\n"}},
		{"cat <<EOF > /m/c\nplain\nEOF", map[string]string{"/m/c": "plain\n"}},
		{"tee -a /m/a > /dev/null <<'E'\nx\nE", map[string]string{"/m/a": "one\ntwo\nx\n"}},
		{"echo x | tee /m/c", map[string]string{"/m/c": "x\n"}},
		{"printf '%s\\n' one 'two three' > /m/c", map[string]string{"/m/c": "one\ntwo three\n"}},
		{"printf \"a\\tb\\n100%%\\n\" >> /m/b", map[string]string{"/m/b": "b\na\tb\n100%\n"}},
		{"mv /m/a /m/c", map[string]string{"/m/a": "", "/m/c": "one\ntwo\n"}},
		{"cp /m/b /m/c; echo done", map[string]string{"/m/c": "b\n"}},
		{"cat /m/b > /m/c", map[string]string{"/m/c": "b\n"}},
		{"rm -f /m/zzz || true", map[string]string{}},
		{"sed -i 's/one/1/' /m/a", map[string]string{"/m/a": "1\ntwo\n"}},
		{"sed -i '' -e 's|o|0|g' /m/a", map[string]string{"/m/a": "0ne\ntw0\n"}},
		{"sed -i -E 's/^(t)(w)/\\2\\1&/' /m/a", map[string]string{"/m/a": "one\nwttwo\n"}},
		{"sed -i 's/t.o$/(x)/' /m/a", map[string]string{"/m/a": "one\n(x)\n"}},
		{"sed -i '1d' /m/a", map[string]string{"/m/a": "two\n"}},
		{"mkdir -p /m/d && touch /m/e", map[string]string{"/m/e": ""}},
		{"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: /m/a\n@@\n-two\n+2\n*** End Patch\nEOF", map[string]string{"/m/a": "one\n2\n"}},
		{"ls /m 2>/dev/null; rm /m/b", map[string]string{"/m/b": ""}},
	} {
		files := maps.Clone(before)
		list, _, simple := Shell(c.command, "")
		if !simple || !run(list, files) {
			t.Errorf("%s: %v, %+v", c.command, simple, list)
			continue
		}
		want := maps.Clone(before)
		for path, text := range c.after {
			if want[path] = text; text == "" {
				delete(want, path)
			}
		}
		delete(files, "/m/e")
		if !maps.Equal(files, want) {
			t.Errorf("%s: %q, want %q", c.command, files, want)
		}
	}
	for _, command := range []string{"", "python x.py > /m/a", "for f in *; do rm $f; done",
		"echo $X > /m/a", "rm /m/*", "cat <<EOF > /m/a\n$X\nEOF",
		"sed -i 's/a/b/w x' /m/a",
		"(rm /m/a)", "rm /m/a &", "echo `x` > /m/a", "if true; then rm /m/a; fi", "rm /m/a || rm /m/b",
		"cat > /m/a <<'EOF'\nx",
		"echo \"unclosed", "ls /m", "echo {a,b} > /m/a", "cat /m/a | tee /m/b", "head -n 2 /m/a > /m/b",
		"cat /m/a | python x.py", "cat /m/a /m/b", "head -c 5 /m/a", "sed -n '/x/p' /m/a"} {
		if list, reads, simple := Shell(command, ""); simple {
			t.Errorf("%q is simple: %+v, %+v", command, list, reads)
		}
	}
	for command, want := range map[string]Read{
		"cat ~/m/a 2>/dev/null": {Path: "~/m/a"}, "cd /m && cat a": {Path: "/m/a"}, "head /m/a": {Path: "/m/a", Part: true},
		"head -n 5 /m/a": {Path: "/m/a", Part: true}, "tail -20 /m/a": {Path: "/m/a", Part: true}, "sed -n '2,$p' /m/a": {Path: "/m/a", Part: true},
		"cat /m/a | head -5": {Path: "/m/a", Part: true}, "ls /m && cat /m/a": {Path: "/m/a", Mixed: true},
		"echo ---; tail -n +3 /m/a": {Path: "/m/a", Part: true, Mixed: true},
	} {
		if list, reads, simple := Shell(command, ""); !simple || reads != want || len(list) > 0 {
			t.Errorf("%q reads %+v, %+v, %v", command, reads, list, simple)
		}
	}
}

func FuzzShell(f *testing.F) {
	for _, s := range []string{"echo a >> /m/a", "cat <<'E' > b\nx\nE", "sed -i 's/a/b/g' x", "printf '%s' a b", "cd x && mv a b | tee c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		list, _, _ := Shell(command, "/d")
		run(list, map[string]string{"/d/a": "one\n"})
		list, _ = Patch(command)
		run(list, map[string]string{"a": "one\n"})
		if e, ok := Blocks("a", command); ok {
			run([]Edit{e}, map[string]string{"a": "one\n"})
		}
	})
}
