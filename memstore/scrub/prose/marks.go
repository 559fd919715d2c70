package prose

import (
	"memcurator/memstore/scrub/ascii"
)

// TrimMarks drops spaces, emphasis and quotes off the end.
func TrimMarks(b []byte) []byte {
	end := len(b)
	for end > 0 && trailingMarks[b[end-1]] {
		end--
	}
	return b[:end]
}

var trailingMarks = ascii.NewSet(" \t*_`\"'")

// LastWord is the word at the end of line, before emphasis and quotes.
func LastWord(line []byte) []byte {
	line = TrimMarks(line)
	return line[ascii.RunBack(line, len(line), ascii.Letters, 16):]
}

// SpaceMarks may stand between two parts of a line.
var SpaceMarks = ascii.NewSet(" *`\t")

// OpenersBlank may come before a value.
var OpenersBlank = ascii.NewSet("\"'`*_([{ ")

var prefixBytes = ascii.NewSet("rRbBuUfFL@$")

// QuotedArgument reports a text that is a literal in a program's source.
func QuotedArgument(b []byte, at, end int) bool {
	return at < end && (b[at] == '"' || b[at] == '\'')
}

// LiteralPrefix steps over what programs write before the quote of a text: r"", b”, @"", $"".
func LiteralPrefix(b []byte, at int) int {
	end := ascii.Run(b[:min(len(b), at+2)], at, prefixBytes)
	if end > at && end < len(b) && (b[end] == '"' || b[end] == '\'') {
		return end
	}
	return at
}
