package ui

import (
	"fmt"
	"strconv"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
)

// The texts of sensitive values.
const (
	TextFindingsTitle     = "sensitive values"
	TextFindingsReading   = "looking for keys, passwords and personal data..."
	TextFindingsNone      = "No sensitive value was found in the files, in their names and in the past."
	TextFindingsNoneRead  = "No sensitive value was found in what could be read."
	TextFindingsNoFit     = "no value fits the filter; {findings/close} clears it"
	TextHarmless          = "harmless"
	TextLineGoes          = "the line goes"
	TextStays             = "it stays as it is: its class says so"
	TextFindingsOff       = "no rules are loaded: sensitive values are not looked for here"
	TextFindingsFooter    = "{findings/tick-finding} accept  {findings/reject-finding} reject  {findings/purge-findings} take out  {findings/redact-findings} files only  {findings/reveal} reveal  {findings/preview-finding} diff  {findings/finding-class} class  {findings/finding-action} instead  {findings/allow-finding} allow  {findings/filter-findings} filter"
	TextFindingHold       = "hold {findings/reveal}: shown until you let go"
	TextFindingHoldRepeat = "hold {findings/reveal}: shown while the key repeats"
	TextFindingsNoTick    = "accept a value first: {findings/tick-finding}, or {findings/tick-all-findings} for all"
	TextFindingAllowed    = "This value counts as harmless from now on. Only a hash of it is kept."
	TextFindingUnallowed  = "This value counts again."
	TextFindingNotSaved   = "the choice lasts until the end of this run: it cannot be kept in the state folder"
	TextFindingPast       = "this place is in the past: there is no file to open"
	TextFindingNoDiff     = "no file changes: accept a value of this file first"
	TextFindingDiffOnly   = "this diff is only looked at: nothing is filtered or copied here"
	TextInName            = "in the name"
	TextPurgeTitle        = "take them out for good?"
	TextRedactTitle       = "take them out of the files?"
	TextPurgeEnded        = "purge"
	TextScrubStopped      = "Stopped. What was done stays; {global/undo} takes it back."
	TextPurgedElsewhere   = "Another program has purged values from this store: what was shown of before is dropped."
	TextValuesElsewhere   = "Sensitive values are accepted and taken out in their own box: {global/findings} opens it."
	TextNoPurgeYet        = "nothing was purged since memcurator was started"
	TextScrubStops        = "{findings/close} stops"
	TextScrubStopping     = "stopping"
	TextPurgeStopped      = "Stopped before the past was rewritten, which holds the values still. Purge again to end it."
	TextPurgeUnproved     = "Stopped after the purge: nobody has looked for what is left. {findings/scan-again} scans again."
	TextPurgeLeft         = "A purge was begun and not ended: values are left. A purge in {global/findings} ends it, and so does: scrub --resume"
	TextPurgeLeftTitle    = "carry on with the purge?"
	TextPurgeLeftQuestion = "A purge of this store was killed or stopped, and values that it was to take out are left in files or in the past. Carry on with it now? What it takes out cannot be put back."
	TextPurgeAtWork       = "Another program is purging this store just now. What it takes out is gone when it has ended."
	LabelScan             = "looking for sensitive values"
	LabelRedact           = "taking values out of files"
	LabelPurge            = "taking values out everywhere"
)

// FindingsSum heads the box: how many values and places, and how many are accepted.
func FindingsSum(values, live, past, accepted int) string {
	return fmt.Sprintf("%s in %s, %s more in the past; %s accepted", CountGrouped(values, "value"), CountGrouped(live, "place"), Number(past), Number(accepted))
}

// FindingsShort is FindingsSum where there is little room.
func FindingsShort(values, live, past, accepted int) string {
	return fmt.Sprintf("%s/%s accepted, %s+%s places", Number(accepted), CountGrouped(values, "value"), Number(live), Number(past))
}

// FindingsUnread says under the sum what was not read: the first path, why, and how many more.
func FindingsUnread(path, why string, more int) string {
	out := fmt.Sprintf("Not read: %s (%s)", text.Clean(path), why)
	if more > 0 {
		out += fmt.Sprintf(", %s more", Number(more))
	}
	return out
}

// UnreadName names what was not read: a path, "" for the journal as a whole; past: what the journal keeps of it.
func UnreadName(path string, past bool) string {
	switch {
	case path == "":
		return "the journal"
	case past:
		return path + " in the past"
	}
	return path
}

// FindingsNote tells at the end of the scan beside the user's work what was found.
func FindingsNote(values int, key string) string {
	return fmt.Sprintf("%s found in this store: %s shows them", CountGrouped(values, "sensitive value was", "sensitive values were"), key)
}

// FindingsBadge says, where things are proposed, that sensitive values were found too.
func FindingsBadge(values int, key string) string {
	return CountGrouped(values, "sensitive value") + ": " + key
}

// FindingsFilter says what a filter leaves of the values.
func FindingsFilter(filter string, left, all int) string {
	return fmt.Sprintf("/%s: %s of %s", text.Clean(filter), Number(left), CountGrouped(all, "value"))
}

