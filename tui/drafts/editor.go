// Package editor finds out how to start the user's editor and prepares the private copy
// that is edited. The editor never gets the path of a file of the store: what it leaves
// behind (swap files, backups) must not be seen by the agent, and what it wrote is checked
// against the store before it counts. The root of the interface starts the process and
// writes the result.
//
// [findEditor] and [Program.Command] are pure except for the lookup of programs; a [editedCopy] does I/O on
// its own folder only.
package drafts

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
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

// shellSigns are the characters for which git, too, hands a command line to the shell.
const shellSigns = "|&;<>()$`\\\"' \t\n*?[#~=%"

// Command is the process that edits file with the cursor on a line (from 1; 0: where the
// editor likes). A line with arguments or quotes is the shell's to take apart, as git does it;
// the file's name is an argument of its own and never part of what the shell reads.
func (p editorProgram) Command(file string, line int) *exec.Cmd {
	args := p.arguments(file, line)
	switch {
	case !strings.ContainsAny(p.line, shellSigns):
		return exec.Command(p.line, args...)
	case runtime.GOOS == "windows":
		words := words(p.line)
		return exec.Command(words[0], append(words[1:], args...)...)
	default:
		return exec.Command("/bin/sh", append([]string{"-c", p.line + ` "$@"`, p.line}, args...)...)
	}
}

// plusLine are editors that take the line as +12 in front of the file.
var plusLine = []string{
	"vi", "vim", "nvim", "view", "gvim", "mvim", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "jed", "mg", "ne", "mcedit",
}

// colonLine are editors that take it as file:12; the value is what makes them wait.
var colonLine = map[string]string{"hx": "", "helix": "", "subl": "--wait", "zed": "--wait"}

// goToLine are editors that take it as -g file:12 and must be told to wait.
var goToLine = []string{"code", "code-insiders", "codium", "vscodium", "cursor"}

// arguments come after what the user set.
func (p editorProgram) arguments(file string, line int) []string {
	name := p.name()
	var args []string
	wait := func(flag string) {
		if flag != "" && !strings.Contains(p.line, flag) {
			args = append(args, flag)
		}
	}
	at := file
	if line > 0 {
		at += ":" + strconv.Itoa(line)
	}
	if flag, ok := colonLine[name]; ok {
		wait(flag)
		return append(args, at)
	}
	for _, n := range goToLine {
		if n == name {
			wait("--wait")
			return append(args, "-g", at)
		}
	}
	for _, n := range plusLine {
		if n == name && line > 0 {
			args = append(args, "+"+strconv.Itoa(line))
		}
	}
	return append(args, file)
}

// name is the program without its folder and without .exe, as far as that can be told
// without a shell; a name that is not told only costs the line.
func (p editorProgram) name() string {
	all := words(p.line)
	if len(all) == 0 {
		return ""
	}
	first := all[0]
	if i := strings.LastIndexAny(first, `/\`); i >= 0 {
		first = first[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(first), ".exe")
}

// words takes a line apart at blanks; quotes keep words together. Backslashes stay: on
// Windows they are parts of paths.
func words(line string) []string {
	var out []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				out = append(out, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		out = append(out, word.String())
	}
	return out
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
func (c *editedCopy) Remove() error {
	err := os.Remove(c.dir + noteEnd)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(os.RemoveAll(c.dir), err)
}

// maxNameBytes bounds the name of a copy: editors add to it for their own files.
const maxNameBytes = 100

// safeName is a name that no editor and no file system takes for anything but a name.
func safeName(name string) string {
	plain := func(s string) bool {
		return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-')
		})
	}
	if plain(name) && len(name) <= maxNameBytes && name[0] != '-' && strings.Trim(name, ".") != "" {
		return name
	}
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	if !plain(ext) || len(ext) > 16 {
		return "memory"
	}
	return "memory." + ext
}
