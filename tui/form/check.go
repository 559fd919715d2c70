package form

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/diff"
	"memcurator/tui/ui"
)

// Owner names the job that asks what a command would do.
const Owner = "form"

const (
	// settled is how long nothing is typed before the store is asked.
	settled = 120 * time.Millisecond
	// liveUpTo is the largest file, in bytes, that is read again after each pause in typing.
	liveUpTo = 4 << 20
	// countUpTo bounds the sides, in bytes, whose changed lines are counted while one types.
	countUpTo = 1 << 20
)

// outcome is what a command would do now.
type outcome struct {
	command        memstore.Command
	result         memstore.Result
	large          bool // the file is too large to be asked about at each pause
	before, after  *memstore.Content
	digest         *memstore.Digest // of before
	added, removed int
	counted        bool
}

// check asks in a job what the command would do; submit shows it as the preview then.
func (f *Form) check(submit bool) tea.Cmd {
	f.submitted = submit
	if !submit && f.missing() != "" {
		f.env.Jobs.Cancel(Owner)
		f.seen = nil
		return nil
	}
	store := f.store
	c, line := f.command()
	number := f.value(argLine)
	return f.env.Jobs.Start(Owner, "running the preview", func(ctx context.Context, _ *ui.Progress) (any, error) {
		if !submit && !pause(ctx) {
			return nil, ctx.Err()
		}
		if line != nil {
			return &outcome{command: c, result: badLine(ctx, store, c, number)}, ctx.Err()
		}
		if !submit && large(store, c.Path) {
			return &outcome{command: c, large: true}, ctx.Err()
		}
		o := ask(memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator}), store, c)
		return o, ctx.Err()
	})
}

// pause waits until one has stopped typing; false: something was typed meanwhile.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(settled)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// badLine is the tool's answer to an insert_line that is not a whole number.
func badLine(ctx context.Context, store *memstore.Store, c memstore.Command, number string) memstore.Result {
	input, err := json.Marshal(map[string]string{"command": c.Name, "path": c.Path, argLine: number, "insert_text": ""})
	if err == nil {
		_, err = memstore.DecodeCommand(input)
	}
	if err == nil { // never: a string is not a number. It must not be run in any case
		return memstore.Result{Content: "insert_line takes a line number", IsError: true}
	}
	return store.DoJSON(ctx, input)
}

func large(store *memstore.Store, path string) bool {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return false
	}
	info, err := store.Backend().Stat(name)
	return err == nil && info.Size > liveUpTo
}

// ask previews the command.
func ask(ctx context.Context, store *memstore.Store, c memstore.Command) *outcome {
	result, edit := store.Preview(ctx, c)
	o := &outcome{command: c, result: result}
	if edit == nil || len(edit.Changes) == 0 {
		return o
	}
	o.before, o.after = edit.Changes[0].Before, edit.Changes[0].After
	if o.before != nil {
		if sum, err := o.before.Digest(); err == nil {
			o.digest = &sum
		}
	}
	if size(o.before) <= countUpTo && size(o.after) <= countUpTo {
		a, _ := load(o.before)()
		b, _ := load(o.after)()
		o.added, o.removed, o.counted = diff.Counts(a, b)
	}
	return o
}

func size(c *memstore.Content) int64 {
	if c == nil {
		return 0
	}
	return c.Size()
}

// load reads one side; one that does not exist is empty.
func load(c *memstore.Content) func() ([]byte, string) {
	return func() ([]byte, string) {
		if c == nil {
			return nil, ""
		}
		data, err := c.Bytes()
		if err != nil {
			return nil, ui.TextFileGone
		}
		return data, ""
	}
}

// Receive takes the answer.
func (f *Form) Receive(done ui.Done) tea.Cmd {
	o, ok := done.Value.(*outcome)
	if !ok || f.writing {
		return nil
	}
	f.seen = o
	if !f.submitted {
		return nil
	}
	f.submitted = false
	if o.result.IsError {
		return nil
	}
	f.page, f.changed, f.whole = previewing, false, false
	f.env.Emit(Compare{Path: f.Path(), Title: f.Path(), Before: load(o.before), After: load(o.after)})
	return nil
}

// counts are the added and removed lines, for a heading; "" where they are unknown.
func (f *Form) counts() string {
	if f.seen == nil || !f.seen.counted {
		return ""
	}
	g := f.env.Styles.Glyphs
	return fmt.Sprintf("%s%d %s%d", g.Plus, f.seen.added, g.Minus, f.seen.removed)
}
