package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/render/text"
)

const configHelp = `Start and check the configuration: one file for all stores, outside of every store.

Usage:
  memcurator config path                        print the path of the file
  memcurator config init                        write a commented file to start from
  memcurator config check                       list its mistakes

The file is --config, $MEMCURATOR_CONFIG, or memcurator/config.toml in $XDG_CONFIG_HOME (by
default ~/.config, or the system's own place). Flags override variables, variables override the
file. In the file, [stores.NAME] overrides general settings, and later rules override earlier
ones, key by key.

init never replaces a file. check prints FILE:LINE:COLUMN and the mistake on standard error, and
exits 1 if there is one.

Global flags: memcurator help flags

Example:
  memcurator config init && $EDITOR "$(memcurator config path)"
`

func configCommand(run *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "config check|path|init", Short: "Start and check the configuration", Long: configHelp,
		RunE: func(c *cobra.Command, args []string) error {
			names := commandNames(c)
			if len(args) == 0 {
				return session.WrongUse("Missing subcommand. Choose %s", strings.Join(names, ", "))
			}
			hint := ""
			if near := text.Nearest(args[0], names); near != "" {
				hint = ". Did you mean " + near + "?"
			}
			return session.WrongUse("Unknown subcommand %q; choose %s%s", args[0], strings.Join(names, ", "), hint)
		},
	}
	part := func(name, short string, do func() error) *cobra.Command {
		return &cobra.Command{
			Use: name, Short: short, Long: configHelp, Args: session.NoArguments,
			RunE: func(*cobra.Command, []string) error {
				return do()
			},
		}
	}
	c.AddCommand(part("check", "List mistakes", func() error { return configCheck(run) }),
		part("init", "Write a file to start from", func() error { return configInit(run) }),
		part("path", "Print the path of the file", func() error { return configPath(run) }))
	return c
}

// placeOfConfig returns the path of the file, or a sentence if the system has no place for one.
func placeOfConfig(run *session.Session) (string, error) {
	file, _ := run.ConfigFile()
	if file == "" {
		return "", session.Failed(nil, "No place for a configuration file: the home folder is unknown. Pass --config FILE")
	}
	return file, nil
}

func configPath(run *session.Session) error {
	file, err := placeOfConfig(run)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(run.Out, file)
	return err
}

func configCheck(run *session.Session) error {
	file, err := placeOfConfig(run)
	if err != nil {
		return err
	}
	c, _, err := run.LoadConfig()
	if err != nil {
		return session.MistakesError(err)
	}
	if err := checkRules(run, file, c); err != nil {
		return err
	}
	if c == nil {
		run.Say("No file " + file + ", so the defaults apply. Start one with: " + session.Program + " config init")
		return nil
	}
	run.Say("OK, no mistakes in " + file)
	return nil
}

func configInit(run *session.Session) error {
	file, err := placeOfConfig(run)
	if err != nil {
		return err
	}
	var stores []string
	if dir, err := run.Locator().UsualDir(); err == nil {
		stores = append(stores, dir)
	}
	err = config.Create(file, config.Recommended(), stores...)
	switch {
	case errors.Is(err, fs.ErrExist):
		return session.Failed(err, "%s already exists. Nothing written", file)
	case errors.Is(err, config.ErrInsideStore):
		return session.Failed(err, "%s is inside the store %s, where the agent could change it. Nothing written", file, stores[0])
	case err != nil:
		return session.Failed(err, "Can't write %s: %s", file, session.Reason(err))
	}
	_, err = fmt.Fprintln(run.Out, file)
	return err
}
