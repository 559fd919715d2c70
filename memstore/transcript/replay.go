package transcript

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
)

// Verdict is what the comparison of a recorded result with ours came to.
type Verdict string

// The verdicts.
const (
	Identical     Verdict = "identical"       // text and flag are equal byte for byte
	OtherDialect  Verdict = "dialect"         // the same outcome in other words
	Drift         Verdict = "drift"           // the same kind of outcome with other content: the memory was changed elsewhere
	Divergent     Verdict = "error"           // one side failed and the other did not
	Cleared       Verdict = "cleared"         // a placeholder stands where the result was
	NoResult      Verdict = "no result"       // none was recorded
	NotReplayable Verdict = "not replayable"  // a shell command that is not simple, an input that is not all there, or unknown content
	Unknown       Verdict = "unknown handler" // the result is in no wording that is known
)

// Diverges reports whether a verdict says that the memory was not what the transcript made of it.
func (v Verdict) Diverges() bool { return v == Drift || v == Divergent }

// Word is what people read: a call differs, whichever side failed.
func (v Verdict) Word() string {
	if v.Diverges() {
		return "differs"
	}
	return string(v)
}

// Step is a call with its verdict.
type Step struct {
	*Call
	Path    string // agent path that the call is about
	Verdict Verdict
	Detail  string           // "" for none
	Ours    *memstore.Result // what our handlers answer; nil where they were not asked

	touched []touch // what the call may have changed
	viewed  string  // agent path of the file that it showed the agent; "" for none
}

// touch is a path that a step may have changed, and the one that it had before; agent paths.
type touch struct{ path, from string }

// Handler is how a recording was made: a dialect, whether the program around it puts "Error: "
// before every error, and what else it does differently.
type Handler struct {
	Dialect memstore.Dialect
	Prefix  bool
	// Overwrites says that create takes the place of a file that is there.
	Overwrites bool
}

func (h Handler) String() string {
	s := h.Dialect.String()
	if h.Prefix {
		s += ` with "Error: " before errors`
	}
	if h.Overwrites {
		s += ", where create overwrites"
	}
	return s
}

// Replay runs calls one after another on a store in memory. It is not safe for concurrent use.
type Replay struct {
	backend memstore.Backend
	store   *memstore.Store
	handler Handler
	done    int
	drifted map[string]int // number of the first call that showed it, by path
	touched map[string]int // number of the last call about a path
	rewound map[string]int // number of the last call about a path that the user went back behind
	shells  []shell
	// loose are files that are known from a read, which leaves the last newline out.
	loose  map[string]bool
	before before
}

// Start says what a replay begins with. Its zero value is an empty memory.
type Start struct {
	Files map[string][]byte // by agent path
	// Shown: what calls show of files that no call made was there before.
	Shown bool
}

// NewReplay makes a replay that answers as handler.
func NewReplay(start Start, handler Handler) (*Replay, error) {
	p := &Replay{
		backend: memstore.NewMemory(), handler: handler, drifted: map[string]int{}, touched: map[string]int{}, rewound: map[string]int{},
		loose: map[string]bool{}, before: newBefore(start.Shown),
	}
	p.store = memstore.New(p.backend, memstore.Options{Dialect: handler.Dialect, Origin: memstore.Origin{Actor: memstore.Replay}})
	for path, data := range start.Files {
		name, err := memstore.ParsePath(path)
		if err == nil {
			err = p.backend.Create(name, data)
		}
		if err != nil {
			return nil, fmt.Errorf("the replay can't start with %s: %w", path, err)
		}
	}
	return p, nil
}

// Backend holds the memory as of the last step.
func (p *Replay) Backend() memstore.Backend { return p.backend }

// Step runs the next call.
func (p *Replay) Step(ctx context.Context, c *Call) Step {
	p.done++
	p.before.found = nil
	s := Step{Call: c}
	if c.Family == Memory {
		p.command(ctx, &s)
	} else {
		p.tool(&s)
	}
	before := p.touched[s.Path]
	p.touched[s.Path] = p.done
	first := p.drifted[s.Path]
	switch {
	case s.Verdict != Drift:
	case p.rewound[s.Path] > 0 && !c.Rewound:
		p.explain(&s, fmt.Sprintf("the file is not as call %d left it, which the user rewound", p.rewound[s.Path]))
		delete(p.rewound, s.Path)
	case p.blameShell(&s, before):
	case first > 0:
		s.Detail = strings.TrimSpace(fmt.Sprintf("%s (since call %d)", s.Detail, first))
	default:
		p.drifted[s.Path] = p.done
	}
	if c.Rewound {
		p.rewound[s.Path] = p.done
		s.Detail = strings.TrimPrefix(s.Detail+"; rewound: the user went back to before it", "; ")
	}
	return s
}

