package memstore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// VSCode is the dialect of the memory tool of GitHub Copilot in VS Code: what its own handlers answer and do with the files on this
// machine, except as listed in docs/dialects.md.
var VSCode = Dialect{&vscodeRules}

// vscodeRules follows extensions/copilot/src/extension/tools/node/memoryTool.tsx of microsoft/vscode, commit 0c9fc892 (2026). The tool
// flags no errors: texts that begin without "Error: " are its own all the same.
var vscodeRules = docsRules.but(func(r *rules) {
	r.name = "vscode"

	r.listHeader = "Here are the files and directories up to 2 levels deep in {p}, excluding hidden items:"
	r.rangeHeader = "Here's the content of {p} (lines {from}-{to}) with line numbers:"
	r.replaced = "The memory file has been edited. Here's the result of running `cat -n` on a snippet of {p}:"
	r.inserted = ""
	r.insertedRows = true
	r.snippetReach = 4
	r.nothingToInsert = "Error: Missing required insert_text parameter for insert."

	r.missing = map[string]string{
		CmdView:       "No memories found in {p}.",
		CmdStrReplace: sdkMissing,
		CmdInsert:     missingShort,
		CmdDelete:     missingShort,
		CmdRename:     missingShort,
	}
	r.failures = slices.Concat([]failureText{
		{errNoPath, "Error: Missing required path parameter."},
		{errDotDot, "Error: Path traversal is not allowed"},
		{backend.ErrPrefix, "Error: All memory paths must start with " + backend.Root + "/"},
	}, docsRules.failures)
	r.manyMatches += "."
	r.insertRange += "."

	r.parse = vscodeParse
	r.echo = echoRaw

	r.listing = vscodeListing
	r.appendSize = func(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
	r.dirSize = func(i backend.Info) int64 { return i.Size }
	r.hidden = func(name string) bool { return name == "" || name[0] == '.' }

	r.decode = vscodeDecode
	r.askedRows = vscodeAskedRows
	r.checkRange = vscodeCheckRange
	r.viewRows = sdkViewRows
	r.number = jsNumber

	r.find = vscodeFind
	r.substitute = vscodeSubstitute
	r.insertAt = jsInsertAt

	r.renameChecks = []func(*renaming) *Error{
		(*renaming).notAcrossScopes, (*renaming).notRoot, (*renaming).hasSource, (*renaming).notTaken,
		(*renaming).notInside, (*renaming).hasParents, (*renaming).notIntoItself,
	}
})

var errNoPath = errors.New("the path is empty")

// vscodeParse refuses two dots anywhere, even inside a name, and a segment ".".
func vscodeParse(raw string) (string, error) {
	if raw == "" {
		return "", &backend.PathError{Path: raw, Err: errNoPath}
	}
	if err := backend.CheckSent(raw); err != nil {
		return "", err
	}
	rest, below := strings.CutPrefix(raw, backend.Root)
	if !below || rest != "" && rest[0] != '/' {
		return "", &backend.PathError{Path: raw, Err: backend.ErrPrefix}
	}
	if strings.Contains(rest, "..") {
		return "", &backend.PathError{Path: raw, Err: errDotDot}
	}
	var segments []string
	for segment := range strings.SplitSeq(rest, "/") {
		switch segment {
		case "":
		case ".":
			return "", &backend.PathError{Path: raw, Err: errDotDot}
		default:
			segments = append(segments, segment)
		}
	}
	if len(segments) == 0 {
		return ".", nil
	}
	if strings.ContainsFunc(raw, unicode.IsControl) {
		return "", &backend.PathError{Path: raw, Err: backend.ErrControl}
	}
	name := strings.Join(segments, "/")
	if err := backend.CheckLength(raw, name); err != nil {
		return "", err
	}
	return name, nil
}

// The tool keeps three scopes apart: notes of the user, of the chat session and of the repository. In a store the last two are these
// folders; everything else belongs to the user.
const (
	vscodeSession = "session"
	vscodeRepo    = "repo"
)

// vscodeScope is the scope of a path as it was sent.
func vscodeScope(raw string) string {
	for _, scope := range []string{vscodeSession, vscodeRepo} {
		if at := backend.Root + "/" + scope; raw == at || strings.HasPrefix(raw, at+"/") {
			return scope
		}
	}
	return "user"
}

var errScopes = errors.New("the paths are in different scopes")

func (m *renaming) notAcrossScopes() *Error {
	if vscodeScope(m.from.raw) == vscodeScope(m.to.raw) {
		return nil
	}
	return saying(m.c.Name, m.from, errScopes, "Error: Cannot rename across different memory scopes.")
}

// vscodeListing shows the root as a list of paths, any other folder with the sizes of its files, folders first.
func vscodeListing(l *lister, t target, entries []backend.Info) ([]byte, error) {
	if t.raw == backend.Root || t.raw == backend.Root+"/" {
		return vscodeRoot(l, t, entries), nil
	}
	out := fill(l.store.rules.listHeader, "p", t.show) + "\n"
	return vscodeFolder(l, []byte(out), dirAt{t.name, t.show}, entries, 0), nil
}

// vscodeRoot lists the notes of the user, then the two other scopes, whose headings appear even if they are empty.
func vscodeRoot(l *lister, t target, entries []backend.Info) []byte {
	var out []byte
	empty := true
	list := func(dir string, entries []backend.Info) {
		for _, e := range vscodeShownEntries(l, dirAt{name: dir}, entries) {
			path := backend.AgentPath(backend.JoinName(dir, e.Name))
			switch {
			case dir == "." && (e.Name == vscodeSession || e.Name == vscodeRepo): // scopes, below
				continue
			case dir == vscodeSession && (e.Kind != backend.KindFile || e.linked):
				continue
			case e.folder():
				path += "/"
			}
			out = append(append(out, '\n'), path...)
			empty = false
		}
	}
	list(".", entries)
	for _, scope := range []string{vscodeSession, vscodeRepo} {
		out = append(append(out, '\n'), backend.AgentPath(scope)+"/"...)
		if below, err := l.store.backend.ReadDir(scope); err == nil {
			list(scope, below)
		}
	}
	if empty {
		return []byte("No memories found.")
	}
	return append([]byte("Here are the files and directories in "+t.show+":"), out...)
}

// vscodeEntry is an entry of a listing. The tool treats a link to a folder as a file.
type vscodeEntry struct {
	backend.Info
	linked bool
}

func (e vscodeEntry) folder() bool { return e.Kind == backend.KindDir && !e.linked }

// vscodeShownEntries are the entries that a listing shows, by name.
func vscodeShownEntries(l *lister, at dirAt, entries []backend.Info) []vscodeEntry {
	links := map[string]bool{}
	for _, e := range entries {
		if e.Kind == backend.KindLink {
			links[e.Name] = true
		}
	}
	shown := l.shown(at, entries)
	list := make([]vscodeEntry, len(shown))
	for i, e := range shown {
		list[i] = vscodeEntry{e, links[e.Name]}
	}
	return list
}

// vscodeFolder writes the rows of a folder and, indented, of those in it. A folder called repo is left out wherever it is.
func vscodeFolder(l *lister, dst []byte, at dirAt, entries []backend.Info, depth int) []byte {
	indent := strings.Repeat("  ", depth)
	if !strings.HasSuffix(at.show, "/") {
		at.show += "/"
	}
	shown := vscodeShownEntries(l, at, entries)
	slices.SortStableFunc(shown, func(a, b vscodeEntry) int {
		switch {
		case a.folder() == b.folder():
			return 0
		case a.folder():
			return -1
		}
		return 1
	})
	first := true
	row := func(text string) {
		if !first || depth > 0 {
			dst = append(dst, '\n')
		}
		dst, first = append(dst, indent+text...), false
	}
	for _, e := range shown {
		switch {
		case e.Name == vscodeRepo, at.name == "." && e.Name == vscodeSession:
		case !utf8.ValidString(e.Name): // the runtime can't find it by the name that it returned
			row(e.Name)
		case !e.folder():
			size := e.Size
			if e.Kind == backend.KindDir {
				size = l.store.rules.dirSize(e.Info)
			}
			row(strconv.FormatInt(size, 10) + "\t" + at.show + e.Name)
		default:
			row(e.Name + "/")
			if depth+1 == listDepth || l.ctx.Err() != nil {
				continue
			}
			if below, err := l.store.backend.ReadDir(backend.JoinName(at.name, e.Name)); err == nil {
				dst = vscodeFolder(l, dst, dirAt{backend.JoinName(at.name, e.Name), at.show + e.Name}, below, depth+1)
			}
		}
	}
	return dst
}

// byteOrderMark is removed by the decoder of the platform, in a view and in an edit.
var byteOrderMark = []byte("\uFEFF")

func vscodeDecode(data []byte) (text []byte, lossy bool, err error) {
	text, lossy, err = tsDecode(data)
	return bytes.TrimPrefix(text, byteOrderMark), lossy, err
}

// vscodeAskedRows reads the first two numbers; vscodeCheckRange checks them.
func vscodeAskedRows(r viewRange) (rows [2]int, ok bool) {
	if len(r.numbers) < 2 {
		return [2]int{1, maxRows}, true
	}
	return [2]int{max(1, r.numbers[0]), max(0, r.numbers[1])}, true
}

// vscodeCheckRange: an end of -1 is out of range too.
func vscodeCheckRange(r viewRange, rows int) string {
	if len(r.numbers) < 2 {
		return ""
	}
	start, end := r.numbers[0], r.numbers[1]
	said := func(side string, i, from int) string {
		n := strconv.Itoa(r.numbers[i])
		if r.sent != nil && r.sent[i] != "" {
			n = jsNumber(r.sent[i])
		}
		return fmt.Sprintf("Error: Invalid view_range: %s line %s is out of range [%d, %d].", side, n, from, rows)
	}
	switch {
	case start < 1 || start > rows:
		return said("start", 0, 1)
	case end < start || end > rows:
		return said("end", 1, start)
	}
	return ""
}

// vscodeFind counts matches that overlap, and lists a line once for each match that begins on it. An empty old never matches: the original
// does not return.
func vscodeFind(text []byte, old string) (at int, lines []int) {
	if old == "" {
		return -1, nil
	}
	needle := []byte(old)
	at = bytes.Index(text, needle)
	if at < 0 {
		return -1, nil
	}
	lines = slices.Collect(linesFrom(text, at, func(pos int) int { return indexFrom(text, needle, pos+1) }))
	if len(lines) < 2 {
		return at, nil
	}
	return at, lines
}

// vscodeSubstitute replaces as JavaScript does if the text to find is a string: "$$" is a dollar sign, "$&" the match, and a dollar sign
// before a backtick or an apostrophe is the text before or after the match.
func vscodeSubstitute(newStr string, text []byte, at, size int) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(newStr, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		newStr = after
		if after == "" {
			out.WriteByte('$')
			continue
		}
		newStr = after[1:]
		switch after[0] {
		case '$':
			out.WriteByte('$')
		case '&':
			out.Write(text[at : at+size])
		case '`':
			out.Write(text[:at])
		case '\'':
			out.Write(text[at+size:])
		default:
			out.WriteByte('$')
			newStr = after
		}
	}
}
