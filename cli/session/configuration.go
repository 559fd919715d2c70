package session

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"memcurator/keymap"
	"memcurator/memstore/config"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui"
)

// configText is a file of the configuration as a run has read it: what an agent may do stays the same until the run ends.
type configText struct {
	once sync.Once
	text []byte
	err  error
}

// read reads the file when it is first needed.
func (c *configText) read(name string) (text []byte, err error) {
	c.once.Do(func() { c.text, c.err = config.Read(name) })
	return c.text, c.err
}

// ConfigFile returns the configuration file named by the flag or the variable, or else the default; "" if there is no default location.
// named reports whether the user named it.
func (run *Session) ConfigFile() (file string, named bool) {
	if file = cmp.Or(run.Flags.Config, run.Env.Getenv(EnvConfig)); file != "" {
		return file, true
	}
	return config.Path(run.Env.Getenv), false
}

// LoadConfig reads the file. It returns nil if the file doesn't exist and the user named none. The error is [config.Mistakes], or a
// sentence if the file can't be read.
func (run *Session) LoadConfig() (*config.Config, *keymap.Map, error) {
	file, named := run.ConfigFile()
	if file == "" {
		return nil, nil, nil
	}
	data, err := run.config.read(file)
	switch {
	case err == nil:
		return parseConfig(file, data, config.Home(run.Env.Getenv))
	case !named && errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	default:
		return nil, nil, Failed(err, "Can't read the configuration %s: %s", file, Reason(err))
	}
}

// parseConfig reads the configuration and its keys, and returns the mistakes in both.
func parseConfig(file string, data []byte, home string) (*config.Config, *keymap.Map, error) {
	c, mistakes := config.Check(file, data, home)
	keys, problems := remap(c)
	if mistakes = append(mistakes, problems...); len(mistakes) > 0 {
		mistakes.Sort()
		return nil, nil, mistakes
	}
	return c, keys, nil
}

// remap applies [keys]; without that section it returns nil, the built-in keys.
func remap(c *config.Config) (*keymap.Map, config.Mistakes) {
	if len(c.Keys) == 0 {
		return nil, nil
	}
	bindings := make([]keymap.Binding, len(c.Keys))
	for i, b := range c.Keys {
		bindings[i] = keymap.Binding{Scope: b.Scope, Action: b.Action}
		for _, key := range b.Keys {
			bindings[i].Keys = append(bindings[i].Keys, key.Value)
		}
	}
	m, problems := tui.Keys().Remap(bindings)
	var out config.Mistakes
	for _, p := range problems {
		b := c.Keys[p.Binding]
		at := b.At
		switch {
		case p.Part == keymap.ScopePart:
			at = b.ScopeAt
		case p.Part == keymap.KeyPart:
			at = b.Keys[p.Key].From
		}
		said := p.Text
		if near := text.Nearest(p.Word, p.Known); near != "" {
			said += "; did you mean " + near + "?"
		}
		out = append(out, config.Mistake{Origin: at, Text: said})
	}
	return m, out
}

// MistakesError ends a command with the mistakes, a line each, and then those lines.
func MistakesError(err error, then ...string) error {
	var mistakes config.Mistakes
	if !errors.As(err, &mistakes) {
		return err
	}
	lines := make([]string, len(mistakes))
	for i, m := range mistakes {
		lines[i] = m.Error()
	}
	return &ExitError{Code: ExitFailed, Text: lines[0], More: append(lines[1:], then...), Verbatim: true, Cause: err}
}

// MistakesNotice has the mistakes, a line each, for the user interface.
func MistakesNotice(err error) string {
	var mistakes config.Mistakes
	if !errors.As(err, &mistakes) {
		return err.Error()
	}
	var lines []string
	for _, m := range mistakes {
		m.File = filepath.Base(m.File)
		lines = append(lines, m.Error())
	}
	return strings.Join(lines, "\n")
}

// takeConfig applies the configuration to settings without a flag or variable.
func (run *Session) takeConfig(s *Settings, per config.Settings) {
	if run.Flags.Dialect == "" && run.Env.Getenv(EnvDialect) == "" {
		s.Dialect = per.Dialect.Or(run.dialectOf(s.Dir))
	}
	s.Theme.Name = theme.Name(per.UI.Theme.Or(string(theme.Auto)))
	s.Theme.ASCII = per.UI.ASCII.Or(!localeIsUTF8(run.Env.Getenv))
	s.Ui = per.UI
}

// ForStore applies the configuration for the store in dir. It refuses a
// configuration inside the store: the agent could change its own limits.
func (run *Session) ForStore(s Settings, dir string) (Settings, error) {
	s.Dir = dir
	if s.Config == nil || dir == "" {
		if run.Flags.Dialect == "" && run.Env.Getenv(EnvDialect) == "" {
			s.Dialect = run.dialectOf(dir)
		}
		return s, nil
	}
	if config.Inside(s.Config.File, dir) {
		return s, Failed(nil, "The configuration %s is inside the store %s, where the agent could change it. Move it out", s.Config.File, dir)
	}
	run.takeConfig(&s, s.Config.For(dir))
	return s, nil
}
