// Package scrub finds sensitive data in notes and says what to put in its place: keys
// and tokens of providers, private keys, passwords in prose, key/value pairs and flags,
// personal data. It is built for what agents write (Markdown, chat-like prose, snippets of
// configuration, tables, several languages in one line), not for source code.
//
// Everything here is pure: bytes in, spans and edits out. It reads no file, keeps no
// global state and knows nothing of stores. The packages below it are its parts: ascii (sets of bytes and
// words), view (a text without its escapes), shape (a value by itself), judge (whether what a word announces may be a value), rule
// (files of rules), redact (what takes the place of a value). An
// [Engine] and [Values] do not change after they are made and are safe for concurrent use. Callers (the
// commands, the guard, the user interface, the purge) own all files.
//
// The way of a text: [Engine.Scan] folds it into a view (escapes, entities, full-width digits; each byte knows where it
// came from), walks it once with a trie of keywords and once word by word, lets rules, cues and detectors propose spans,
// merges them and maps them back. All of that is one scan; each kind of value has a file with the methods that read it.
// [Engine.Edits] turns findings into replacements that keep JSON, XML, YAML and TOML readable; what it writes is never found again.
package scrub
