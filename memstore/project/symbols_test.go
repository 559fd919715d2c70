package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/lint"
)

func TestDefinitions(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"func <parseFlags>(args []string) error {", "func (s *Store) <Reopen>() {", "func <mapAll>[T any](x T)", "def <parse_it>(self):",
		"  async def <parse_it>(a,", "export function <loadAll>() {", "export default async function <loadAll>(", "pub fn <open_it>(x: u8)",
		"class <FooStore>:", "class <FooStore>(Base):", "export class <FooStore> extends Base {", "public final class <FooStore> {",
		"struct <ferry_row> {", "interface <FerryRow> {", "type <FerryRow> struct {", "export type <FerryRow> = {",
		"type <FerryRow>[T any] struct {", "export const <loadAll> = async () => {", "const <MAX_ROWS> = 5", "let <openRows>: number = 5;",
		"<MAX_ROWS> = 5", "\t<KindOne> = iota", "export <LOG_LEVEL>=debug", "<LOG_LEVEL>=debug", "#define <MAX_ROWS> 5", "# define <MAX_ROWS>(x) 5",
		"static int <parse_row>(char *s) {", "  public void <openRow>(String a) throws Bad {", "  async <openRow>(a: string): Promise<void> {",
		"  <openRow>() {", `x := os.Getenv("<LOG_LEVEL>")`, `os.environ.get("<LOG_LEVEL>", "")`, "const a = process.env.<LOG_LEVEL> || 1",
		`env::var("<LOG_LEVEL>")`, `ENV["<LOG_LEVEL>"]`, "static char *<parse_row>(void) {", "def <name>",
	} {
		before, rest, _ := strings.Cut(line, "<")
		word, after, _ := strings.Cut(rest, ">")
		if !defines([]byte(before), []byte(after), word, "") {
			t.Errorf("%s: no definition", line)
		}
	}
	for _, line := range []string{
		"x := <parseFlags>(args)", "\treturn <parseFlags>(args)", "\tif <parseFlags>(args) {", "\t<parseFlags>(args)", "<parseFlags>(function() {",
		"<beforeEach>(() => {", `<describe>("x", fn) {`, "import { <useEffect> } from 'react'", "import type <FooRow> from 'x'", "from x import <FooRow>",
		"    max_<tokens>=5,", "    <max_tokens>=100,", "    <max_tokens>=100", "// <parseFlags> = 5", "# class <FooStore>:", " * type <FooStore> is",
		"struct <timespec> ts;", "class <FooStore>;", "const <FooRow>& row", "x.<parseFlags> = 5", "if <openRow> == 5", "new <FooStore>() {",
		"  } else if <openRow>() {", "export { <FooStore> } from 'x'", `"<LOG_LEVEL>": 5`, `print("<LOG_LEVEL>")`, "a = b.type <FooRow>,",
		strings.Repeat("x", maxDefinition) + " class <FooStore> {",
	} {
		before, rest, _ := strings.Cut(line, "<")
		word, after, _ := strings.Cut(rest, ">")
		if defines([]byte(before), []byte(after), word, "") {
			t.Errorf("%s: a definition", line)
		}
	}
}

func TestDefinitionsByLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, line string
		want       bool
	}{
		{"a.go", "const <KindOne> Kind = iota", true}, {"a.go", "const <MaxRows> time.Duration = 5 * time.Second", true},
		{"a.go", "var <openRows> map[string]int", true}, {"a.go", "var <openRows> []*Row = nil", true},
		{"a.go", "var <openRow> func(int) error", true}, {"a.go", "var _ <FerryRow> = Row{}", false}, {"a.go", "// const <KindOne> Kind = 1", false},
		{"a.c", "const <FerryRow> row = {", false}, {"a.cpp", "const <FerryRow> *row = open();", false}, {"a.js", "const <ferryRow> row", false},
		{"a.c", "static int <parse_row>(char *s)", true}, {"a.c", "int <parse_row>(char *s,", true}, {"a.c", "<parse_row>(char *s)", true},
		{"a.c", "<parse_row>(void)", true}, {"a.cpp", "void <openRow>(int a) const", true}, {"a.cs", "    public async Task<int> <OpenRow>(int a)", true},
		{"a.java", "    private void <openRow>(String a) throws Bad", true}, {"a.h", "int <parse_row>(char *s);", false},
		{"a.c", "    rows = <parse_row>(s)", false}, {"a.c", "    <parse_row>(s)", false}, {"a.c", "    else <parse_row>(s)", false},
		{"a.c", "<DEFINE_ROW>(row)", false}, {"a.c", "    the answer of <parse_row>(s)", false}, {"a.c", "return <parse_row>(s)", false},
		{"a.py", "the answer of <parse_row>(s)", false}, {"a.c", `<ROW_NAME>("x")`, false},
		{"a.c", "static const int <MAX_ROWS> = 5;", true}, {"A.java", "  public static final String <LOG_ENV> = \"x\";", true},
		{"a.cpp", "for (const auto <MAX_ROWS> = 5;", false},
	} {
		before, rest, _ := strings.Cut(c.line, "<")
		if strings.Contains(c.line, "Task<int>") {
			before, rest = "    public async Task<int> ", "OpenRow>(int a)"
		}
		word, after, _ := strings.Cut(rest, ">")
		if got := defines([]byte(before), []byte(after), word, c.file); got != c.want {
			t.Errorf("%s in %s: %v", c.line, c.file, got)
		}
	}
}

