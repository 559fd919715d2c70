// Package notify calls people who look elsewhere when something happens that must not wait: by the bell of the terminal, by a
// program of theirs, or both. Both are off unless the configuration turns them on. No event holds the text of a secret.
package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os/exec"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// Kind is what happened.
type Kind string

// The kinds.
const (
	BulkDelete  Kind = "bulk-delete"
	Overwritten Kind = "overwritten" // an edit, by the program that owns the store's file
	Secret      Kind = "secret"
	Damage      Kind = "damage"
)

// Event is what happened, as a program gets it in one line of JSON on its standard input.
type Event struct {
	Kind    Kind      `json:"event"`
	Time    time.Time `json:"time"`
	Store   string    `json:"store"`
	Text    string    `json:"text"` // one sentence
	Actor   string    `json:"actor,omitempty"`
	Session string    `json:"session,omitempty"`
	Path    string    `json:"path,omitempty"` // relative to the store
	Count   int       `json:"count,omitempty"`
}

// every is the least time between two notifications, and the most that a program may take. Of the events of one kind in between, the
// newest is kept.
const every = 10 * time.Second

// Notifier notifies. All methods run on the Bubble Tea goroutine. Make it with [New].
type Notifier struct {
	ctx   context.Context
	shell kit.Shell
	log   *slog.Logger
	now   func() time.Time
	after func(time.Duration, tea.Msg) tea.Cmd
	store string

	bell    bool
	program []string
	waiting []Event // at most one of each kind
	pausing bool
	failed  bool // the user has read why the program can't run
}

// New makes a notifier of a store, which is off. The end of ctx ends a program that runs.
func New(
	ctx context.Context, shell kit.Shell, log *slog.Logger, now func() time.Time, after func(time.Duration, tea.Msg) tea.Cmd, store string,
) *Notifier {
	return &Notifier{ctx: ctx, shell: shell, log: log, now: now, after: after, store: store}
}

// Use sets the ways to notify: the bell, and a program with its arguments. Without both nothing notifies.
func (n *Notifier) Use(bell bool, program []string) {
	n.bell, n.failed = bell, n.failed && slices.Equal(n.program, program)
	n.program = program
}

// Add notes an event for the next [Notifier.Flush].
func (n *Notifier) Add(e Event) {
	if !n.bell && len(n.program) == 0 {
		return
	}
	e.Time, e.Store = n.now(), n.store
	n.waiting = append(slices.DeleteFunc(n.waiting, func(w Event) bool { return w.Kind == e.Kind }), e)
}

// Flush sends the oldest event, unless the one before was just now.
func (n *Notifier) Flush() tea.Cmd {
	if n.pausing || len(n.waiting) == 0 {
		return nil
	}
	e := n.waiting[0]
	n.waiting, n.pausing = n.waiting[1:], true
	cmds := []tea.Cmd{n.after(every, kit.Call(func() tea.Cmd {
		n.pausing = false
		return nil
	}))}
	if n.bell {
		cmds = append(cmds, tea.Raw("\a"))
	}
	if len(n.program) > 0 {
		program := slices.Clone(n.program)
		cmds = append(cmds, func() tea.Msg {
			err := run(n.ctx, program, e)
			return kit.Call(func() tea.Cmd { return n.report(program[0], err) })
		})
	}
	return tea.Batch(cmds...)
}

// run runs a program with an event on its standard input. What it prints is dropped: the screen is ours.
func run(ctx context.Context, program []string, e Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, every)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stdin = bytes.NewReader(append(line, '\n'))
	cmd.WaitDelay = time.Second // for what the program has started and left behind
	return cmd.Run()
}

// report says once that the program does not work.
func (n *Notifier) report(name string, err error) tea.Cmd {
	if err == nil || n.ctx.Err() != nil {
		return nil
	}
	n.log.Warn("notify failed", "program", name, "error", err)
	if !n.failed {
		n.failed = true
		n.shell.Report(kit.Warn, "Can't run "+name+" of [ui] notify: "+err.Error())
	}
	return nil
}
