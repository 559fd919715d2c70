package replay

import (
	"math"
	"slices"
	"strconv"
	"strings"

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
	number int
	words  string // that a search looks in
}

// rowsOf makes the rows of all calls.
func rowsOf(track *transcript.Track) []row {
	rows := make([]row, len(track.Steps))
	for i, step := range track.Steps {
		r := row{Step: step, number: i + 1}
		input := string(step.Input)
		if cmd, err := memstore.DecodeCommand(step.Input); err == nil && step.Family == transcript.Memory {
			input = strings.Join([]string{cmd.Path, cmd.OldPath, cmd.NewPath, cmd.FileText, cmd.OldStr, cmd.NewStr, cmd.InsertText}, "\n")
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
	changes := func(i int) bool { return c.rows[i].Changed }
	begins := func(i int) bool { return i == 0 || c.rows[i-1].Turn != c.rows[i].Turn }
	c.Table = kit.NewTable(s.env, kit.Spec[int]{
		Scope: keymap.Replay,
		Key:   strconv.Itoa,
		Words: func(i int) string { return c.rows[i].words },
		Terms: c.terms(),
		Columns: []kit.Column[int]{
			{Most: 12, Right: true, Text: c.number, Paint: func(_ int, st *theme.Styles) theme.Paint { return st.Number }},
			{Most: 30, Text: c.outcome, Paint: func(i int, st *theme.Styles) theme.Paint { return verdictPaint(c.rows[i].Verdict, st) }},
			{Most: 19, From: wordsFrom, Text: func(i int) string { return kit.When(c.rows[i].When, s.env.Now()) }},
			{Most: 16, Text: func(i int) string { return c.rows[i].Op() }},
			{Text: func(i int) string { return c.subject(i, math.MaxInt) }, Fit: c.subject},
		},
		Paint: func(i int, st *theme.Styles) theme.Paint {
			if !changes(i) {
				return st.Dim
			}
			return st.Text
		},
		Empty:  func() string { return s.reading },
		NoTodo: "No other call differs",
		Path:   func(i int) string { return c.rows[i].Path },
		Open:   func(int) tea.Cmd { return s.shell.FocusDetail() },
		Moved:  func() tea.Cmd { return s.detail.follow() },
		More: []kit.Action{
			{ID: keymap.ReplayChangeNext, Keys: ">", Help: "step to the next call that changed the memory", Hint: "next change",
				Run: step(1, changes)},
			{ID: "replay-change-prev", Keys: "<", Help: "step to the previous call that changed the memory",
				Run: step(-1, changes)},
			{ID: keymap.HunkNext, Run: step(1, begins)},
			{ID: keymap.HunkPrev, Run: step(-1, begins)},
		},
	})
	return c
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
	joined := func(v transcript.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }
	var verdicts []string
	for _, v := range transcript.Verdicts {
		verdicts = append(verdicts, joined(v))
	}
	return []kit.Term[int]{
		{Key: "command", Fits: func(i int, name string) bool { return strings.ToLower(c.rows[i].Op()) == name }},
		{Key: "verdict", Values: verdicts, Fits: func(i int, verdict string) bool { return joined(c.rows[i].Verdict) == verdict }},
		{Key: "is", Values: []string{"main", "write"}, Fits: func(i int, state string) bool {
			if state == "main" {
				return c.rows[i].Agent == ""
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

// anyDiffers reports whether a call got another answer than its transcript says.
func (c *calls) anyDiffers() bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return r.Verdict == transcript.Differs })
}

func (c *calls) differs(i int) bool { return c.rows[i].Verdict == transcript.Differs }

// number is that of a call, with a w if it wrote to the memory.
func (c *calls) number(i int) string {
	if c.rows[i].Changed {
		return strconv.Itoa(i+1) + "w"
	}
	return strconv.Itoa(i+1) + " "
}

// glyphs are the signs of the verdicts, and their ASCII twins.
var glyphs = map[transcript.Verdict][2]string{
	transcript.Identical:     {"=", "="},
	transcript.OtherDialect:  {"≈", "~"},
	transcript.Differs:       {"≠", "!"},
	transcript.Cleared:       {"∅", "0"},
	transcript.NoResult:      {"·", "."},
	transcript.NotReplayable: {"⊘", "-"},
	transcript.Unknown:       {"?", "?"},
}

// outcome is the verdict of a call, in a list with room for words or without.
func (c *calls) outcome(i int) string {
	v := c.rows[i].Verdict
	if c.Width() < wordsFrom {
		return c.sign(v)
	}
	return c.sign(v) + " " + string(v)
}

func (c *calls) sign(v transcript.Verdict) string {
	if c.env.ASCII {
		return glyphs[v][1]
	}
	return glyphs[v][0]
}

// Legend implements [kit.Legended].
func (s *Screen) Legend() string {
	var parts []string
	for _, v := range []transcript.Verdict{
		transcript.Identical, transcript.OtherDialect, transcript.Differs, transcript.Cleared, transcript.NoResult,
		transcript.NotReplayable, transcript.Unknown,
	} {
		parts = append(parts, s.calls.sign(v)+" "+string(v))
	}
	return strings.Join(parts, "  ") + "  1w the call changed the memory  in the memory tab: + new  ~ changed  - gone  ? unknown"
}

func verdictPaint(v transcript.Verdict, st *theme.Styles) theme.Paint {
	switch v {
	case transcript.Identical:
		return st.Success
	case transcript.Differs:
		return st.Warning
	case transcript.OtherDialect:
		return st.Info
	default:
		return st.Dim
	}
}

// subject is the path, both of a rename, who made the call if that was a subagent, and that it failed. A path with more than some cells
// loses folders, not its name.
func (c *calls) subject(i, cells int) string {
	r := c.rows[i]
	path := c.env.MaskedText(kit.PathText(r.Path)) // first: part of a secret is not masked
	switch {
	case r.Family == transcript.Shell:
		path = r.CommandLine()
	case r.To != "":
		path += " " + c.env.Styles.Glyphs.Arrow + " " + kit.PathText(r.To)
	default:
		path = text.FitPath(path, cells, c.env.Styles.Glyphs.Ellipsis)
	}
	if r.Agent != "" {
		path += "  " + agentText(r.Agent)
	}
	if r.Result != nil && r.Result.IsError {
		path += "  failed"
	}
	return c.env.MaskedText(text.Clean(path))
}

// agentText names a subagent; "" for the main one.
func agentText(agent string) string {
	if agent == "" || agent == textSide {
		return agent
	}
	return textSide + " " + agent
}
