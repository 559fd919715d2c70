package secrets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// ownerPattern names the jobs that work out and write a pattern.
const ownerPattern = "secrets.pattern"

// patterns adds rules of the user's own to their file.
type patterns struct {
	env     *ui.Env
	shell   *ui.Shell
	o       *Options
	changed func() tea.Cmd // loads the rules again
}

// typeOne opens the prompt for a pattern.
func (p *patterns) typeOne() tea.Cmd {
	if p.o.Scrubbing == nil || p.o.Scrubbing.Rules == "" {
		p.shell.Tell(ui.Info, "No configuration file to write a pattern to. Name one with --config")
		return nil
	}
	return p.shell.TypeCommand(string(keymap.FindingPattern) + " ")
}

// patternEdit is a change of the file of the user's own rules: worked out, then shown, then written.
type patternEdit struct {
	file, name    string
	before, after []byte
	create        bool   // the file does not exist yet
	values, files int    // that the pattern finds now
	why           string // why it cannot be added
}

// Add works out a rule that finds a shape, or with slashes around it an expression, and what it finds now. It is shown before it
// is written.
func (p *patterns) Add(name, shape string) tea.Cmd {
	if p.o.Scrubbing == nil || p.o.Scrubbing.Rules == "" {
		return p.typeOne()
	}
	e := patternEdit{file: p.o.Scrubbing.Rules, name: name}
	backend := p.o.Store().Backend()
	return ui.Start(p.env.Jobs, ui.Job[patternEdit]{
		Owner: ownerPattern, Label: "trying the pattern", Done: p.show,
		Work: func(ctx context.Context, _ *ui.Progress) (patternEdit, error) { return e.workOut(ctx, shape, backend) },
	})
}

// patternText is the rule of a pattern as written.
func patternText(name, shape string) string {
	key, value := "patterns", "["+strconv.Quote(shape)+"]"
	if inner, ok := strings.CutPrefix(shape, "/"); ok && len(shape) > 2 && strings.HasSuffix(inner, "/") {
		key, value = "regex", strconv.Quote(strings.TrimSuffix(inner, "/"))
	}
	return fmt.Sprintf("[[rule]]\nid = %s\n%s = %s\n", strconv.Quote(name), key, value)
}

// workOut reads the file, tries the rule, and counts what it finds in files. It does I/O.
func (e patternEdit) workOut(ctx context.Context, shape string, b memstore.Backend) (patternEdit, error) {
	text := patternText(e.name, shape)
	engine, problems := scrub.New(scrub.Options{Bare: true, Files: []rule.File{{Name: filepath.Base(e.file), Text: []byte(text)}}})
	if len(problems) > 0 {
		e.why = problems[0].Reason
		return e, nil
	}
	var err error
	e.before, err = config.Read(e.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.create = true
	case err != nil:
		e.why = "can't read " + filepath.Base(e.file)
		return e, nil
	case strings.Contains(string(e.before), "id = "+strconv.Quote(e.name)+"\n"):
		e.why = filepath.Base(e.file) + " has a rule of this name"
		return e, nil
	}
	old := strings.TrimRight(string(e.before), "\n")
	if old != "" {
		old += "\n\n"
	}
	e.after = []byte(old + text)
	survey, err := findings.Scan(ctx, findings.Options{Engine: engine, Backend: b})
	if err != nil {
		return e, err
	}
	e.values, e.files = len(survey.Groups), len(survey.ByPath())
	return e, nil
}

// show shows the change of the file, or why there is none.
func (p *patterns) show(e patternEdit) tea.Cmd {
	if e.why != "" {
		p.shell.Tell(ui.Warn, "Can't add the pattern: "+e.why)
		return nil
	}
	write := func() tea.Cmd {
		dir := p.o.Scrubbing.Dir
		return ui.Start(p.env.Jobs, ui.Job[patternEdit]{
			Owner: ownerPattern, Label: "writing the pattern", Write: true, Done: p.written,
			Work: func(context.Context, *ui.Progress) (patternEdit, error) { return e.write(dir), nil },
		})
	}
	found := fmt.Sprintf("Finds %s in %s now. ", ui.CountGrouped(e.values, "value"), ui.CountGrouped(e.files, "file"))
	box := diffpane.NewBox(p.env, "Write this pattern to "+filepath.Base(e.file)+"?",
		found+p.env.Keyed("[{confirm/yes}] Write it  [{confirm/no}] Cancel"))
	p.shell.Open(ui.Box{Overlay: box, Answers: ui.Answers(write, nil)})
	return box.Compare(filepath.Base(e.file), e.file, diffpane.InMemory(e.before), diffpane.InMemory(e.after))
}

// write writes the file, if it is still what the change was worked out from. It does I/O.
func (e patternEdit) write(store string) patternEdit {
	var err error
	if e.create {
		err = config.Create(e.file, e.after, store)
	} else {
		err = config.Save(e.file, e.before, e.after, store)
	}
	switch {
	case err == nil:
	case errors.Is(err, config.ErrInsideStore):
		e.why = filepath.Base(e.file) + " is inside the store, where the agent could change it"
	case errors.Is(err, config.ErrChanged), errors.Is(err, fs.ErrExist):
		e.why = filepath.Base(e.file) + " changed meanwhile"
	default:
		e.why = "can't write " + filepath.Base(e.file)
	}
	return e
}

// rulesSettle is how long a changed file of rules takes until it is in force.
const rulesSettle = time.Second

// written reports the outcome, and scans with the new rule.
func (p *patterns) written(e patternEdit) tea.Cmd {
	if e.why != "" {
		p.shell.Tell(ui.Warn, "Can't add the pattern: "+e.why)
		return nil
	}
	p.shell.Tell(ui.Info, fmt.Sprintf("Wrote the pattern %s to %s", e.name, filepath.Base(e.file)))
	return p.env.After(rulesSettle, ui.Call(p.changed))
}
