package policy

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// judgeAll judges every file of the snapshot.
func (w *planning) judgeAll() {
	w.visit(memstore.Root, w.in.Snapshot.Root)
	slices.Sort(w.broken)
}

// visit judges a path and all below it.
func (w *planning) visit(at string, n *memstore.Node) {
	if n.Problem != nil {
		w.broken = append(w.broken, at)
	}
	if n.Kind == memstore.KindFile {
		if !memstore.InGit(at) { // what a repository keeps there are not notes
			w.plan.Files++
			w.plan.Bytes += n.Size
		}
		w.judge(at, n)
	}
	for _, c := range n.Children {
		w.visit(at+"/"+c.Name, c)
	}
}

// judge judges one file.
func (w *planning) judge(at string, n *memstore.Node) {
	if w.idle {
		return
	}
	rules := w.rules(at, n.Hidden)
	if !rules.expires && !rules.capped {
		return
	}
	c := candidate{
		path: at, node: n, rules: rules, recorded: w.in.Facts.Journal[at], file: w.in.Facts.Files[at], archived: w.archived(at),
	}
	if !rules.Pin.Value {
		w.expire(&c)
	}
	w.fileCaps(&c)
}

// expire proposes what has expired.
func (w *planning) expire(c *candidate) {
	if !c.rules.expires {
		return
	}
	e, ok := c.earliest()
	if !ok {
		return
	}
	if e.due.After(w.in.Now) {
		return
	}
	a := Action{Do: Do(c.rules.Expire.Or(config.ExpireDelete)), Group: Expired, Key: e.key, Rule: e.rule, Clock: e.from.clock,
		Since: e.from.time, Due: e.due}
	if a.Do == Archive && c.archived {
		return
	}
	a.Reason = e.reason(w.in.Now)
	if a.Do == Archive {
		a.To = memstore.AgentPath(c.rules.Archive() + strings.TrimPrefix(c.path, memstore.Root))
	}
	w.propose(c, a)
}

// fileCaps reports a file above its limits. It proposes to delete nothing: what is too long is to
// be shortened, by the user or the agent.
func (w *planning) fileCaps(c *candidate) {
	if !c.rules.capped {
		return
	}
	m := measure{c.path, c.node.Size, c.file.Lines}
	for i := range allFileCaps {
		if one := &allFileCaps[i]; one.passed(c.rules, m) {
			limit := one.limit(c.rules)
			w.propose(c, Action{Do: Warn, Group: OverCap, Key: one.key, Rule: limit.From, Reason: one.say(one.have(m), limit.Value)})
		}
	}
}

// propose adds an action about a file.
func (w *planning) propose(c *candidate, a Action) {
	a.Path, a.Info, a.Bytes = c.path, c.node.Info, c.node.Size
	w.plan.Actions = append(w.plan.Actions, a)
}

// nameArchived sets the path in the archive of each file that moves there, with its folders; where it is taken a
// number is put before the ending.
func (w *planning) nameArchived() {
	var moving []*Action
	for i := range w.plan.Actions {
		if w.plan.Actions[i].Do == Archive {
			moving = append(moving, &w.plan.Actions[i])
		}
	}
	slices.SortFunc(moving, func(a, b *Action) int { return strings.Compare(a.Path, b.Path) })
	taken := make(map[string]bool, len(moving))
	for _, a := range moving {
		ending := path.Ext(a.To)
		base := strings.TrimSuffix(a.To, ending)
		for i := 2; taken[a.To] || w.in.Snapshot.Find(a.To) != nil; i++ {
			a.To = base + "-" + strconv.Itoa(i) + ending
		}
		taken[a.To] = true
	}
}
