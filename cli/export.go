package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/bundle"
	"memcurator/memstore/config"
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
	fs.BoolVar(&f.json, "json", false, "print one JSON object: file, notes, bytes, sha256, secrets, left")
	c.MarkFlagsMutuallyExclusive("bundle", "as")
	return c
}

// exportLine is the output of export --json; the keys are a contract.
type exportLine struct {
	File    string     `json:"file"`
	Notes   int        `json:"notes"`
	Bytes   int64      `json:"bytes"`
	SHA256  *string    `json:"sha256"`  // of the ZIP file
	Secrets int        `json:"secrets"` // in the notes
	Left    []leftLine `json:"left"`
}

type leftLine struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

func export(run *session.Session, c *cobra.Command, args []string, f exportFlags) error {
	if f.as != "" {
		return exportAs(run, c, args, f)
	}
	out := f.bundle
	if out == "" {
		return session.WrongUse("Where to? Pass --bundle FILE or --as cc-memory FILE")
	}
	ctx, restore := session.UntilSignal(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	p, err := run.Past(c, args, false, nil)
	switch {
	case errors.Is(err, session.ErrSealed):
		return session.Failed(err, "Can't export an encrypted store. Copy its folder, which stays encrypted")
	case p == nil || err != nil && !errors.Is(err, session.ErrNoJournal):
		return err
	case err != nil:
		b, err := run.Locator().OpenPlain(p.Dir, false)
		if err != nil {
			return err
		}
		p.Backend = b
		defer b.Close()
	default:
		defer p.Close()
	}
	if config.Inside(out, p.Dir) {
		return session.WrongUse("%s is inside the store, where the agent would see it", out)
	}
	if _, err := os.Lstat(out); err == nil {
		return session.Failed(os.ErrExist, "%s exists. Pass another name", out)
	}
	store := memstore.New(p.Backend, memstore.Options{ReadOnly: true, Workers: runtime.NumCPU(),
		Origin: memstore.Origin{Actor: memstore.Curator}})
	contents, err := bundle.Collect(ctx, store)
	if err != nil {
		return bundleError(err, p.Dir)
	}
	line := exportLine{File: out, Notes: len(contents.Notes), Bytes: contents.Bytes, Left: []leftLine{}}
	if line.Secrets, err = warnOfSecrets(ctx, run, p, contents); err != nil {
		return err
	}
	if line.SHA256, err = writeBundle(contents, out); err != nil {
		return session.Failed(err, "Can't write %s: %s", out, session.StoreReason(err))
	}
	for _, l := range contents.Left {
		line.Left = append(line.Left, leftLine{l.Path, l.Why})
	}
	return sayExported(run, line, f.json)
}

// warnOfSecrets names how many secrets the notes of a bundle hold.
func warnOfSecrets(ctx context.Context, run *session.Session, p *session.Recorded, c *bundle.Contents) (int, error) {
	find := secretsIn(run, p.Settings, p.Dir)
	secrets, notes := 0, 0
	for i := range c.Notes {
		n := &c.Notes[i]
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if found := find(memstore.AgentPath(n.Path), n.Text); found > 0 {
			secrets += found
			notes++
		}
	}
	if secrets > 0 {
		run.Say(fmt.Sprintf("Warning: %s in %s would leave the store. To list them: %s", output.Counted(secrets, "secret"),
			output.Counted(notes, "note"), run.Command("scan", p.Dir)))
	}
	return secrets, nil
}

// writeBundle writes the ZIP file, and returns its digest.
func writeBundle(c *bundle.Contents, file string) (*string, error) {
	sum := sha256.New()
	if err := writeNew(file, func(w io.Writer) error { return c.Write(io.MultiWriter(w, sum)) }); err != nil {
		return nil, err
	}
	hash := hex.EncodeToString(sum.Sum(nil))
	return &hash, nil
}

// writeNew writes a file beside its name first, so that it is whole or absent. Only its owner can read it.
func writeNew(file string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".memcurator-bundle-*") // 0600
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
	said := fmt.Sprintf("Exported %s (%s) to %s", output.Counted(l.Notes, "note"), memstore.FormatSize(memstore.Docs, l.Bytes), l.File)
	if len(l.Left) > 0 {
		return session.Failed(session.ErrNothingDone, "%s, %d skipped", said, len(l.Left))
	}
	run.Say(said)
	return nil
}

// bundleError is the sentence for notes that don't fit a bundle, or a store that can't be read.
func bundleError(err error, dir string) error {
	if errors.Is(err, bundle.ErrFormat) {
		return session.Failed(err, "Can't bundle %s: %s", dir, bundleReason(err))
	}
	return session.Failed(err, "Can't read %s: %s", dir, session.StoreReason(err))
}

func bundleReason(err error) string {
	return strings.TrimPrefix(err.Error(), bundle.ErrFormat.Error()+": ")
}
