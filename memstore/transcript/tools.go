package transcript

import (
	"regexp"
	"strings"
	"sync"
)

// does is what a tool does to files.
type does uint8

const (
	noFiles does = iota
	writes       // a whole file
	edits        // texts in place of others
	reads
	patches  // several files, as a patch says
	deletes  // one file
	commands // what a shell does
)

// fileTools are what the tools of programs do, by their names in small letters: those of Claude Code, Codex, Gemini CLI, Copilot CLI,
// opencode, Cline, Roo Code and deepagents.
var fileTools = map[string]does{
	"write": writes, "write_file": writes, "write_to_file": writes, "create": writes,
	"edit": edits, "multiedit": edits, "replace": edits, "edit_file": edits,
	"read": reads, "read_file": reads, "view": reads,
	"apply_patch": patches, "patch": patches, "delete": deletes,
	"replace_in_file": writes, "apply_diff": writes, // what they write is not read
	"bash": commands, "shell": commands, "shell_command": commands, "exec_command": commands, "container.exec": commands,
	"local_shell_call": commands, "run_shell_command": commands, "execute_command": commands,
}

// does is what the tool of a call does to files.
func (c *Call) does() does {
	if c.Family == Memory || len(c.Tool) > 32 {
		return noFiles
	}
	return fileTools[strings.ToLower(c.Tool)]
}

func isMemoryName(name string) bool {
	return name == "memory" || strings.HasSuffix(name, "_memory") || strings.HasSuffix(name, "-memory") ||
		strings.HasSuffix(name, "0mcp0memory") // of Cline
}

// recognize reports whether a call is one on a memory, and sets its family. A name alone is no proof.
func (c *Call) recognize() bool {
	if isMemoryName(c.Tool) {
		if kindsOf[value(c.Input).object().text("command")] == nil { // it is another tool
			return false
		}
		c.places.note(folder{kind: ownMemory})
		return true
	}
	c.Family = Files
	if c.does() == commands {
		c.Family = Shell
	}
	list, shown := c.disk()
	files := []string{shown}
	for _, e := range list {
		files = append(files, e.Path, e.To)
	}
	for _, file := range files {
		if f, ok := c.places.locate(file, c.dir); ok {
			c.places.note(f)
			return true
		}
	}
	return c.Family == Shell && c.places.named(c.CommandLine())
}

// filePath is the path in the input of a tool for files, as different programs name it.
func filePath(o object) string {
	return o.at("file_path|path|filePath|absolute_path|absolutePath|target_file").text()
}

// CommandLine is the command of a call of a shell, which may be a list of words: those of a shell in a shell are its last.
func (c *Call) CommandLine() string {
	v := value(c.Input).object().at("command|cmd")
	if v.isString() {
		return v.text()
	}
	var words []string
	v.each(func(e value) { words = append(words, e.text()) })
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// workingDir is the folder in which a command runs, where its input names one.
func workingDir(o object, dir string) string {
	own := ""
	if o.at("command|cmd") != nil {
		own = o.at("workdir|dir_path|directory|cwd").text()
	}
	return inFolder(own, dir)
}

// unwrapped is the text of a result as the tool gave it, without what Codex, Gemini CLI and Cline put around it. told: that says whether
// the tool failed. wrapped: it may be JSON with the answer of the tool in it.
func unwrapped(text string, wrapped bool) (inner string, failed, told bool) {
	if m := clineHeader().FindString(text); m != "" {
		text, told = text[len(m):], true
	}
	for _, failure := range []string{"Error:\n", "The tool execution failed with the following error:\n<error>\n"} {
		if rest, ok := strings.CutPrefix(text, failure); ok {
			return strings.TrimSuffix(rest, "\n</error>"), true, true
		}
	}
	if head := codexHead().FindString(text); head != "" {
		text = text[len(head):]
		if m := exitCode().FindStringSubmatch(head); m != nil {
			failed, told = m[1] != "0", true
		}
	}
	if rest, ok := strings.CutPrefix(text, "MCP tool '"); ok { // of Gemini CLI, of a tool that failed
		if _, parts, ok := strings.Cut(rest, " with response: "); ok {
			answer := validated(parts).first().object().at("functionResponse.response").object()
			if content := answer.at("error.content|content"); content != nil {
				return content.texts(0), true, true
			}
		}
	}
	if !wrapped {
		return text, failed, told
	}
	switch v := validated(text); {
	case v.isArray():
		if v.first().object().get("text").isString() {
			return v.texts(0), failed, told
		}
	case v.isObject():
		o := v.object()
		if content := o.get("content"); content.isArray() {
			flag := o.at("isError|is_error")
			return content.texts(0), string(flag) == "true", flag != nil
		}
		if out := o.get("output"); out.isString() && (len(o) == 1 || o.get("metadata").isObject()) {
			code := o.at("metadata.exit_code")
			return out.text(), code != nil && string(code) != "0", code != nil
		}
	case strings.HasPrefix(text, "tool call error: "), strings.HasPrefix(text, "err: "):
		return text, true, true
	}
	return text, failed, told
}

var (
	clineHeader = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?s:\[(\w+) for '(.*?)'[^\n]*?\] Result:(?:\n|$))`)
	})
	// codexHead is what Codex puts before the output of a tool.
	codexHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:Chunk ID: .*|Wall time:? [\d.]+ seconds|Exit code: -?\d+|Process exited with code -?\d+|` +
			`Process running with .*|Original token count: \d+|Total output lines: \d+|Warning: .*|Script (?:completed|failed))\n)+Output:\n?`)
	})
	exitCode = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:Exit code:|Process exited with code) (-?\d+)$`)
	})
)
