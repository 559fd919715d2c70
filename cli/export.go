package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt/tables"
	"memcurator/memstore/bundle"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

const exportHelp = `Write the notes of a store to one file, for another machine or as a backup.

Usage:
  memcurator export [STORE] --bundle FILE   a ZIP file
  memcurator export STORE --as cc-memory FILE   a memory of cc-memory in its own JSON form

import reads the file. It contains the secrets in the notes, and export says how many. The journal
and git folders stay behind. What a bundle can't contain, such as a link, is named, and the exit
status is 1. To back up an encrypted store, copy its folder.

Flags:
{flags}
Example:
  memcurator export ~/agent/memories --bundle memories.zip
`

type exportFlags struct {
	bundle, as string
	json       bool
}

func exportCommand(run *session.Session) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "export [STORE]", Short: "Write the notes of a store to one file", Long: exportHelp,
		RunE: func(c *cobra.Command, args []string) error { return export(run, c, args, f) },
	}
	fs := c.Flags()
	fs.StringVar(&f.bundle, "bundle", "", "write the ZIP `FILE`, which must not exist")
	fs.StringVar(&f.as, "as", "", "write the JSON form of `PROGRAM`, which is cc-memory")
	fs.BoolVar(&f.json, "json", false, "print one JSON object: file, notes, bytes, secrets, left")
	c.MarkFlagsMutuallyExclusive("bundle", "as")
	return c
}

// exportLine is the output of export --json; the keys are a contract.
type exportLine struct {
	File    string     `json:"file"`
	Notes   int        `json:"notes"`
	Bytes   int64      `json:"bytes"`
	Secrets int        `json:"secrets"` // in the notes
	Left    []leftLine `json:"left"`
}

type leftLine struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

func export(run *session.Session, c *cobra.Command, args []string, f exportFlags) error {
	file := f.bundle
	switch {
	case f.as != "" && f.as != tables.CCMemory.Kind:
		return session.WrongUse("There is no form %s. Pass --as cc-memory", f.as)
	case f.as != "" && len(args) < 2:
		return session.WrongUse("Usage: export STORE --as cc-memory FILE")
	case f.as != "":
		file, args = args[len(args)-1], args[:len(args)-1]
	case file == "":
		return session.WrongUse("Where to? Pass --bundle FILE or --as cc-memory FILE")
	}
	ctx, restore := session.UntilStopped(c.Context())
	defer restore()
	t, err := run.Target(c, args, false)
	if err != nil {
		return err
	}
	if sealed, err := run.Sealed(t.Dir); err == nil && sealed {
		return session.Failed(nil, "Can't export an encrypted store. Copy its folder, which stays encrypted")
	}
	o, err := run.OpenNamed(c, args, false)
	if err != nil {
		return err
	}
	defer o.Backend.Close()
	if config.Inside(file, o.Dir) {
		return session.WrongUse("%s is inside the store, where the agent would see it", file)
	}
	if _, err := os.Lstat(file); err == nil {
		return session.Failed(os.ErrExist, "%s exists. Pass another name", file)
	}
	exporting := exportBundle
	if f.as != "" {
		exporting = exportAs
	}
	line, write, err := exporting(ctx, run, o)
	if err != nil {
		return err
	}
	line.File = file
	if err := writeNew(file, write); err != nil {
		return session.Failed(err, "Can't write %s: %s", file, session.StoreReason(err))
	}
	return sayExported(run, line, f.json)
}

// exportBundle reads the notes of a store for a ZIP file.
func exportBundle(ctx context.Context, run *session.Session, o session.Opened) (exportLine, func(io.Writer) error, error) {
	contents, err := bundle.Collect(ctx, session.Look(o.Backend, o.Dialect))
	if errors.Is(err, bundle.ErrFormat) {
		return exportLine{}, nil, session.Failed(err, "Can't bundle %s: %s", o.Dir, bundleReason(err))
	} else if err != nil {
		return exportLine{}, nil, session.Failed(err, "Can't read %s: %s", o.Dir, session.StoreReason(err))
	}
	line := exportLine{Notes: len(contents.Notes), Bytes: contents.Bytes, Left: []leftLine{}}
	find, notes := secretsIn(run, o), 0
	for i := range contents.Notes {
		n := &contents.Notes[i]
		if err := ctx.Err(); err != nil {
			return line, nil, err
		}
		if found := find(memstore.AgentPath(n.Path), n.Text); found > 0 {
			line.Secrets += found
			notes++
		}
	}
	warnOfSecrets(run, line.Secrets, " in "+text.Count(notes, "note"), o.Dir)
	for _, l := range contents.Left {
		line.Left = append(line.Left, leftLine{l.Path, l.Why})
	}
	return line, contents.Write, nil
}

// exportAs reads the memory of cc-memory in the program's own form.
func exportAs(ctx context.Context, run *session.Session, o session.Opened) (exportLine, func(io.Writer) error, error) {
	if !tables.CCMemory.Recognize(o.Dir) {
		return exportLine{}, nil, session.Failed(nil, "%s is not a memory of cc-memory. Export it with --bundle FILE", o.Dir)
	}
	data, records, left, err := tables.Export(ctx, o.Dir, time.Now())
	if err != nil {
		return exportLine{}, nil, session.ReadError(o.Dir, err)
	}
	line := exportLine{Notes: records, Bytes: int64(len(data)), Left: []leftLine{}, Secrets: secretsIn(run, o)("", data)}
	warnOfSecrets(run, line.Secrets, "", o.Dir)
	if left > 0 {
		run.Say("Left out, because the form of cc-memory has no place for it: " + text.Count(left, "record"))
	}
	return line, func(w io.Writer) error { _, err := w.Write(data); return err }, nil
}

// warnOfSecrets names how many secrets are in an export.
func warnOfSecrets(run *session.Session, secrets int, where, dir string) {
	if secrets > 0 {
		run.Say(fmt.Sprintf("Warning: %s%s would leave the store. To list them: %s", text.Count(secrets, "secret"), where,
			run.Command("scan", dir)))
	}
}

// writeNew writes a file beside its name first, so that it is whole or absent. Only its owner can read it.
func writeNew(file string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".memcurator-export-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is gone if all went well
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), file); err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	return os.Rename(f.Name(), file) // the file system has no links
}

func sayExported(run *session.Session, l exportLine, asJSON bool) error {
	if asJSON {
		if err := run.Out.JSONLines().Encode(l); err != nil {
			return err
		}
	}
	for _, one := range l.Left {
		run.Say(fmt.Sprintf("Skipped %s: %s", output.OneLine(one.Path), one.Why))
	}
	said := fmt.Sprintf("Exported %s (%s) to %s", text.Count(l.Notes, "note"), memstore.FormatSize(memstore.Docs, l.Bytes), l.File)
	if len(l.Left) > 0 {
		return session.Failed(nil, "%s, %d skipped", said, len(l.Left))
	}
	run.Say(said)
	return nil
}

func bundleReason(err error) string {
	return strings.TrimPrefix(err.Error(), bundle.ErrFormat.Error()+": ")
}

// secretsIn returns what counts the secrets in the notes of a store, by its rules and without what the user dismissed there.
func secretsIn(run *session.Session, o session.Opened) func(agentPath string, text []byte) int {
	engine := run.SomeEngine(o.Settings, run.Say)
	dismissed, _ := findings.OpenState(run.State().Left(o.Dir)) // without it, nothing is dismissed
	return func(agentPath string, text []byte) int {
		return findings.Count(engine, dismissed, agentPath, text)
	}
}
