package transcript

import (
	"regexp"
	"strings"
	"sync"
)

// parseShell reads the shell commands with which agents are known to write and read notes: cat with a here-document into one file, as in
// "cat > notes.md <<'EOF'", and "cat notes.md". A command that hands a patch to apply_patch is that patch. list is what the command does,
// shown the file that it shows. Of any other command both are empty: it is not replayed.
func parseShell(command string) (list []pathEdit, shown string) {
	command = strings.TrimSpace(command)
	if name, _, _ := strings.Cut(command, " "); name == "apply_patch" || name == "applypatch" {
		return parsePatch(command), ""
	}
	line, rest, here := strings.Cut(command, "\n")
	if !here {
		if m := catFile().FindStringSubmatch(line); m != nil {
			shown = pathOf(m[1])
		}
		return nil, shown
	}
	redirection, end, quoted, ok := hereDocument(line)
	if !ok {
		return nil, ""
	}
	text, ok := strings.CutSuffix("\n"+rest, "\n"+end)
	if !ok || strings.Contains(text+"\n", "\n"+end+"\n") {
		return nil, "" // other commands follow
	}
	if !quoted && strings.ContainsAny(text, "$`\\") {
		return nil, "" // the shell puts something in place of that
	}
	if text = strings.TrimPrefix(text, "\n"); text != "" {
		text += "\n"
	}
	if file, ok := strings.CutPrefix(redirection, ">>"); ok {
		return []pathEdit{{Path: pathOf(file), Change: func(before string, _ bool) (string, bool) { return before + text, true }}}, ""
	}
	return []pathEdit{write(pathOf(strings.TrimPrefix(redirection, ">")), text)}, ""
}

// fileWord is the name of a file in a command, quoted or without characters that mean something to a shell.
const fileWord = `('[^']+'|"[^"$\x60\\]+"|(?:\$HOME/)?[^\s'"$\x60\\*?\[\]{}()<>|&;#]+)`

// The commands that are read. hereWord is a here-document with the word that ends it, which may be quoted.
const hereWord = `<<\s*('\w+'|"\w+"|\w+)`

var (
	catFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cat\s+` + fileWord + `$`) })
	catInto = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^cat\s*(>>?)\s*` + fileWord + `\s*` + hereWord + `\s*$`)
	})
	hereInto = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^cat\s*` + hereWord + `\s*(>>?)\s*` + fileWord + `\s*$`)
	})
)

// hereDocument reads the first line of a cat with a here-document into a file: ">" or ">>" and the file, the word that ends the text, and
// whether that is quoted, so that the shell leaves the text alone.
func hereDocument(line string) (redirection, end string, quoted, ok bool) {
	if m := catInto().FindStringSubmatch(line); m != nil {
		redirection, end = m[1]+m[2], m[3]
	} else if m := hereInto().FindStringSubmatch(line); m != nil {
		redirection, end = m[2]+m[3], m[1]
	}
	word := strings.Trim(end, `'"`)
	return redirection, word, word != end, word != ""
}

// pathOf is a word as a path.
func pathOf(word string) string {
	word = strings.Trim(word, `'"`)
	if rest, ok := strings.CutPrefix(word, "$HOME/"); ok {
		return "~/" + rest
	}
	return word
}

// abridged finds the mark in an output that a program has shortened for the agent.
var abridged = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`truncated|\[?\.\.\. ?\[?(omitted|\d+ (more )?(lines|characters))|… \+\d+ lines`)
})
