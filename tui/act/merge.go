package act

import (
	"bytes"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// mergeUpTo is the largest text, in bytes, whose conflicts can be decided in a box.
const mergeUpTo = 1 << 20

// Conflict is a text of which both sides changed the same lines: what is there now, and what the user wants there. What only one side
// changed is sure.
type Conflict struct {
	Title string // what is under way
	Path  string // agent path
	Other string // what the other side is: your text
	Parts []undo.Part
	// Take is given the text that follows from the side that was chosen, and how many conflicts were decided against what is there now.
	Take func(text []byte, overwrites int) tea.Cmd
	// Edit is given the text with both sides of each conflict between marks; nil: it can't be edited here.
	Edit func(marked []byte) tea.Cmd
	// Leave is called when nothing was decided; may be nil.
	Leave func() tea.Cmd
}

// Decide shows how the sides of a conflict differ, and lets the user take one of them for all lines in conflict, or edit both.
func (q *Queue) Decide(c Conflict) tea.Cmd {
	current, yours := c.sides()
	n := 0
	for _, part := range c.Parts {
		if part.Conflict {
			n++
		}
	}
	answers := map[keymap.ID]func() tea.Cmd{
		"keep-current": func() tea.Cmd { return c.Take(current, 0) },
		"keep-yours":   func() tea.Cmd { return c.Take(yours, n) },
		keymap.No:      c.Leave,
	}
	if c.Edit != nil {
		answers[keymap.Edit] = func() tea.Cmd { return c.Edit(c.marked()) }
	}
	title := fmt.Sprintf("%s: %s in %s", c.Title, kit.Count(n, "conflict"), kit.PathText(c.Path))
	foot := q.env.Keyed("{merge/keep-current} keeps the current lines, {merge/keep-yours} uses those of ") + c.Other
	box := diffpane.NewBox(q.env, title, foot)
	box.Scope = keymap.Merge
	q.shell.OpenUnasked(kit.Box{Overlay: box, Answers: answers})
	return box.Show(diffpane.Of("- the file now, + "+c.Other, c.Path, current, yours))
}

// sides are the texts with the lines of one side in each conflict.
func (c *Conflict) sides() (current, yours []byte) {
	for _, part := range c.Parts {
		current = append(append(current, part.Text...), part.Ours...)
		yours = append(append(yours, part.Text...), part.Theirs...)
	}
	return current, yours
}

// The marks around the lines of a conflict, as git writes them.
const (
	MarkCurrent = "<<<<<<< current"
	MarkOther   = ">>>>>>> "
)

// marked is the text with the lines of both sides in each conflict, between marks.
func (c *Conflict) marked() []byte {
	var out bytes.Buffer
	whole := func(lines []byte) { // something comes after them
		out.Write(lines)
		if len(lines) > 0 && lines[len(lines)-1] != '\n' {
			out.WriteByte('\n')
		}
	}
	for _, part := range c.Parts {
		if !part.Conflict {
			out.Write(part.Text)
			continue
		}
		out.WriteString(MarkCurrent + "\n")
		whole(part.Ours)
		out.WriteString("=======\n")
		whole(part.Theirs)
		out.WriteString(MarkOther + c.Other + "\n")
	}
	return out.Bytes()
}

// TextKeptCurrent says that the current side of every conflict was chosen.
const TextKeptCurrent = "Nothing changed: you kept the current lines"

// canMerge reports whether every conflict of a plan is between lines, so that the box can resolve it.
func canMerge(p *undo.Plan) bool {
	for _, c := range p.Conflicts {
		if c.Why != undo.WhyChanged || !c.Lines || max(len(c.Base), len(c.Ours), len(c.Theirs)) > mergeUpTo {
			return false
		}
	}
	return len(p.Conflicts) > 0
}

// openMerge resolves the conflicts of a plan file by file and then executes the plan. Leaving any file unresolved abandons the whole plan.
func (q *Queue) openMerge(p *undo.Plan, file int) tea.Cmd {
	c := p.Conflicts[file]
	return q.Decide(Conflict{
		Title: actText(p.Command), Path: c.Path, Other: "the text after the " + p.Command,
		Parts: undo.Parts(context.Background(), c.Base, c.Ours, c.Theirs),
		Take: func(data []byte, overwrites int) tea.Cmd {
			if !bytes.Equal(data, c.Ours) {
				sum := memstore.Sum(c.Ours)
				step := memstore.Step{Kind: memstore.KindFile, Path: c.Path, Data: data, Expect: &sum, Undoes: c.Rev}
				p.Steps = append(p.Steps, undo.PlannedStep{Step: step, Merged: true, Overwrites: overwrites})
			} else {
				leaveOut(p)
			}
			switch {
			case file+1 < len(p.Conflicts):
				return q.openMerge(p, file+1)
			case len(p.Steps) == 0:
				q.shell.Tell(kit.Info, TextKeptCurrent)
				return nil
			}
			p.Conflicts = nil
			return q.runPlan(p)
		},
		Edit: func(marked []byte) tea.Cmd { return q.shell.EditText(c.Path, c.Ours, marked) },
	})
}
