package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

func purgeValues(run *session.Session, ctx context.Context, s *scrubbing, secrets []*findings.Secret, flags scrubFlags) error {
	if aside := findings.Aside(s.state); len(aside) > 0 {
		run.Say(fmt.Sprintf("Also removes damaged journals that were set aside and copies of the journal, which can't be cleaned: %s in %s",
			strings.Join(aside, ", "), s.state))
	}
	if err := run.Confirm(flags.yes, "Purge %s from the files and from all history? This can't be undone.",
		text.Count(len(secrets), "value")); err != nil {
		return err
	}
	worker := scrubber(run, s)
	worker.Transcripts = run.Machine().ProjectTranscripts(ctx, s.Dir)
	worker.Accept(secrets)
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
		run.Say(fmt.Sprintf("No secrets in files, but %s in older versions. Remove %s: %s", text.Count(n, "secret"),
			text.Plural(n, "it", "them"), run.Command("scrub --purge-history", s.Dir)))
		return notRead
	}
	run.Say("Nothing to do: no secrets found")
	return notRead
}

// purged reports how a purge went, what remains and what it can't reach.
func purged(run *session.Session, s *scrubbing, done *findings.Purged, err error, flags scrubFlags) error {
	failed := notChanged(run, done.Failed)
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
	run.Say(fmt.Sprintf("Purged %s in %s", text.Count(done.Values, "place"), text.Count(done.Files, "file")))
	run.Say(fmt.Sprintf("Rewrote %s (%s) and %s in the journal, and %s in the state folder",
		text.Count(done.Journal.Revisions, "revision"), text.Count(done.Journal.Contents, "content"),
		text.Count(done.Journal.Names, "name"), text.Count(len(done.State), "file")))
	for _, name := range done.Removed {
		run.Say(fmt.Sprintf("Removed: %s", name))
	}
	missed := unread{run: run}
	missed.skipped(left.Unread)
	if left.Files > 0 && leftIn(left) == 0 && missed.n == 0 {
		run.Say(fmt.Sprintf("Verified: searched %s (%s), no traces left", text.Count(left.Files, "file"),
			memstore.FormatSize(s.Dialect, left.Bytes)))
	}
	if left.Common > 0 {
		run.Say(fmt.Sprintf("Searched for %s only where context gives it away: too short or too common, like a PIN",
			text.Count(left.Common, "value")))
	}
	remains := left.Remains()
	for _, said := range remains {
		run.Say(said)
	}
	run.Say("Not reached: backups and snapshots, synced copies, free disk blocks, exports, and the model provider's logs")
	for _, r := range left.Rotate {
		run.Say(fmt.Sprintf("Revoke: %s (%s). %s", r.Class.Title, text.Count(r.Values, "value"), r.Class.Rotate))
	}
	notRead := missed.end()
	if len(remains) > 0 {
		return session.Failed(nil, "Values may remain at %s, listed above", text.Count(len(remains), "place"))
	}
	return cmp.Or(notRead, failed)
}

// leftIn counts the places where values remain after a purge, not including git commits.
func leftIn(left *findings.Residue) int {
	n := len(left.Left)
	for _, s := range left.Stores {
		n += s.Places
	}
	return n
}
