package policy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/lint"
)

// Input is what a plan is made of.
type Input struct {
	Snapshot *memstore.Snapshot
	Facts    *Facts
	Now      time.Time
	// Soon also lists what expires within that time, as [Expiring]; 0: only what is due.
	Soon time.Duration
	// UnderCap also proposes the smallest loss that brings a store under its caps.
	UnderCap bool
	// Found is what the lint has found, to be told in the same list; nil: nobody has looked.
	Found *lint.Report
	// Scores works out the score of every action, and not only where it decides something.
	Scores bool
}

// candidate is a file while it is judged.
type candidate struct {
	path     string
	node     *memstore.Node
	rules    *Rules
	recorded Recorded
	file     File
	archived bool // lies in a folder that a rule archives to
}

// planning is a plan on its way.
type planning struct {
	*Policy
	in     Input
	plan   *Plan
	future int             // files with a time that is yet to come
	taken  map[string]bool // agent paths that archived files move to
	broken []string        // folders that cannot be read
	dates  []string        // files whose expires: is no date
}

// Plan says what the policy proposes.
func (p *Policy) Plan(in Input) *Plan {
	w := &planning{Policy: p, in: in, plan: &Plan{At: in.Now}, taken: map[string]bool{}}
	if in.Snapshot == nil || in.Snapshot.Root == nil {
		return w.plan
	}
	w.doubt()
	in.Snapshot.Walk(w.visit)
	w.storeCaps()
	w.lint()
	if in.UnderCap {
		w.underCaps()
	}
	w.notes()
	slices.SortStableFunc(w.plan.Actions, order)
	return w.plan
}

// visit judges one path.
func (w *planning) visit(at string, n *memstore.Node) bool {
	if n.Problem != nil {
		w.broken = append(w.broken, at)
	}
	if n.Kind != memstore.KindFile {
		return true
	}
	w.plan.Files++
	w.plan.Bytes += n.Size
	if w.idle {
		return true
	}
	rules := w.rules(at, n.Hidden)
	if !rules.expires && !rules.capped {
		return true
	}
	c := candidate{
		path: at, node: n, rules: rules, recorded: w.in.Facts.recorded(at), file: w.in.Facts.file(at), archived: w.archived(at),
	}
	if !rules.Pin.Value {
		w.expire(&c)
	}
	w.fileCaps(&c)
	return true
}

// expire proposes what has expired.
func (w *planning) expire(c *candidate) {
	if !c.rules.expires {
		return
	}
	if c.file.Expires != "" && c.rules.Expires.Value {
		if _, ok := ParseExpires(c.file.Expires); !ok {
			w.dates = append(w.dates, c.path)
		}
	}
	e, ok := c.earliest()
	if !ok {
		return
	}
	if e.from.time.After(w.in.Now) && e.key != "expires" {
		w.future++
		return
	}
	a := Action{Do: Do(c.rules.Expire.Or(config.ExpireDelete)), Group: Expired, Key: e.key, Rule: e.rule, Clock: e.from.clock, Due: e.due, Reason: e.reason(w.in.Now)}
	if e.due.After(w.in.Now) {
		if w.in.Soon <= 0 || e.due.Sub(w.in.Now) > w.in.Soon {
			return
		}
		a.Do, a.Group = Tell, Expiring
		a.Reason += "; due in " + span(e.due.Sub(w.in.Now))
	}
	if a.Do == Archive && !w.archive(c, &a) {
		return
	}
	w.propose(c, a)
}

// archive finds the path that a file moves to, with its folders; where it is taken a number
// is put before the ending. false: the file lies in an archive already.
func (w *planning) archive(c *candidate, a *Action) bool {
	if c.archived {
		return false
	}
	folder := c.rules.ArchiveTo.Value
	if folder == "" {
		a.Do = Tell
		a.Reason += "; expire is archive, but archive_to names no folder"
		return true
	}
	to := memstore.AgentPath(folder + strings.TrimPrefix(c.path, memstore.Root))
	for i := 2; w.in.Snapshot.Find(to) != nil || w.taken[to]; i++ {
		ending := path.Ext(c.path)
		to = memstore.AgentPath(folder + strings.TrimPrefix(strings.TrimSuffix(c.path, ending), memstore.Root) + "-" + strconv.Itoa(i) + ending)
	}
	a.To = to
	w.taken[to] = true
	return true
}

