package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// intoFlags select which files of a replayed memory to write, and where.
type intoFlags struct {
	dir   string
	paths []string
	yes   bool
}

func (f *intoFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dir, "into", "", "write the files as they are then into the live store `DIR`; asks first, "+
		"and records them with the actor replay")
	c.Flags().StringArrayVar(&f.paths, "path", nil, "with --into: only what is at or below `PATH`; repeatable")
	c.Flags().BoolVar(&f.yes, "yes", false, "with --into: don't ask")
}

// check refuses impossible combinations before anything is read.
func (f *intoFlags) check(run *session.Session) error {
	switch {
	case f.dir == "" && (len(f.paths) > 0 || f.yes):
		return session.WrongUse("--path and --yes need --into DIR")
	case f.dir == "":
		return nil
	case !f.yes && !run.CanAsk():
		return session.NotAsked("write into " + f.dir)
	}
	for i, p := range f.paths {
		if p != "" && !strings.HasPrefix(p, "/") {
			p = memstore.AgentPath(p)
			f.paths[i] = p
		}
		if !session.IsAgentPath(p) {
			return session.WrongUse("%q is not an agent path. Example: --path notes", p)
		}
	}
	return nil
}

// placing is one file to write into a store.
type placing struct {
	path   string
	data   []byte
	exists bool
	origin memstore.Origin
}

// putInto writes files of a replayed memory into a live store, after asking, with replay as the actor.
func putInto(run *session.Session, c *cobra.Command, s session.Settings, from *transcript.Replay, f intoFlags,
	makers map[string]*transcript.Call) error {
	if f.dir == "" {
		return nil
	}
	store, err := run.Edit(c.Context(), f.dir, c.Name(), s, run.Warnings().Once())
	if err != nil {
		return err
	}
	defer store.Close()
	list, same, err := toPlace(from, store.Backend(), f.paths, makers)
	if err != nil {
		return session.Failed(err, "Can't read %s: %s", f.dir, session.Reason(err))
	}
	if len(list) == 0 {
		run.Say(fmt.Sprintf("Nothing to write into %s: %d files are identical", f.dir, same))
		return nil
	}
	if err := confirmPut(run, list, same, f); err != nil {
		return err
	}
	return placeFiles(run, c.Context(), store.Store, list, f.dir)
}

// toPlace lists the files that the store lacks or that differ; same counts the others.
func toPlace(from *transcript.Replay, into memstore.Backend, paths []string, makers map[string]*transcript.Call) (list []placing,
	same int, err error) {
	unknown := from.Unknown()
	err = eachMemory(from.Backend(), func(name string, data []byte) error {
		p := placing{path: memstore.AgentPath(name), data: data, origin: memstore.Origin{Actor: memstore.Replay}}
		chosen := len(paths) == 0 || slices.ContainsFunc(paths, func(top string) bool {
			return p.path == top || strings.HasPrefix(p.path, strings.TrimSuffix(top, "/")+"/")
		})
		if !chosen || slices.Contains(unknown, p.path) {
			return nil
		}
		if call := makers[p.path]; call != nil {
			p.origin.Session, p.origin.Model, p.origin.ToolUseID = call.Session, call.Model, call.ID
		}
		now, err := memstore.ReadFile(into, name, memstore.Look, math.MaxInt64)
		p.exists = err == nil
		switch {
		case err != nil && !errors.Is(err, memstore.ErrNotExist):
			return err
		case p.exists && bytes.Equal(now, data):
			same++
			return nil
		}
		list = append(list, p)
		return nil
	}, nil)
	return list, same, err
}

// confirmPut says what will be written and asks.
func confirmPut(run *session.Session, list []placing, same int, f intoFlags) error {
	for _, p := range list {
		does := "create "
		if p.exists {
			does = "replace"
		}
		run.SayPlain(fmt.Sprintf("%s %s  %d bytes", does, p.path, len(p.data)))
	}
	if f.yes {
		return nil
	}
	return run.Confirm("Write %d files into %s (%d are identical)? undo reverts it", len(list), f.dir, same)
}

func placeFiles(run *session.Session, ctx context.Context, store *memstore.Store, list []placing, dir string) error {
	done, group := 0, transcript.PutGroup()
	for _, p := range list {
		p.origin.Group = group
		if r := transcript.Put(ctx, store, p.path, p.data, p.origin); r.IsError {
			run.SayPlain(p.path + ": " + r.Content)
			continue
		}
		done++
	}
	run.SayPlain(fmt.Sprintf("Wrote %d of %d files into %s as actor replay; undo reverts them", done, len(list), dir))
	if done < len(list) {
		return session.Failed(session.ErrNothingDone, "Can't write %d files", len(list)-done)
	}
	return nil
}
