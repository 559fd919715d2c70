package edits

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Shell reads a shell command that only reads and changes files in simple ways: echo, printf and cat with a here-document into
// files, tee, rm, mv, cp, mkdir, touch, sed -i with s, and apply_patch. simple is false for everything else. reads is the file
// that it shows, if it does nothing else.
func Shell(command, dir string) (list []Edit, reads Read, simple bool) {
	if text, ok := patchIn(command); ok {
		list, ok = Patch(text)
		return list, Read{}, ok
	}
	steps, ok := parse(command)
	if ok && len(steps) == 1 {
		if w := steps[0].words; len(w) == 3 && isShell(w[0]) && (w[1] == "-c" || w[1] == "-lc") && steps[0].out == "" && !steps[0].heard {
			steps, ok = parse(w[2])
		}
	}
	if !ok || len(steps) == 0 {
		return nil, Read{}, false
	}
	s := shell{dir: dir}
	for _, st := range steps {
		if !s.run(st) {
			return nil, Read{}, false
		}
	}
	if s.reads != 1 || len(s.list) > 0 {
		s.read = Read{}
	}
	s.read.Mixed = s.read.Path != "" && s.mixed
	return s.list, s.read, len(s.list) > 0 || s.read.Path != ""
}

// Read is what a command shows: a file, or a part of it. Its path is "" where it shows none.
type Read struct {
	Path  string
	Part  bool
	Mixed bool // it shows other text, too
}

// isShell reports the name of a shell, which is given a command.
func isShell(name string) bool {
	switch path.Base(name) {
	case "sh", "bash", "zsh":
		return true
	}
	return false
}

// patchIn is the patch that a command hands to apply_patch.
func patchIn(command string) (string, bool) {
	name, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	if name != "apply_patch" && name != "applypatch" {
		return "", false
	}
	from, to := strings.Index(command, beginPatch), strings.LastIndex(command, endPatch)
	if from < 0 || to < from {
		return "", false
	}
	return command[from : to+len(endPatch)], true
}

// step is a simple command with its redirections.
type step struct {
	words  []string
	in     string // a here-document
	heard  bool   // there is one
	out    string // the file that the output goes to; "" for none
	adds   bool   // at its end
	piped  bool   // the input is the output of the step before
	orElse bool   // it runs only if the step before failed
	pipes  bool   // the next step reads what it prints
	elses  bool   // the next step runs only if it failed
}

type shell struct {
	dir   string
	list  []Edit
	reads int
	read  Read
	mixed bool   // other text than a file's is printed
	pipe  string // what the step before prints
	known bool   // pipe is that
}

// path is a word as a path.
func (s *shell) path(word string) string {
	if s.dir == "" || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return word
	}
	return strings.TrimSuffix(s.dir, "/") + "/" + word
}

// run takes a step; false: it is not a simple one.
func (s *shell) run(st step) bool {
	if st.orElse { // only what does nothing to files may depend on a failure
		return len(st.words) == 1 && (st.words[0] == "true" || st.words[0] == ":") && st.out == ""
	}
	name, args := st.words[0], st.words[1:]
	text, prints := "", true
	switch name {
	case "echo":
		text, prints = echoed(args)
		s.mixed = true
	case "printf":
		text, prints = printed(args)
		s.mixed = true
	case "cat":
		text, prints = s.cat(st, args)
	case "head", "tail":
		prints = !st.heard && s.shows(st, args, func(option string) bool { return lineCount().MatchString(option) }, "-n")
	case "sed":
		if len(args) == 0 || args[0] != "-n" {
			return !st.piped && !st.heard && (st.out == "" || st.out == "/dev/null") && s.sed(args)
		}
		prints = !st.heard && len(args) > 1 && linesShown().MatchString(args[1]) && s.shows(st, args[2:], nil, "")
	case "tee":
		return s.tee(st, args)
	default:
		if st.out != "" || st.heard || st.piped {
			return st.out == "/dev/null" && !st.heard && !st.piped && s.change(name, args)
		}
		return s.change(name, args)
	}
	if !prints {
		return false
	}
	s.pipe, s.known = text, s.reads == 0
	if st.out != "" && st.out != "/dev/null" {
		if s.read.Path != "" {
			return s.copyOf(st)
		}
		s.put(st.out, text, st.adds)
		s.known = false
	}
	return true
}

// lineCount finds how many lines head and tail show, linesShown what sed -n shows.
var (
	lineCount  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-n?[+-]?\d+|--lines=[+-]?\d+)$`) })
	linesShown = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+|\$)(,(\d+|\$))?p$`) })
)

// shows takes a command that shows some lines of the one file that it names, or of what the step before shows. An option may have a
// value of its own.
func (s *shell) shows(st step, args []string, option func(string) bool, valued string) bool {
	file := ""
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case option != nil && option(a):
		case valued != "" && a == valued && i+1 < len(args) && option("-"+strings.TrimPrefix(args[i+1], "-")):
			i++
		case strings.HasPrefix(a, "-") || file != "":
			return false
		default:
			file = a
		}
	}
	if st.piped {
		s.read.Part = true
		return file == "" && s.read.Path != "" && s.reads == 1
	}
	s.read = Read{Path: s.path(file), Part: true}
	s.reads++
	return file != ""
}