// propose adds an action about a file.
func (w *planning) propose(c *candidate, a Action) {
	a.Path, a.Info, a.Bytes, a.Hash = c.path, c.node.Info, c.node.Size, c.file.Digest
	if w.in.Scores {
		a.Score = c.score(w.in.Now, w.links())
	}
	w.plan.Actions = append(w.plan.Actions, a)
}

func (w *planning) links() map[string]int {
	if w.in.Facts == nil {
		return nil
	}
	return w.in.Facts.Links
}

// jumpAhead is how far the clock may be ahead of the newest moment that the journal knows of
// before somebody is asked: daily work stays far below it, a wrong year does not. jumpBack
// is how far it may be behind.
const (
	jumpAhead = 180 * 24 * time.Hour
	jumpBack  = 24 * time.Hour
)

func (w *planning) doubt() {
	if w.in.Facts == nil || w.in.Facts.Known.IsZero() {
		return
	}
	known := w.in.Facts.Known
	if gap := w.in.Now.Sub(known); gap > jumpAhead || gap < -jumpBack {
		w.plan.Doubts = append(w.plan.Doubts, Doubt{Ahead: gap > 0, Clock: w.in.Now, Known: known})
	}
}

// String is a sentence.
func (d Doubt) String() string {
	day := func(t time.Time) string { return t.UTC().Format(time.DateOnly) }
	if d.Ahead {
		return fmt.Sprintf("The clock says %s, %s after the last thing that the journal knows of (%s); if it is wrong, so is what has expired",
			day(d.Clock), span(d.Clock.Sub(d.Known)), day(d.Known))
	}
	return fmt.Sprintf("The clock says %s, %s before the last thing that the journal knows of (%s); what expires meanwhile is not told",
		day(d.Clock), span(d.Known.Sub(d.Clock)), day(d.Known))
}

// notes says what could not be taken into account.
func (w *planning) notes() {
	note := func(format string, args ...any) {
		w.plan.Notes = append(w.plan.Notes, fmt.Sprintf(format, args...))
	}
	if !w.in.Snapshot.Complete {
		note("Not every folder was read, so this is not everything")
	}
	if n := len(w.broken); n > 0 {
		note("%s cannot be read and is left out%s", w.broken[0], more(n-1, "folder"))
	}
	if w.future > 0 {
		note("%s dated in the future, and cannot expire before then", areFiles(w.future))
	}
	if n := len(w.dates); n > 0 {
		note("The expires: of %s is no date%s", w.dates[0], more(n-1, "file"))
	}
}

func more(n int, what string) string {
	if n < 1 {
		return ""
	}
	return ", and so for " + counted(n, "more "+what)
}

func areFiles(n int) string {
	if n == 1 {
		return "1 file is"
	}
	return strconv.Itoa(n) + " files are"
}

var groupOrder = []Group{Expired, OverCap, StoreCap, UnderCap, Lint, Expiring}

// order is the order of a plan.
func order(a, b Action) int {
	return cmp.Or(
		cmp.Compare(slices.Index(groupOrder, a.Group), slices.Index(groupOrder, b.Group)),
		a.Due.Compare(b.Due),
		underCapOrder(a, b),
		lintOrder(a, b),
		strings.Compare(a.Path, b.Path),
		strings.Compare(a.Key, b.Key),
	)
}

func underCapOrder(a, b Action) int {
	if a.Group != UnderCap {
		return 0
	}
	return cmp.Compare(a.Score.Value, b.Score.Value)
}

func themOr(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
