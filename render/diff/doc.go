// Package diff compares two texts line by line and turns the result into rows
// for a pane, or into a patch.
//
// What lives here: the comparison (Lines, Counts), its grouping (Hunks), the
// rows of a unified view (View, Unified) and of a side-by-side one (Split)
// with the changed words of paired lines and the lines that only moved, and
// the patch text (Format). Everything is pure: bytes in, values out; no
// files, goroutines or terminal, nothing of memstore. Rows contain raw bytes
// of the texts: sanitize them before drawing.
//
// Who calls it: the diff pane, the watcher (Counts) and the journal.
//
// How a comparison works. The common head and tail are stripped bytewise, at
// line ends. Every line of the rest becomes a number. The rest is split at
// lines that occur exactly once on both sides (patience anchors), and only
// the gaps between them go to go-diff, in line mode, without lines that the
// other side lacks entirely.
//
// Limits. go-diff panics above 1,112,063 distinct symbols, and several of its
// steps are quadratic and ignore its time limit, so a gap goes to it in
// pieces of at most gapLimit lines, and a panic costs only that gap. A middle
// with more than Options.MaxDistinct distinct lines is never numbered whole:
// it is compared in windows as long as the two sides keep meeting again. If
// that fails, or the time is over, the rest is one replaced block. The result
// is therefore always correct, that is, Apply returns b, but not always the
// smallest one; Result says so.
//
// Memory. Nothing is copied from the texts; they must not change while a
// Text, Result or View of them is in use. Comparing two texts of 999,999
// lines needs at most about 115 MB in addition to its ops, all freed on
// return; for a single edit it is a few kilobytes. An Op is 40 bytes, and
// there are at most three for two lines: 60 MB if every second line of such a
// text changed, twice that while it grows. A View or a Split needs 56 bytes
// for each run of its rows and bounded caches, a Text 1/1024 of its text.
// Ignoring white space costs a copy of both texts during the comparison.
//
// Lines end at "\n" only; "\r" is content. A missing newline at the end is a
// difference. Any bytes are allowed, valid UTF-8 or not; words are only
// highlighted in valid lines.
package diff
