// Package replay is the Replay screen: the memory calls of recorded conversations, and what the
// memory, the result and the agent's knowledge were at each. The list and its detail are two panes
// that the root puts beside each other; both read a [transcript.Track], which is filled in a job
// from the transcripts themselves. Nothing here opens a store: what is to be done to one, the
// root is asked by intents.
package replay

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// The owners of the jobs.
const (
	ownerLoad = "replay.load"
	ownerPage = "replay.page"
	ownerTree = "replay.tree"
)

// callList is the list of calls, a row an index of one. Make it with newCallList.
type callList struct {
	*kit.Table[int]
	env     *kit.Env
	actions *kit.Actions
	session *session
	grew    bool // while it was read: it is read again
	state   state
	calls   recording
	words   map[int]string // what words are looked for in
	// elsewhere is the store that the transcripts belong to, where that is not the one beside the replay.
	elsewhere string
	learn     func(*transcript.Track) tea.Cmd // makes use of transcripts that were read
	notes     string                          // what was seen beside the calls
	empty     string                          // what was seen in place of calls
	detail    *detailPane
}

// state is how the load stands.
type state uint8

const (
	idle state = iota
	loading
	ready
	failed
)

// The least widths of the list at which it has room for verdicts in words and for days.
const (
	wordsFrom = 60
	dayFrom   = 120
)

// newCallList makes an empty list and the pane for its details.
func newCallList(env *kit.Env) (*callList, *detailPane) {
	p := &callList{env: env, calls: recording{env: env}}
	p.Table = kit.NewTable(env, kit.Spec[int]{
		Scope: keymap.Replay,
		Key:   strconv.Itoa,
		Words: p.wordsOf,
		Terms: p.terms(),
		Columns: []kit.Column[int]{
			{Most: 12, Right: true, Text: p.calls.number, Paint: func(_ int, st *theme.Styles) theme.Paint { return st.Number }},
			{
				Most: 30, Text: func(i int) string { return p.calls.outcome(i, p.Width() >= wordsFrom) },
				Paint: func(i int, st *theme.Styles) theme.Paint { return verdictPaint(p.calls.verdict(i), st) },
			},
			{Most: 16, From: wordsFrom, Text: func(i int) string { return p.calls.clock(i, p.Width() >= dayFrom) }},
			{Most: 16, Text: func(i int) string { return p.calls.rows[i].op }},
			{Text: p.calls.subject},
		},
		Paint: func(i int, st *theme.Styles) theme.Paint {
			if !p.calls.changes(i) {
				return st.Dim
			}
			return st.Text
		},
		Empty:  p.emptyText,
		NoTodo: "No such call",
		Path:   func(i int) string { return p.calls.rows[i].path },
		Moved:  p.moved,
	})
	p.actions = kit.NewActions(env, p.bindings()...).Or(p.Table.Actions())
	p.detail = newDetail(env, p)
	return p, p.detail
}

// terms are those of the filter.
func (p *callList) terms() []kit.Term[int] {
	verdicts := []string{"differs"}
	for _, v := range []transcript.Verdict{
		transcript.Identical, transcript.OtherDialect, transcript.Cleared,
		transcript.NoResult, transcript.NotReplayable, transcript.Unknown,
	} {
		verdicts = append(verdicts, joinedWords(v))
	}
	return []kit.Term[int]{
		{Key: "command", Fits: func(i int, name string) bool { return strings.ToLower(p.calls.rows[i].op) == name }},
		{Key: "session", Fits: func(i int, id string) bool { return strings.HasPrefix(strings.ToLower(p.calls.rows[i].session), id) }},
		{Key: "path", Fits: func(i int, part string) bool {
			r := p.calls.rows[i]
			return strings.Contains(strings.ToLower(r.path+"\n"+r.to), part)
		}},
		{Key: "verdict", Values: verdicts, Fits: func(i int, verdict string) bool {
			v := p.calls.verdict(i)
			return joinedWords(v) == verdict || v.Word() == verdict
		}},
		{Key: "is", Values: []string{"main", "differing", "write"}, Fits: func(i int, state string) bool {
			switch state {
			case "main":
				return !p.calls.rows[i].side
			case "differing":
				return p.calls.verdict(i).Diverges()
			}
			return p.calls.rows[i].writes()
		}},
	}
}

// joinedWords is a verdict as a term has it: without the blank in it.
func joinedWords(v transcript.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }

