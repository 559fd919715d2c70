package cli_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path that the imports of our own packages begin with.
const module = "memcurator"

// edges says which of our packages a package may import. Keys and entries are
// folders below the module; "*" is any one segment, "/..." the folder and
// everything below. The first key that fits a package counts. What an embedder takes (memstore)
// knows nothing of the screen, and no part of the screen knows another part.
var edges = []struct {
	from string
	to   []string
}{
	{".", []string{"cli"}},
	{"cli", []string{"cli/*", "tui", "keymap", "render/...", "memstore/..."}},
	{"cli/output", []string{"render/text"}},
	{"cli/session", []string{"cli/output", "tui", "keymap", "render/...", "memstore/..."}},
	{"cli/screen", []string{"cli/session", "render/text", "tui", "memstore/..."}},
	{"tui", []string{"tui/*", "keymap", "render/...", "memstore/..."}},
	{"tui/kit/panetest", []string{"tui/kit", "keymap", "render/theme"}},
	{"tui/kit", []string{"keymap", "render/..."}},
	// What the user does to the store is confirmed first: in boxes, some with a diff or with conflicts to resolve.
	{"tui/act", []string{"tui/kit", "tui/overlay", "tui/diffpane", "tui/prompt", "keymap", "render/...", "memstore/..."}},
	// A screen, or a part of one, takes panes, what does its edits, and no screen.
	{"tui/*", []string{"tui/kit", "tui/act", "tui/editor", "tui/feed", "tui/overlay", "tui/diffpane", "tui/timeline", "tui/prompt",
		"keymap", "render/...", "memstore/..."}},
	{"keymap", nil},
	{"render/...", []string{"render/..."}},
	// The library takes its backends along; they know nothing of the commands.
	{"memstore", []string{"memstore/backend", "memstore/backend/dir", "memstore/backend/mem"}},
	{"memstore/backend", nil},
	// Looking leaves no trace, whoever looks.
	{"memstore/backend/quietfile", nil},
	{"memstore/backend/*", []string{"memstore/backend", "memstore/backend/dir", "memstore/backend/quietfile"}},
	// The memories of other programs, an adapter each, know nothing of one another.
	{"memstore/adapt", []string{"memstore/backend", "memstore/backend/dir", "memstore/backend/quietfile"}},
	{"memstore/adapt/graph", []string{"memstore", "memstore/adapt", "memstore/backend"}}, // memstore in tests
	{"memstore/programs", []string{"memstore/adapt", "memstore/adapt/*"}},
	{"memstore/adapt/*", []string{"memstore/adapt", "memstore/backend"}},
	{"memstore/memtest/...", nil},
	// The search for sensitive values knows nothing of stores.
	{"memstore/scrub/...", []string{"memstore/scrub/..."}},
	{"memstore/past", []string{"memstore", "render/diff"}},
	{"memstore/journal", []string{"memstore", "memstore/backend", "memstore/past", "memstore/search", "render/diff"}},
	// Undoing edits doesn't depend on how the record is kept: any log will do.
	{"memstore/undo", []string{"memstore", "memstore/past", "render/diff", "render/text"}},
	// Says where to look; whoever is asked to look is given to it.
	{"memstore/watch", []string{"memstore", "memstore/past"}},
	// What an index is to say of a note is in the note's front matter.
	{"memstore/index", []string{"memstore", "render/frontmatter", "render/markdown"}},
	{"memstore/lint", []string{"memstore", "memstore/index", "render/text"}},
	// A policy consists of values of the configuration, each with its origin. Lint findings appear in the same list.
	{"memstore/policy", []string{"memstore", "render/text", "render/loadlimit", "memstore/past",
		"memstore/journal", "memstore/undo", "memstore/upkeep", "memstore/config", "memstore/lint", "memstore/index", "memstore/load"}},
	// Indexes and links follow an act of the curator, in its group.
	{"memstore/upkeep", []string{"memstore", "memstore/index", "memstore/undo", "render/text"}},
	{"memstore/transcript", []string{"memstore/journal", "memstore", "memstore/backend/quietfile", "render/text", "memstore/past"}},
	// A purge covers every state folder that may hold the past of the store.
	{"memstore/findings", []string{"memstore", "memstore/backend", "memstore/scrub", "memstore/scrub/redact", "memstore/scrub/rule",
		"memstore/past", "memstore/journal", "memstore/statedir", "memstore/git", "render/text"}},
	{"memstore/scrubguard", []string{"memstore", "render/text", "memstore/scrub", "memstore/scrub/redact", "memstore/scrub/rule"}},
	// What git did becomes part of the record.
	{"memstore/git", []string{"memstore", "memstore/past", "render/text"}},
	// What git and the disk have of a project answers the lint.
	{"memstore/project", []string{"memstore", "memstore/git", "memstore/lint"}},
	{"memstore/mcpserver", []string{"memstore", "memstore/journal"}},
	{"memstore/config", []string{"memstore", "render/loadlimit", "render/text"}},
	{"memstore/search", []string{"memstore", "render/text"}},
	{"memstore/load", []string{"memstore", "memstore/backend", "memstore/backend/*", "memstore/index", "render/loadlimit", "render/text"}},
	{"memstore/discover", []string{"memstore", "memstore/load", "memstore/backend", "memstore/backend/files", "memstore/backend/quietfile",
		"memstore/programs"}},
	// The overview joins what the packages know of each store.
	{"memstore/overview", []string{"memstore", "memstore/backend", "memstore/backend/files", "memstore/config", "memstore/discover",
		"memstore/findings", "memstore/index", "memstore/journal", "memstore/load", "memstore/past", "memstore/policy", "memstore/scrub",
		"memstore/watch", "render/text", "render/loadlimit"}},
	{"memstore/bundle", []string{"memstore", "memstore/backend", "memstore/backend/quietfile"}},
	// A transfer is undone by the journals of both stores, and follows the rules of both.
	{"memstore/transfer", []string{"memstore", "memstore/backend", "memstore/past", "memstore/undo", "memstore/policy", "memstore/config",
		"memstore/journal", "memstore/index", "memstore/load", "render/diff", "render/text"}},
	{"memstore/*", []string{"memstore"}},
}