// FindingsWork says what is being done and how far it is; total 0: nobody knows. What stops it, "" for nothing, comes
// first: a narrow box cuts the rest.
func FindingsWork(stops, label string, done, total int64) string {
	if total > 0 {
		label += fmt.Sprintf(" %d%%", done*100/total)
	}
	if stops != "" {
		return stops + ": " + label
	}
	return label
}

// ScrubStep says what of taking values out is under way.
func ScrubStep(step string, done, total int64) string {
	switch step {
	case "state":
		return "cleaning the state folder"
	case "journal":
		return "rewriting the past"
	case "proof":
		return "looking for what is left"
	}
	if total > 0 && done >= total {
		return "files are done"
	}
	return "taking values out of files"
}

// FindingBecomes says what takes the place of a value.
func FindingBecomes(what string) string { return "becomes " + what }

// ClassQuestion asks what one value, or several of a class, are to be taken for.
func ClassQuestion(values int, class, masked string) string {
	return "take " + ofClass(values, class, masked) + " for"
}

// ActionQuestion asks what is to take the place of one value, or of several of a class.
func ActionQuestion(values int, class, masked string) string {
	return "what takes the place of " + ofClass(values, class, masked)
}

func ofClass(values int, class, masked string) string {
	if values == 1 {
		return masked + " (" + class + ")"
	}
	return fmt.Sprintf("%d values of the class %s", values, class)
}

// ActionText describes what may take the place of a value, by the name that it has in the configuration.
func ActionText(name string) string {
	switch name {
	case "tag":
		return "the name of its class"
	case "pseudonym":
		return "a name that the same value always gets"
	case "partial":
		return "of a card the last digits, of an address the host; of a secret nothing"
	case "line":
		return "the whole line goes, where the format allows it"
	case "ignore":
		return "nothing: the value is rejected and stays"
	}
	return "what the configuration says for its class"
}

// FindingPlace is where a value stands.
func FindingPlace(path string, line, column int, inName, past bool, rev int64) string {
	out := fmt.Sprintf("%s:%d:%d", path, line, column)
	if inName {
		out = path + " (" + TextInName + ")"
	}
	switch {
	case past && rev > 0:
		out += " (revision " + strconv.FormatInt(rev, 10) + ")"
	case past:
		out += " (before the first revision)"
	}
	return out
}

