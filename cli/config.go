package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/text"
)

const configHelp = `Check and show the configuration: one file for all stores, outside of every store.

Usage:
  memcurator config path                        print the path of the file
  memcurator config init                        write a commented file to start from
  memcurator config check                       list its mistakes
  memcurator config show [DIR] [AGENT-PATH]     print what applies to a store, and why

The file is --config, $MEMCURATOR_CONFIG, or memcurator/config.toml in $XDG_CONFIG_HOME (by
default ~/.config, or the system's own place). Flags override variables, variables override the
file. In the file, [stores.NAME] overrides general settings, and later rules override earlier
ones, key by key.

init never replaces a file. check prints FILE:LINE:COLUMN and the mistake on standard error, and
exits 1 if there is one. show prints each value and where it comes from; with AGENT-PATH, also
what the rules set for that path.

Flags of show:
      --dir DIR       the memory directory, instead of the argument
      --json          print JSON Lines: section, key, value, source, file, line, preset, match
Global flags: memcurator help flags

Examples:
  memcurator config init && $EDITOR "$(memcurator config path)"
  memcurator config show ~/agent/memories /memories/scratch/today.md
`

func configCommand(run *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "config check|path|show|init", Short: "Check and show the configuration", Long: configHelp,
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
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	part := func(name, short string, do func() error) *cobra.Command {
		return &cobra.Command{
			Use: name, Short: short, Long: configHelp, Args: session.NoArguments, ValidArgsFunction: cobra.NoFileCompletions,
			RunE: func(*cobra.Command, []string) error {
				if err := run.OpenLog(); err != nil {
					return err
				}
				return do()
			},
		}
	}
	c.AddCommand(part("check", "List mistakes", func() error { return configCheck(run) }),
		part("init", "Write a file to start from", func() error { return configInit(run) }),
		part("path", "Print the path of the file", func() error { return configPath(run) }), configShowCommand(run))
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

func configShowCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show [DIR] [AGENT-PATH]", Short: "Print what applies to a store, and why", Long: configHelp,
		RunE:              func(c *cobra.Command, args []string) error { return configShow(run, c, args, asJSON) },
		ValidArgsFunction: run.CompletePaths,
	}
	session.StoreFlag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line")
	return c
}

// shown is one value of config show.
type shown struct {
	config.Setting
	source string   // flag, variable, store, file, preset or default
	match  []string // globs of the rule; nil if the value belongs to none
}

func configShow(run *session.Session, c *cobra.Command, args []string, asJSON bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	per, dir, path, err := shownStore(run, c, args, s)
	if err != nil {
		return err
	}
	var out io.Writer = run.Out
	if run.Env.StdoutTerminal {
		out = &output.ScreenWriter{W: run.Out, Options: text.Options{ASCII: s.Theme.ASCII}}
	}
	all := overridden(run, per.Explain(), s)
	if asJSON {
		return showJSON(run, out, all, per, path)
	}
	if dir != "" {
		fmt.Fprintf(out, "# %s%s\n", session.Title(dir), sectionNote(per))
	}
	for _, one := range all {
		showLine(out, one.Section, one)
	}
	for _, r := range per.Rules {
		fmt.Fprintf(out, "\n%-44s # %s\n", "[[rule]] match = "+globText(r.Match), r.At)
		for _, k := range r.Keys.Explain() {
			showLine(out, "", shown{Setting: k})
		}
	}
	if path != "" {
		fmt.Fprintf(out, "\n# rules for %s\n", text.Clean(path))
		for _, k := range per.Rule(path).Explain() {
			showLine(out, "", shown{Setting: k})
		}
	}
	return run.Out.Err
}

// shownStore returns the settings of the intended store, or the general ones if it doesn't exist.
func shownStore(run *session.Session, c *cobra.Command, args []string, s session.Settings) (per config.Settings, dir, path string,
	err error) {
	t, err := run.Target(c, args, true)
	switch {
	case err == nil:
		if _, err := os.Stat(t.Dir); errors.Is(err, fs.ErrNotExist) {
			return per, "", "", session.Failed(err, "No directory %s", t.Dir)
		}
		if s, err = run.ForStore(s, t.Dir); err != nil {
			return per, "", "", err
		}
		return s.Config.For(t.Dir), t.Dir, t.AgentPath, nil
	case len(args) == 0 && !c.Flags().Changed("dir"):
		return s.Config.General(), "", "", nil
	case len(args) == 1 && session.IsAgentPath(args[0]):
		return s.Config.General(), "", args[0], nil
	}
	return per, "", "", err
}

func sectionNote(per config.Settings) string {
	if per.Store == "" {
		return ""
	}
	return ": [stores." + per.Store + "]"
}

// overridden replaces values of the file by those of flags and variables.
func overridden(run *session.Session, settings []config.Setting, s session.Settings) []shown {
	out := make([]shown, 0, len(settings))
	for _, one := range settings {
		v := shown{Setting: one, source: "file"}
		switch {
		case one.From.Preset != "":
			v.source = "preset"
		case one.From.Line == 0:
			v.source = "default"
		}
		flag, variable := "", ""
		switch one.Section + one.Key {
		case "dialect":
			flag, variable = run.Flags.Dialect, run.Env.Getenv(session.EnvDialect)
			one.Value = string(config.Text(s.Dialect.String()))
		case "[ui]theme":
			flag = run.Flags.Theme
			one.Value = string(config.Text(string(s.Theme.Name)))
		}
		switch {
		case flag != "":
			v.source = "flag"
		case variable != "":
			v.source = "variable"
		}
		if v.source == "flag" || v.source == "variable" {
			v.From, v.Value = config.Origin{}, one.Value
		}
		out = append(out, v)
	}
	return out
}

func showLine(out io.Writer, section string, one shown) {
	from := one.From.String()
	switch one.source {
	case "flag":
		from = "--" + one.Key
	case "variable":
		from = "$" + session.EnvDialect
	}
	if section != "" {
		section += " "
	}
	fmt.Fprintf(out, "%-44s # %s\n", section+one.Key+" = "+one.Value, from)
}

func globText(globs []string) string {
	data, _ := json.Marshal(globs) // strings only: cannot fail
	return string(data)
}

// showJSON prints one object per line; the keys are a contract.
func showJSON(run *session.Session, out io.Writer, all []shown, per config.Settings, path string) error {
	for _, r := range per.Rules {
		for _, k := range r.Keys.Explain() {
			all = append(all, shown{k, "rule", r.Match})
		}
	}
	if path != "" {
		for _, k := range per.Rule(path).Explain() {
			all = append(all, shown{k, "path", []string{strings.TrimPrefix(path, memstore.Root+"/")}})
		}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for _, one := range all {
		line := struct {
			Section string          `json:"section"`
			Key     string          `json:"key"`
			Value   json.RawMessage `json:"value"`
			Source  string          `json:"source"`
			File    *string         `json:"file"`
			Line    *int            `json:"line"`
			Preset  *string         `json:"preset"`
			Match   []string        `json:"match"`
		}{
			Section: strings.Trim(one.Section, "[]"), Key: one.Key, Value: json.RawMessage(one.Value),
			Source: one.source, Match: one.match, Preset: output.OrNull(one.From.Preset),
		}
		if one.From.Line > 0 {
			line.File, line.Line = &one.From.File, &one.From.Line
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return run.Out.Err
}
