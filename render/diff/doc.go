// Package diff compares two texts line by line and turns the answer into
// rows that a pane can draw or into a patch.
//
// What lives here: the comparison (Lines, Counts), its grouping (Hunks), the
// rows of a unified view (View, Unified) and of two sides (Split) with the
// changed words of changed line pairs and the lines that were only moved, and
// the patch text (Format). Everything is pure: bytes in, values out; no file,
// no goroutine, no terminal, nothing of memstore. Rows carry raw bytes of the
// texts: who draws them sanitizes them first.
//
// Who calls it: the diff pane, the watcher (Counts) and, later, the journal.
//
// How a comparison goes. The common head and tail are cut off bytewise, at
// line ends. Every line of the rest becomes a number. The rest is split at
// lines that occur exactly once on both sides (patience anchors), and only
// the gaps between them go to go-diff, in line mode, without the lines that
// the other side does not have at all.
//
// Limits. go-diff panics above 1,112,063 different symbols and several of its
// steps are quadratic and ignore its time limit, so a gap is given to it in
// pieces of at most gapLimit lines, and a panic in it costs that gap only. A
// middle with more than Options.MaxDistinct different lines is never
// numbered whole: it is walked in windows as long as the two sides keep
// meeting again. What is left when that fails, or when the time is over, is
// one replaced block. The answer is therefore always right, that is, Apply
// gives b, but not always the smallest one; Result says so.
//
// Memory. Nothing is copied from the texts; they must stay unchanged while a
// Text, Result or View of them is in use. A comparison of two texts of 999,999
// lines holds at most about 115 MB beside its ops, which is free again when it
// returns; one edit in them costs a few kilobytes. An Op is 40 bytes, and
// there are at most three for two lines: 60 MB when every second line of such
// a text changed, twice that while it grows. A View or a Split takes 56 bytes
// for each run of its rows and bounded caches, a Text 1/1024 of its text.
// Ignoring white space costs a copy of both texts while it is compared.
//
// Lines end at "\n" and nowhere else; "\r" is content. A missing newline at
// the end is a difference. Any bytes are allowed, valid UTF-8 or not; words
// are only marked in lines that are valid.
package diff
