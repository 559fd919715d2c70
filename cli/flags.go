package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
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
	complete(root, "dialect", memstore.DialectForms()...)
	var names []string
	for _, n := range theme.Names() {
		names = append(names, string(n))
	}
	complete(root, "theme", names...)
}

// withDialects fills the names of the dialects into a help, and all forms of them.
func withDialects(help string) string {
	return strings.NewReplacer("{dialects}", memstore.DialectNames(), "{dialect forms}", strings.Join(memstore.DialectForms(), ", ")).Replace(help)
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

// settings are the global flags, the variables and the configuration after reading.
type settings struct {
	dialect memstore.Dialect
	theme   theme.Options
	plain   bool           // no full screen: asked for, or all that the terminal can do
	config  *config.Config // nil: there is none, or it is broken
	ui      config.UI      // what the configuration says for the store
	keys    *keymap.Map    // nil: the built-in keys
	dir     string         // of the store, "" before it is known
	broken  error          // what is wrong with the configuration, for those who go on without it
}

// settings reads flags, variables and the configuration, and opens the log. Commands that
// work on a store call it first: with a broken configuration nothing is touched.
func (a *app) settings() (settings, error) {
	s, err := a.lenientSettings()
	if err == nil && s.broken != nil {
		err = mistakesError(s.broken)
	}
	return s, err
}

// lenientSettings is settings for the user interface, which starts with the defaults where the
// configuration has mistakes.
func (a *app) lenientSettings() (settings, error) {
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
	s.theme.Dark = true // until the terminal has said otherwise
	s.theme.NoColor = a.env.Getenv("NO_COLOR") != "" || a.env.Getenv("CLICOLOR") == "0"
	s.plain = a.flags.plain || a.env.Getenv("TERM") == "dumb"
	var mistakes config.Mistakes
	s.config, s.keys, err = a.loadConfig()
	switch {
	case errors.As(err, &mistakes):
		s.broken = mistakes
	case err != nil:
		return s, err
	}
	a.apply(&s, s.config.General())
	return s, nil
}

// stateBase is the folder for the state of all stores that the flag or the variable names;
// empty: the package statedir knows where.
func (a *app) stateBase() string { return cmp.Or(a.flags.state, a.env.Getenv(envState)) }

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