// put is the edit of a redirection.
func (s *shell) put(file, text string, adds bool) {
	if adds {
		s.list = append(s.list, appended(s.path(file), text))
		return
	}
	s.list = append(s.list, write(s.path(file), text))
}

// copyOf takes cat of a file into another.
func (s *shell) copyOf(st step) bool {
	if st.adds || s.read.Part || s.reads > 1 {
		return false
	}
	s.list = append(s.list, Edit{Op: Copy, Path: s.read.Path, To: s.path(st.out)})
	s.read, s.reads = Read{}, 0
	return true
}

// cat takes a here-document, or the one file that it shows.
func (s *shell) cat(st step, args []string) (string, bool) {
	switch {
	case len(args) == 0 || len(args) == 1 && args[0] == "-":
		if st.heard {
			s.mixed = true
			return st.in, true
		}
		return s.pipe, st.piped && s.known
	case len(args) == 1 && !strings.HasPrefix(args[0], "-"):
		s.read = Read{Path: s.path(args[0])}
		s.reads++
		return "", !st.heard
	}
	return "", false
}

func (s *shell) tee(st step, args []string) bool {
	text := st.in
	if st.piped {
		text = s.pipe
	}
	if !st.heard && (!st.piped || !s.known) || st.out != "" && st.out != "/dev/null" {
		return false
	}
	adds := false
	for _, a := range args {
		switch {
		case a == "-a" || a == "--append":
			adds = true
		case strings.HasPrefix(a, "-"):
			return false
		default:
			s.put(a, text, adds)
		}
	}
	return true
}

// change takes a command that changes files.
func (s *shell) change(name string, args []string) bool {
	options, files := "", []string{}
	for i, a := range args {
		switch {
		case a == "--":
			files = append(files, args[i+1:]...)
		case strings.HasPrefix(a, "--"):
			return false
		case strings.HasPrefix(a, "-") && len(a) > 1 && name != "sed":
			options += a[1:]
			continue
		default:
			files = append(files, a)
			continue
		}
		break
	}
	only := func(letters string) bool { return strings.Trim(options, letters) == "" }
	switch name {
	case "cd":
		if len(files) != 1 || options != "" {
			return false
		}
		s.dir = s.path(files[0])
		return true
	case "true", ":", "test":
		return true
	case "ls", "wc", "pwd":
		s.mixed = true
		return true
	case "rm", "rmdir":
		for _, f := range files {
			s.list = append(s.list, Edit{Op: Delete, Path: s.path(f), Maybe: strings.Contains(options, "f")})
		}
		return only("rfvRid") && len(files) > 0
	case "mkdir":
		for _, f := range files {
			s.list = append(s.list, Edit{Op: Folder, Path: s.path(f)})
		}
		return only("pv") && len(files) > 0
	case "touch":
		for _, f := range files {
			s.list = append(s.list, Edit{Path: s.path(f), Change: func(before string, _ bool) (string, bool) { return before, true }})
		}
		return options == "" && len(files) > 0
	case "mv", "cp":
		op := Move
		if name == "cp" {
			op = Copy
		}
		if len(files) < 2 {
			return false
		}
		to := files[len(files)-1]
		for _, f := range files[:len(files)-1] {
			e := Edit{Op: op, Path: s.path(f), To: s.path(to)}
			if strings.HasSuffix(to, "/") || len(files) > 2 { // a folder
				e.To = strings.TrimSuffix(e.To, "/") + "/" + path.Base(f)
			}
			s.list = append(s.list, e)
		}
		return only("rRafpv")
	}
	return false
}

// sed takes sed -i with substitutions.
func (s *shell) sed(args []string) bool {
	var scripts, files []string
	inPlace, extended := false, false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-i" && i+1 < len(args) && args[i+1] == "":
			inPlace = true // of macOS
			i++
		case a == "-i" || a == "--in-place":
			inPlace = true
		case a == "-E" || a == "-r":
			extended = true
		case a == "-e" && i+1 < len(args):
			i++
			scripts = append(scripts, args[i])
		case strings.HasPrefix(a, "-"):
			return false
		case len(scripts) == 0:
			scripts = append(scripts, a)
		default:
			files = append(files, a)
		}
	}
	if !inPlace || len(files) == 0 {
		return false
	}
	for _, script := range scripts {
		change, ok := substitution(script, extended)
		if !ok {
			return false
		}
		for _, f := range files {
			s.list = append(s.list, inside(s.path(f), change))
		}
	}
	return true
}

