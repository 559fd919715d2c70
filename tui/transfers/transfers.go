// Package transfers copies and moves notes from the open store to another one: the user chooses the store from a list, sees what
// will happen, decides the conflicts, and undoes it all with one key. The root makes it and binds its methods; it reads and writes the
// stores in jobs.
package transfers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/transfer"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// Machine holds what transfers need of this machine. Its functions do I/O.
type Machine struct {
	// Stores lists the stores of this machine.
	Stores func(ctx context.Context) ([]discover.Found, error)
	// Open opens a store by [discover.Found.Path]: for edits, with its journal, or to look.
	Open func(ctx context.Context, path string, edits bool) (transfer.Place, func(), error)
	// Recorded opens a store with a journal, to undo its half of a move.
	Recorded transfer.Opener
	// Title is a path with a tilde for the home folder.
	Title func(path string) string
	// Here names the open store among them; "" for none.
	Here string
	// Secrets finds the secrets in a note of the open store; nil: none are looked for.
	Secrets func(agentPath string, text []byte) []transfer.Secret
}

// Options connect transfers to the interface.
type Options struct {
	*Machine
	Edits *act.Queue
	// Here is the open store, with its journal.
	Here func() transfer.Place
}

// Transfers implements the actions.
type Transfers struct {
	Options
	env   *kit.Env
	shell act.Shell
	runs  int // that undo can reach, to tell them apart
}

// New makes it.
func New(env *kit.Env, shell act.Shell, o Options) *Transfers {
	return &Transfers{Options: o, env: env, shell: shell}
}

// owner names the jobs that read.
const owner = "transfer"

// end is the store that notes go to.
type end struct{ path, title string }

// route holds the notes of a transfer from the open store, and the other store.
type route struct {
	to    end
	paths []string // agent paths; none: all
	move  bool
}

func (r *route) verb() string {
	if r.move {
		return "Move"
	}
	return "Copy"
}

func (r *route) doing() string {
	if r.move {
		return "moving"
	}
	return "copying"
}

func (r *route) did() string {
	if r.move {
		return "Moved"
	}
	return "Copied"
}

// WhyNot returns the reason why notes can't go to another store now.
func (t *Transfers) WhyNot(move bool) kit.Say {
	switch {
	case t.Machine == nil:
		return kit.Say{Level: kit.Info, Text: "No other stores in this session"}
	case t.shell.WhyPast().Text != "":
		return t.shell.WhyPast()
	case move:
		return t.Edits.WhyNoRemoval()
	}
	return kit.Say{}
}

// Send asks for a store, and copies or moves what is at some paths of the open store there.
func (t *Transfers) Send(paths []string, move bool) tea.Cmd {
	if why := t.WhyNot(move); why.Text != "" {
		t.shell.Tell(why.Level, why.Text)
		return nil
	}
	return t.find(t.Here().Path, route{paths: paths, move: move})
}

// find lists the stores other than the one that notes come from.
func (t *Transfers) find(from string, r route) tea.Cmd {
	list := t.Machine.Stores
	return kit.Start(t.env.Jobs, kit.Job[[]discover.Found]{
		Owner: owner, Label: "finding stores",
		Work: func(ctx context.Context, _ *kit.Progress) ([]discover.Found, error) { return list(ctx) },
		Done: func(found []discover.Found) tea.Cmd { return t.choose(others(found, from), r) },
	})
}

// others are the stores that notes can go to.
func others(found []discover.Found, here string) (list []discover.Found) {
	for _, f := range found {
		takes := f.Kind == discover.KindDir || f.Kind == discover.KindGraph || f.Kind == discover.KindCCMemory
		if takes && !f.Missing && f.Problem == "" && f.Path != here && f.Dir != here {
			list = append(list, f)
		}
	}
	return list
}

