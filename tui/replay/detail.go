package replay

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// aspect is one way to look at a call.
type aspect uint8

const (
	asDiff aspect = iota
	asResult
	asMemory
	aspects
)

func (a aspect) String() string {
	return [...]string{"diff", "result", "memory"}[a]
}

// detail shows the call under the list's cursor. Make it with newDetail.
type detail struct {
	*kit.Text
	calls  *calls
	aspect aspect
	turned bool   // the user chose it
	chosen string // a file that was chosen; "": the one that the call is about
}

func newDetail(env *kit.Env, list *calls) *detail {
	d := &detail{calls: list}
	d.Text = kit.NewText(env, kit.TextSpec{
		Scope: keymap.ReplayDetail, Owner: ownerPage, Label: "reading", Read: d.reader, Open: d.open,
		More: []kit.Action{{ID: keymap.Open, Keys: "enter", Help: "open the file that the line names", Hint: "open"}},
		Shown: func(doc *kit.Doc, same bool) {
			if same {
				return
			}
			top, at := 0, doc.Of.(int)
			if at >= d.Height() { // else the first row says what differs
				top = at - d.Height()/3
			}
			d.MoveTo(top, at)
		},
	})
	return d
}

// follow shows the call that the list is on.
func (d *detail) follow() tea.Cmd {
	d.chosen = ""
	return d.show()
}

// show shows the call under the cursor, unless it is there.
func (d *detail) show() tea.Cmd {
	r, ok := d.calls.current()
	if !ok {
		d.Set("", (&page{}).doc())
		return nil
	}
	return d.Show(fmt.Sprintf("%d %d %s", r.number, d.shown(), d.chosen))
}

// reader makes the page of the call under the cursor.
func (d *detail) reader(string) func(context.Context) (*kit.Doc, error) {
	b := builder{track: d.calls.track, path: d.Path()}
	b.row, _ = d.calls.current()
	aspect := d.shown()
	return func(ctx context.Context) (*kit.Doc, error) {
		switch aspect {
		case asResult:
			b.result(ctx)
		case asMemory:
			b.memory()
		default:
			b.diff(ctx)
		}
		return b.doc(), ctx.Err()
	}
}

// shown is the tab in sight: of a call that changed nothing the result, until the user turns to another tab.
func (d *detail) shown() aspect {
	if r, ok := d.calls.current(); ok && !r.Changed && d.aspect == asDiff && !d.turned && d.chosen == "" {
		return asResult
	}
	return d.aspect
}

// turn goes to another tab.
func (d *detail) turn(by int) tea.Cmd {
	d.aspect, d.turned = (d.shown()+aspect(by)+aspects)%aspects, true
	return d.show()
}

// open shows the file that the line under the cursor names.
func (d *detail) open(of any) tea.Cmd {
	path, ok := of.(string)
	if !ok {
		return nil
	}
	d.chosen, d.aspect = path, asDiff
	return d.show()
}

// Path implements [kit.Tab]: the file that is shown is the one that was chosen, else the one that the call is about; where that is gone,
// the first that it changed.
func (d *detail) Path() string {
	r, ok := d.calls.current()
	if !ok || d.chosen != "" {
		return d.chosen
	}
	own := r.Path
	if _, now := d.calls.track.File(own, r.number); !now {
		if changed := d.calls.track.Changes(r.number); len(changed) > 0 {
			return changed[0]
		}
	}
	return own
}

// Scopes implements [kit.Pane].
func (d *detail) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.ReplayDetail, keymap.Replay, keymap.Text}
}

// Title implements [kit.Tab]: the tabs, the shown one in brackets.
func (d *detail) Title() string {
	var names []string
	for a := range aspects {
		if a == d.shown() {
			names = append(names, "["+a.String()+"]")
			continue
		}
		names = append(names, a.String())
	}
	return strings.Join(names, " ")
}
