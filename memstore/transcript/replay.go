package transcript

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"memcurator/memstore"

	"memcurator/memstore/transcript/rawjson"
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
	NotReplayable Verdict = "not replayable"  // a shell command that is not simple, or an input that is not all there
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

	// What is asked for again and again of all steps before a moment.
	short memstore.Command // without its texts, its paths as the lives have them
	shown bool             // the agent got an answer that it can have read
	bad   bool             // it has no command
	lists bool             // a listing was shown
	whole bool             // a file tool or a command read a whole file
	reads bool             // a shell command that shows a file

	touched []touch // what a call of another tool than the memory's may have changed
}

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
	drifted map[string]int // number of the first call that showed it, by path
	done    int
	// loose are files that are known from a read, which leaves the last newline out.
	loose   map[string]bool
	touched map[string]int // number of the last call about a path
	shells  []shell
	// unknown are files that only a listing has shown, and the number of the call; see [Replay.Unknown].
	unknown map[string]int
}

// Start says what a replay begins with, by agent path. Its zero value is an empty memory.
type Start struct {
	Files map[string][]byte
	// Listed are files known only from a listing, with their sizes in bytes as it shows
	// them, 0 where none does; see [Replay.Unknown].
	Listed  map[string]int
	Folders []string // those that may be empty
}

// Len is how many files there are.
func (s Start) Len() int { return len(s.Files) + len(s.Listed) }

// NewReplay makes a replay that answers as handler.
func NewReplay(start Start, handler Handler) (*Replay, error) {
	p := &Replay{
		backend: memstore.NewMemory(), handler: handler, drifted: map[string]int{}, touched: map[string]int{}, loose: map[string]bool{},
		unknown: map[string]int{},
	}
	p.store = memstore.New(p.backend, memstore.Options{Dialect: handler.Dialect, Origin: memstore.Origin{Actor: memstore.Replay}})
	for path, data := range start.Files {
		name, err := memstore.ParsePath(path)
		if err == nil {
			err = p.backend.Create(name, data)
			p.loose[name] = !bytes.HasSuffix(data, []byte("\n"))
		}
		if err != nil {
			return nil, fmt.Errorf("the replay can't start with %s: %w", path, err)
		}
	}
	p.beginUnknown(start)
	return p, nil
}

// Backend holds the memory as of the last step.
func (p *Replay) Backend() memstore.Backend { return p.backend }

// Step runs the next call.
func (p *Replay) Step(ctx context.Context, c *Call) Step {
	p.done++
	s := Step{Call: c}
	s.shown = s.shows()
	switch {
	case c.Family == Shell:
		p.shell(&s)
	case c.Family == Files:
		p.file(&s)
	case c.Cut:
		s.Verdict, s.Detail = NotReplayable, "the recording ends inside the input"
	default:
		p.command(ctx, &s)
	}
	before := p.touched[s.Path]
	p.touched[s.Path] = p.done
	if s.Verdict == Drift && p.blameShell(&s, before) {
		return s
	}
	if first, ok := p.drifted[s.Path]; ok && s.Verdict == Drift && first != p.done {
		s.Detail = strings.TrimSpace(fmt.Sprintf("%s (since call %d)", s.Detail, first))
	} else if s.Verdict == Drift {
		p.drifted[s.Path] = p.done
	}
	return s
}

// shell is a shell command that names a memory folder.
type shell struct {
	call    int
	command string
}

// ran notes the shell command of a call, unless it only shows a file.
func (p *Replay) ran(c *Call) {
	if _, shown := parseShell(c.CommandLine(), c.dir); shown != "" {
		return
	}
	p.shells = append(p.shells, shell{p.done, c.CommandLine()})
}

// blameShell says which shell command changed a file: the last one since a call was about it that has its name.
func (p *Replay) blameShell(s *Step, since int) bool {
	for _, sh := range slices.Backward(p.shells) {
		if sh.call <= since {
			return false
		}
		if strings.Contains(sh.command, path.Base(s.Path)) {
			kept := strings.HasSuffix(s.Detail, adopted)
			if s.Detail = fmt.Sprintf("the shell command of call %d changed the file", sh.call); kept {
				s.Detail += adopted
			}
			return true
		}
	}
	return false
}