// choose lists the stores.
func (t *Transfers) choose(list []discover.Found, r route) tea.Cmd {
	if len(list) == 0 {
		t.shell.Tell(kit.Info, "No other store on this machine")
		return nil
	}
	options := make([]overlay.Option, len(list))
	for i, f := range list {
		options[i] = overlay.Option{Name: text.Clean(f.Agent), Text: text.Clean(t.nameOf(f))}
	}
	labels := discover.Labels(list, t.Title)
	title := r.verb() + " to which store?"
	t.shell.Choose(title, options, 0, func(row int) tea.Cmd {
		r.to = end{path: list[row].Path, title: called(labels[row], list[row].Agent)}
		return t.plan(r)
	})
	return nil
}

// called names a store in a question: as the list of stores does, with its agent.
func called(label, agent string) string {
	if agent == "" {
		return label
	}
	return label + " (" + agent + ")"
}

// nameOf is how a list names a store: by its project, and by its path.
func (t *Transfers) nameOf(f discover.Found) string {
	what := fmt.Sprintf("%s  %s", kit.Count(f.Files, "note"), t.Title(f.Path))
	if label := f.Label(t.Title); label != t.Title(f.Path) {
		return label + "  " + what
	}
	return what
}

// open opens the other store.
func (t *Transfers) open(ctx context.Context, r route, here transfer.Place, edits bool) (*transfer.Transfer, func(), error) {
	x := &transfer.Transfer{From: here, Paths: r.paths, Move: r.move}
	to, done, err := t.Machine.Open(ctx, r.to.path, edits)
	if err != nil {
		return nil, nil, err
	}
	x.To = to
	return x, done, nil
}

// planned is a plan, with the texts of its conflicts.
type planned struct {
	route
	plan      *transfer.Plan
	warnings  []string
	conflicts []conflict
}

// conflict is a note with two texts.
type conflict struct {
	item        *transfer.Item
	there, here []byte
}

// mergeUpTo is the largest text, in bytes, whose conflict is decided in the box.
const mergeUpTo = 1 << 20

// plan reads both stores and then asks.
func (t *Transfers) plan(r route) tea.Cmd {
	here := t.Here()
	here.Secrets = t.Machine.Secrets
	return kit.Start(t.env.Jobs, kit.Job[planned]{
		Owner: owner, Label: "comparing the stores", Done: t.ask,
		Work: func(ctx context.Context, _ *kit.Progress) (planned, error) {
			out := planned{route: r}
			x, done, err := t.open(ctx, r, here, false)
			if err != nil {
				return out, err
			}
			defer done()
			if out.plan, err = x.Plan(ctx); err != nil {
				return out, err
			}
			out.warnings = x.Warnings(out.plan)
			for i := range out.plan.Items {
				one := &out.plan.Items[i]
				if one.Act != transfer.Conflict || one.There == nil || one.Kind != memstore.KindFile || one.Bytes > mergeUpTo {
					continue
				}
				from, to, err := x.Texts(ctx, one)
				if err == nil && len(to) <= mergeUpTo && !text.Binary(from) && !text.Binary(to) {
					out.conflicts = append(out.conflicts, conflict{one, to, from})
				}
			}
			return out, nil
		},
	})
}

// listed bounds the names in a question.
const listed = 8

// ask shows a plan.
func (t *Transfers) ask(p planned) tea.Cmd {
	n := todo(p)
	if n == 0 && len(p.conflicts) == 0 {
		t.shell.Tell(kit.Info, nothingText(p))
		return nil
	}
	title := fmt.Sprintf("%s %s to %s?", p.verb(), kit.CountGrouped(n+len(p.conflicts), "note"), text.Clean(p.to.title))
	t.shell.Ask(title, t.questionText(p), func() tea.Cmd { return t.decide(p, 0) })
	return nil
}

// todo counts the notes that need no decision.
func todo(p planned) int {
	if p.move {
		return p.plan.Leaves()
	}
	n, _ := p.plan.Count(transfer.Copy, transfer.Replace)
	return n
}

// nothingText explains a plan without changes.
func nothingText(p planned) string {
	for i := range p.plan.Items {
		if one := &p.plan.Items[i]; one.Why != "" {
			return "Skipped " + text.Clean(kit.PathText(one.Path)) + ": " + one.Why
		}
	}
	return "The same notes are there already"
}

