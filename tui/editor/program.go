package editor

// The user's editor and the private copy that it gets. It never gets the path of a file of the store: what it leaves behind (swap files,
// backups) must not be seen by the agent, and what it wrote is checked against the store before it counts.

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"
)

// editorProgram is how to start an editor: a command line as people write it into $EDITOR.
type editorProgram struct{ line string }

// errNone means that no editor is set and vi is not there.
var errNone = errors.New("no editor is set")

// findEditor returns the editor of $VISUAL, else of $EDITOR, else vi where it is on the PATH.
func findEditor(getenv func(string) string, lookPath func(string) (string, error)) (editorProgram, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if line := strings.TrimSpace(getenv(name)); line != "" {
			return editorProgram{line}, nil
		}
	}
	if _, err := lookPath("vi"); err == nil {
		return editorProgram{line: "vi"}, nil
	}
	return editorProgram{}, errNone
}

// String is the command line as configured.
func (p editorProgram) String() string { return p.line }

// Command is the process that edits file with the cursor on a line (from 1; 0: where the
// editor likes). The line is the shell's to take apart, as git does it; the file's name is an
// argument of its own and never part of what the shell reads.
func (p editorProgram) Command(file string, line int) *exec.Cmd {
	args := p.arguments(file, line)
	if runtime.GOOS == "windows" {
		words := strings.Fields(p.line)
		return exec.Command(words[0], append(words[1:], args...)...)
	}
	return exec.Command("/bin/sh", append([]string{"-c", p.line + ` "$@"`, p.line}, args...)...)
}

// arguments come after what the user set: the file, with the line as the editor takes it, and what makes one with a window of its own
// wait. An editor that isn't known gets the file alone.
func (p editorProgram) arguments(file string, line int) []string {
	name := strings.ToLower(filepath.Base(strings.Fields(p.line)[0]))
	at := file
	if line > 0 {
		at += ":" + strconv.Itoa(line)
	}
	switch strings.TrimSuffix(name, ".exe") {
	case "vi", "vim", "nvim", "gvim", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "mg", "ne", "mcedit":
		if line > 0 {
			return []string{"+" + strconv.Itoa(line), file}
		}
	case "hx", "helix":
		return []string{at}
	case "subl", "zed":
		return []string{"--wait", at}
	case "code", "code-insiders", "codium", "vscodium", "cursor":
		return []string{"--wait", "-g", at}
	}
	return []string{file}
}

// editedCopy is a private copy of a file in a folder of its own, for its owner only.
type editedCopy struct {
	dir, file string
}

// newEditedCopy writes data into a new folder below base; empty: the system's for temporary files.
// name is the name of the file in the store: the copy has it too, where it is a plain one, and
// its extension, by which editors tell the language.
func newEditedCopy(base, name string, data []byte) (_ *editedCopy, err error) {
	dir, err := os.MkdirTemp(base, "edit-") // 0700
	if err != nil {
		return nil, err
	}
	c := &editedCopy{dir, filepath.Join(dir, safeName(name))}
	if err := os.WriteFile(c.file, data, 0o600); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return c, nil
}

// Write replaces what the copy holds, whole.
func (c *editedCopy) Write(data []byte) error {
	next := c.file + ".tmp"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, c.file)
}

// File is where the copy is.
func (c *editedCopy) File() string { return c.file }

// errGone means that the copy no longer exists.
var errGone = errors.New("the editor left no file")

// errTooLarge means that the copy has grown beyond what is read.
var errTooLarge = errors.New("too large")

// Read returns what the copy holds now. An editor may have put another file in its place;
// a link, which may lead anywhere, a pipe or a folder is not what the user wrote. The
// errors are [errGone], [errTooLarge] for more than limit bytes, or the file system's.
func (c *editedCopy) Read(limit int64) ([]byte, error) {
	info, err := os.Lstat(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errGone
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errGone
	case info.Size() > limit:
		return nil, errTooLarge
	}
	return os.ReadFile(c.file)
}

// Remove takes the copy away, with whatever the editor left beside it.
func (c *editedCopy) Remove() error { return os.RemoveAll(c.dir) }

// maxNameBytes bounds the name of a copy: editors add to it for their own files.
const maxNameBytes = 100

// safeName is a name that no editor and no file system takes for anything but a name: that of the file, with dashes for what may be
// special.
func safeName(name string) string {
	name = strings.TrimLeft(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, name), "-")
	if len(name) <= maxNameBytes && strings.Trim(name, ".") != "" {
		return name
	}
	ext := strings.TrimSuffix(filepath.Ext(name), ".")
	if len(ext) > 16 {
		ext = ""
	}
	return "memory" + ext
}
