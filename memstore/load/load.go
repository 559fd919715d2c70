// Package load computes what an agent loads of a store when a session starts: the text, where a limit cuts it, and about how many tokens it
// costs. It reads through a [backend.Backend]. An agent is a [Rule] to it, from the table in package discover.
package load

import (
	"memcurator/memstore/backend"
	"memcurator/memstore/index"
	"memcurator/render/loadlimit"
)

// Rule says which files of a store an agent reads when a session starts, and how much of them. The zero Rule reads nothing: the agent
// reads on demand.
type Rule struct {
	// Files are patterns of names in the store, as rules of the configuration match them, in the order in which the agent reads them.
	Files []string
	// Lines, Bytes, Chars and Tokens limit what is read of each file, or of all files if Together is set; 0: no limit. What comes first
	// counts.
	Lines, Bytes, Chars, Tokens int64
	Together                    bool
	// Stripped is set if the agent removes front matter and HTML comments first, so that they count for nothing.
	Stripped bool
	// Middle is set if the agent keeps both ends of a text that is too long, as Codex does, and not its beginning.
	Middle bool
	// Heading is the text that the agent writes before each file, with NAME for its name; Separator is the one between two files.
	// Both count for the limits if these are of all files together.
	Heading, Separator string
	// Source is the documentation or the public source that the rule was read in, with its version or date.
	Source string
}

// OnDemand reports whether nothing is read when a session starts.
func (r Rule) OnDemand() bool { return len(r.Files) == 0 }

// Limit is the limit of each file, or of all of them if [Rule.Together] is set.
func (r Rule) Limit() loadlimit.Extent {
	return loadlimit.Extent{Lines: r.Lines, Bytes: r.Bytes, Chars: r.Chars, Tokens: r.Tokens}
}

// Index returns the agent path of the index that a session loads, a file with the name of an index that the agent loads alone. "": a
// session loads none.
func (r Rule) Index() (agentPath string) {
	if len(r.Files) != 1 || !index.IsNamed(backend.AgentPath(r.Files[0])) {
		return ""
	}
	return backend.AgentPath(r.Files[0])
}

// limit is that of one file alone.
func (r Rule) limit() loadlimit.Limit {
	return loadlimit.Limit{Extent: r.Limit(), Stripped: r.Stripped, Middle: r.Middle}
}
