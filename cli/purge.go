package cli

import (
	"context"
	"fmt"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

func purgeValues(run *session.Session, ctx context.Context, s *scrubbing, groups []*findings.Secret, flags scrubFlags) error {
	if err := confirmPurge(run, s, groups, flags); err != nil {
		return err
	}
	worker := scrubber(run, s)
	worker.Transcripts = run.Machine().ProjectTranscripts(ctx, s.Dir)
	worker.Accept(groups)
	done, err := worker.Purge(ctx)
	return purged(run, s, done, err, flags)
}

// nothingChosen ends a command that found no value.
func nothingChosen(run *session.Session, s *scrubbing, survey *findings.Survey, flags scrubFlags, notRead error) error {
	if err := printScrubbed(run, flags, scrubbed{Classes: map[string]int{}}); err != nil {
		return err
	}
	old := flags
	old.purge = true
	if n := len(chosen(survey, old)); n > 0 { // a purge would have chosen them
		run.Say(fmt.Sprintf("No secrets in files, but %s in older versions. Remove %s: %s", output.Counted(n, "secret"),
			text.Plural(n, "it", "them"), run.Command("scrub --purge-history", s.Dir)))
		return notRead
	}
	run.Say("Nothing to do: no secrets found")
	return notRead
}

// purged reports how a purge went, what remains and what it can't reach.
func purged(run *session.Session, s *scrubbing, done *findings.Purged, err error, flags scrubFlags) error {
	sayFailed(run, done.Failed)
	if err != nil {
		run.Say("The purge stopped and values remain. Next: " + run.Command("scrub --purge-history", s.Dir))
		return err
	}
	left := done.Left
	if err := printScrubbed(run, flags, scrubbed{
		Files: done.Files, Names: done.Names, Values: done.Values, Classes: done.Classes,
		Revisions: done.Journal.Revisions, Contents: done.Journal.Contents, Left: leftIn(left),
	}); err != nil {
		return err
	}
	run.Say(fmt.Sprintf("Purged %s in %s", output.Counted(done.Values, "place"), output.Counted(done.Files, "file")))
	run.Say(fmt.Sprintf("Rewrote %s (%s) and %s in the journal, and %s in the state folder",
		output.Counted(done.Journal.Revisions, "revision"), output.Counted(done.Journal.Contents, "content"),
		output.Counted(done.Journal.Names, "name"), output.Counted(len(done.State), "file")))
	for _, name := range done.Removed {
		run.Say(fmt.Sprintf("Removed: %s", name))
	}
	if done.Journal.Forgotten > 0 {
		run.Say(fmt.Sprintf("Dropped %s of the journal that held a value inside binary or compressed data. Restore can't bring them back",
			output.Counted(done.Journal.Forgotten, "content")))
	}
	missed := unread{run: run}
	missed.skipped(left.Unread)
	if left.Files > 0 && leftIn(left) == 0 && missed.n == 0 {
		run.Say(fmt.Sprintf("Verified: searched %s (%s), no traces left", output.Counted(left.Files, "file"),
			memstore.FormatSize(s.Dialect, left.Bytes)))
	}
	if left.Common > 0 {
		run.Say(fmt.Sprintf("Searched for %s only where context gives it away: too short or too common, like a PIN",
			output.Counted(left.Common, "value")))
	}
	for _, said := range left.Remains() {
		run.Say(said)
	}
	run.Say("Not reached: backups and snapshots, synced copies, free disk blocks, exports, and the model provider's logs")
	for _, r := range left.Rotate {
		run.Say(fmt.Sprintf("Revoke: %s (%s). %s", r.Class.Title, output.Counted(r.Values, "value"), r.Class.Rotate))
	}
	notRead := missed.end()
	switch g := left.Git; {
	case leftIn(left) > 0:
		return session.Failed(nil, "Values remain at %s", output.Counted(leftIn(left), "place"))
	case notRead != nil:
		return notRead
	case len(left.Transcripts) > 0:
		return session.Failed(nil, "Values remain in %s", output.Counted(len(left.Transcripts), "transcript"))
	case g != nil && !g.Clean():
		return session.Failed(nil, "%s", gitVerdict(g))
	}
	return failedFiles(done.Failed)
}

// leftIn counts the places where values remain after a purge, not including git commits.
func leftIn(left *findings.Residue) int {
	n := len(left.Left)
	for _, s := range left.Stores {
		n += s.Places
	}
	return n
}

// gitVerdict says why values remain in a git work tree after a purge, without the full stop.
func gitVerdict(g *findings.Git) string {
	switch {
	case len(g.Commits) > 0:
		return "Values remain in " + output.Counted(len(g.Commits), "commit")
	case g.Staged:
		return "Values remain in the git index"
	}
	return "Not all commits were searched"
}
