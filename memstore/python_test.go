package memstore

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// pyModel is the Python SDK's tool in the plainest words: a map from names to texts, nil
// for a directory, without links. Everything goes over whole texts and lists, and
// nothing is shared with the handlers.
type pyModel map[string]*string

type pyError string

func (m pyModel) do(c Command) (content string, failed bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case pyError:
			content, failed = string(e), true
		default:
			panic(e)
		}
	}()
	switch c.Name {
	case CmdView:
		return m.view(c), false
	case CmdCreate:
		return m.create(c), false
	case CmdStrReplace:
		return m.replace(c), false
	case CmdInsert:
		return m.insert(c), false
	case CmdDelete:
		return m.remove(c), false
	}
	return m.rename(c), false
}

func raise(format string, args ...any) { panic(pyError(fmt.Sprintf(format, args...))) }

func (m pyModel) path(p string) string {
	rest, below := strings.CutPrefix(p, "/memories")
	switch {
	case strings.ContainsFunc(p, unicode.IsControl) && below:
		raise("Error: Path %s contains control characters", p)
	case !below:
		raise("Path must start with /memories, got: %s", p)
	case rest != "" && rest[0] != '/':
		raise("Error: Path must start with /memories, got: %s", p)
	}
	clean := path.Join("/base/memories", rest)
	if clean != "/base/memories" && !strings.HasPrefix(clean, "/base/memories/") {
		raise("Path %s would escape /memories directory", p)
	}
	return strings.TrimPrefix(strings.TrimPrefix(clean, "/base/memories"), "/")
}

func (m pyModel) has(name string) bool { _, ok := m[name]; return ok || name == "" }
func (m pyModel) isFile(name string) bool {
	return m[name] != nil
}

// text is what Python reads.
func (m pyModel) text(p string) (name, text string) {
	name = m.path(p)
	if !m.has(name) {
		raise("The path %s does not exist. Please provide a valid path.", p)
	}
	if !m.isFile(name) {
		raise("The path %s is not a file.", p)
	}
	return name, universal(*m[name])
}

func universal(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func (m pyModel) parents(name string) []string {
	var list []string
	for d := path.Dir(name); d != "."; d = path.Dir(d) {
		list = append([]string{d}, list...)
	}
	return list
}

func (m pyModel) mkdirs(p, name string) {
	for _, d := range m.parents(name) {
		if m.isFile(d) {
			raise("Error: Cannot create %s, because /memories/%s is not a directory", p, d)
		}
	}
	for _, d := range m.parents(name) {
		m[d] = nil
	}
}

func (m pyModel) view(c Command) string {
	name := m.path(c.Path)
	if !m.has(name) {
		raise("The path %s does not exist. Please provide a valid path.", c.Path)
	}
	if m.isFile(name) {
		if !utf8.ValidString(*m[name]) {
			raise("Error: File %s is not valid UTF-8 text", c.Path)
		}
		lines := strings.Split(universal(*m[name]), "\n")
		if len(lines) > 999_999 {
			raise("File %s exceeds maximum line limit of 999,999 lines.", c.Path)
		}
		first, last := 0, len(lines)
		if len(c.ViewRange) == 2 {
			first = max(1, c.ViewRange[0]) - 1
			if last = c.ViewRange[1]; last == -1 {
				last = len(lines)
			} else if last < 0 {
				last = max(0, len(lines)+last)
			}
		}
		var rows []string
		for i := first; i < min(last, len(lines)); i++ {
			rows = append(rows, fmt.Sprintf("%6d\t%s", i+1, lines[i]))
		}
		return "Here's the content of " + c.Path + " with line numbers:\n" + strings.Join(rows, "\n")
	}
	rows := []string{
		"Here're the files and directories up to 2 levels deep in " + c.Path + ", excluding hidden items:",
		"4K\t" + c.Path,
	}
	var names []string
	for n := range m {
		names = append(names, n)
	}
	// A directory comes before its entries, and all of those before the next name.
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	for _, n := range names {
		rel := n
		if name != "" {
			var below bool
			if rel, below = strings.CutPrefix(n, name+"/"); !below {
				continue
			}
		}
		if strings.Count(rel, "/") > 1 || strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") {
			continue
		}
		if m[n] == nil {
			rows = append(rows, "4K\t"+c.Path+"/"+rel+"/")
		} else {
			rows = append(rows, pySize(len(*m[n]))+"\t"+c.Path+"/"+rel)
		}
	}
	return strings.Join(rows, "\n")
}