// Test material may be imported by every test, and by the package with the command
// that tries the vectors on other programs.
const (
	testMaterial = "memstore/memtest/..."
	testStage    = "tui/kit/panetest"
	triesOthers  = "cli"
)

// goFile is one file and what it imports.
type goFile struct {
	folder  string // of its package, slash-separated, "." for the top
	name    string
	imports []string
}

func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range moduleFiles(t) {
		seen[f.folder] = true
		for _, imported := range f.imports {
			if reason := judge(f, imported); reason != "" {
				t.Errorf("%s imports %s: %s", path.Join(f.folder, f.name), imported, reason)
			}
		}
	}
	if !seen["memstore"] || !seen["cli"] {
		t.Errorf("the walk did not see the module: %v", seen)
	}
}

// judge returns what is wrong with one import, "" where it is allowed.
func judge(f goFile, imported string) string {
	if imported == module || strings.HasPrefix(imported, module+"/") {
		return judgeOwn(f, folderOf(imported))
	}
	return judgeForeign(f, imported)
}

func judgeOwn(f goFile, to string) string {
	for _, e := range edges {
		if !fits(e.from, f.folder) {
			continue
		}
		if to == testStage || fits(testMaterial, to) && f.folder != triesOthers {
			return "only tests import test material"
		}
		if !slices.ContainsFunc(e.to, func(pattern string) bool { return fits(pattern, to) }) {
			return "this edge is not in the table of who may import whom"
		}
		return ""
	}
	return "the importing package is not in the table of who may import whom"
}

func judgeForeign(f goFile, imported string) string {
	domain, _, _ := strings.Cut(imported, "/")
	standard := !strings.Contains(domain, ".")
	charm := domain == "charm.land" || strings.HasPrefix(imported, "github.com/charmbracelet/")
	ansi := imported == "github.com/charmbracelet/x/ansi"
	switch {
	case imported == "net/url" || imported == "net/netip": // they only take addresses apart
		return ""
	case imported == "net" || strings.HasPrefix(imported, "net/"):
		return "nothing of ours reaches the network"
	case standard:
		return ""
	case slices.Contains([]string{"memstore", "memstore/backend", "memstore/backend/dir", "memstore/backend/mem", "memstore/backend/quietfile",
		"memstore/memtest"}, f.folder):
		return "the library's own package takes the standard library only"
	case strings.Contains(imported, "sqlite") &&
		!slices.Contains([]string{"memstore/journal", "memstore/adapt/tables", "memstore/memtest/dbtest"}, f.folder):
		return "only the journal's database and the databases of other programs know SQLite"
	case strings.Contains(imported, "fsnotify") && f.folder != "memstore/watch":
		return "only the watcher knows fsnotify"
	case strings.Contains(imported, "goldmark") && f.folder != "render/markdown" && f.folder != "memstore/index":
		return "only render/markdown and memstore/index know the Markdown parser"
	case charm && fits("memstore/...", f.folder):
		return "the library must not know a terminal"
	case charm && !ansi && f.folder != "render/theme" && fits("render/...", f.folder):
		return "packages that turn bytes into rows must not know widgets"
	}
	return ""
}

// folderOf is the folder of one of our import paths.
func folderOf(imported string) string {
	if imported == module {
		return "."
	}
	return strings.TrimPrefix(imported, module+"/")
}

// fits reports whether folder is what pattern means.
func fits(pattern, folder string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return folder == base || strings.HasPrefix(folder, base+"/")
	}
	ok, err := path.Match(pattern, folder)
	return ok && err == nil
}

// moduleRoot is the folder that holds go.mod, as it is before TestMain changes the working directory.
var moduleRoot, _ = filepath.Abs("..")

// moduleFiles are the Go files of the module. What its tests import to check against is their own affair.
func moduleFiles(t *testing.T) (files []goFile) {
	t.Helper()
	root := moduleRoot
	err := filepath.WalkDir(root, func(disk string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if disk != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			// A folder with a go.mod of its own is another module, with its own rules.
			if _, err := os.Stat(filepath.Join(disk, "go.mod")); err == nil && disk != root {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(disk))
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), disk, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		f := goFile{folder: filepath.ToSlash(folder), name: name}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, imported)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
