package undo

import (
	"context"
	"crypto/rand"
	"errors"

	"memcurator/memstore"
)

// Group is several acts of the curator that are undone as one: what an apply of a plan, or a bulk
// delete, consists of. Each act first checks that the file is what was decided on, takes its
// turn among the writers, and is on disk and recorded when it returns nil, so that a group may end
// at any of them. Nothing has to be closed. Not safe for concurrent use.
type Group struct {
	e     *Editor
	title string
	name  string
	begun bool
	acts  int
}

// Group begins a group. The title says to people what it is, without a full stop: "apply: 12 expired notes";
// lists and the undo show it. Nothing is written before the first act.
func (e *Editor) Group(title string) *Group {
	return &Group{e: e, title: title, name: "group " + rand.Text()}
}

// Acts is how many acts were carried out.
func (g *Group) Acts() int { return g.acts }

// Delete removes a file, or a link, if its digest is still what is expected (of a link that of its text). The errors of
// the acts are those of [memstore.Store.Apply]: [memstore.ErrChanged] where the file has other bytes or is gone by now,
// [memstore.ErrNotRecorded] where the record does not take it; nothing is done then.
func (g *Group) Delete(ctx context.Context, path string, expect memstore.Digest) error {
	return g.act(ctx, "", memstore.Step{Path: path, Remove: true, Expect: &expect})
}

// Move moves a file to another path in the store, such as an archive; missing folders are made, and
// [memstore.ErrExist] where something is at the path.
func (g *Group) Move(ctx context.Context, path, to string, expect memstore.Digest) error {
	return g.act(ctx, "", memstore.Step{Path: to, OldPath: path, Expect: &expect})
}

// Write replaces the bytes of a file. command is the command name of the revision.
func (g *Group) Write(ctx context.Context, command, path string, data []byte, expect memstore.Digest) error {
	return g.act(ctx, command, memstore.Step{Kind: memstore.KindFile, Path: path, Data: data, Expect: &expect})
}

// RemoveFolder removes a folder that is empty; [memstore.ErrChanged] where it is not.
func (g *Group) RemoveFolder(ctx context.Context, path string) error {
	return g.act(ctx, "", memstore.Step{Kind: memstore.KindDir, Path: path, Remove: true})
}

// Put carries out any step, such as one that brings the stamps of a file along. command is the command name of the revision.
func (g *Group) Put(ctx context.Context, command string, s memstore.Step) error {
	return g.act(ctx, command, s)
}

func (g *Group) act(ctx context.Context, command string, s memstore.Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := g.begin(ctx); err != nil {
		return err
	}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: g.name, As: command})
	_, err := g.e.store.Apply(ctx, s)
	if errors.Is(err, memstore.ErrNotExist) {
		err = errors.Join(memstore.ErrChanged, err)
	}
	if err == nil {
		g.acts++
	}
	return err
}

// begin keeps the title; the number comes with the first revision.
func (g *Group) begin(ctx context.Context) error {
	if g.begun {
		return nil
	}
	err := g.e.record.OpenGroup(ctx, g.name, g.title)
	g.begun = err == nil
	if err != nil { // what cannot be recorded is not done
		return errors.Join(memstore.ErrNotRecorded, err)
	}
	return nil
}
