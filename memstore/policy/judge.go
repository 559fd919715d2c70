package policy

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// blockOfActs is how many actions are collected in one block: they are large, and a growing slice would move them again and again.
const blockOfActs = 512

// judging judges files.
type judging struct {
	*planning
	limits map[time.Duration]string // the texts of durations
	blocks [][]Action
}

// judgeAll judges every file of the snapshot.
func (w *planning) judgeAll() {
	j := &judging{planning: w, limits: map[time.Duration]string{}}
	j.visit(memstore.Root, w.in.Snapshot.Root)
	w.plan.Actions = slices.Concat(j.blocks...)
	slices.Sort(w.broken)
	slices.Sort(w.dates)
}

// visit judges a path and all below it.
func (j *judging) visit(at string, n *memstore.Node) {
	if n.Problem != nil {
		j.broken = append(j.broken, at)
	}
	if n.Kind == memstore.KindFile {
		if !memstore.InGit(at) { // what a repository keeps there are not notes
			j.plan.Files++
			j.plan.Bytes += n.Size
			if j.settings.Limits.MaxTokens.Value > 0 {
				j.plan.Tokens += j.in.Facts.file(at).Tokens
			}
		}
		j.judge(at, n)
	}
	for _, c := range n.Children {
		j.visit(at+"/"+c.Name, c)
	}
}

// judge judges one file.
func (j *judging) judge(at string, n *memstore.Node) {
	if j.idle {
		return
	}
	rules := j.rules(at, n.Hidden)
	if !rules.expires && !rules.capped {
		return
	}
	c := candidate{
		path: at, node: n, rules: rules, recorded: j.in.Facts.recorded(at), file: j.in.Facts.file(at), archived: j.archived(at),
	}
	if !rules.Pin.Value {
		j.expire(&c)
	}
	j.fileCaps(&c)
}

// expire proposes what has expired.
func (j *judging) expire(c *candidate) {
	if !c.rules.expires {
		return
	}
	if c.file.Expires != "" && c.rules.Expires.Value {
		if _, ok := parseExpires(c.file.Expires); !ok {
			j.dates = append(j.dates, c.path)
		}
	}
	e, ok := c.earliest()
	if !ok {
		return
	}
	if e.from.time.After(j.in.Now) && e.key != "expires" {
		j.future++
		return
	}
	late := e.due.After(j.in.Now)
	if late && !j.soon(e.due) {
		return
	}
	a := Action{Do: Do(c.rules.Expire.Or(config.ExpireDelete)), Group: Expired, Key: e.key, Rule: e.rule, Clock: e.from.clock,
		Since: e.from.time, Due: e.due}
	if a.Do == Archive && c.archived {
		return
	}
	a.Reason = e.reason(j.in.Now, j.limitText)
	switch {
	case late:
		a.Do, a.Group = Warn, Expiring
		a.Reason += "; due in " + span(e.due.Sub(j.in.Now))
	case a.Do == Archive && c.rules.ArchiveTo.Value == "":
		a.Do = Warn
		a.Reason += "; can't archive: archive_to is not set"
	case a.Do == Archive:
		a.To = memstore.AgentPath(c.rules.ArchiveTo.Value + strings.TrimPrefix(c.path, memstore.Root))
	}
	j.propose(c, &a)
}

// soon reports whether what is due then is listed before.
func (j *judging) soon(due time.Time) bool { return j.in.Soon > 0 && due.Sub(j.in.Now) <= j.in.Soon }

// limitText is a duration as the configuration has it.
func (j *judging) limitText(d time.Duration) string {
	limit, ok := j.limits[d]
	if !ok {
		limit = config.FormatDuration(d)
		j.limits[d] = limit
	}
	return limit
}

// fileCaps reports a file above its limits. It proposes to delete nothing: what is too long is to
// be shortened, by the user or the agent.
func (j *judging) fileCaps(c *candidate) {
	if !c.rules.capped {
		return
	}
	for _, o := range c.rules.fileCaps(measure{c.path, c.node.Size, c.file.Lines, c.file.Loaded}) {
		a := &Action{Do: Warn, Group: OverCap, Key: o.key, Rule: o.rule, Reason: o.said}
		j.propose(c, a)
	}
}

// propose adds an action about a file.
func (j *judging) propose(c *candidate, a *Action) {
	a.Path, a.Info, a.Bytes, a.Hash = c.path, c.node.Info, c.node.Size, c.file.Digest
	last := len(j.blocks) - 1
	if last < 0 || len(j.blocks[last]) == cap(j.blocks[last]) {
		j.blocks = append(j.blocks, make([]Action, 0, blockOfActs))
		last++
	}
	j.blocks[last] = append(j.blocks[last], *a)
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
