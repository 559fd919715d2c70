package editor

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestFind(t *testing.T) {
	there := func(string) (string, error) { return "/bin/vi", nil }
	gone := func(string) (string, error) { return "", os.ErrNotExist }
	for _, c := range []struct {
		name string
		env  func(string) string
		look func(string) (string, error)
		want editorProgram
		err  error
	}{
		{"VISUAL wins", env("VISUAL", "code", "EDITOR", "nano"), gone, editorProgram{"code"}, nil},
		{"EDITOR", env("VISUAL", "  ", "EDITOR", " nano -w "), gone, editorProgram{"nano -w"}, nil},
		{"vi where it is", env(), there, editorProgram{"vi"}, nil},
		{"nothing", env(), gone, editorProgram{}, errNone},
	} {
		if got, err := findEditor(c.env, c.look); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		line string
		at   int
		want []string
	}{
		{"vim", 12, []string{"+12", "f"}},
		{"vim", 0, []string{"f"}},
		{"/usr/bin/nvim -u NONE", 3, []string{"+3", "f"}},
		{"nano", 7, []string{"+7", "f"}},
		{"emacsclient -t", 7, []string{"+7", "f"}},
		{"hx", 7, []string{"f:7"}},
		{"code", 7, []string{"--wait", "-g", "f:7"}},
		{"code --wait", 7, []string{"--wait", "-g", "f:7"}},
		{"subl", 0, []string{"--wait", "f"}},
		{"ed", 9, []string{"f"}},
	} {
		if got := (editorProgram{line: c.line}).arguments("f", c.at); !slices.Equal(got, c.want) {
			t.Errorf("%s at %d: %q, want %q", c.line, c.at, got, c.want)
		}
	}
}

// What is in the name of a file is never read by the shell.
func TestShellTakesTheLineApartAndNotTheName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell here")
	}
	out := filepath.Join(t.TempDir(), "out put")
	script := filepath.Join(t.TempDir(), "my editor.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor a; do echo \"[$a]\"; done > \"$OUT\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	name := `a b;$(touch x)"'` + "`.md"
	for line, want := range map[string]string{
		`"` + script + `" -x "two words"`:     "[-x]\n[two words]\n[" + name + "]\n",
		strings.ReplaceAll(script, " ", `\ `): "[" + name + "]\n",
	} {
		c := editorProgram{line: line}.Command(name, 0)
		c.Env = append(os.Environ(), "OUT="+out)
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != want {
			t.Errorf("%s was called with %q, %v, want %q", line, got, err, want)
		}
	}
}

func TestCopyIsPrivateAndLeavesNothing(t *testing.T) {
	base := t.TempDir()
	data := []byte("a\r\n\xff\x00 no end")
	c, err := newEditedCopy(base, "notes.md", data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Read(1 << 20)
	if err != nil || string(got) != string(data) || filepath.Base(c.File()) != "notes.md" {
		t.Errorf("%s holds %q, %v", c.File(), got, err)
	}
	if runtime.GOOS != "windows" {
		for _, path := range []string{c.File(), filepath.Dir(c.File())} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
			}
		}
	}
	if err := os.WriteFile(c.File()+"~", nil, 0o600); err != nil { // as editors do
		t.Fatal(err)
	}
	if _, err := c.Read(3); err == nil {
		t.Error("more than the limit is read")
	}
	if err := c.Remove(); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(base); err != nil || len(entries) != 0 {
		t.Errorf("left are %v, %v", entries, err)
	}
}

func TestWhatAnEditorPutsInPlaceOfTheCopyIsNotFollowed(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("not the user's text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func(file string) error{
		"nothing": func(string) error { return nil },
		"folder":  func(file string) error { return os.Mkdir(file, 0o700) },
		"link":    func(file string) error { return os.Symlink(other, file) },
	} {
		t.Run(name, func(t *testing.T) {
			c, err := newEditedCopy(t.TempDir(), "a.md", []byte("text"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(c.File()); err != nil {
				t.Fatal(err)
			}
			if err := put(c.File()); err != nil {
				t.Skip("cannot be made here:", err)
			}
			if data, err := c.Read(1 << 10); !errors.Is(err, errGone) {
				t.Errorf("read %q, %v", data, err)
			}
			if err := c.Remove(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(other); err != nil {
				t.Error(err)
			}
		})
	}
}