// pySize divides by 1024 up to three times; what comes out whole is written without decimals.
func pySize(bytes int) string {
	size, unit := float64(bytes), 0
	for size >= 1024 && unit < 3 {
		size, unit = size/1024, unit+1
	}
	if size == float64(int(size)) {
		return strconv.Itoa(int(size)) + "BKMG"[unit:unit+1]
	}
	return fmt.Sprintf("%.1f", size) + "BKMG"[unit:unit+1]
}

func (m pyModel) create(c Command) string {
	name := m.path(c.Path)
	if name != "" {
		m.mkdirs(c.Path, name)
	}
	if m.has(name) {
		raise("File %s already exists", c.Path)
	}
	m[name] = &c.FileText
	return "File created successfully at: " + c.Path
}

func (m pyModel) replace(c Command) string {
	name, text := m.text(c.Path)
	runes, old := []rune(text), []rune(c.OldStr)
	var lines []string // of every place where old begins
	line := 1
	for i := 0; i+len(old) <= len(runes); i++ {
		if slices.Equal(runes[i:i+len(old)], old) {
			lines = append(lines, strconv.Itoa(line))
		}
		if i < len(runes) && runes[i] == '\n' {
			line++
		}
	}
	switch n := strings.Count(text, c.OldStr); {
	case n == 0:
		raise("No replacement was performed, old_str `%s` did not appear verbatim in %s.", c.OldStr, c.Path)
	case n > 1:
		raise("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique",
			c.OldStr, strings.Join(lines, ", "))
	}
	before, after, _ := strings.Cut(text, c.OldStr)
	text = before + c.NewStr + after
	m[name] = &text
	at, all := strings.Count(before, "\n"), strings.Split(text, "\n")
	rows := []string{"The memory file has been edited. Here is the snippet showing the change (with line numbers):"}
	for i := max(0, at-2); i < min(len(all), at+3); i++ {
		rows = append(rows, fmt.Sprintf("%6d\t%s", i+1, all[i]))
	}
	return strings.Join(rows, "\n")
}

