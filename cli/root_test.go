package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

// everyCommand visits the root and all commands below it.
func everyCommand(t *testing.T, visit func(*cobra.Command)) {
	t.Helper()
	root := rootCommand((&session.Session{Env: session.Environment{Getenv: func(string) string { return "" }}}))
	root.InitDefaultHelpCmd()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	visit(root)
	for _, c := range root.Commands() {
		visit(c)
	}
}

func TestHelpListsEveryCommandAndTheGlobalFlags(t *testing.T) {
	t.Parallel()
	o := do(t, "help")
	everyCommand(t, func(c *cobra.Command) {
		row := regexp.MustCompile(`(?m)^  ` + c.Name() + ` +[A-Z].{10,60}$`)
		if c.HasParent() && !row.MatchString(o.out) {
			t.Errorf("help has no row for %s", c.Name())
		}
	})
	if o := do(t, "help", "flags"); o.code != 0 || !strings.Contains(o.out, "--state DIR") || !strings.Contains(o.out, "Exit status") {
		t.Errorf("help flags: %+v", o)
	}
}

func TestWrongUse(t *testing.T) {
	t.Chdir(t.TempDir())
	dir := newStore(t, nil)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--foo"}, "Unknown flag: --foo. See memcurator help flags"},
		{[]string{"ls", "--rang", "1:2", dir}, "See memcurator help ls"},
		{[]string{"ls", "--dir"}, "Flag needs an argument: --dir"},
		{[]string{"lss"}, `No command or directory "lss". Did you mean ls?`},
		{[]string{"foo"}, `No command or directory "foo"`},
		{[]string{"help", "exce"}, "Did you mean exec?"},
		{[]string{"completion", "tcsh"}, "bash, zsh, fish"},
		{[]string{"demo"}, "needs a terminal"},
		{[]string{dir, dir}, "Too many arguments"},
		{[]string{"ls", dir, "/memories", "x"}, "Too many arguments"},
		{[]string{"ls", "--dir", dir, dir}, "Two stores named"},
		{[]string{"ls", ""}, "is empty"},
		{[]string{"exec", "/memories"}, "--dir /memories"},
		{[]string{"/memories/a"}, "--dir /memories/a"},
		{[]string{"cat", dir, "/memories", "--range", "2"}, "10:20"},
		{[]string{"ls", dir, "--dialect", "klingon"}, "docs, typescript, python or vscode"},
		{[]string{dir}, "needs a terminal"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			do(t, c.args...).sentence(t, session.ExitWrongUse, session.Program+": ", c.says)
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	o := do(t, "version")
	if o.code != 0 || !strings.HasPrefix(o.out, "memcurator ") || !strings.Contains(o.out, "go1.") {
		t.Errorf("version: %+v", o)
	}
	o = do(t, "--version")
	if o.code != 0 || strings.Count(o.out, "\n") != 1 || !strings.HasPrefix(o.out, "memcurator ") {
		t.Errorf("--version: %+v", o)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range shells {
		if o := do(t, "completion", shell); o.code != 0 || !strings.Contains(o.out, session.Program) {
			t.Errorf("%s: status %d, %d bytes, %q", shell, o.code, len(o.out), o.err)
		}
	}
	if o := do(t, "__complete", ""); !strings.Contains(o.out, "exec\t") || !strings.Contains(o.out, "scrub\t") {
		t.Errorf("completing commands: %+v", o)
	}
}

func TestConfiguration(t *testing.T) {
	t.Parallel()
	dir := newStore(t, nil)
	missing := filepath.Join(t.TempDir(), "none.toml")
	do(t, "ls", dir, "--config", missing).sentence(t, session.ExitFailed, missing, "Can't read the configuration")
	do(t, "ls", dir, "--config", t.TempDir()).sentence(t, session.ExitFailed, "it is a directory")
	call{args: []string{"ls", dir}, env: map[string]string{session.EnvDialect: "legacy"}}.run(t).sentence(t, session.ExitWrongUse, "legacy")
	if o := do(t, "ls", dir, "--config", writeConfig(t, ""), "--state", t.TempDir()); o.code != 0 || o.err != "" {
		t.Errorf("with a configuration: %+v", o)
	}
}