// questionText lists what a plan does, what it leaves, and the way back.
func (t *Transfers) questionText(p planned) string {
	var b strings.Builder
	for _, warning := range p.warnings {
		b.WriteString("! " + text.Clean(warning) + "\n")
	}
	if len(p.warnings) > 0 {
		b.WriteByte('\n')
	}
	size := int64(0)
	for i := range p.plan.Items {
		one := &p.plan.Items[i]
		size += one.Bytes
		if i < listed {
			fmt.Fprintf(&b, "%-9s %s  %s\n", p.word(one), text.Clean(kit.PathText(one.Path)), text.Size(one.Bytes))
			if why := one.Why; why != "" && one.Act == transfer.Skip {
				fmt.Fprintf(&b, "%-9s %s\n", "", why)
			}
			if secrets := one.SecretsText(); secrets != "" {
				fmt.Fprintf(&b, "%-9s %s\n", "", secrets)
			}
			if ripples := one.RipplesText(); ripples != "" {
				fmt.Fprintf(&b, "%-9s %s\n", "", ripples)
			}
			if len(one.Links) > 0 {
				fmt.Fprintf(&b, "%-9s links without a target there: %s\n", "", text.Clean(strings.Join(one.Links, ", ")))
			}
		}
	}
	if more := len(p.plan.Items) - listed; more > 0 {
		fmt.Fprintf(&b, "and %s more\n", kit.Number(more))
	}
	for _, e := range p.plan.Indexes {
		word := "added to "
		if e.Source {
			word = "removed from "
		}
		fmt.Fprintf(&b, "%-9s %s %s%s\n", "index", text.Count(e.Notes, "entry", "entries"), word, text.Clean(kit.PathText(e.Path)))
	}
	fmt.Fprintf(&b, "\n%s, %s in all.", kit.CountGrouped(len(p.plan.Items), "note"), text.Size(size))
	if n := len(p.conflicts); n > 0 {
		fmt.Fprintf(&b, " You decide %s next.", kit.Count(n, "conflict"))
	}
	if key := t.Edits.UndoKeys().Undo; key != "" {
		fmt.Fprintf(&b, " %s undoes.", key)
	}
	return b.String()
}

// word is the act on a note in one word, the same as on the command line.
func (r *route) word(i *transfer.Item) string {
	if i.Act == transfer.Copy {
		return strings.ToLower(r.verb())
	}
	return string(i.Act)
}

// decide asks about each conflict in turn, and then carries out the plan.
func (t *Transfers) decide(p planned, at int) tea.Cmd {
	if at >= len(p.conflicts) {
		return t.carry(p, t.undoable)
	}
	c := p.conflicts[at]
	title := p.verb()
	if len(p.conflicts) > 1 {
		title += fmt.Sprintf(" %d of %d", at+1, len(p.conflicts))
	}
	return t.Edits.Decide(act.Conflict{
		Title: title, Path: c.item.Path, Other: "incoming", Parts: transfer.Parts(context.Background(), c.there, c.here),
		Take: func(data []byte) tea.Cmd {
			if !bytes.Equal(data, c.there) { // else it is skipped
				c.item.Resolve(data)
			}
			return t.decide(p, at+1)
		},
		Leave: kit.Do(func() {
			t.shell.Tell(kit.Info, fmt.Sprintf("Canceled the %s. Nothing changed", strings.ToLower(p.verb())))
		}),
	})
}

// carried is the outcome of a run.
type carried struct {
	planned
	out transfer.Outcome
	err error
}

// carry carries out a plan; then is called if it changed a store.
func (t *Transfers) carry(p planned, then func(carried) tea.Cmd) tea.Cmd {
	here := t.Here()
	return act.Do(t.Edits, act.Edit[carried]{
		Label: p.doing() + " notes",
		Work: func(ctx context.Context, progress *kit.Progress) (carried, error) {
			out := carried{planned: p}
			x, done, err := t.open(ctx, p.route, here, true)
			if err != nil {
				return out, err
			}
			defer done()
			x.Report = func(done, total int) { progress.Set(int64(done), int64(total)) }
			out.out, out.err = x.Carry(ctx, p.plan)
			return out, nil
		},
		Done: func(c carried) tea.Cmd { return t.done(c, then) },
	})
}

