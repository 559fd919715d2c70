package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt/ccmemory"
	"memcurator/memstore/programs"
)

// exportAs writes the memory of a program in the program's own form.
func exportAs(run *session.Session, c *cobra.Command, args []string, f exportFlags) error {
	if f.as != ccmemory.Adapter.Kind {
		return session.WrongUse("There is no form %s. Pass --as cc-memory", f.as)
	}
	if len(args) == 0 {
		return session.WrongUse("Usage: export STORE --as cc-memory FILE")
	}
	file := args[len(args)-1]
	if info, err := os.Stat(file); len(args) == 1 && err == nil {
		if _, store := programs.Of(file); store || info.IsDir() {
			return session.WrongUse("FILE is missing: export %s --as cc-memory FILE", file)
		}
	}
	if _, err := os.Lstat(file); err == nil {
		return session.Failed(os.ErrExist, "%s exists. Pass another name", file)
	}
	target, err := run.Target(c, args[:len(args)-1], false)
	if err != nil {
		return err
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	if !ccmemory.Adapter.Recognize(target.Dir) {
		return session.Failed(errOtherForm, "%s is not a memory of cc-memory. Export it with --bundle FILE", target.Dir)
	}
	data, records, left, err := ccmemory.Export(c.Context(), target.Dir, time.Now())
	if err != nil {
		return session.Failed(err, "Can't read the store %s: %s", target.Dir, session.StoreReason(err))
	}
	line := exportLine{File: file, Notes: records, Bytes: int64(len(data)), Left: []leftLine{}}
	if line.Secrets = secretsIn(run, s, target.Dir)(filepath.Base(file), data); line.Secrets > 0 {
		run.Say(fmt.Sprintf("Warning: %s would leave the store. To list them: %s", output.Counted(line.Secrets, "secret"),
			run.Command("scan", target.Dir)))
	}
	if err := writeNew(file, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return session.Failed(err, "Can't write %s: %s", file, session.StoreReason(err))
	}
	if left > 0 {
		run.Say("Left out, because the form of cc-memory has no place for it: " + output.Counted(left, "record"))
	}
	if f.json {
		return run.Out.JSONLines().Encode(line)
	}
	run.Say(fmt.Sprintf("Exported %s (%s) to %s", output.Counted(line.Notes, "record"), memstore.FormatSize(memstore.Docs, line.Bytes), file))
	return nil
}

var errOtherForm = errors.New("the store has no such form")