func (m pyModel) insert(c Command) string {
	name, text := m.text(c.Path)
	for _, end := range []string{"\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"} {
		text = strings.ReplaceAll(text, end, "\n")
	}
	var lines []string
	if text != "" {
		lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	if c.InsertLine < 0 || c.InsertLine > len(lines) {
		n := strconv.Itoa(c.InsertLine)
		if c.sentLine != "" {
			n = c.sentLine
		}
		if f, err := strconv.ParseFloat(n, 64); err == nil && strings.ContainsRune(n, 'e') {
			n = fmt.Sprint(f)
		}
		raise("Invalid `insert_line` parameter: %s. It should be within the range [0, %d].", n, len(lines))
	}
	lines = slices.Insert(lines, c.InsertLine, strings.TrimRight(c.InsertText, "\n"))
	text = strings.Join(lines, "\n")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	m[name] = &text
	return "The file " + c.Path + " has been edited."
}

// move takes name and what is below it to another name; "" removes it.
func (m pyModel) move(name, to string) {
	for n, text := range m {
		if n == name || strings.HasPrefix(n, name+"/") {
			delete(m, n)
			if to != "" {
				defer func() { m[to+n[len(name):]] = text }()
			}
		}
	}
}

func (m pyModel) remove(c Command) string {
	name := m.path(c.Path)
	if name == "" {
		raise("Cannot delete the /memories directory itself")
	}
	if !m.has(name) {
		raise("The path %s does not exist", c.Path)
	}
	m.move(name, "")
	return "Successfully deleted " + c.Path
}

func (m pyModel) rename(c Command) string {
	from, to := m.path(c.OldPath), m.path(c.NewPath)
	if m.has(to) {
		raise("The destination %s already exists", c.NewPath)
	}
	switch blocked := slices.IndexFunc(m.parents(to), m.isFile) >= 0; {
	case from == "" && !blocked:
		m.mkdirs(c.NewPath, to)
		fallthrough
	case from == "":
		raise("Error: Cannot rename the /memories directory itself")
	case strings.HasPrefix(to, from+"/"):
		if !blocked {
			m.mkdirs(c.NewPath, to)
		}
		raise("Error: Cannot rename %s to %s, which is inside it", c.OldPath, c.NewPath)
	case !m.has(from):
		if !blocked {
			m.mkdirs(c.NewPath, to)
		}
		raise("The path %s does not exist", c.OldPath)
	}
	m.mkdirs(c.NewPath, to)
	m.move(from, to)
	return "Successfully renamed " + c.OldPath + " to " + c.NewPath
}

func (m pyModel) tree() string {
	var rows []string
	for n, text := range m {
		if text == nil {
			rows = append(rows, n+"/")
		} else {
			rows = append(rows, fmt.Sprintf("%s %q", n, *text))
		}
	}
	slices.Sort(rows)
	return strings.Join(rows, "\n")
}

// modelTree is the tree of a store as the model writes it.
func modelTree(t *testing.T, b backend.Backend) string {
	t.Helper()
	m := pyModel{}
	var walk func(dir string)
	walk = func(dir string) {
		list, err := b.ReadDir(dir)
		must(t, err)
		for _, e := range list {
			at := backend.JoinName(dir, e.Name)
			if e.Kind == backend.KindDir {
				m[at] = nil
				walk(at)
				continue
			}
			data, err := backend.ReadFile(b, at, backend.Look, editLimit)
			must(t, err)
			text := string(data)
			m[at] = &text
		}
	}
	walk(".")
	return m.tree()
}

// The python dialect does what the model does, on random commands without links.
func TestPythonModel(t *testing.T) {
	t.Parallel()
	names := []string{
		"", "/", "/a", "/b", "/d", "/d/", "/d/a", "/d/e", "/d/e/f", "/d/e/f/g", "/.h", "/.h/x", "/node_modules", "/node_modules/x", "//a",
		"/./d//a",
		"/a/x", "/d/../a", "/../memories/b", "/../x", "/d/../../y", "/%2e%2e/x", "/..\\x", "_evil", "/t\tb", "/\U0001F642", "/\uFB01",
		"/none/x", "/p/q/r",
	}
	texts := []string{
		"", "\n", "\n\n", "a", "a\n", "a\nb\n", "a a\n", "aa", "aaaa\naa\n", "x\r\ny\rz", "\u2028", "\v\f\x1c\u0085", "日本語", "日", "$&",
		"\r", "b\n\n\n", "end",
	}
	r := rand.New(rand.NewPCG(4, 12))
	name := func() string {
		if r.IntN(20) == 0 {
			return []string{"", "/etc", "memories/a", "/mem"}[r.IntN(4)]
		}
		return backend.Root + names[r.IntN(len(names))]
	}
	text := func() string { return texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))] }
	var s *Store
	var m pyModel
	for step := range 4_000 {
		if step%200 == 0 {
			s, m = New(NewMemory(), Options{Dialect: Python, DirSize: 4096}), pyModel{}
		}
		var c Command
		switch r.IntN(7) {
		case 0:
			c = Command{Name: CmdView, Path: name()}
			if r.IntN(2) == 0 {
				c.ViewRange = make([]int, r.IntN(4))
				for i := range c.ViewRange {
					c.ViewRange[i] = r.IntN(9) - 4
				}
			}
		case 1, 2:
			c = Command{Name: CmdCreate, Path: name(), FileText: text() + text()}
		case 3:
			c = Command{Name: CmdStrReplace, Path: name(), OldStr: texts[r.IntN(len(texts))], NewStr: text()}
		case 4:
			c = Command{Name: CmdInsert, Path: name(), InsertLine: r.IntN(7) - 1, InsertText: text()}
		case 5:
			c = Command{Name: CmdDelete, Path: name()}
		default:
			c = Command{Name: CmdRename, OldPath: name(), NewPath: name()}
		}
		before := m.tree()
		want, failed := m.do(c)
		got := s.Do(t.Context(), c)
		if got.Content != want || got.IsError != failed || modelTree(t, s.Backend()) != m.tree() {
			t.Fatalf("step %d %+v\n got %v %q\nwant %v %q\nbefore:\n%s\nours:\n%s\nmodel:\n%s",
				step, c, got.IsError, got.Content, failed, want, before, modelTree(t, s.Backend()), m.tree())
		}
	}
}
