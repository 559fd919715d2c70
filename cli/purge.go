package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/findings"
)

func (a *app) purge(ctx context.Context, s *scrubbing, groups []*findings.Group, flags scrubFlags) error {
	if err := a.confirmPurge(s, groups, flags); err != nil {
		return err
	}
	worker := a.scrubber(s)
	worker.All = flags.all()
	worker.Accept(groups)
	done, err := worker.Purge(ctx)
	return a.purged(s, done, err, flags)
}

// resumePurge carries on with a purge that was killed or stopped: it was asked for, and confirmed. begun: there was one.
func (a *app) resumePurge(ctx context.Context, s *scrubbing, flags scrubFlags) (begun bool, err error) {
	if s.journal == nil {
		return false, nil
	}
	left, err := findings.PurgeLeft(ctx, s.journal, s.state)
	switch {
	case err != nil:
		return false, pastError(err)
	case left == findings.NothingLeft:
		return false, nil
	case left == findings.AtWork:
		return true, underWay(findings.ErrUnderWay)
	case flags.dryRun:
		a.say("A purge was begun and not ended. The next scrub carries on with it.")
		return true, nil
	}
	a.say("A purge was begun and not ended. It is carried on with.")
	done, err := a.scrubber(s).Resume(ctx)
	if errors.Is(err, findings.ErrNoPurge) {
		return false, nil
	}
	return true, a.purged(s, done, err, flags)
}

func underWay(err error) error {
	return failed(err, "Another program is purging this store just now. Nothing was done; try it again when it has ended.")
}

// purged tells how a purge went, what is left and what it cannot reach.
func (a *app) purged(s *scrubbing, done *findings.Purged, err error, flags scrubFlags) error {
	a.sayFailed(done.Failed)
	switch {
	case errors.Is(err, findings.ErrUnderWay):
		return underWay(err)
	case err != nil:
		a.say("The purge has not ended, and values are left. \"" + program + " scrub --resume\" carries on with it.")
		return pastError(err)
	}
	left := done.Left
	if err := a.printScrubbed(s, flags, scrubbed{
		Files: done.Files, Names: done.Names, Values: done.Values, Classes: done.Classes,
		Revisions: done.Journal.Revisions, Contents: done.Journal.Contents, Left: leftIn(left),
	}); err != nil {
		return err
	}
	a.say(fmt.Sprintf("Replaced %s in %s. Of the journal %s and %s were rewritten, and %s of the state folder.", counted(done.Values, "value"), counted(done.Files, "file"),
		counted(done.Journal.Revisions, "revision"), counted(done.Journal.Names, "name"), counted(len(done.State), "file")))
	for _, name := range done.Outside {
		a.say(fmt.Sprintf("Cleaned: %s.", name))
	}
	for _, name := range done.Removed {
		a.say(fmt.Sprintf("Removed: %s.", name))
	}
	if done.Journal.Forgotten > 0 {
		a.say(fmt.Sprintf("Of the journal %s held a value inside binary or compressed data, and cannot be put back any more.", counted(done.Journal.Forgotten, "content")))
	}
	missed := unread{a: a}
	missed.skipped(left.Unread)
	if left.Files > 0 && leftIn(left) == 0 && missed.n == 0 {
		a.say(fmt.Sprintf("Sought afterwards in %s, %s: nothing is left.", counted(left.Files, "file"), memstore.FormatSize(s.dialect, left.Bytes)))
	}
	if left.Common > 0 {
		a.say(fmt.Sprintf("%s as short or as common as other text, as a PIN: sought only where something says what it is.", capital(counted(left.Common, "value"))+are(left.Common)))
	}
	for _, l := range left.Left {
		a.say(fmt.Sprintf("Left: %s (%s).", l.Where, l.Form))
	}
	a.sayLeftElsewhere(s, left)
	a.sayOutOfReach(s, left)
	notRead := missed.end()
	switch g := left.Git; {
	case leftIn(left) > 0:
		return failed(nil, "Values are left in %s.", counted(leftIn(left), "place"))
	case notRead != nil:
		return notRead
	case g != nil && !g.Clean():
		return failed(nil, "%s.", gitVerdict(g))
	}
	return failedFiles(done.Failed)
}

// gitVerdict is why a purge is not the end of the values in a git work tree, without the full stop.
func gitVerdict(g *findings.Git) string {
	switch {
	case len(g.Commits) > 0:
		return "Values are left in " + counted(len(g.Commits), "commit")
	case g.Staged:
		return "Values are left in the git index"
	}
	return "Not all commits were searched"
}

// sayOutOfReach tells where copies may be that no program on this machine can take back.
func (a *app) sayOutOfReach(s *scrubbing, left *findings.Residue) {
	a.say("Out of reach: backups and snapshots, synchronised copies, free blocks of the disk, exports that were moved or piped, transcripts, and what the model's provider has logged.")
	a.sayGit(left.Git)
	for _, r := range left.Rotate {
		a.say(fmt.Sprintf("Change: %s (%s). %s", r.Class.Title, counted(r.Values, "value"), r.Class.Rotate))
	}
}

func are(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// commitsShown is how many commits are named.
const commitsShown = 8

// sayGit tells which commits hold values, and how they are rewritten: that is for people, who know who else has them.
func (a *app) sayGit(g *findings.Git) {
	if g == nil {
		return
	}
	path := g.Below
	list := fmt.Sprintf("git -C %s log --all --oneline -- %s", shellQuoted(g.Top), shellQuoted(path))
	if g.Unread != "" {
		a.say(fmt.Sprintf("%s is a git work tree whose commits were not all searched: %s. To list those that touched the store, run: %s", g.Top, g.Unread, list))
	}
	if g.Staged {
		a.say(fmt.Sprintf("The git index of %s still holds values, which the next commit would contain. To stage the files as they are now, run: git -C %s add -- %s", g.Top, shellQuoted(g.Top), shellQuoted(path)))
	}
	if len(g.Commits) == 0 {
		if g.Unread == "" {
			a.say(fmt.Sprintf("%s is a git work tree. No commit in it holds a value.", g.Top))
		}
		return
	}
	var short []string
	for _, c := range g.Commits[:min(len(g.Commits), commitsShown)] {
		short = append(short, c[:min(len(c), 12)])
	}
	more := ""
	if n := len(g.Commits) - len(short); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	a.say(fmt.Sprintf("%s is a git work tree. %s in it hold values and are not rewritten: %s%s.", g.Top, capital(counted(len(g.Commits), "commit")), strings.Join(short, ", "), more))
	if path == "." {
		a.say("To see them: " + list + ". To rewrite them see git filter-repo --replace-text; every clone has them until then.")
		return
	}
	a.say(fmt.Sprintf("To see them: %s. To take the memory out of all commits: git -C %s filter-repo --invert-paths --path %s; every clone has them until then.", list, shellQuoted(g.Top), shellQuoted(path)))
}

// shellQuoted is a word as a shell takes it whole.
func shellQuoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