func TestSymbolsInBlocksOfGo(t *testing.T) {
	d := newRepository(t)
	d.write("a.go", "package a\n\ntype Kind int\n\nconst (\n\t// KindNone is none.\n\tKindOne Kind = iota\n\tKindTwo\n\tKindSix, KindTen = 6, 10\n)\n\n"+
		"var (\n\topenRows map[string]int\n\tallRows = []row{\n\t\tpartOfRow,\n\t}\n)\n\ntype (\n\tferryRow struct {\n\t\tfieldOfRow int\n\t}\n)\n\n"+
		"func use() {\n\tcallOfRow\n}\n")
	d.write("b.go", "package a\n\nconst (\n\tonlyStays = 1\n\tonlyGoes Kind = 2\n\talsoStays = 3\n)\n\nfunc stays() {\n\tusedRow int\n\tfmt.Println()\n}\n")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "One")
	d.write("a.go", "package a\n")
	d.write("b.go", "package a\n\nconst (\n\tonlyStays = 1\n\talsoStays = 3\n)\n\nfunc stays() {\n\tfmt.Println()\n}\n")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "Two")
	p := Open(d.root)
	gone := "removed by " + d.output("rev-parse", "HEAD")[:7] + ", 3 Nov 2026"
	for name, want := range map[string]string{
		"KindOne": gone, "KindTwo": gone, "KindSix": gone, "openRows": gone, "allRows": gone, "ferryRow": gone, "onlyGoes": gone,
		"partOfRow": "", "fieldOfRow": "", "callOfRow": "", "usedRow": "", "KindNone": "", "onlyStays": "",
	} {
		if got := d.says(p, lint.ClaimSymbol, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestSymbolsThatMovedIntoASubmodule(t *testing.T) {
	d := newRepository(t)
	d.write("lib/a.go", "package lib\n\nfunc movedAway() {}\n")
	d.write("b.go", "package a\n\nfunc goneForGood() {}\n")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "One")
	d.git("rm", "-q", "-r", "lib")
	link := d.output("rev-parse", "HEAD")
	d.git("update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(link)+",lib")
	d.git("commit", "-q", "-m", "Two")
	d.git("rm", "-q", "b.go")
	d.git("commit", "-q", "-m", "Three")
	gone := "removed by " + d.output("rev-parse", "HEAD")[:7] + ", 3 Nov 2026"
	if err := os.MkdirAll(filepath.Join(d.root, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := Open(d.root)
	claims := []lint.Claim{{Kind: lint.ClaimSymbol, Name: "movedAway", Code: true}, {Kind: lint.ClaimSymbol, Name: "goneForGood", Code: true}}
	got, err := p.Look(t.Context(), claims)
	if err != nil || got.Verdicts[0].Why != "" || got.Verdicts[1].Why != gone || got.Why != textSomeSymbols+"its submodule lib is not checked out" {
		t.Errorf("not checked out: %+v, %v", got, err)
	}
	// what it has is there, what it lacks is gone
	d.write("lib/other.go", "package lib\n")
	if got := d.says(Open(d.root), lint.ClaimSymbol, "movedAway"); !strings.HasPrefix(got, "removed by ") {
		t.Errorf("the submodule lacks it: %q", got)
	}
	d.write("lib/src/a.go", "package lib\n\nfunc movedAway() {}\n")
	if got := d.says(Open(d.root), lint.ClaimSymbol, "movedAway"); got != "" {
		t.Errorf("the submodule has it: %q", got)
	}
}

func TestSymbolsThatGitHad(t *testing.T) {
	d := newRepository(t)
	d.write("src/a.go", "package a\n\nfunc parseFlags() {}\n\nfunc keptFlags() {}\n\nfunc sideFlags() {}\n\nfunc (s *Store) Reopen() {}\n\nfunc newFlags() {}\n"+
		"func staged_one() {}\n\nvar x = os.Getenv(\"LOG_LEVEL\")\nfunc comesBack() {}\nfunc builtHere() {}\n")
	d.write("src/b.go", "package a\n\nfunc Use() { otherThing() }\n")
	d.write("gen/c.go", "func builtHere() {}\n")
	d.write("AGENTS.md", "func onlyInNotes() {}\n")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "One")
	d.write("src/a.go", "package a\n\nfunc keptFlags() {}\n// sideFlags is gone\n")
	d.write("src/b.go", "package a\n")
	d.write("AGENTS.md", "`parseFlags()` is in src/a.go\n")
	d.write(".gitignore", "gen/\n")
	d.write("src/s.go", "func staged_one() {}\n")
	d.git("rm", "-q", "--cached", "gen/c.go")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "Two")
	d.write("src/new.go", "func newFlags() {}\n") // not added yet
	if err := os.Remove(filepath.Join(d.root, "src", "s.go")); err != nil {
		d.Fatal(err)
	}
	hash := d.output("rev-parse", "HEAD")[:7]
	p := Open(d.root)
	gone := "removed by " + hash + ", 3 Nov 2026"
	for name, want := range map[string]string{
		"parseFlags": gone, "Reopen": gone, "LOG_LEVEL": gone, "keptFlags": "", "sideFlags": "", "newFlags": "", "otherThing": "",
		"onlyInNotes": "", "never_there": "", "staged_one": "", "builtHere": "", "comesBack": gone,
	} {
		if got := d.says(p, lint.ClaimSymbol, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	// what is written again is noticed without a commit
	d.write("src/back.go", "func comesBack() {}\n")
	p.symbols.read, p.read = time.Time{}, time.Time{}
	if got := d.says(p, lint.ClaimSymbol, "comesBack"); got != "" {
		t.Errorf("written again: %q", got)
	}
}

func TestWhySymbolsStandUnchecked(t *testing.T) {
	symbol := []lint.Claim{{Kind: lint.ClaimSymbol, Name: "parseFlags", Code: true}}
	why := func(p *Project, claims []lint.Claim) string {
		t.Helper()
		got, err := p.Look(t.Context(), claims)
		if err != nil {
			t.Fatal(err)
		}
		return got.Why
	}
	plain := t.TempDir()
	if got := why(Open(plain), symbol); got != "Can't check symbols of the project: it isn't in git" {
		t.Errorf("without git: %q", got)
	}
	if got := why(Open(plain), []lint.Claim{{Kind: lint.ClaimPath, Name: "a.go"}}); got != "" {
		t.Errorf("a path without git: %q", got)
	}
	d := newRepository(t)
	d.write("a.go", "func parseFlags() {}\n")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "One")
	d.write("a.go", "package a\n")
	if os.Geteuid() != 0 {
		if err := os.Chmod(filepath.Join(d.root, "a.go"), 0); err != nil {
			t.Fatal(err)
		}
		if got := why(Open(d.root), symbol); got != "Can't check symbols of the project: a.go can't be read" {
			t.Errorf("without rights: %q", got)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if got := why(Open(d.root), symbol); !strings.HasSuffix(got, "git is not installed") {
		t.Errorf("without a git program: %q", got)
	}
}

func FuzzDefines(f *testing.F) {
	f.Add("func ", "(x) {", "name", "a.c")
	f.Add("\t", " Kind = iota", "name", "a.go")
	f.Fuzz(func(_ *testing.T, before, after, word, file string) {
		defines([]byte(before), []byte(after), word, file)
		declared([]byte(before+word+after), len(before), len(word))
	})
}