// command runs a call of the memory tool.
func (p *Replay) command(ctx context.Context, s *Step) {
	cmd, err := commandOf(s.Call)
	s.outline(cmd, err)
	s.Path = cmd.Path
	if cmd.Name == memstore.CmdRename {
		s.Path = cmd.OldPath
	}
	if lostInput(cmd) {
		s.Verdict, s.Detail = NotReplayable, "the input was cleared"
		return
	}
	if err != nil && s.Result != nil && !s.Result.Failed() && changesNothing(s.Result.Text) {
		s.Verdict, s.Detail = OtherDialect, "changes no file"
		return
	}
	if err != nil {
		// A schema error is an answer like any other.
		ours := p.worded(p.store.DoJSON(ctx, s.Input))
		s.Ours = &ours
		p.judge(ctx, s, cmd)
		return
	}
	p.makeWay(cmd)
	preview, edit := p.store.Preview(ctx, cmd)
	ours := p.worded(preview)
	s.Ours = &ours
	if p.showsAfter(s, cmd, edit) {
		return
	}
	p.judge(ctx, s, cmd)
	if s.Verdict == OtherDialect && edit != nil && len(edit.Changes) == 1 {
		compareSnippet(s, cmd, edit.Changes[0])
	}
	if p.notKnown(s, cmd) {
		return
	}
	if cmd.Name == memstore.CmdView {
		p.adopt(s, cmd)
		return
	}
	defer p.known(cmd)
	recorded := s.Result
	switch {
	case recorded == nil && ours.IsError && p.handler.Overwrites && cmd.Name == memstore.CmdCreate:
		p.overwrite(cmd)
	case recorded == nil || recorded.Failed() == ours.IsError:
		p.store.Do(ctx, cmd)
	case isCleared(recorded.Text):
		p.store.Do(ctx, cmd)
	case ours.IsError && cmd.Name == memstore.CmdCreate:
		p.overwrite(cmd)
	case outcomeOf(cmd.Name, recorded.Text, recorded.IsError).Failed == ours.IsError:
		p.store.Do(ctx, cmd)
	}
}

// showsAfter judges an edit whose recorded answer is the file after it, and continues from that.
func (p *Replay) showsAfter(s *Step, cmd memstore.Command, edit *memstore.Edit) bool {
	name, err := memstore.ParsePath(cmd.Path)
	r := s.Result
	edits := cmd.Name == memstore.CmdStrReplace || cmd.Name == memstore.CmdInsert
	if err != nil || !edits || r == nil || !r.after || r.Failed() || isCleared(r.Text) || outcomeOf(cmd.Name, r.Text, false).Known {
		return false
	}
	ours, known := "", false
	if edit != nil && len(edit.Changes) == 1 && edit.Changes[0].After != nil {
		data, err := edit.Changes[0].After.Bytes()
		ours, known = string(data), err == nil
	}
	if now, err := p.content(name); err == nil && !known && cmd.Name == memstore.CmdInsert && cmd.InsertLine == -1 { // at the end
		ours, known = strings.TrimSuffix(string(now), "\n")+"\n"+cmd.InsertText, true
	}
	text, shortened := shortenedAfter(r.Text)
	same := loosely(ours) == loosely(text) || shortened && strings.HasPrefix(loosely(ours), loosely(text))
	switch {
	case known && same:
		s.Verdict, s.Detail = OtherDialect, "the answer is the file after it"
	case p.unknown[name] != 0 && !shortened:
		s.Verdict, s.Detail = OtherDialect, "the answer shows the file, which was unknown"
	default:
		s.Verdict, s.Detail = Drift, "the file after it differs"
	}
	if shortened {
		p.store.Do(context.Background(), cmd)
		return true
	}
	if s.Verdict == Drift {
		s.Detail += adopted
	}
	p.put(name, []byte(text))
	delete(p.unknown, name)
	return true
}

var blanks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\t ]+`) })

// loosely is a text without what a program changes in it when it edits: tabs become blanks, and the last newline may be missing.
func loosely(text string) string {
	return strings.TrimRight(blanks().ReplaceAllString(text, " "), " \n")
}

// outline keeps of a command what is short.
func (s *Step) outline(cmd memstore.Command, err error) {
	cmd.FileText, cmd.OldStr, cmd.NewStr, cmd.InsertText = "", "", "", ""
	cmd.Path, cmd.OldPath, cmd.NewPath = clean(cmd.Path), clean(cmd.OldPath), clean(cmd.NewPath)
	s.short, s.bad = cmd, err != nil
	s.lists = s.shown && showsListing(s.Result.Text)
}

// clean is an agent path as the lives have it.
func clean(agentPath string) string {
	name, err := memstore.ParsePath(agentPath)
	if err != nil {
		return agentPath
	}
	return memstore.AgentPath(name)
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
	delete(p.unknown, name)
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

// overwrite carries out a create that replaced a file, as older handlers do.
func (p *Replay) overwrite(c memstore.Command) {
	name, err := memstore.ParsePath(c.Path)
	if err != nil {
		return
	}
	p.put(name, []byte(c.FileText))
}

// put makes a file or replaces its bytes.
func (p *Replay) put(name string, data []byte) {
	info, err := p.backend.Lstat(name)
	switch {
	case err == nil && info.Kind == memstore.KindFile && info.Size > rawjson.LongValue: // not copied to be compared
		if err = p.backend.Remove(name); err == nil {
			err = p.backend.Create(name, data)
		}
	case err == nil:
		var old []byte
		if old, err = p.content(name); err == nil {
			err = p.backend.Replace(name, old, data)
		}
	default:
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
	if recorded.Text == ours.Content && (recorded.IsError == ours.IsError || !recorded.Flagged) {
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
			if c.Family == Memory && !c.long() && p.Step(ctx, c).Verdict == Identical {
				same++
			}
		}
		if same > most {
			best, most = h, same
		}
	}
	return best, nil
}
