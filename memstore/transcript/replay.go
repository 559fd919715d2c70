package transcript

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path"
	"strings"

	"memcurator/memstore"
)

// Verdict is what the comparison of a recorded result with ours came to.
type Verdict string

// The verdicts.
const (
	Identical     Verdict = "identical"       // text and flag are equal byte for byte
	OtherDialect  Verdict = "dialect"         // the same outcome in other words
	Differs       Verdict = "differs"         // another outcome: the memory was changed elsewhere
	Cleared       Verdict = "cleared"         // a placeholder stands where the result was
	NoResult      Verdict = "no result"       // none was recorded
	NotReplayable Verdict = "not replayable"  // a shell command that is not simple, an input that was cleared, or unknown content
	Unknown       Verdict = "unknown handler" // the result is in no wording that is known
)

// Step is a call with its verdict.
type Step struct {
	*Call
	Path    string // agent path that the call is about, as the files of the memory have it; as it was given where it is none
	To      string // the new path of a rename
	Verdict Verdict
	Detail  string           // "" for none
	Ours    *memstore.Result // what our handlers answer; nil where they were not asked

	Changed bool // it changed the memory

	touched []string // agent paths of what the call may have changed
	viewed  string   // agent path of the file that it showed the agent; "" for none
}

// replay runs calls one after another on a store in memory. It is not safe for concurrent use.
type replay struct {
	backend memstore.Backend
	store   *memstore.Store
	steps   []Step
	before  before
}

// newReplay makes a replay that answers in a dialect.
func newReplay(dialect memstore.Dialect) *replay {
	p := &replay{backend: memstore.NewMemory(), before: newBefore()}
	p.store = memstore.New(p.backend, memstore.Options{Dialect: dialect, Origin: memstore.Origin{Actor: memstore.Replay}})
	return p
}

// step runs the next call.
func (p *replay) step(ctx context.Context, c *Call) Step {
	p.before.found = nil
	s := Step{Call: c}
	if c.Family == Memory {
		p.command(ctx, &s)
	} else {
		p.tool(&s)
	}
	if name := nameOf(s.Path); name != "" {
		s.Path = memstore.AgentPath(name)
	}
	p.explain(&s)
	if c.Rewound {
		s.Detail = strings.TrimPrefix(s.Detail+"; rewound: the user went back to before it", "; ")
	}
	if s.Verdict == Identical {
		s.Ours = nil // it is what was recorded
	}
	p.steps = append(p.steps, s)
	return s
}

// explain says of a step that differs what is known of the reason, and where the change lies among the calls.
func (p *replay) explain(s *Step) {
	if s.Verdict != Differs {
		return
	}
	n, shell := len(p.steps), 0 // the last call about the file, and the last shell command after it that names the file
	for ; n > 0 && p.steps[n-1].Path != s.Path; n-- {
		if c := p.steps[n-1]; shell == 0 && c.Family == Shell && strings.Contains(c.CommandLine(), path.Base(s.Path)) {
			shell = n
		}
	}
	switch {
	case n > 0 && p.steps[n-1].Rewound && !s.Rewound:
		s.Detail += fmt.Sprintf("; call %d left it otherwise, which the user rewound", n)
	case shell > 0:
		s.Detail += fmt.Sprintf("; the shell command of call %d changed it", shell)
	case n == 0: // nothing is known of the time before
	case p.steps[n-1].Source.File != s.Source.File:
		s.Detail += fmt.Sprintf("; another program changed it between two transcripts, after call %d", n)
	case p.steps[n-1].Verdict == Differs:
		s.Detail += fmt.Sprintf("; since call %d", n)
	default:
		s.Detail += fmt.Sprintf("; another program changed it after call %d", n)
	}
}

// tool carries out a call of a tool for files or of a shell, and judges it by what its result shows of the file.
func (p *replay) tool(s *Step) {
	list, shown, known := s.edits()
	if s.Path = shown; len(list) > 0 {
		s.Path = list[0].Path
	}
	name := nameOf(s.Path)
	switch {
	case s.Family == Shell && (s.Path == "" || !known && shown == ""):
		s.Verdict, s.Detail = NotReplayable, "a shell command; the next read shows its effect"
		return
	case name == "":
		s.Verdict, s.Detail = NotReplayable, "the path leaves the memory folder"
		return
	case s.Result != nil && s.Result.IsError:
		s.Verdict, s.Detail = Identical, "failed; changed nothing"
		return
	case s.Result == nil:
		s.Verdict = NoResult
	case isCleared(s.Result.Text):
		s.Verdict = Cleared
	default:
		s.Verdict = Identical
	}
	if data, exists, known := s.FileBefore(); known {
		p.compareBefore(s, name, []byte(data), exists)
	}
	if s.Verdict == Differs {
		s.touched = []string{s.Path}
	}
	if shown != "" {
		if s.Result != nil {
			p.was(name, nil, 0)
		}
		if s.shows() {
			s.viewed = s.Path
		}
		return
	}
	for _, e := range list {
		switch why, unknown := p.edit(e, s); {
		case why == "" || s.Result == nil:
		case unknown || s.Family == Shell:
			s.Verdict, s.Detail = NotReplayable, why
		default:
			s.Verdict, s.Detail = Differs, "succeeded in the recording; "+why
		}
	}
}

