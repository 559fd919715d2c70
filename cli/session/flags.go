package session

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/theme"
)

// Variables that set flags. A flag takes precedence over its variable.
const (
	EnvDir     = "MEMCURATOR_DIR"
	EnvState   = "MEMCURATOR_STATE"
	EnvConfig  = "MEMCURATOR_CONFIG"
	EnvDialect = "MEMCURATOR_DIALECT"
)

// GlobalFlags are the flags of every command.
type GlobalFlags struct {
	Dialect, Config, state string
}

func (g *GlobalFlags) Add(root *cobra.Command) {
	f := root.PersistentFlags()
	f.SortFlags = false
	f.String("dir", "", "use `DIR` as the store")
	f.String("identity", "", "age identity `FILE` of an encrypted store")
	f.StringVar(&g.Dialect, "dialect", "", "use the wording of `NAME`: "+memstore.DialectNames())
	f.StringVar(&g.Config, "config", "", "read the configuration from `FILE`")
	f.StringVar(&g.state, "state", "", "keep journals and other state of stores in `DIR`")
}

// Settings are the combined global flags, variables and configuration.
type Settings struct {
	Dialect memstore.Dialect
	Theme   theme.Options
	Dumb    bool           // the terminal has neither a full screen nor colors
	Config  *config.Config // nil if missing or invalid
	Ui      config.UI      // the configuration for the store
	Keys    *keymap.Map    // nil: the built-in keys
	Dir     string         // of the store; "" until it is known
	Broken  error          // why the configuration is invalid, for callers that continue without it
}

// Settings reads flags, variables and the configuration. Commands that work on a store call it first: with a broken
// configuration they must not change anything.
func (run *Session) Settings() (Settings, error) {
	s, err := run.LenientSettings()
	if err == nil && s.Broken != nil {
		err = MistakesError(s.Broken, "memcurator: Nothing was done. Correct the configuration first")
	}
	return s, err
}

// LenientSettings is Settings for the user interface, which starts with the defaults if the configuration has mistakes.
func (run *Session) LenientSettings() (Settings, error) {
	var s Settings
	var err error
	dialect := cmp.Or(run.Flags.Dialect, run.Env.Getenv(EnvDialect), memstore.Docs.String())
	if s.Dialect, err = memstore.ParseDialect(dialect); err != nil {
		return s, WrongUse("%s", err)
	}
	s.Theme.Dark = true // until the terminal reports otherwise
	s.Theme.NoColor = run.Env.Getenv("NO_COLOR") != "" || run.Env.Getenv("CLICOLOR") == "0"
	s.Dumb = run.Env.Getenv("TERM") == "dumb"
	var mistakes config.Mistakes
	s.Config, s.Keys, err = run.LoadConfig()
	switch {
	case errors.As(err, &mistakes):
		s.Broken = mistakes
	case err != nil:
		return s, err
	}
	run.takeConfig(&s, s.Config.General())
	return s, nil
}

// localeIsUTF8 is false only if the locale names another character set:
// terminals default to UTF-8 today.
func localeIsUTF8(getenv func(string) string) bool {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	if locale == "C" || locale == "POSIX" {
		return false
	}
	_, charset, named := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	charset = strings.ReplaceAll(strings.ToLower(charset), "-", "")
	return !named || charset == "utf8"
}
