package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

const scrubHelp = `Redact or purge the secrets in a store.

Usage:
  memcurator scrub [DIR]
  memcurator scrub [DIR] --purge-history

Replaces each value that scan lists, in files and in their names, with REDACTED:class. Asks first.
undo restores all of it, because older versions still hold the values.

--purge-history removes the values from the files, from every revision and from everything else
stored about the store, then verifies it. A purge can't be undone. Transcripts are searched,
not changed. Not reached: backups, git commits, other machines, the model provider's logs. Revoke
the keys too.

Flags:
{flags}
Examples:
  memcurator scrub ~/agent/memories
  memcurator scrub --purge-history --id 3fa4c1d2
`

type scrubFlags struct {
	purge, yes, json bool
	ids              []string
}

func scrubCommand(run *session.Session) *cobra.Command {
	var flags scrubFlags
	c := &cobra.Command{
		Use: "scrub [DIR]", Short: "Redact or purge the secrets in a store", Long: scrubHelp,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openScrubbing(run, c, args, true)
			if err != nil {
				return err
			}
			defer s.Close()
			return scrubStore(run, c.Context(), s, flags)
		},
	}
	f := c.Flags()
	f.BoolVar(&flags.purge, "purge-history", false, "remove the values from history too, for good")
	f.BoolVar(&flags.yes, "yes", false, "do not ask")
	f.BoolVar(&flags.json, "json", false, "one JSON object at the end: files, names, values, classes, revisions, contents, left")
	f.StringArrayVar(&flags.ids, "id", nil, "only the value with the `ID` that scan prints; repeatable")
	return c
}

// scrubbed is the output of scrub --json.
type scrubbed struct {
	Files     int            `json:"files"`
	Names     int            `json:"names"`
	Values    int            `json:"values"`
	Classes   map[string]int `json:"classes"`
	Revisions int            `json:"revisions"` // of the journal, rewritten by a purge
	Contents  int            `json:"contents"`  // rewritten contents of the journal
	Left      int            `json:"left"`      // places with values after a purge
}

func scrubStore(run *session.Session, ctx context.Context, s *scrubbing, flags scrubFlags) error {
	if err := areIDs(flags.ids); err != nil {
		return err
	}
	if s.Journal == nil && !session.IsSealed(s.Backend) {
		return session.Failed(nil, "Can't record the changes: %s. Nothing changed", s.noRecord)
	}
	verb := "redact"
	if flags.purge {
		verb = "purge"
	}
	if err := run.CanConfirm(flags.yes, verb); err != nil {
		return err
	}
	survey, err := surveyStore(ctx, s)
	if err != nil {
		return err
	}
	sayLeftOut(run, survey.Skipped)
	missed := unread{run: run}
	missed.skipped(survey.Skipped)
	if err := haveAll(survey, flags.ids); err != nil {
		return err
	}
	secrets := chosen(survey, flags)
	if len(secrets) == 0 {
		return nothingChosen(run, s, survey, flags, missed.end())
	}
	if !flags.json {
		printClasses(run, s, secrets)
	}
	if flags.purge {
		return purgeValues(run, ctx, s, secrets, flags)
	}
	return cmp.Or(redactFiles(run, ctx, s, secrets, flags), missed.end())
}

// chosen returns the secrets that the flags select.
func chosen(survey *findings.Survey, flags scrubFlags) (secrets []*findings.Secret) {
	for _, secret := range survey.Secrets {
		if secret.Dismissal != nil || !amongIDs(flags.ids, secret.ID) || secret.Live == 0 && !flags.purge {
			continue
		}
		secrets = append(secrets, secret)
	}
	return secrets
}

// printClasses prints the findings by class.
func printClasses(run *session.Session, s *scrubbing, secrets []*findings.Secret) {
	type sum struct{ values, live, past int }
	sums := map[string]sum{}
	for _, secret := range secrets {
		n := sums[secret.Class]
		sums[secret.Class] = sum{n.values + 1, n.live + secret.Live, n.past + len(secret.Places) - secret.Live}
	}
	out := run.Out.Lines(s.Settings)
	for _, class := range slices.Sorted(maps.Keys(sums)) {
		n := sums[class]
		fmt.Fprintf(out, "%-22s  %s: %s in files, %d in older versions\n", className(s, class), text.Count(n.values, "value"),
			text.Count(n.live, "place"), n.past)
	}
}

func redactFiles(run *session.Session, ctx context.Context, s *scrubbing, secrets []*findings.Secret, flags scrubFlags) error {
	if err := run.Confirm(flags.yes, "Redact %s in files? %s undo restores them; older versions stay as they are.",
		text.Count(len(secrets), "value"), session.Program); err != nil {
		return err
	}
	worker := scrubber(run, s)
	worker.Accept(secrets)
	done, err := worker.Redact(ctx)
	failed := notChanged(run, done.Failed)
	if err != nil {
		return scrubError(run, s, err, done)
	}
	if err := printScrubbed(run, flags, scrubbed{Files: done.Files, Names: done.Names, Values: done.Values,
		Classes: done.Classes}); err != nil {
		return err
	}
	run.Say(fmt.Sprintf("Redacted %s in %s. Undo with: %s", text.Count(done.Values, "place"),
		text.Count(done.Files, "file"), run.Command("undo", s.Dir)))
	if s.Journal != nil {
		run.Say("Older versions still have the values. Remove them: " + run.Command("scrub --purge-history", s.Dir))
	}
	return failed
}

// notChanged names the files that can't be redacted, and returns the error for them; nil if there are none.
func notChanged(run *session.Session, list []findings.Skipped) error {
	if len(list) == 0 {
		return nil
	}
	for _, f := range list {
		run.Say(fmt.Sprintf("Can't change %s: %s", f.Path, f.Why.Sentence()))
	}
	return session.Failed(nil, "Can't redact %s", text.Count(len(list), "file"))
}

func scrubError(run *session.Session, s *scrubbing, err error, done *findings.Done) error {
	files, undo := text.Count(done.Files, "file"), run.Command("undo", s.Dir)
	if errors.Is(err, context.Canceled) {
		return session.Failed(err, "Stopped after %s. Undo with: %s", files, undo)
	}
	var store *memstore.Error
	if errors.As(err, &store) {
		return session.Failed(err, "Stopped after %s: %s. Undo with: %s", files, session.StoreReason(err), undo)
	}
	return err
}

func printScrubbed(run *session.Session, flags scrubFlags, line scrubbed) error {
	if !flags.json {
		return nil
	}
	return run.Out.JSONLines().Encode(line)
}
