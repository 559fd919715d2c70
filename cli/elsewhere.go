package cli

import (
	"fmt"
	"path/filepath"

	"memcurator/memstore/findings"
	"memcurator/memstore/statedir"
)

// leftIn counts the places where a purge left values, git commits not included.
func leftIn(left *findings.Residue) int {
	n := len(left.Left)
	for _, s := range left.Stores {
		n += s.Places
	}
	for _, l := range left.Linked {
		n += l.Others
	}
	return n
}

// sayLeftElsewhere names what a purge found but does not touch, each with the command that deals with it.
func (a *app) sayLeftElsewhere(s *scrubbing, left *findings.Residue) {
	for _, l := range left.Linked {
		a.say(fmt.Sprintf("Left: %s had %s outside the store, and the old bytes are still there. To find them, run: find / -xdev -inum %d", l.Path, counted(l.Others, "other name"), l.Inode))
	}
	for _, o := range left.Stores {
		if o.Path == "" {
			a.say(fmt.Sprintf("Left: %s in the state folder %s, which does not name its store. Open that store once with %s, or delete the folder.", counted(o.Places, "place"), o.Dir, program))
			continue
		}
		a.say(fmt.Sprintf("Left: %s in the state folder of another store. To purge it, run: %s scrub --purge-history %s%s", counted(o.Places, "place"), program, a.stateWords(), shellQuoted(o.Path)))
	}
	for _, base := range a.otherBases(s.base()) {
		a.say("Not searched: the state folders of other stores in " + base + ".")
	}
}

// stateWords is the --state flag for a command that the user is told to run; empty without one.
func (a *app) stateWords() string {
	if a.flags.state == "" {
		return ""
	}
	return "--state " + shellQuoted(a.flags.state) + " "
}

// otherBases are the roots of state folders that a purge below base does not search: the one in the environment, where --state
// overrides it, and the default one.
func (a *app) otherBases(base string) (list []string) {
	usual, _ := statedir.Default() // without a home there is none
	for _, other := range []string{a.env.Getenv(envState), usual} {
		abs, err := filepath.Abs(other)
		if other == "" || base == "" || err != nil || abs == base {
			continue
		}
		if folders, err := statedir.All(abs); len(folders) > 0 || err != nil {
			list = append(list, abs)
		}
	}
	return list
}

// sayCleanedToo names, before a purge, the other state folders that it also cleans.
func (a *app) sayCleanedToo(s *scrubbing) {
	if s.base() == "" {
		return
	}
	list, err := findings.FindElsewhere(s.base(), s.state, s.dir)
	if err != nil {
		a.log.Warn("other state folders cannot be listed", "error", err)
	}
	why := map[findings.Relation]string{
		findings.Earlier: "this store under another path", findings.Inside: "a store inside this one",
		findings.Around: "a store that contains this one", findings.Orphan: "a store that no longer exists",
	}
	for _, e := range list {
		if e.Relation != findings.Stranger {
			a.say(fmt.Sprintf("The purge also covers the past of %s, %s.", e.Name(), why[e.Relation]))
		}
	}
}

// movedFrom finds the state folder that the store in dir left behind when it moved; nil where there is none.
func (a *app) movedFrom(dir string) *statedir.Folder {
	now, err := statedir.Identify(dir)
	if err != nil {
		return nil
	}
	all, err := statedir.All(a.stateBase())
	if err != nil {
		a.log.Warn("other state folders cannot be listed", "error", err)
	}
	for _, f := range all {
		if f.Path != now.Path && f.SameDirectory(now) && f.Orphaned() {
			return &f
		}
	}
	return nil
}

// relinkCommand is the command with which a moved store takes over its journal.
func (a *app) relinkCommand(f *statedir.Folder, dir string) string {
	return fmt.Sprintf("%s doctor %s--relink %s %s", program, a.stateWords(), shellQuoted(f.Path), shellQuoted(dir))
}
