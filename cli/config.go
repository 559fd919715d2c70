package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

const configHelp = `Start and check the configuration: one file for all stores, outside of every store.

Usage:
  memcurator config path                        print the path of the file
  memcurator config init                        write a commented file to start from
  memcurator config check                       list its mistakes

The file is --config, $MEMCURATOR_CONFIG, or memcurator/config.toml in $XDG_CONFIG_HOME (by
default ~/.config, or the system's own place). init never replaces a file. check prints
FILE:LINE:COLUMN and the mistake on standard error, and exits 1 if there is one.

Global flags: memcurator help flags
`

func configCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "config check|path|init", Short: "Start and check the configuration", Long: configHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			parts := map[string]func(*session.Session, string) error{"check": configCheck, "init": configInit, "path": configPath}
			if len(args) != 1 || parts[args[0]] == nil {
				return session.WrongUse("Choose one of check, init, path")
			}
			file, _ := run.ConfigFile()
			if file == "" {
				return session.Failed(nil, "No place for a configuration file: the home folder is unknown. Pass --config FILE")
			}
			return parts[args[0]](run, file)
		},
	}
}

func configPath(run *session.Session, file string) error {
	_, err := fmt.Fprintln(run.Out, file)
	return err
}

func configCheck(run *session.Session, file string) error {
	c, _, err := run.LoadConfig()
	if err != nil {
		return session.MistakesError(err)
	}
	lines, err := ruleMistakes(run, file, c)
	switch {
	case err != nil:
		return err
	case len(lines) > 0:
		return &session.ExitError{Code: session.ExitFailed, Text: lines[0], More: lines[1:], Verbatim: true}
	case c == nil:
		run.Say("No file " + file + ", so the defaults apply. Start one with: " + session.Program + " config init")
	default:
		run.Say("OK, no mistakes in " + file)
	}
	return nil
}

// ruleMistakes lists the mistakes in the user's own rules for secrets, next to the configuration, and the classes that the configuration
// names and no rule finds; c may be nil.
func ruleMistakes(run *session.Session, file string, c *config.Config) (lines []string, err error) {
	var o scrub.Options
	if o.Files, err = run.OwnRules(); err != nil {
		return nil, err
	}
	e, problems := scrub.New(o)
	for _, p := range problems {
		lines = append(lines, session.ProblemText(p))
	}
	if c == nil {
		return lines, nil
	}
	sections := []config.Settings{c.General()}
	for _, s := range c.Stores() {
		sections = append(sections, c.For(s.Dir.Value))
	}
	for _, s := range sections {
		for _, class := range s.Scrub.Class {
			line := fmt.Sprintf("%s: [scrub.class.%s]: unknown class", file, class.Name)
			known := slices.ContainsFunc(e.Classes(), func(k rule.Class) bool { return k.Name == class.Name })
			if !known && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines, nil
}

func configInit(run *session.Session, file string) error {
	var stores []string
	if dir, err := run.UsualDir(); err == nil {
		stores = append(stores, dir)
	}
	err := config.Create(file, config.Starter(), stores...)
	switch {
	case errors.Is(err, fs.ErrExist):
		return session.Failed(err, "%s already exists. Nothing written", file)
	case errors.Is(err, config.ErrInsideStore):
		return session.Failed(err, "%s is inside the store %s, where the agent could change it. Nothing written", file, stores[0])
	case err != nil:
		return session.Failed(err, "Can't write %s: %s", file, session.Reason(err))
	}
	return configPath(run, file)
}
