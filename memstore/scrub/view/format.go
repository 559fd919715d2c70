package view

import (
	"bytes"
	"path"
	"strings"
)

// Format is what a text is written in, as far as finding and replacing care.
type Format uint8

// The formats. Everything unknown is Plain.
const (
	Plain Format = iota
	Markdown
	JSON
	JSONL
	YAML
	XML
	TOML
	dotenv
	CSV
	script // shell and other programs
)

var byExtension = map[string]Format{
	".md": Markdown, ".markdown": Markdown, ".mdx": Markdown,
	".json": JSON, ".jsonc": JSON, ".json5": JSON, ".ipynb": JSON, ".webmanifest": JSON, ".har": JSON, ".geojson": JSON,
	".jsonl": JSONL, ".ndjson": JSONL,
	".yaml": YAML, ".yml": YAML,
	".xml": XML, ".html": XML, ".htm": XML, ".xhtml": XML, ".svg": XML, ".plist": XML, ".config": XML, ".csproj": XML, ".rss": XML,
	".toml": TOML,
	".env":  dotenv, ".ini": dotenv, ".properties": dotenv, ".conf": dotenv, ".cfg": dotenv, ".npmrc": dotenv, ".netrc": dotenv,
	".csv": CSV, ".tsv": CSV,
	".sh": script, ".bash": script, ".zsh": script, ".ps1": script, ".py": script, ".js": script, ".ts": script, ".go": script,
	".rb": script, ".sql": script,
}

// plainEndings are those of files whose format says nothing.
var plainEndings = map[string]bool{".txt": true, ".log": true, ".bak": true, ".org": true, ".rst": true, ".adoc": true, ".tmp": true,
	".text": true}

// KnownEnding reports whether an ending in lower case is one of files, not a part of a name.
func KnownEnding(ext string) bool { return byExtension[ext] != Plain || plainEndings[ext] }

// FormatOf guesses the format from the name, and where that says nothing from the first bytes.
func FormatOf(name string, text []byte) Format {
	base := strings.ToLower(path.Base(name))
	if f, ok := byExtension[path.Ext(base)]; ok {
		if f == JSON && severalDocuments(text) {
			return JSONL
		}
		return f
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") {
		return dotenv
	}
	head := bytes.TrimLeft(text[:min(len(text), 512)], " \t\r\n\ufeff")
	switch {
	case len(head) == 0:
		return Plain
	case bytes.HasPrefix(head, []byte("<?xml")):
		return XML
	case (head[0] == '{' || head[0] == '[') && looksJSON(head):
		return JSON
	case bytes.HasPrefix(head, []byte("---\n")) && path.Ext(base) == "":
		return Markdown
	}
	return Plain
}

// severalDocuments reports whether the second line begins a document of its own.
func severalDocuments(text []byte) bool {
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	end := bytes.IndexByte(text[:min(len(text), 1<<16)], '\n')
	return end > 1 && end+1 < len(text) && text[end+1] == '{'
}

// looksJSON distinguishes an object or array from a line that begins with a bracket.
func looksJSON(head []byte) bool {
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	return len(rest) > 0 && (rest[0] == '"' || rest[0] == '{' || rest[0] == '[' || rest[0] == '}' || rest[0] == ']')
}

// Escapes reports whether strings have the escapes of JSON.
func (f Format) Escapes() bool { return f == JSON || f == JSONL }