// FindingWhere is the first place of a value, in a list.
func FindingWhere(path string, line int) string {
	if line == 0 {
		return path + " (" + TextInName + ")"
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// FindingPlaces is how often a value was found.
func FindingPlaces(live, past int) string {
	if past == 0 {
		return fmt.Sprintf("%d", live)
	}
	return fmt.Sprintf("%d+%d", live, past)
}

// PurgeQuestion offers to take values out everywhere, or of the files.
func PurgeQuestion(e *Env, values, live, past int, path, undo string) string {
	key := func(id keymap.ID) string { return e.Keys.KeyFor(keymap.TakeOut, id) }
	return fmt.Sprintf("%s: %s in files and %s in the past.\nThe first one is in %s.\n\n"+
		"%s  purge: out of the files and of the whole past.\n   This cannot be undone: no undo and no travel in time brings a value back.\n"+
		"%s  files only: %s takes it back. The past keeps the values.\n"+
		"%s  no\n\nBackups, git commits, copies elsewhere and the logs of the model's provider are out of reach of both.",
		CountGrouped(values, "value"), CountGrouped(live, "place"), Number(past), text.Clean(path), key(keymap.Yes), key(keymap.FilesOnly), undo, key(keymap.No))
}

// RedactQuestion says what a redaction is going to do.
func RedactQuestion(values, live, past int, undo string) string {
	return fmt.Sprintf("%s: %s in files. %s takes it back.\n\nThe past keeps them: %d places in older versions stay as they are.", CountGrouped(values, "value"), CountGrouped(live, "place"), undo, past)
}

// RedactedText tells what a redaction has done.
func RedactedText(places, files, names, failed int) string {
	out := fmt.Sprintf("%s in %s taken out", CountGrouped(places, "value"), CountGrouped(files, "file"))
	if names > 0 {
		out += ", " + CountGrouped(names, "name") + " changed"
	}
	if failed > 0 {
		out += "; " + CountGrouped(failed, "file stays", "files stay") + " as they were"
	}
	return out
}

// ScrubFailedText says that taking values out ended early, after so many files.
func ScrubFailedText(files int, why string, purge bool) string {
	out := fmt.Sprintf("Ended after %s: %s.", CountGrouped(files, "file"), why)
	if purge {
		out += " The past holds the values still: purge again to end it."
	}
	return out
}

// Purge is what a purge has done, for PurgeReport.
type Purge struct {
	Places, Files, Names       int
	Revisions, Contents, State int
	Sought                     int      // files and contents that were searched afterwards
	Left                       []string // where a value still is
	NotRead                    []string // what could not be searched, and why
	Staged                     bool     // the index of git holds a value
	InGit                      bool
	Common                     int      // values that were sought in context only
	Gone                       []string // files that were removed, or cleaned outside of memory and state folder
	Forgotten                  int      // contents of the past that are kept no more
	Commits                    []string // that hold a value
	Unread                     string   // why commits were not looked through; "": they were
	Rotate                     []string // what has to be changed, and where
	Failed                     []string // files that stay as they were
}

// PurgeReport tells what a purge has done and what it cannot reach.
func PurgeReport(p Purge) string {
	out := RedactedText(p.Places, p.Files, p.Names, len(p.Failed)) + ".\n"
	out += fmt.Sprintf("Of the journal %s with %s were rewritten, and %s of the state folder.\n", CountGrouped(p.Revisions, "revision"), CountGrouped(p.Contents, "content"), CountGrouped(p.State, "file"))
	for _, g := range p.Gone {
		out += text.Clean(g) + "\n"
	}
	if p.Forgotten > 0 {
		out += fmt.Sprintf("No longer kept, because a value was inside binary or compressed data: %s of the past.\n", CountGrouped(p.Forgotten, "content"))
	}
	if len(p.Left) == 0 && len(p.NotRead) == 0 {
		out += fmt.Sprintf("Sought afterwards in %s, in every form: nothing is left.\n", CountGrouped(p.Sought, "file and content", "files and contents"))
	}
	if p.Common > 0 {
		out += fmt.Sprintf("As short or as common as other text, so sought only where something says what it is: %s.\n", CountGrouped(p.Common, "value"))
	}
	for _, l := range p.Left {
		out += "LEFT: " + text.Clean(l) + "\n"
	}
	for _, l := range p.NotRead {
		out += "NOT READ: " + text.Clean(l) + "\n"
	}
	for _, f := range p.Failed {
		out += "Not changed: " + text.Clean(f) + "\n"
	}
	out += "\nOut of reach: backups and snapshots, synchronised copies, free blocks of the disk, exports that were moved, transcripts, and what the model's provider has logged.\n"
	if p.InGit {
		out += commitsText(p.Commits, p.Unread)
		if p.Staged {
			out += "The git index still holds values, which the next commit would contain. Run git add to stage the files as they are now.\n"
		}
	}
	if len(p.Rotate) > 0 {
		out += "\nChange these now, whoever has seen them can use them:\n"
	}
	for _, r := range p.Rotate {
		out += "- " + r + "\n"
	}
	return out
}

// commitsShown is how many commits are named.
const commitsShown = 8

// commitsText tells what commits hold.
func commitsText(commits []string, unread string) string {
	switch {
	case unread != "":
		return "The memory lies in a git work tree. Its commits are not rewritten and were not looked through: " + unread + ".\n"
	case len(commits) == 0:
		return "The memory lies in a git work tree. No commit in it holds a value.\n"
	}
	var short []string
	for _, c := range commits[:min(len(commits), commitsShown)] {
		short = append(short, c[:min(len(c), 12)])
	}
	list := strings.Join(short, ", ")
	if n := len(commits) - len(short); n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("The memory lies in a git work tree. %s in it hold values and are not rewritten: %s. See git filter-repo.\n", CountGrouped(len(commits), "commit"), list)
}

// PurgedFile says what became of a file that is neither a note nor the journal.
func PurgedFile(name string, removed bool) string {
	if removed {
		return "Removed: " + name
	}
	return "Cleaned: " + name
}

// LeftLinked says that a file had other names outside the store, where a purge leaves the old bytes.
func LeftLinked(path string, others int, inode uint64) string {
	return fmt.Sprintf("%s had %s outside the store, and the old bytes are still there (find / -xdev -inum %d)", path, CountGrouped(others, "other name"), inode)
}

// LeftInStore says that the state folder of another store holds values; path is "" where the folder does not name its store.
func LeftInStore(path, dir string, places int) string {
	if path == "" {
		return fmt.Sprintf("%s in the state folder %s, which does not name its store", CountGrouped(places, "place"), dir)
	}
	return fmt.Sprintf("%s in the state folder of the store %s (run scrub --purge-history there)", CountGrouped(places, "place"), path)
}

// PurgeAside says before a purge that it removes journals that were set aside, and copies.
func PurgeAside(journals int) string {
	return fmt.Sprintf("\n\nA purge also removes journals that were set aside as damaged, and copies, because they cannot be cleaned: %s.", CountGrouped(journals, "journal"))
}

// ConfiguredText names the choice that leaves it to the configuration, which says action.
func ConfiguredText(action string) string { return "as configured: " + action }

// ValuesHeading heads the sensitive values on the Curate screen, of which so many are listed.
func ValuesHeading(all, listed int) string {
	if listed < all {
		return fmt.Sprintf("Sensitive values  %s, the worst %s are listed", Number(all), Number(listed))
	}
	return "Sensitive values  " + Number(all)
}
