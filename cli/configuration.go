package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/theme"
)

// configFile is the configuration file: of the flag, the variable, or where it lies when nobody
// names one. "" where there is no such place; named reports whether somebody named it.
func (a *app) configFile() (file string, named bool) {
	if file = cmp.Or(a.flags.config, a.env.Getenv(envConfig)); file != "" {
		return file, true
	}
	return config.Path(a.env.Getenv), false
}

// loadConfig reads the file. Where it does not exist and nobody named it, there is none: nil. The
// error is [config.Mistakes], or a sentence where the file cannot be read.
func (a *app) loadConfig() (*config.Config, *keymap.Map, error) {
	file, named := a.configFile()
	if file == "" {
		return nil, nil, nil
	}
	data, err := a.configRules.load(file)
	switch {
	case err == nil:
		return parseConfig(file, data, config.Home(a.env.Getenv))
	case !named && errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	default:
		return nil, nil, failed(err, "The configuration file %s cannot be read: %s.", file, reason(err))
	}
}

// parseConfig reads the configuration and its keys, and gives the mistakes of both.
func parseConfig(file string, data []byte, home string) (*config.Config, *keymap.Map, error) {
	c, mistakes := config.Check(file, data, home)
	keys, problems := remap(c)
	if mistakes = append(mistakes, problems...); len(mistakes) > 0 {
		mistakes.Sort()
		return nil, nil, mistakes
	}
	return c, keys, nil
}

// remap carries out [keys]; a configuration without it has the built-in keys, nil.
func remap(c *config.Config) (*keymap.Map, config.Mistakes) {
	if len(c.Keys) == 0 {
		return nil, nil
	}
	bindings := make([]keymap.Binding, len(c.Keys))
	for i, b := range c.Keys {
		bindings[i] = keymap.Binding{Scope: b.Scope, Action: b.Action, Keys: b.Keys}
	}
	m, problems := keymap.Default().Remap(bindings)
	var out config.Mistakes
	for _, p := range problems {
		b := c.Keys[p.Binding]
		at := b.At
		switch {
		case p.Part == keymap.ScopePart:
			at = b.ScopeAt
		case p.Part == keymap.KeyPart:
			at = b.KeysAt[p.Key]
		}
		text := p.Text
		if near := config.Nearest(p.Word, p.Known); near != "" {
			text += "; did you mean " + near + "?"
		}
		out = append(out, config.Mistake{File: at.File, Line: at.Line, Column: at.Column, Text: text})
	}
	return m, out
}

// mistakesError ends a script before it touches anything.
func mistakesError(err error) error {
	var mistakes config.Mistakes
	if !errors.As(err, &mistakes) {
		return err
	}
	lines := make([]string, len(mistakes))
	for i, m := range mistakes {
		lines[i] = m.Error()
	}
	return &exitError{code: exitFailed, text: lines[0], more: lines[1:], verbatim: true, cause: err}
}

// mistakesNotice is the first mistake in a line of the user interface.
func mistakesNotice(err error) string {
	var mistakes config.Mistakes
	if !errors.As(err, &mistakes) {
		return err.Error()
	}
	first := mistakes[0]
	first.File = filepath.Base(first.File)
	if n := len(mistakes) - 1; n > 0 {
		return fmt.Sprintf("%s (and %d more)", first.Error(), n)
	}
	return first.Error()
}

// apply takes what the configuration says where neither a flag nor a variable does.
func (a *app) apply(s *settings, per config.Settings) {
	if a.flags.dialect == "" && a.env.Getenv(envDialect) == "" {
		s.dialect = per.Dialect.Or(memstore.Docs)
	}
	if a.flags.theme == "" {
		s.theme.Name = theme.Name(per.UI.Theme.Or(string(theme.Auto)))
	}
	s.theme.ASCII = a.flags.ascii || per.UI.ASCII.Or(!a.localeIsUTF8())
	s.ui = per.UI
}

// forStore takes what the configuration says for the store in dir. A configuration in the
// store itself is refused: the agent could change its own limits.
func (a *app) forStore(s settings, dir string) (settings, error) {
	s.dir = dir
	if s.config == nil || dir == "" {
		return s, nil
	}
	if config.Inside(s.config.File, dir) {
		return s, failed(nil, "The configuration file %s lies inside the memory directory %s, where the agent could change it. Move it out.", s.config.File, dir)
	}
	a.apply(&s, s.config.For(dir))
	return s, nil
}