// substitution reads s/old/new/ with g; or NNd and $d, which delete lines.
func substitution(script string, extended bool) (func(string) (string, bool), bool) {
	if n, err := strconv.Atoi(strings.TrimSuffix(script, "d")); err == nil && strings.HasSuffix(script, "d") && n > 0 {
		return func(text string) (string, bool) {
			lines := strings.SplitAfter(text, "\n")
			if n <= len(lines) {
				lines = append(lines[:n-1:n-1], lines[n:]...)
			}
			return strings.Join(lines, ""), true
		}, true
	}
	if len(script) < 4 || script[0] != 's' || script[1] == '\\' || script[1] == '\n' {
		return nil, false
	}
	parts := cut(script[2:], script[1])
	if len(parts) != 3 || strings.Trim(parts[2], "g") != "" {
		return nil, false
	}
	old, ok := expression(parts[0], extended)
	if !ok {
		return nil, false
	}
	find, err := regexp.Compile(old)
	if err != nil {
		return nil, false
	}
	with, ok := replacement(parts[1])
	if !ok {
		return nil, false
	}
	all := parts[2] != ""
	return func(text string) (string, bool) {
		lines := strings.SplitAfter(text, "\n")
		for i, l := range lines {
			line, end := strings.CutSuffix(l, "\n")
			if l == "" {
				continue
			}
			line = replaced(find, line, with, all)
			if end {
				line += "\n"
			}
			lines[i] = line
		}
		return strings.Join(lines, ""), true
	}, true
}

// replaced is a line with its first match replaced by a text, or all of them.
func replaced(find *regexp.Regexp, line, with string, all bool) string {
	if all {
		return find.ReplaceAllString(line, with)
	}
	at := find.FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	return line[:at[0]] + string(find.ExpandString(nil, with, line, at)) + line[at[1]:]
}

// cut splits at a character that no backslash is before.
func cut(text string, at byte) (parts []string) {
	var part strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			if text[i+1] != at {
				part.WriteByte('\\')
			}
			i++
			part.WriteByte(text[i])
		case text[i] == at:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(text[i])
		}
	}
	return append(parts, part.String())
}

// expression is a regular expression of sed as ours; false: it has what differs.
func expression(old string, extended bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(old); i++ {
		c := old[i]
		switch {
		case c == '\\' && i+1 < len(old):
			i++
			switch next := old[i]; {
			case !extended && strings.IndexByte("(){}+?|", next) >= 0:
				b.WriteByte(next)
			case strings.IndexByte("nt.*[]^$/\\-(){}+?|&#\"'", next) >= 0:
				b.WriteString(`\` + string(next))
				if next == '&' || next == '#' || next == '"' || next == '\'' || next == '/' {
					b.Reset()
					return "", false
				}
			default:
				return "", false
			}
		case !extended && strings.IndexByte("(){}+?|", c) >= 0:
			b.WriteString(`\` + string(c))
		case c == '[':
			end := strings.IndexByte(old[i:], ']')
			if end < 2 || strings.Contains(old[i:i+end], "[:") || strings.Contains(old[i:i+end], `\`) {
				return "", false
			}
			b.WriteString(old[i : i+end+1])
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), b.Len() > 0
}

// replacement is that of sed as ours.
func replacement(with string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(with); i++ {
		switch c := with[i]; {
		case c == '$':
			b.WriteString("$$")
		case c == '&':
			b.WriteString("${0}")
		case c != '\\':
			b.WriteByte(c)
		case i+1 == len(with):
			return "", false
		default:
			i++
			switch n := with[i]; {
			case n >= '1' && n <= '9':
				b.WriteString("${" + string(n) + "}")
			case n == 'n':
				b.WriteByte('\n')
			case n == 't':
				b.WriteByte('\t')
			case n == '$':
				b.WriteString("$$")
			case n >= 'a' && n <= 'z' || n >= 'A' && n <= 'Z' || n == '0':
				return "", false
			default:
				b.WriteByte(n)
			}
		}
	}
	return b.String(), true
}

// echoed is what echo prints.
func echoed(args []string) (string, bool) {
	end, escapes := "\n", false
	for len(args) > 0 {
		switch args[0] {
		case "-n":
			end = ""
		case "-e":
			escapes = true
		case "-ne", "-en":
			end, escapes = "", true
		default:
			text := strings.Join(args, " ")
			if escapes {
				var ok bool
				if text, ok = unescaped(text); !ok {
					return "", false
				}
			}
			return text + end, true
		}
		args = args[1:]
	}
	return end, true
}

// printed is what printf prints; its format may have %s.
func printed(args []string) (string, bool) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", false
	}
	form, ok := unescaped(args[0])
	if !ok {
		return "", false
	}
	n := strings.Count(strings.ReplaceAll(form, "%%", ""), "%")
	if n != strings.Count(strings.ReplaceAll(form, "%%", ""), "%s") || n == 0 && len(args) > 1 || n > 0 && (len(args)-1)%n != 0 {
		return "", false
	}
	var b strings.Builder
	for rest := args[1:]; ; {
		parts := strings.Split(strings.ReplaceAll(form, "%%", "\x00"), "%s")
		for i, p := range parts {
			b.WriteString(strings.ReplaceAll(p, "\x00", "%"))
			if i < len(parts)-1 && len(rest) > 0 {
				b.WriteString(rest[0])
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return b.String(), true
		}
	}
}

// unescaped reads the escapes of printf.
func unescaped(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '\\', '"', '\'', '`', '$':
			b.WriteByte(text[i])
		default:
			return "", false
		}
	}
	return b.String(), true
}
