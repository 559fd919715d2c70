package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/text"
)

const configHelp = `Look at and check the configuration: one file for all stores, outside of every one.

Usage:
  memcurator config path                        print where the file lies
  memcurator config init                        write a commented file to begin with
  memcurator config check                       name every mistake in it
  memcurator config show [DIR] [AGENT-PATH]     print what holds for a store, and why

The file is that of --config, $MEMCURATOR_CONFIG, or memcurator/config.toml in
$XDG_CONFIG_HOME (left out: ~/.config, or the system's own place). Flags win over variables,
variables over the file. In the file, [stores.NAME] wins over what is said in general, and
later rules over earlier ones, key by key.

init refuses to replace a file. check prints FILE:LINE:COLUMN and a sentence for each mistake
on standard error and exits 1 where there is one. show prints each value with the place that
it comes from; with AGENT-PATH, also what the rules say about that path.

Flags of show:
      --dir DIR       the memory directory, instead of the argument
      --json          one JSON object a line: section, key, value, source, file, line, preset, match
Flags of every command: see memcurator help

Examples:
  memcurator config init && $EDITOR "$(memcurator config path)"
  memcurator config show ~/agent/memories /memories/scratch/today.md
`

func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "config check|path|show|init", Short: "Look at and check the configuration", Long: configHelp,
		RunE: func(c *cobra.Command, args []string) error {
			names := commandNames(c)
			if len(args) == 0 {
				return wrongUse("Say what to do: %s config %s.", program, strings.Join(names, ", "))
			}
			hint := ""
			if near := config.Nearest(args[0], names); near != "" {
				hint = " Did you mean " + near + "?"
			}
			return wrongUse("config has no part %q.%s", args[0], hint)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	part := func(name, short string, run func() error) *cobra.Command {
		return &cobra.Command{
			Use: name, Short: short, Long: configHelp, Args: noArguments, ValidArgsFunction: cobra.NoFileCompletions,
			RunE: func(*cobra.Command, []string) error {
				if err := a.openLog(); err != nil {
					return err
				}
				return run()
			},
		}
	}
	c.AddCommand(part("check", "Name every mistake", a.configCheck), part("init", "Write a file to begin with", a.configInit),
		part("path", "Print where the file lies", a.configPath), a.configShowCommand())
	return c
}

// placeOfConfig is the file, or a sentence where the system has no place for one.
func (a *app) placeOfConfig() (string, error) {
	file, _ := a.configFile()
	if file == "" {
		return "", failed(nil, "There is no place for a configuration file: the environment names no home folder. Name one with --config FILE.")
	}
	return file, nil
}

func (a *app) configPath() error {
	file, err := a.placeOfConfig()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, file)
	return err
}

func (a *app) configCheck() error {
	file, err := a.placeOfConfig()
	if err != nil {
		return err
	}
	c, _, err := a.loadConfig()
	if err != nil {
		return mistakesError(err)
	}
	if err := a.checkRules(file, c); err != nil {
		return err
	}
	if c == nil {
		a.say("There is no file " + file + "; the defaults hold. To begin one: " + program + " config init")
		return nil
	}
	a.say("No mistakes in " + file + ".")
	return nil
}

func (a *app) configInit() error {
	file, err := a.placeOfConfig()
	if err != nil {
		return err
	}
	var stores []string
	if dir, err := a.usualDir(); err == nil {
		stores = append(stores, dir)
	}
	err = config.Create(file, config.Recommended(), stores...)
	switch {
	case errors.Is(err, fs.ErrExist):
		return failed(err, "The file %s exists already and was left as it is.", file)
	case errors.Is(err, config.ErrInsideStore):
		return failed(err, "The file %s would lie inside the memory directory %s, where the agent could change it.", file, stores[0])
	case err != nil:
		return failed(err, "The file %s cannot be written: %s.", file, reason(err))
	}
	_, err = fmt.Fprintln(a.out, file)
	return err
}

func (a *app) configShowCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "show [DIR] [AGENT-PATH]", Short: "Print what holds for a store, and why", Long: configHelp,
		RunE:              func(c *cobra.Command, args []string) error { return a.configShow(c, args, asJSON) },
		ValidArgsFunction: a.completePaths,
	}
	storeFlag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// shown is one value of config show.
type shown struct {
	config.Setting
	source string   // flag, variable, store, file, preset or default
	match  []string // of the rule; nil where the value is of no rule
}

func (a *app) configShow(c *cobra.Command, args []string, asJSON bool) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	per, dir, path, err := a.shownStore(c, args, s)
	if err != nil {
		return err
	}
	var out io.Writer = a.out
	if a.env.StdoutTerminal {
		out = &screenWriter{w: a.out, options: text.Options{ASCII: s.theme.ASCII}}
	}
	all := a.overridden(per.Explain(), s)
	if asJSON {
		return a.showJSON(out, all, per, path)
	}
	if dir != "" {
		fmt.Fprintf(out, "# %s%s\n", title(dir), sectionNote(per))
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
		fmt.Fprintf(out, "\n# what the rules say about %s\n", text.Clean(path))
		for _, k := range per.Rule(path).Explain() {
			showLine(out, "", shown{Setting: k})
		}
	}
	return a.out.err
}

// shownStore is what holds for the store that is meant; where none is there, what holds in general.
func (a *app) shownStore(c *cobra.Command, args []string, s settings) (per config.Settings, dir, path string, err error) {
	t, err := a.target(c, args, true)
	switch {
	case err == nil:
		if s, err = a.forStore(s, t.dir); err != nil {
			return per, "", "", err
		}
		return s.config.For(t.dir), t.dir, t.agentPath, nil
	case len(args) == 0 && !c.Flags().Changed("dir"):
		return s.config.General(), "", "", nil
	case len(args) == 1 && isAgentPath(args[0]):
		return s.config.General(), "", args[0], nil
	}
	return per, "", "", err
}

func sectionNote(per config.Settings) string {
	if per.Store == "" {
		return ""
	}
	return ": [stores." + per.Store + "]"
}

// overridden puts flags and variables in place of what the file says.
func (a *app) overridden(settings []config.Setting, s settings) []shown {
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
			flag, variable = a.flags.dialect, a.env.Getenv(envDialect)
			one.Value = string(config.Text(s.dialect.String()))
		case "[ui]theme":
			flag = a.flags.theme
			one.Value = string(config.Text(string(s.theme.Name)))
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
		from = "$" + envDialect
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

// showJSON prints one object a line; the keys are a contract.
func (a *app) showJSON(out io.Writer, all []shown, per config.Settings, path string) error {
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
			Source: one.source, Match: one.match,
		}
		if one.From.Line > 0 {
			line.File, line.Line = &one.From.File, &one.From.Line
		}
		if one.From.Preset != "" {
			line.Preset = &one.From.Preset
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return a.out.err
}
