package replay

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// calls is the list of calls, a row an index of one. Make it with newCalls.
type calls struct {
	*kit.Table[int]
	env   *kit.Env
	track *transcript.Track // nil: nothing was read
	rows  []row
}

// row is what the list shows of a call.
type row struct {
	transcript.Step
	number  int
	to      string // the new path of a rename
	changed bool   // it changed the memory
	words   string // that a search looks in
}

// rowsOf makes the rows of all calls.
func rowsOf(track *transcript.Track) []row {
	steps, changed := track.Steps(), track.Changed()
	rows := make([]row, len(steps))
	for i, step := range steps {
		r := row{Step: step, number: i + 1, changed: i+1 < len(changed) && changed[i+1]}
		input := string(step.Input)
		if cmd, err := memstore.DecodeCommand(step.Input); err == nil && step.Family == transcript.Memory {
			input = strings.Join([]string{cmd.Path, cmd.OldPath, cmd.NewPath, cmd.FileText, cmd.OldStr, cmd.NewStr, cmd.InsertText}, "\n")
			r.to = cmd.NewPath
		}
		if step.Result != nil {
			input += "\n" + step.Result.Text
		}
		r.words = strings.ToLower(r.Path + "\n" + input)
		rows[i] = r
	}
	return rows
}

// wordsFrom is the least width of the list that has room for verdicts in words, and for times.
const wordsFrom = 60

// newCalls makes an empty list.
func newCalls(s *Screen) *calls {
	c := &calls{env: s.env}
	step := func(by int, fits func(int) bool) func() tea.Cmd { return func() tea.Cmd { return c.Step(by, fits) } }
	changes := func(i int) bool { return c.rows[i].changed }
	begins := func(i int) bool { return i == 0 || c.rows[i-1].Turn != c.rows[i].Turn }
	c.Table = kit.NewTable(s.env, kit.Spec[int]{
		Scope: keymap.Replay,
		Key:   strconv.Itoa,
		Words: func(i int) string { return c.rows[i].words },
		Terms: c.terms(),
		Columns: []kit.Column[int]{
			{Most: 12, Right: true, Text: c.number, Paint: func(_ int, st *theme.Styles) theme.Paint { return st.Number }},
			{Most: 30, Text: c.outcome, Paint: func(i int, st *theme.Styles) theme.Paint { return verdictPaint(c.rows[i].Verdict, st) }},
			{Most: 16, From: wordsFrom, Text: func(i int) string { return whenOf(c.rows[i].When, s.env.Now()) }},
			{Most: 16, Text: func(i int) string { return c.rows[i].Op() }},
			{Text: c.subject},
		},
		Paint: func(i int, st *theme.Styles) theme.Paint {
			if !changes(i) {
				return st.Dim
			}
			return st.Text
		},
		Empty:  func() string { return s.reading },
		NoTodo: "No such call",
		Path:   func(i int) string { return c.rows[i].Path },
		Open:   func(int) tea.Cmd { return s.shell.FocusDetail() },
		Moved:  func() tea.Cmd { return s.detail.follow() },
		More: []kit.Action{
			{ID: keymap.ReplayChangeNext, Keys: ">", Help: "step to the next call that changed the memory", Hint: "write",
				Run: step(1, changes)},
			{ID: "replay-change-prev", Keys: "<", Help: "step to the previous call that changed the memory",
				Run: step(-1, changes)},
			{ID: keymap.HunkNext, Run: step(1, begins)},
			{ID: keymap.HunkPrev, Run: step(-1, begins)},
		},
	})
	return c
}

// whenOf is the time of a call, "" where it is unknown.
func whenOf(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	return kit.When(at, now)
}

// set lists the calls that were read.
func (c *calls) set(v loaded) {
	c.track, c.rows = v.track, v.rows
	list := make([]int, len(v.rows))
	for i := range list {
		list[i] = i
	}
	c.Set(list)
}

// terms are those of the filter.
func (c *calls) terms() []kit.Term[int] {
	joined := func(v transcript.Verdict) string { return strings.ReplaceAll(v.Word(), " ", "-") }
	var verdicts []string
	for _, v := range []transcript.Verdict{
		transcript.Divergent, transcript.Identical, transcript.OtherDialect, transcript.Cleared,
		transcript.NoResult, transcript.NotReplayable, transcript.Unknown,
	} {
		verdicts = append(verdicts, joined(v))
	}
	return []kit.Term[int]{
		{Key: "command", Fits: func(i int, name string) bool { return strings.ToLower(c.rows[i].Op()) == name }},
		{Key: "verdict", Values: verdicts, Fits: func(i int, verdict string) bool { return joined(c.rows[i].Verdict) == verdict }},
		{Key: "is", Values: []string{"main", "write"}, Fits: func(i int, state string) bool {
			if state == "main" {
				return !c.rows[i].Side
			}
			return c.rows[i].Op() != memstore.CmdView && c.rows[i].Op() != "Read"
		}},
	}
}

// current is the call under the cursor.
func (c *calls) current() (row, bool) {
	i, ok := c.Current()
	if !ok {
		return row{}, false
	}
	return c.rows[i], true
}

const textNoSuchCall = "No call then or later"

// goToCall puts the cursor on a call by its number, or the next that the filter leaves.
func (c *calls) goToCall(n int) tea.Cmd {
	for i := max(0, min(n, len(c.rows))-1); i < len(c.rows); i++ {
		if c.GoTo(strconv.Itoa(i)) {
			return c.Moved()
		}
	}
	c.env.Emit(kit.Say{Text: textNoSuchCall})
	return nil
}

func (c *calls) diverges(i int) bool { return c.rows[i].Verdict.Diverges() }

// number is that of a call, with a mark if it changed the memory.
func (c *calls) number(i int) string {
	if c.rows[i].changed {
		return strconv.Itoa(i+1) + c.env.Styles.Glyphs.Unread
	}
	return strconv.Itoa(i+1) + " "
}

// glyphs are the signs of the verdicts, and their ASCII twins.
var glyphs = map[transcript.Verdict][2]string{
	transcript.Identical:     {"=", "="},
	transcript.OtherDialect:  {"≈", "~"},
	transcript.Drift:         {"≠", "!"},
	transcript.Divergent:     {"✗", "X"},
	transcript.Cleared:       {"∅", "0"},
	transcript.NoResult:      {"·", "."},
	transcript.NotReplayable: {"⊘", "-"},
	transcript.Unknown:       {"?", "?"},
}

// outcome is the verdict of a call, in a list with room for words or without.
func (c *calls) outcome(i int) string {
	v := c.rows[i].Verdict
	sign := glyphs[v][0]
	if c.env.ASCII {
		sign = glyphs[v][1]
	}
	if c.Width() < wordsFrom {
		return sign
	}
	return sign + " " + v.Word()
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

// subject is the path, both of a rename, and what is to be said of the call.
func (c *calls) subject(i int) string {
	r := c.rows[i]
	path := kit.PathText(r.Path)
	if r.Family == transcript.Shell {
		path = r.CommandLine()
	}
	if r.to != "" {
		path += " " + c.env.Styles.Glyphs.Arrow + " " + kit.PathText(r.to)
	}
	notes := []string{"", "", r.Detail}
	if r.Side {
		notes[0] = textSide
	}
	if r.Result != nil && r.Result.IsError && !strings.HasPrefix(r.Detail, "failed") {
		notes[1] = "failed"
	}
	notes = slices.DeleteFunc(notes, func(s string) bool { return s == "" })
	return c.env.MaskedText(text.Clean(strings.TrimSpace(path + "  " + strings.Join(notes, ", "))))
}
