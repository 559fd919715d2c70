package past

// Scope selects the texts to search. Scopes can be joined with |.
type Scope uint8

// The scopes.
const (
	Present    Scope = 1 << iota // what is there now
	Older                        // older versions of what is there
	Deleted                      // what was at paths where nothing is now
	Everywhere = Present | Older | Deleted
)

// Query is a search of all texts that a record has kept.
type Query struct {
	// Words must all occur in a text, as memstore/search reads them: plain, "several words" as a phrase, /a regular expression/.
	Words []string
	Scope Scope // 0: Everywhere
}

// Hit is a text with a match, at one of its places: equal texts at one path are one hit.
type Hit struct {
	Path  string
	Rev   int64 // the revision that brought the text; 0: it was there when the record began
	Until int64 // the revision that removed it; 0: it is there now
	Scope Scope // one of the three
	Start int   // of the match, in bytes
	End   int
	Line  int    // counted from 1
	Text  []byte // the line, without its newline
}
