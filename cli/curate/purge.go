package curate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

func purgeValues(run *session.Session, ctx context.Context, s *scrubbing, groups []*findings.Group, flags scrubFlags) error {
	if err := confirmPurge(run, s, groups, flags); err != nil {
		return err
	}
	worker := scrubber(run, s)
	worker.All = flags.all()
	worker.Accept(groups)
	done, err := worker.Purge(ctx)
	return purged(run, s, done, err, flags)
}

// resumePurge carries on with a purge that was killed or stopped: it was asked for, and confirmed. begun: there was one.
func resumePurge(run *session.Session, ctx context.Context, s *scrubbing, flags scrubFlags) (begun bool, err error) {
	if s.journal == nil {
		return false, nil
	}
	left, err := findings.PurgeLeft(ctx, s.journal, s.state)
	switch {
	case err != nil:
		return false, session.PastError(err)
	case left == findings.NothingLeft:
		return false, nil
	case left == findings.AtWork:
		return true, underWay(findings.ErrUnderWay)
	case flags.dryRun:
		run.Say("A purge was begun and not ended. The next scrub carries on with it.")
		return true, nil
	}
	run.Say("A purge was begun and not ended. It is carried on with.")
	done, err := scrubber(run, s).Resume(ctx)
	if errors.Is(err, findings.ErrNoPurge) {
		return false, nil
	}
	return true, purged(run, s, done, err, flags)
}

func underWay(err error) error {
	return session.Failed(err, "Another program is purging this store just now. Nothing was done; try it again when it has ended.")
}

// purged tells how a purge went, what is left and what it cannot reach.
func purged(run *session.Session, s *scrubbing, done *findings.Purged, err error, flags scrubFlags) error {
	sayFailed(run, done.Failed)
	switch {
	case errors.Is(err, findings.ErrUnderWay):
		return underWay(err)
	case err != nil:
		run.Say("The purge has not ended, and values are left. \"" + session.Program + " scrub --resume\" carries on with it.")
		return session.PastError(err)
	}
	left := done.Left
	if err := printScrubbed(run, s, flags, scrubbed{
		Files: done.Files, Names: done.Names, Values: done.Values, Classes: done.Classes,
		Revisions: done.Journal.Revisions, Contents: done.Journal.Contents, Left: leftIn(left),
	}); err != nil {
		return err
	}
	run.Say(fmt.Sprintf("Replaced %s in %s. Of the journal %s and %s were rewritten, and %s of the state folder.",
		output.Counted(done.Values, "value"), output.Counted(done.Files, "file"),
		output.Counted(done.Journal.Revisions, "revision"), output.Counted(done.Journal.Names, "name"), output.Counted(len(done.State), "file")))
	for _, name := range done.Outside {
		run.Say(fmt.Sprintf("Cleaned: %s.", name))
	}
	for _, name := range done.Removed {
		run.Say(fmt.Sprintf("Removed: %s.", name))
	}
	if done.Journal.Forgotten > 0 {
		run.Say(fmt.Sprintf("Of the journal %s held a value inside binary or compressed data, and cannot be put back any more.",
			output.Counted(done.Journal.Forgotten, "content")))
	}
	missed := unread{run: run}
	missed.skipped(left.Unread)
	if left.Files > 0 && leftIn(left) == 0 && missed.n == 0 {
		run.Say(fmt.Sprintf("Sought afterwards in %s, %s: nothing is left.", output.Counted(left.Files, "file"),
			memstore.FormatSize(s.Dialect, left.Bytes)))
	}
	if left.Common > 0 {
		run.Say(fmt.Sprintf("%s as short or as common as other text, as a PIN: sought only where something says what it is.",
			output.Capital(output.Counted(left.Common, "value"))+text.Plural(left.Common, " is", " are")))
	}
	for _, l := range left.Left {
		run.Say(fmt.Sprintf("Left: %s (%s).", l.Where, l.Form))
	}
	sayLeftElsewhere(run, s, left)
	sayOutOfReach(run, s, left)
	notRead := missed.end()
	switch g := left.Git; {
	case leftIn(left) > 0:
		return session.Failed(nil, "Values are left in %s.", output.Counted(leftIn(left), "place"))
	case notRead != nil:
		return notRead
	case g != nil && !g.Clean():
		return session.Failed(nil, "%s.", gitVerdict(g))
	}
	return failedFiles(done.Failed)
}

// gitVerdict is why a purge is not the end of the values in a git work tree, without the full stop.
func gitVerdict(g *findings.Git) string {
	switch {
	case len(g.Commits) > 0:
		return "Values are left in " + output.Counted(len(g.Commits), "commit")
	case g.Staged:
		return "Values are left in the git index"
	}
	return "Not all commits were searched"
}

// sayOutOfReach tells where copies may be that no program on this machine can take back.
func sayOutOfReach(run *session.Session, s *scrubbing, left *findings.Residue) {
	run.Say("Out of reach: backups and snapshots, synchronised copies, free blocks of the disk, exports that were moved or piped, " +
		"transcripts, and what the model's provider has logged.")
	sayGit(run, left.Git)
	for _, r := range left.Rotate {
		run.Say(fmt.Sprintf("Change: %s (%s). %s", r.Class.Title, output.Counted(r.Values, "value"), r.Class.Rotate))
	}
}

// commitsShown is how many commits are named.
const commitsShown = 8

// sayGit tells which commits hold values, and how they are rewritten: that is for people, who know who else has them.
func sayGit(run *session.Session, g *findings.Git) {
	if g == nil {
		return
	}
	path := g.Below
	list := fmt.Sprintf("git -C %s log --all --oneline -- %s", output.ShellQuoted(g.Top), output.ShellQuoted(path))
	if g.Unread != "" {
		run.Say(fmt.Sprintf("%s is a git work tree whose commits were not all searched: %s. To list those that touched the store, run: %s",
			g.Top, g.Unread, list))
	}
	if g.Staged {
		run.Say(fmt.Sprintf("The git index of %s still holds values, which the next commit would contain. To stage the files as they "+
			"are now, run: git -C %s add -- %s", g.Top, output.ShellQuoted(g.Top), output.ShellQuoted(path)))
	}
	if len(g.Commits) == 0 {
		if g.Unread == "" {
			run.Say(fmt.Sprintf("%s is a git work tree. No commit in it holds a value.", g.Top))
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
	run.Say(fmt.Sprintf("%s is a git work tree. %s in it hold values and are not rewritten: %s%s.", g.Top,
		output.Capital(output.Counted(len(g.Commits), "commit")), strings.Join(short, ", "), more))
	if path == "." {
		run.Say("To see them: " + list + ". To rewrite them see git filter-repo --replace-text; every clone has them until then.")
		return
	}
	run.Say(fmt.Sprintf("To see them: %s. To take the memory out of all commits: git -C %s filter-repo --invert-paths --path %s; "+
		"every clone has them until then.", list, output.ShellQuoted(g.Top), output.ShellQuoted(path)))
}
