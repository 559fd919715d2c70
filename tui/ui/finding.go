package ui

import (
	"fmt"
)

// Texts of the search of the store. They belong to the catalogue.
const (
	TextSearchTab   = "search"
	TextFindLead    = "search store: "
	TextFindHelp    = "/re/ is a regular expression, else it is text; capitals make it exact"
	TextFindNothing = "nothing is searched for yet; {global/find} searches names and text of the whole store"
	TextFindEmpty   = "the store holds no file yet"
	TextSearching   = "searching... {global/back} cancels"
	TextStale       = "changed since: {found/find-again} searches again"
	TextFileStale   = "changed"
	TextFileGoneNow = "gone"
	TextNameMatch   = "name"
	TextBinaryMatch = "not text, it matches; more is not shown"
	TextOnlyNames   = "only names match; there is no line to go on to"
	TextMatchGone   = "the match is not there any more; r in the search tab searches again"
	TextFindAgain   = "not all was searched; {found/find-again} searches again"
	TextFailed      = "failed"
	TextFindFailed  = "the memory directory is not available; {found/find-again} searches again"

	LabelFind = "searching the store"
)

// FoundText is how much a search of the store has found.
func FoundText(count, files, names int) string {
	line := CountMatches(count)
	if count > 0 {
		line += " in " + CountGrouped(files, "file")
	}
	if names > 0 {
		line += ", " + CountGrouped(names, "name")
	}
	return line
}

// SearchingText says how far the search is, in percent.
func SearchingText(percent int) string { return fmt.Sprintf("searching %d%%", percent) }

// StoppedText says where the search was cancelled, in percent.
func StoppedText(percent int) string {
	return fmt.Sprintf("cancelled at %d%%", percent)
}

// NothingFoundText says that neither a name nor a line matches, and what to do.
func NothingFoundText(e *Env, query string, exact bool) string {
	line := "no name and no line matches " + query + e.Keyed("; {global/find} searches for something else, {global/back} leaves")
	if exact {
		line += "; small letters alone would find capitals too"
	}
	return line
}

// ListedText says that not all lines are listed.
func ListedText(kept, lines int) string {
	return fmt.Sprintf("%s of %s lines are listed, the counts are whole", Number(kept), Number(lines))
}

// SkippedText says that files could not be read.
func SkippedText(n int) string { return CountGrouped(n, "file") + " could not be read" }

// LongLinesText says that a regular expression saw the start of very long lines only.
func LongLinesText(n int) string {
	return CountGrouped(n, "long line") + " searched in the first 256 KiB only"
}

// FileMatchesText is the number of matches in one file.
func FileMatchesText(n int) string { return CountMatches(n) }

// MoreLinesText says how many lines of a file are not listed.
func MoreLinesText(e *Env, n int) string {
	return CountGrouped(n, "line") + e.Keyed(" more; {found/open-match} on the file, then {view/search-next} goes through all")
}

// StoreRankText is the place of a match among those of the whole store.
func StoreRankText(rank, count int) string {
	return fmt.Sprintf("match %s of %s in the store", Number(rank), Number(count))
}

// StoreStateText is the state of a search of the store with the cursor on a match.
func StoreStateText(query string, rank, count int, here, ofHere int) string {
	return fmt.Sprintf("%q: %s, %s of %s here", query, StoreRankText(rank, count), Number(here), Number(ofHere))
}

// OnlyNameText is the state of a search in a file of which no line matches.
func OnlyNameText(query string) string { return fmt.Sprintf("%q: only the name matches", query) }

// NextFileText says that the matches go on in another file.
func NextFileText(path string, rank, count int, around, backward bool) string {
	line := StoreRankText(rank, count) + ", " + path
	if around {
		line = WrappedText(backward) + ": " + line
	}
	return line
}
