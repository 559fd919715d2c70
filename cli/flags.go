package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/render/theme"
)

// The variables that stand in for flags. A flag wins over its variable.
const (
	envDir     = "MEMCURATOR_DIR"
	envState   = "MEMCURATOR_STATE"
	envConfig  = "MEMCURATOR_CONFIG"
	envDialect = "MEMCURATOR_DIALECT"
)

// globalFlags are the flags that every command takes.
type globalFlags struct {
	dialect, config, state, theme, log string
	plain, ascii                       bool
}

func (g *globalFlags) add(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&g.dialect, "dialect", "", "wording of the tool: "+memstore.DialectNames())
	f.StringVar(&g.config, "config", "", "configuration file")
	f.StringVar(&g.state, "state", "", "folder for what the program keeps about stores")
	f.StringVar(&g.theme, "theme", "", "auto, dark, light, contrast or mono")
	f.StringVar(&g.log, "log", "", "file for errors and panics")
	f.BoolVar(&g.plain, "plain", false, "lines of text, no full screen")
	f.BoolVar(&g.ascii, "ascii", false, "signs and frames in ASCII")
	var dialects []string
	for _, d := range memstore.Dialects() {
		dialects = append(dialects, d.String())
	}
	complete(root, "dialect", dialects...)
	var names []string
	for _, n := range theme.Names() {
		names = append(names, string(n))
	}
	complete(root, "theme", names...)
}

// withDialects fills the names of the dialects into a help.
func withDialects(help string) string {
	return strings.ReplaceAll(help, "{dialects}", memstore.DialectNames())
}

// complete offers values for a flag in the shell.
func complete(c *cobra.Command, flag string, values ...string) {
	offer := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
	if err := c.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // the flag is not defined: a mistake in this package
	}
}

// settings are the global flags and variables after reading.
type settings struct {
	dialect memstore.Dialect
	theme   theme.Options
	plain   bool // no full screen: asked for, or all that the terminal can do
}

// settings reads flags and variables, and opens the log. Commands that work on a store call it first.
func (a *app) settings() (settings, error) {
	var s settings
	if err := a.openLog(); err != nil {
		return s, err
	}
	var err error
	dialect := cmp.Or(a.flags.dialect, a.env.Getenv(envDialect), memstore.Docs.String())
	if s.dialect, err = memstore.ParseDialect(dialect); err != nil {
		return s, wrongUse("%s.", err)
	}
	if s.theme.Name, err = theme.Parse(a.flags.theme); err != nil {
		return s, wrongUse("%s.", capital(err.Error()))
	}
	if err := checkConfig(cmp.Or(a.flags.config, a.env.Getenv(envConfig))); err != nil {
		return s, err
	}
	s.theme.Dark = true // until the terminal has said otherwise
	s.theme.ASCII = a.flags.ascii || !a.localeIsUTF8()
	s.theme.NoColor = a.env.Getenv("NO_COLOR") != "" || a.env.Getenv("CLICOLOR") == "0"
	s.plain = a.flags.plain || a.env.Getenv("TERM") == "dumb"
	return s, nil
}

// stateBase is the folder for the state of all stores that the flag or the variable names;
// empty: the package statedir knows where.
func (a *app) stateBase() string { return cmp.Or(a.flags.state, a.env.Getenv(envState)) }

// checkConfig makes sure that a configuration file that was named can be read. The file
// where nobody named one may be missing.
func checkConfig(file string) error {
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return failed(err, "The configuration file %s cannot be read: %s.", file, reason(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return failed(err, "The configuration file %s cannot be read: it is a directory.", file)
	}
	return nil
}

// localeIsUTF8 is false only where the locale names another character set; where
// nothing is set, terminals of today show UTF-8.
func (a *app) localeIsUTF8() bool {
	locale := cmp.Or(a.env.Getenv("LC_ALL"), a.env.Getenv("LC_CTYPE"), a.env.Getenv("LANG"))
	if locale == "C" || locale == "POSIX" {
		return false
	}
	_, charset, named := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	charset = strings.ReplaceAll(strings.ToLower(charset), "-", "")
	return !named || charset == "utf8"
}

// openLog opens the file of --log for appending. Only its owner may read it: what
// goes wrong may name what is in a memory.
func (a *app) openLog() error {
	if a.flags.log == "" {
		return nil
	}
	f, err := os.OpenFile(a.flags.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return failed(err, "The log %s cannot be written: its folder does not exist.", a.flags.log)
	}
	if err != nil {
		return failed(err, "The log %s cannot be written: %s.", a.flags.log, reason(err))
	}
	a.logFile = f
	a.log = slog.New(slog.NewTextHandler(f, nil))
	return nil
}

func (a *app) closeLog() {
	if a.logFile != nil {
		_ = a.logFile.Close()
	}
}

// capital begins a sentence.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
