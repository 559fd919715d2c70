// Package notesgen writes notes as agents keep them, with sensitive values planted in them and with
// look-alikes that must stay: the ground truth that the engine of memstore/scrub is measured with.
//
// The notes are in seven languages and in the formats of memory files (Markdown, JSON, JSONL, YAML,
// XML, dotenv, tables, code fences, logs, chats). Every value is made at run time from random
// characters, so that no token, not even a false one, is in the repository. What comes out depends on
// the seed alone.
//
// All of it is tests: no other package can import it.
package notesgen

// Format is how a note is written.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	JSON     Format = "json"
	jsonl    Format = "jsonl"
	yaml     Format = "yaml"
	XML      Format = "xml"
	Dotenv   Format = "dotenv"
	log      Format = "log"
	Chat     Format = "text"
)

// Kind is what a planted value counts as.
type Kind string

// The kinds of planted values.
const (
	Secret   Kind = "secret"
	Personal Kind = "personal"
	Echo     Kind = "echo"  // a secret once more, without naming what it is
	Split    Kind = "split" // a secret broken by a line end
)

// truth is a planted value: text[Start:End] is its written form, with the escapes of the format.
type truth struct {
	Start, End int
	Class      string
	Kind       Kind
	Language   string
}

// Decoy is a look-alike: nothing of text[Start:End] may be changed.
type Decoy struct {
	Start, End int
	Name       string
}

// Note is one file of a store.
type Note struct {
	Name   string // relative to the store
	Format Format
	Text   []byte
	Truths []truth
	Decoys []Decoy
}