// compareBefore judges by the recorded content before the call, and continues from that: it is the whole file. A read may leave out the
// last newline, so it makes no difference.
func (p *replay) compareBefore(s *Step, name string, data []byte, exists bool) {
	if exists && p.was(name, data, 0) {
		return
	}
	now, err := p.content(name)
	if here := err == nil; here != exists || !bytes.Equal(bytes.TrimRight(now, "\n"), bytes.TrimRight(data, "\n")) {
		s.Verdict, s.Detail = Differs, outside(now, data, here, exists)
	} else if s.reads() {
		return
	}
	if exists {
		p.put(name, data)
	} else {
		p.remove(name)
	}
}

// outside says how a file differs that something else has changed.
func outside(now, data []byte, here, exists bool) string {
	switch {
	case !exists:
		return "the file is gone in the recording"
	case !here:
		return "only the recording has the file"
	}
	line := 1
	for i := range min(len(now), len(data)) {
		if now[i] != data[i] {
			break
		}
		if data[i] == '\n' {
			line++
		}
	}
	return fmt.Sprintf("the file differs from line %d on", line)
}

// edit carries out one edit. why says why it can't; unknown: no call has shown the file yet.
func (p *replay) edit(e pathEdit, s *Step) (why string, unknown bool) {
	name, to := nameOf(e.Path), nameOf(e.To)
	if name == "" || e.To != "" && to == "" {
		return "the path leaves the memory folder", true
	}
	if !e.Whole {
		p.was(name, nil, 0)
	}
	s.touched = append(s.touched, e.Path, e.To)
	_, err := p.backend.Lstat(name)
	there := err == nil
	switch {
	case e.Op == alter && e.Change == nil:
		p.putUnknown(name, 0)
		return "the transcript does not say what was written", true
	case e.Op == alter && p.before.unknown[name] && !e.Whole:
		return contentUnknown, true
	case e.Op == alter:
		before, _ := p.content(name) // there may be none
		after, fits := e.Change(string(before), there)
		if !fits {
			return "the edit does not fit the file here", false
		}
		p.put(name, []byte(after))
	case !there:
		return e.Path + " does not exist here", false
	case e.Op == remove:
		p.remove(name)
	case to != name:
		data, _ := p.content(name) // it is there
		p.put(to, data)
		if p.before.unknown[name] {
			p.before.unknown[to] = true
		}
		p.remove(name)
	}
	p.before.known[name], p.before.known[to] = true, true
	return "", false
}

// nameOf is the backend's name of an agent path; "" for none.
func nameOf(agentPath string) string {
	name, err := memstore.ParsePath(agentPath)
	if err != nil {
		return ""
	}
	return name
}

// command runs a call of the memory tool.
func (p *replay) command(ctx context.Context, s *Step) {
	cmd, err := memstore.DecodeCommand(s.Input)
	if s.Path = cmd.Path; cmd.Name == memstore.CmdRename {
		s.Path, s.To = cmd.OldPath, cmd.NewPath
	}
	switch {
	case lostInput(cmd):
		s.Verdict, s.Detail = NotReplayable, "the input was cleared"
		return
	case err != nil: // a schema error is an answer like any other
		ours := p.store.DoJSON(ctx, s.Input)
		s.Ours = &ours
		p.judge(s, cmd, shownBy(s.Result, cmd))
		return
	}
	shown := shownBy(s.Result, cmd)
	p.expect(cmd, s.Result, shown)
	ours, _ := p.store.Preview(ctx, cmd)
	s.Ours = &ours
	p.judge(s, cmd, shown)
	if p.notKnown(s, cmd, shown) {
		return
	}
	if cmd.Name == memstore.CmdView {
		p.adopt(s, cmd, shown)
		return
	}
	if shown == nil || !shown.Failed {
		s.touched = []string{s.To, s.Path}
	}
	switch {
	case shown == nil || s.Result.Failed() == ours.IsError:
		p.store.Do(ctx, cmd)
	case ours.IsError && cmd.Name == memstore.CmdCreate: // as older handlers do
		p.put(nameOf(cmd.Path), []byte(cmd.FileText))
	}
	p.follow(cmd)
}