// explain gives a step that differs its reason.
func (p *Replay) explain(s *Step, why string) {
	if strings.HasSuffix(s.Detail, adopted) {
		why += adopted
	}
	s.Detail = why
}

// shell is a command that names a memory folder and was not replayed.
type shell struct {
	call    int
	command string
}

// blameShell says which shell command changed a file: the last one since a call was about it that has its name.
func (p *Replay) blameShell(s *Step, since int) bool {
	for _, sh := range slices.Backward(p.shells) {
		if sh.call <= since {
			return false
		}
		if strings.Contains(sh.command, path.Base(s.Path)) {
			p.explain(s, fmt.Sprintf("the shell command of call %d changed the file", sh.call))
			return true
		}
	}
	return false
}

// tool carries out a call of a tool for files or of a shell, and judges it by what its result shows of the file.
func (p *Replay) tool(s *Step) {
	s.Path = s.AgentPath()
	name := nameOf(s.Path)
	list, known := s.edits()
	switch {
	case s.Family == Shell && s.Path == "", s.Family == Shell && !known && !s.reads():
		s.Verdict, s.Detail = NotReplayable, "a shell command; the next read shows its effect"
		p.shells = append(p.shells, shell{p.done, s.CommandLine()})
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
	s.touched = []touch{{path: s.Path}}
	if data, exists, known := s.FileBefore(); known {
		p.compareBefore(s, name, data, exists)
	}
	if s.reads() {
		s.viewed = s.Path
		if s.Result != nil && p.before.open(name) {
			p.was(name, nil, 0)
		}
		if !s.shows() {
			s.viewed = ""
		}
		return
	}
	for _, e := range list {
		switch why, unknown := p.edit(e, s); {
		case why == "" || s.Result == nil:
		case unknown || s.Family == Shell:
			s.Verdict, s.Detail = NotReplayable, why
		default:
			s.Verdict, s.Detail = Divergent, "succeeded in the recording; "+why
		}
	}
}

// compareBefore judges by the recorded content before the call, and continues from that: it is the whole file.
func (p *Replay) compareBefore(s *Step, name string, data string, exists bool) {
	if p.was(name, nilUnless(exists, data), len(data)) {
		p.loose[name] = s.reads()
		return
	}
	if exists && p.before.unknown[name] == sinceEdit {
		p.put(name, []byte(data))
		delete(p.before.unknown, name)
		p.loose[name] = s.reads()
		return
	}
	now, err := p.content(name)
	if exists == (err == nil) && (!exists || sameFile(now, []byte(data), s.reads() || p.loose[name])) {
		if !s.reads() && exists {
			p.put(name, []byte(data))
			delete(p.loose, name)
		}
		return
	}
	s.Verdict, s.Detail = Drift, "the file changed outside this transcript"
	if !exists {
		p.remove(name)
		return
	}
	p.put(name, []byte(data))
	p.loose[name] = s.reads()
}

func nilUnless(ok bool, text string) []byte {
	if !ok {
		return nil
	}
	return append([]byte{}, text...)
}

// edit carries out one edit. why says why it can't; unknown: no call has shown the file yet.
func (p *Replay) edit(e pathEdit, s *Step) (why string, unknown bool) {
	name, to := nameOf(e.Path), nameOf(e.To)
	if name == "" || e.To != "" && to == "" {
		return "the path leaves the memory folder", true
	}
	if !e.Whole && p.before.open(name) {
		p.was(name, nil, 0)
	}
	if s.touched = append(s.touched, touch{path: e.Path}); e.To != "" {
		s.touched = append(s.touched, touch{e.To, e.Path})
	}
	_, err := p.backend.Lstat(name)
	there := err == nil
	switch {
	case e.Op == alter && e.Change == nil:
		p.put(name, placeholderOf(0))
		p.before.unknown[name] = sinceEdit
		return "the transcript does not say what was written", true
	case e.Op == alter && p.before.unknown[name] != 0 && !e.Whole:
		p.before.unknown[name] = sinceEdit
		return "content unknown: no call has shown the file yet", true
	case e.Op == alter:
		before, _ := p.content(name) // there may be none
		after, fits := e.Change(string(before), there)
		if !fits {
			return "the edit does not fit the file here", false
		}
		p.put(name, []byte(after))
		if delete(p.before.unknown, name); e.Whole {
			delete(p.loose, name)
		}
	case !there:
		return e.Path + " does not exist here", false
	case e.Op == move && to != name:
		data, _ := p.content(name) // it is there
		p.put(to, data)
		if since := p.before.unknown[name]; since != 0 {
			p.before.unknown[to] = since
		}
		p.remove(name)
	case e.Op == remove:
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
func (p *Replay) command(ctx context.Context, s *Step) {
	cmd, err := s.command()
	if s.Path = cmd.Path; cmd.Name == memstore.CmdRename {
		s.Path = cmd.OldPath
	}
	switch {
	case s.Cut:
		s.Verdict, s.Detail = NotReplayable, "the recording ends inside the input"
		return
	case lostInput(cmd):
		s.Verdict, s.Detail = NotReplayable, "the input was cleared"
		return
	case err != nil: // a schema error is an answer like any other
		ours := p.worded(p.store.DoJSON(ctx, s.Input))
		s.Ours = &ours
		p.judge(ctx, s, cmd)
		return
	}
	p.expect(cmd, s.Result)
	preview, edit := p.store.Preview(ctx, cmd)
	ours := p.worded(preview)
	s.Ours = &ours
	p.judge(ctx, s, cmd)
	if s.Verdict == OtherDialect && edit != nil && len(edit.Changes) == 1 {
		compareSnippet(s, cmd, edit.Changes[0])
	}
	switch cmd.Name {
	case memstore.CmdRename:
		s.touched = []touch{{cmd.NewPath, cmd.OldPath}, {path: cmd.OldPath}}
	case memstore.CmdView:
		if s.Result != nil && !s.Result.Failed() && !isCleared(s.Result.Text) && s.Verdict != NotReplayable &&
			outcomeOf(cmd.Name, s.Result.Text, false).Kind != "list" {
			s.viewed = cmd.Path
		}
	}
	if cmd.Name != memstore.CmdRename && (cmd.Name != memstore.CmdView || s.Verdict != Identical && s.Verdict != OtherDialect) {
		s.touched = []touch{{path: cmd.Path}}
	}
	if p.notKnown(s, cmd) {
		return
	}
	if cmd.Name == memstore.CmdView {
		p.adopt(s, cmd)
		return
	}
	defer p.follow(cmd)
	recorded := s.Result
	switch {
	case recorded == nil && ours.IsError && p.handler.Overwrites && cmd.Name == memstore.CmdCreate:
		p.put(nameOf(cmd.Path), []byte(cmd.FileText))
	case recorded == nil || isCleared(recorded.Text) || recorded.Failed() == ours.IsError:
		p.store.Do(ctx, cmd)
	case ours.IsError && cmd.Name == memstore.CmdCreate: // as older handlers do
		p.put(nameOf(cmd.Path), []byte(cmd.FileText))
	}
}

// adopt continues from the recorded state of a file that was changed outside of the transcript, where a
// view shows all of it, or shows that it is gone: the replay can follow later calls on it again.
func (p *Replay) adopt(s *Step, cmd memstore.Command) {
	name, err := memstore.ParsePath(cmd.Path)
	if err != nil || !s.Verdict.Diverges() {
		return
	}
	now, here := p.content(name)
	if s.Result.Failed() {
		o := outcomeOf(cmd.Name, s.Result.Text, true)
		if o.Kind == "missing" && here == nil && p.backend.Remove(name) == nil {
			s.Detail += adopted
		}
		return
	}
	if theirs := outcomeOf(cmd.Name, s.Result.Text, false); theirs.Kind == "list" {
		p.adoptListing(s, name, theirs.List)
		return
	}
	data, whole := viewed(cmd, s.Result.Text)
	if !whole || here == nil && string(now) == string(data)+"\n" {
		return // a handler that leaves the last newline out
	}
	p.put(name, data)
	delete(p.before.unknown, name)
	s.Detail += adopted
}

// adopted ends the detail of a call after which the replay continues from the recorded state.
const adopted = "; the replay continues from the recording"

// worded is a result as the program around the handler puts it on the wire.
func (p *Replay) worded(r memstore.Result) memstore.Result {
	if p.handler.Prefix && r.IsError && !strings.HasPrefix(r.Content, "Error: ") {
		r.Content = "Error: " + r.Content
	}
	return r
}

// lostInputs are placeholders that client-side pruners substitute for old inputs.
var lostInputs = map[string]bool{"(content saved to memory)": true}

func lostInput(c memstore.Command) bool {
	for _, text := range []string{c.FileText, c.InsertText, c.NewStr} {
		if lostInputs[text] || isCleared(text) && strings.TrimSpace(text) == text {
			return true
		}
	}
	return false
}

// put makes a file or replaces its bytes.
func (p *Replay) put(name string, data []byte) {
	old, err := p.content(name)
	if err == nil {
		err = p.backend.Replace(name, old, data)
	} else {
		err = p.backend.Create(name, data)
	}
	_ = err // a folder is in the way: the verdicts say that the states differ
}

// content is a file of the memory, which is in memory as a whole.
func (p *Replay) content(name string) ([]byte, error) {
	return memstore.ReadFile(p.backend, name, memstore.Look, math.MaxInt64)
}

// judge compares what was recorded with ours.
func (p *Replay) judge(ctx context.Context, s *Step, cmd memstore.Command) {
	recorded, ours := s.Result, s.Ours
	if recorded == nil {
		s.Verdict = NoResult
		return
	}
	if isCleared(recorded.Text) {
		s.Verdict = Cleared
		return
	}
	if recorded.Text == ours.Content && recorded.IsError == ours.IsError {
		s.Verdict = Identical
		return
	}
	theirs, our := outcomeOf(cmd.Name, recorded.Text, recorded.IsError), outcomeOf(cmd.Name, ours.Content, ours.IsError)
	switch {
	case !theirs.Known:
		s.Verdict, s.Detail = Unknown, "no known handler has this wording"
	case theirs.Failed != our.Failed:
		s.Verdict, s.Detail = Divergent, "succeeded in the recording, fails here"
		if theirs.Failed {
			s.Detail = "failed in the recording, succeeds here"
		}
		if (p.handler.Overwrites || overwrites(theirs.Words)) && our.Kind == "exists" && !theirs.Failed {
			s.Verdict, s.Detail = OtherDialect, strings.TrimPrefix(theirs.Words+", where create overwrites", ", ")
		}
	case sameOutcome(theirs, our):
		s.Verdict, s.Detail = OtherDialect, p.wordsOf(ctx, cmd, recorded.Text, theirs)
	default:
		s.Verdict, s.Detail = Drift, driftDetail(theirs, our)
	}
}

// compareSnippet holds the lines that a result shows after an edit against the file: handlers show more or fewer
// lines around, but none that is not there.
func compareSnippet(s *Step, cmd memstore.Command, c memstore.Change) {
	shown := outcomeOf(cmd.Name, s.Result.Text, s.Result.Failed()).Rows
	if len(shown) == 0 || c.After == nil {
		return
	}
	after, err := c.After.Bytes()
	if err != nil {
		return
	}
	last := 0
	for n := range shown {
		last = max(last, n)
	}
	n, same := 0, 0
	for line := range strings.SplitSeq(string(after), "\n") {
		n++
		if text, ok := shown[n]; ok && text == strings.TrimSuffix(line, "\r") {
			same++
		}
		if n == last {
			break
		}
	}
	if same < len(shown) {
		s.Verdict, s.Detail = Drift, "the lines shown around the change differ"
	}
}

func driftDetail(theirs, our callOutcome) string {
	switch {
	case theirs.Failed && theirs.Kind == our.Kind:
		return "fails with other lines"
	case theirs.Failed:
		return "fails for another reason: " + theirs.Kind + ", here " + our.Kind
	case theirs.Kind != our.Kind:
		return "a view of a " + theirs.Kind + ", here of a " + our.Kind
	case theirs.Kind == "list":
		return "the listing has other entries or sizes"
	}
	return "the text differs"
}

// wordsOf names the dialect that a text is in.
func (p *Replay) wordsOf(ctx context.Context, cmd memstore.Command, text string, o callOutcome) string {
	if o.Words != "" {
		return o.Words
	}
	for _, d := range memstore.Dialects() {
		r, _ := p.store.WithDialect(d).Preview(ctx, cmd)
		if r.Content == text || r.IsError && "Error: "+r.Content == text {
			return d.String()
		}
	}
	if o.Kind == "list" {
		return "sizes of directories"
	}
	return "other wording"
}

// guessing is how many calls the guess of a handler looks at.
const guessing = 400

// Guess finds the handler that recorded calls: the one that answers most of them word for
// word. With no evidence it is fallback.
func Guess(ctx context.Context, calls []*Call, start Start, fallback memstore.Dialect) (Handler, error) {
	best, most := Handler{Dialect: fallback}, -1
	if !slices.ContainsFunc(calls, func(c *Call) bool { return c.Family == Memory && c.Result != nil }) {
		return best, nil
	}
	candidates := []Handler{{Dialect: fallback}} // first: it wins a tie
	for _, prefix := range []bool{false, true} {
		for _, d := range memstore.Dialects() {
			if d != fallback || prefix {
				candidates = append(candidates, Handler{Dialect: d, Prefix: prefix})
			}
		}
	}
	over := slices.ContainsFunc(calls[:min(len(calls), guessing)], func(c *Call) bool {
		return c.Family == Memory && c.Result != nil && overwrites(outcomeOf(c.Op(), c.Result.Text, c.Result.IsError).Words)
	})
	for _, h := range candidates {
		h.Overwrites = over
		p, err := NewReplay(start, h)
		if err != nil {
			return best, err
		}
		same := 0
		for _, c := range calls[:min(len(calls), guessing)] {
			if c.Family == Memory && p.Step(ctx, c).Verdict == Identical {
				same++
			}
		}
		if same > most {
			best, most = h, same
		}
	}
	return best, nil
}