// done reports a run, and lets undo reach it in both stores.
func (t *Transfers) done(c carried, then func(carried) tea.Cmd) tea.Cmd {
	arrived := len(c.out.Done) + len(c.out.Kept)
	said := fmt.Sprintf("%s %s (%s) to %s", c.did(), kit.CountGrouped(len(c.out.Done), "note"), text.Size(sizeOf(c.out.Done)),
		text.Clean(c.to.title))
	level := kit.Info
	var left []transfer.Failed
	for _, list := range [][]transfer.Failed{c.out.Kept, c.out.Skipped} {
		left = append(left, list...)
	}
	for i := range left[:min(len(left), act.LeftListed)] {
		t.shell.Tell(kit.Warn, "Skipped "+text.Clean(kit.PathText(left[i].Path))+": "+left[i].Why())
	}
	if len(left) > 0 {
		level = kit.Warn
		said += fmt.Sprintf("; %d skipped, %s: %s", len(left), text.Clean(kit.PathText(left[0].Path)), left[0].Why())
	}
	if c.err != nil {
		level, said = kit.Fail, said+". Stopped: "+act.Reason(c.err)
	}
	changed := len(c.out.Revisions[0])+len(c.out.Revisions[1]) > 0
	if key := t.Edits.UndoKeys().Undo; key != "" && changed && arrived > 0 {
		said += ". " + key + " undoes"
	}
	t.shell.Tell(level, said)
	if !changed {
		return nil
	}
	return then(c)
}

// sizeOf is the size of all items.
func sizeOf(items []transfer.Item) (bytes int64) {
	for i := range items {
		bytes += items[i].Bytes
	}
	return bytes
}

// undoable puts a run among the acts that undo and redo reach. A move from the open store is one in its journal.
func (t *Transfers) undoable(c carried) tea.Cmd {
	if len(c.out.Revisions[0]) > 0 {
		return nil
	}
	t.runs++
	act := act.Beside{Owner: fmt.Sprintf("%s %d", owner, t.runs), Undo: func() tea.Cmd { return t.undo(c) }}
	act.Redo = func() tea.Cmd {
		return t.carry(c.planned, func(again carried) tea.Cmd {
			t.Edits.ForgetBeside(act.Owner) // it is another run, with revisions of its own
			return t.undoable(again)
		})
	}
	return t.Edits.Beside(act)
}

// undo undoes a run in both stores.
func (t *Transfers) undo(c carried) tea.Cmd {
	here := t.Here()
	type undone struct {
		left string
		err  error
	}
	return act.Do(t.Edits, act.Edit[undone]{
		Label: "undoing",
		Work: func(ctx context.Context, _ *kit.Progress) (undone, error) {
			x, done, err := t.open(ctx, c.route, here, true)
			if err != nil {
				return undone{}, err
			}
			defer done()
			var u undone
			u.left, u.err = x.Undo(ctx, c.out.Revisions)
			return u, nil
		},
		Done: func(u undone) tea.Cmd {
			if u.err != nil {
				said := "Can't undo: " + act.Reason(u.err)
				if stop, is := errors.AsType[*transfer.Elsewhere](u.err); is {
					said = stop.Error()
				}
				t.shell.Tell(kit.Warn, said)
				return nil
			}
			if u.left != "" { // the message log has both lines
				defer t.shell.Tell(kit.Warn, u.left)
			}
			did := strings.ToLower(c.verb())
			said := fmt.Sprintf("Undid the %s of %s to %s", did, kit.CountGrouped(len(c.out.Done), "note"), text.Clean(c.to.title))
			if key := t.Edits.UndoKeys().Redo; key != "" {
				said += ". " + key + " redoes"
			}
			t.shell.Tell(kit.Info, said)
			return nil
		},
	})
}