// wordsOf are those of a call: its path, what it was given and answered, and the files that it deleted.
func (p *callList) wordsOf(i int) string {
	if words, ok := p.words[i]; ok {
		return words
	}
	step := p.calls.steps[i]
	words := []string{p.calls.rows[i].path, inputText(step.Call)}
	if step.Result != nil {
		words = append(words, step.Result.Text)
	}
	for _, c := range p.calls.track.Changes(i + 1) {
		if c.Before == memstore.KindFile && c.After == 0 {
			gone, _ := p.calls.track.Content(c.Path, i)
			words = append(words, string(gone))
		}
	}
	p.words[i] = strings.ToLower(strings.Join(words, "\n"))
	return p.words[i]
}

// Call is the number of the call under the cursor, from 1; 0: there is none.
func (p *callList) Call() int {
	i, ok := p.Current()
	if !ok {
		return 0
	}
	return i + 1
}

// Track is the replay; nil before one was read.
func (p *callList) Track() *transcript.Track { return p.calls.track }

// Selected is the step under the cursor.
func (p *callList) Selected() (transcript.Step, bool) {
	n := p.Call()
	if n == 0 {
		return transcript.Step{}, false
	}
	return p.calls.steps[n-1], true
}

// GoToCall puts the cursor on a call by its number, or the next that the filter leaves.
func (p *callList) GoToCall(n int) tea.Cmd {
	for i := max(0, min(n, len(p.calls.rows))-1); i < len(p.calls.rows); i++ {
		if p.GoTo(strconv.Itoa(i)) {
			return p.moved()
		}
	}
	p.env.Emit(kit.Say{Text: textNoSuchCall})
	return nil
}

const textNoSuchCall = "No call then or later"

// moved shows the details of the call that the cursor came to.
func (p *callList) moved() tea.Cmd { return p.detail.follow() }

// Actions implements [kit.Pane].
func (p *callList) Actions() *kit.Actions { return p.actions }

func (p *callList) bindings() []kit.Action {
	begins := func(i int) bool { return i == 0 || p.calls.rows[i-1].turn != p.calls.rows[i].turn }
	step := func(id keymap.ID, by int, fits func(int) bool) kit.Action {
		return kit.Action{ID: id, Run: func() tea.Cmd { return p.Step(by, fits) }}
	}
	return []kit.Action{
		step(keymap.ReplayChangeNext, 1, p.calls.changes), step(keymap.ReplayChangePrev, -1, p.calls.changes),
		step(keymap.ReplayDivergeNext, 1, p.calls.diverges), step(keymap.ReplayDivergePrev, -1, p.calls.diverges),
		step(keymap.HunkNext, 1, begins), step(keymap.HunkPrev, -1, begins),
	}
}

func verdictPaint(v transcript.Verdict, st *theme.Styles) theme.Paint {
	switch v {
	case transcript.Identical:
		return st.Success
	case transcript.Drift:
		return st.Warning
	case transcript.Divergent:
		return st.Error
	case transcript.OtherDialect:
		return st.Info
	default:
		return st.Dim
	}
}

// title names the list: whose calls they are, where they are of one session.
func (p *callList) title() string {
	if p.calls.sessions != 1 || len(p.calls.rows) == 0 || p.calls.rows[0].session == "" {
		return "calls"
	}
	return "calls of " + text.ShortID(p.calls.rows[0].session)
}

// place is which call the cursor is on.
func (p *callList) place() string {
	if p.Call() == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.Call(), len(p.calls.rows))
}

func (p *callList) emptyText() string {
	switch p.state {
	case idle:
		return p.env.Keyed(textNone)
	case loading:
		return "Reading the transcript..."
	case failed:
		return p.env.Keyed("Can't read the transcript. {global/messages} shows why")
	}
	return text.Clean(p.empty)
}

// heading is the title with the verdicts of all calls, as far as they fit. About is what the session was about, "" if unknown.
func (p *callList) heading(about string, width int) kit.Title {
	title, total := p.title(), p.total()
	if room := width - text.Width(title+p.Filter()+total+p.place()) - 10; about != "" && room >= aboutLeast {
		title += ", " + text.Truncate(text.Clean(about), room, p.env.Styles.Glyphs.Ellipsis)
	}
	t := kit.ListTitle(p.env.Styles, title, p.Filter(), p.place(), width)
	room := width - text.Width(ansi.Strip(t.Left)) - text.Width(p.place()) - 4
	if total := text.Truncate(total, max(0, room), p.env.Styles.Glyphs.Ellipsis); room > 8 && total != "" {
		t.Left += p.env.Styles.Dim.Apply("  " + total)
	}
	return t
}

// aboutLeast is how many cells of what a session was about must fit to be of use.
const aboutLeast = 12

// total counts the verdicts of all calls.
func (p *callList) total() string {
	if len(p.calls.rows) == 0 {
		return ""
	}
	total := p.calls.track.Total().Counts() // a key goes to the first that differs
	if p.notes != "" {
		total += "; " + p.notes
	}
	return text.Clean(total)
}
