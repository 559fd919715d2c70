package cli

import (
	"os"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// A mistake is worded once, names what to do, and ends with the status that help flags lists: 1 for what failed or is not
// there, 2 for a line that can't be right.
func TestStatusAndFirstLineOfMistakes(t *testing.T) {
	dir, empty := recorded(t), newStore(t, nil)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("plain.jsonl", []byte(`{"type":"user","message":{"content":"hi"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bad.toml", []byte("max_idel = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const noStore = "memcurator: No memory directory: MEMCURATOR_DIR is not set and there is no ./memories or ./memory/memories here. " +
		"Pass DIR, or list this machine's: memcurator stores"
	const noJournal = "memcurator: No journal yet; exec, mcp or the UI starts one"
	done, failed, wrong := session.ExitDone, session.ExitFailed, session.ExitWrongUse
	for _, c := range []struct {
		args string // {dir}, {empty}: a store with a journal, a new one
		code int
		says string // the first line on standard error
	}{
		{"log", failed, noStore},
		{"ls", failed, noStore},
		{"trash", failed, noStore},
		{"scan", failed, noStore},
		{"plan", failed, noStore},
		{"stats", failed, noStore},
		{"doctor", failed, noStore},
		{"exec", failed, noStore},
		{"mcp", failed, noStore},
		{"log missing/store", failed, "memcurator: No directory missing/store"},
		{"cat --dir missing a.md", failed, "memcurator: No directory missing"},
		{"exec missing", failed, "memcurator: No directory missing"},
		{"replay missing.jsonl", failed, "memcurator: Can't read missing.jsonl: it does not exist"},
		{"./missing", failed, "memcurator: No directory ./missing"},

		{"log {empty}", done, noJournal},
		{"diff {empty}", done, noJournal},
		{"trash {empty}", done, noJournal},
		{"show {empty} 1", failed, noJournal},
		{"undo {empty}", failed, noJournal},
		{"blame {empty} a.md", failed, noJournal},
		{"restore {empty} a.md", failed, noJournal},
		{"search word --dir {empty}", failed, "memcurator: No match for word"},
		{"ls {empty}", done, ""},
		{"scan {empty} --check", done, "memcurator: No secrets in 0 files"},
		{"plan {empty} --check", done, "memcurator: No rules for this store (0 files, 0B). Try: memcurator plan --suggest"},
		{"allow {empty}", done, "memcurator: No values are dismissed"},

		{"log {dir} --command bogus", done, "memcurator: No command bogus; the journal has "},
		{"log {dir} --actor bogus", done, "memcurator: No actor bogus; the journal has "},
		{"log {dir} --session nope", done, "memcurator: No session nope; the journal has s1"},
		{"log {dir} --session nope --limit 3 --json", done, "memcurator: No session nope; the journal has s1"},
		{"log {dir} --session s", done, ""}, // the beginning of one
		{"log {dir} --since 2099-01-01", done, "memcurator: No matching changes"},
		{"log {dir} --since xyz", wrong, `memcurator: Can't parse "xyz". Try today, 2h, monday, 2026-01-31`},
		{"log {dir} --limit x", wrong, `memcurator: Invalid --limit "x"; it takes a number`},
		{"log {dir} nope.md", failed, "memcurator: No file nope.md"},
		{"log {dir} /etc/passwd", wrong, `memcurator: "/etc/passwd" is not an agent path. Example: notes/old.md`},
		{"show", wrong, "memcurator: Missing REV. Example: memcurator show 12"},
		{"show {dir}", wrong, "memcurator: Missing REV. Example: memcurator show 12"},
		{"show {dir} x", wrong, `memcurator: Invalid REV "x". The numbers: memcurator log`},
		{"show {dir} 999", failed, "memcurator: No revision #999; the newest is #"},
		{"show {dir} 0", failed, "memcurator: No revision #0; the newest is #"},
		{"diff {dir} 1..999", failed, "memcurator: No revision #999; the newest is #"},
		{"diff {dir} 2..2", done, "memcurator: No differences between #2 and #2"},
		{"diff {dir} nope.md", failed, "memcurator: No file nope.md"},
		{"blame", wrong, "memcurator: Missing PATH. Example: memcurator blame notes.md"},
		{"blame {dir} nope.md", failed, "memcurator: No file nope.md"},
		{"blame {dir} /memories", failed, "memcurator: /memories is a folder. Name a file"},
		{"blame {dir} a.md --at 999", failed, "memcurator: No revision #999; the newest is #"},
		{"search", wrong, "memcurator: Nothing to search for. Example: memcurator search launch date"},
		{"search /(/ --dir {dir}", wrong, "memcurator: Invalid regular expression (: missing closing )"},
		{"search XYZZY --dir {dir}", failed, "memcurator: No match for XYZZY. Lowercase ignores case"},
		{"undo {dir}", failed, "memcurator: Nothing to undo"},
		{"undo {dir} --redo", failed, "memcurator: Nothing to redo"},
		{"undo abc", wrong, `memcurator: Invalid REV "abc". The numbers: memcurator log`},
		{"show {dir} 1 2", wrong, "memcurator: show takes one REV. To compare two: memcurator diff 1..2"},
		{"undo {dir} 999", failed, "memcurator: No revision #999; the newest is #"},
		{"undo {dir} x", wrong, `memcurator: Invalid REV "x". The numbers: memcurator log`},
		{"undo {dir} --group 999", failed, "memcurator: No group 999. The numbers: memcurator log --json"},
		{"undo {dir} 2 --redo", wrong, "memcurator: Pass only one of REV, --group and --redo"},
		{"restore", wrong, "memcurator: Missing PATH. Example: memcurator restore notes.md"},
		{"restore {dir} nope.md", failed, "memcurator: No file nope.md"},
		{"restore {dir} a.md --at 999", failed, "memcurator: No revision #999; the newest is #"},
		{"restore {dir} /memories", wrong, "memcurator: Restoring the whole store needs --at TIME or --at REV"},
		{"restore {dir} /memories --at 1", wrong, "memcurator: Not a terminal. Pass --yes to restore"},
		{"cat {dir} nope.md", failed, "memcurator: No file nope.md"},
		{"cat {dir} a.md --range x", wrong, `memcurator: Can't parse --range "x". Try 10:20, 10: or :20`},

		{"exec {dir} --actor curator", wrong, "memcurator: The actor name curator is reserved. Choose another --actor"},
		{"exec {dir} --error-prefix bogus", wrong, `memcurator: Invalid --error-prefix "bogus"; choose none or all`},
		{"mcp {dir} --schema bogus", wrong, `memcurator: Unknown schema "bogus"; choose auto, union or flat`},
		{"init --pattern bogus x", wrong, `memcurator: Unknown pattern "bogus"; the only one is multi-session`},
		{"prompt --pattern bogus", wrong, "memcurator: Invalid --pattern: unknown pattern; the only one is multi-session"},
		{"conformance", wrong, "memcurator: Missing COMMAND. Example: memcurator conformance 'memcurator exec'"},
		{"conformance true --run (", wrong, `memcurator: Invalid regular expression "("`},
		{"conformance true --timeout x", wrong, `memcurator: Invalid --timeout "x"; it takes a time such as 10s`},
		{"config", wrong, "memcurator: Missing subcommand. Choose check, init, path, show"},
		{"config shwo", wrong, `memcurator: Unknown subcommand "shwo"; choose check, init, path, show. Did you mean show?`},
		{"config path --json", wrong, "memcurator: Unknown flag --json for config path"},
		{"config check --config bad.toml", failed, `bad.toml:1:1: unknown key "max_idel" at the top level`},
		{"ls {dir} --config nope.toml", failed, "memcurator: Can't read the configuration nope.toml: it does not exist"},
		{"ls {dir} --dialect bogus", wrong, `memcurator: Unknown dialect "bogus"; choose docs, typescript, python or vscode`},
		{"ls {dir} --theme bogus", wrong, `memcurator: Unknown theme "bogus"; choose auto, dark, light, contrast or mono`},
		{"ls {dir} --bogus", wrong, "memcurator: Unknown flag --bogus for ls"},
		{"keys x", wrong, "memcurator: Too many arguments: keys takes none"},
		{"completion bogus", wrong, `memcurator: Unknown shell "bogus"; choose bash, zsh, fish, powershell`},
		{"help bogus", wrong, `memcurator: Unknown command "bogus"`},
		{"man log", wrong, "memcurator: log is a command: see memcurator help log. For a directory of this name, write ./log"},
		{"scrub {dir}", wrong, "memcurator: Not a terminal. Pass --yes to redact"},
		{"stores x", wrong, "memcurator: Too many arguments: stores takes none"},
		{"replay plain.jsonl --check", failed, "memcurator: No memory calls in plain.jsonl, 1 message"},
		{"replay plain.jsonl --format bogus", wrong, `memcurator: Unknown format "bogus"; choose auto, codex, gemini-cli, `},
	} {
		args := strings.Fields(strings.NewReplacer("{dir}", dir, "{empty}", empty).Replace(c.args))
		o := do(t, args...)
		first, _, _ := strings.Cut(o.err, "\n")
		if o.code != c.code || !strings.HasPrefix(first, c.says) || c.says == "" && first != "" {
			t.Errorf("%s: status %d, want %d; %q, want %q", c.args, o.code, c.code, first, c.says)
		}
	}
}