// adopt continues from the recorded state of a file that was changed outside of the calls, where a view shows all of it, or shows that it
// is gone: the replay can follow later calls on it again.
func (p *replay) adopt(s *Step, cmd memstore.Command, shown *callOutcome) {
	if shown == nil {
		return
	}
	name := nameOf(cmd.Path)
	if !shown.Failed && shown.Kind != "list" && s.Verdict != Unknown {
		s.viewed = cmd.Path
	}
	if name == "" || s.Verdict != Differs {
		return
	}
	now, err := p.content(name)
	data, whole := viewed(cmd, s.Result.Text)
	switch {
	case shown.Failed && shown.Kind == "missing":
		s.Detail = outside(nil, nil, true, false)
		s.touched = []string{cmd.Path}
		p.remove(name)
	case shown.Failed:
	case shown.Kind == "list":
		p.adoptListing(s, name, shown.List)
	case whole:
		s.Detail = outside(now, data, err == nil, true)
		s.touched = []string{cmd.Path}
		p.put(name, data)
	}
}

// lostInput reports a placeholder that a client-side pruner has put in place of an old input.
func lostInput(c memstore.Command) bool {
	for _, text := range []string{c.FileText, c.InsertText, c.NewStr} {
		if isCleared(text) && strings.TrimSpace(text) == text {
			return true
		}
	}
	return false
}

// put makes a file or replaces its bytes, which are then known.
func (p *replay) put(name string, data []byte) {
	old, err := p.content(name)
	if err == nil {
		err = p.backend.Replace(name, old, data)
	} else {
		err = p.backend.Create(name, data)
	}
	_ = err // a folder is in the way: the verdicts say that the states differ
	delete(p.before.unknown, name)
}

// content is a file of the memory, which is in memory as a whole.
func (p *replay) content(name string) ([]byte, error) {
	return memstore.ReadFile(p.backend, name, memstore.Look, math.MaxInt64)
}

// judge compares what was recorded with ours.
func (p *replay) judge(s *Step, cmd memstore.Command, theirs *callOutcome) {
	recorded, ours := s.Result, s.Ours
	if recorded == nil {
		s.Verdict = NoResult
		return
	}
	if theirs == nil {
		s.Verdict = Cleared
		return
	}
	same := recorded.Text == ours.Content || ours.IsError && recorded.Text == "Error: "+ours.Content // as many runners put it
	if same && recorded.IsError == ours.IsError {
		s.Verdict = Identical
		return
	}
	our := outcomeOf(cmd.Name, ours.Content, ours.IsError)
	switch {
	case theirs.Kind == "":
		s.Verdict, s.Detail = Unknown, "no known handler has this wording"
	case theirs.Failed != our.Failed:
		s.Verdict, s.Detail = Differs, "succeeded in the recording, fails here"
		switch {
		case theirs.Failed:
			s.Detail = "failed in the recording, succeeds here"
		case theirs.Kind == overwritten && our.Kind == "exists":
			s.Verdict, s.Detail = OtherDialect, "a handler whose create overwrites"
		}
	case sameOutcome(theirs, our):
		if s.Verdict, s.Detail = OtherDialect, "other wording"; theirs.Kind == "list" {
			s.Detail = "other wording, or other sizes of directories"
		}
	default:
		s.Verdict, s.Detail = Differs, differsIn(theirs, our)
	}
}

func differsIn(theirs, our *callOutcome) string {
	switch {
	case theirs.Failed:
		return "fails for another reason: " + theirs.Kind + ", here " + our.Kind
	case theirs.Kind != our.Kind:
		return "a view of a " + theirs.Kind + ", here of a " + our.Kind
	case theirs.Kind == "list":
		return "the listing has other entries or sizes"
	}
	return "the text differs"
}

// guessing is how many calls the guess of a handler looks at.
const guessing = 400

// guess finds the dialect of recorded calls: the one that answers most of them word for word.
func guess(ctx context.Context, calls []*Call) memstore.Dialect {
	best, most := memstore.Docs, -1
	for _, d := range append([]memstore.Dialect{best}, memstore.Dialects()...) { // the first wins a tie
		p, same := newReplay(d), 0
		for _, c := range calls[:min(len(calls), guessing)] {
			if c.Family == Memory && p.step(ctx, c).Verdict == Identical {
				same++
			}
		}
		if same > most {
			best, most = d, same
		}
	}
	return best
}
