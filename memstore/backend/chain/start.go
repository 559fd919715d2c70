package chain

import (
	"bytes"
	"context"
	"path/filepath"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Start implements [backend.Starter].
func (c *Chain) Start(ctx context.Context) ([]backend.StartFile, error) {
	pieces, err := c.Pieces(ctx)
	if err != nil {
		return nil, err
	}
	var list []backend.StartFile
	previous := elsewhere // the scope of the file before
	for _, p := range pieces {
		if p.State == Shadowed || p.State == OnDemand || p.State == Excluded {
			continue
		}
		f := backend.StartFile{Name: p.Name, Problem: p.problem()}
		switch {
		case f.Problem != "":
			f.Name, f.Missing, f.By, f.At = c.spoken(p), p.State == Missing, p.By, p.importedAt
		case c.agent.Imports.Inline && p.By != "", c.agent.compose != nil && p.blank:
			continue // its text is part of another, or nothing is
		case c.agent.compose != nil:
			c.agent.compose(c, p, previous, &f)
			previous = p.at.at.owner
		}
		list = append(list, f)
	}
	return list, nil
}

// problem is why the agent gets nothing of a piece.
func (p Piece) problem() string {
	switch {
	case p.State == Missing && p.By != "":
		return "it doesn't exist, and " + p.By + " imports it"
	case p.State == Missing:
		return "its link leads nowhere"
	case p.State == Refused:
		return p.Why
	case p.Name == "":
		return "not shown: " + p.Why
	}
	return ""
}

// spoken names a piece that may not be part of the store: below the project by its path there.
func (c *Chain) spoken(p Piece) string {
	if p.Name != "" {
		return p.Name
	}
	if rel, ok := c.project.rel(p.Path); ok {
		return rel
	}
	if rel, ok := relTo(c.machine.Home, p.Path); ok && c.machine.Home != "" {
		return "~/" + rel
	}
	return p.Path
}

// spelled is a path with the home folder as the user knows it, links and all.
func (c *Chain) spelled(disk string) string {
	if c.machine.Home == "" {
		return disk
	}
	if rel, ok := relTo(realOf(c.machine.Home), disk); ok {
		return filepath.Join(c.machine.Home, filepath.FromSlash(rel))
	}
	return disk
}

// composeCodex separates files as Codex does: the user's, a line, then the project's.
func composeCodex(_ *Chain, p Piece, previous scope, f *backend.StartFile) {
	f.Free = p.at.at.owner == forUser
	switch {
	case previous == elsewhere:
	case previous == forUser && p.at.at.owner == forProject:
		f.Before = "\n\n--- project-doc ---\n\n"
	default:
		f.Before = "\n\n"
	}
}

// composeGemini frames each file with its path from the folder of the session, and puts imports in place.
func composeGemini(c *Chain, p Piece, previous scope, f *backend.StartFile) {
	shown := p.Path
	if rel, err := filepath.Rel(filepath.Dir(c.file), p.Path); err == nil {
		shown = filepath.ToSlash(rel)
	}
	if previous != elsewhere {
		f.Before = "\n\n"
	}
	f.Before += "--- Context from: " + shown + " ---\n"
	f.Text = func(text []byte) []byte {
		in := inliner{chain: c, from: p.at, left: mostInlined}
		text = bytes.TrimSpace(in.expand(text, filepath.Dir(p.Path), nil))
		return append(bytes.Clone(text), "\n--- End of Context from: "+shown+" ---"...)
	}
}

// mostInlined bounds how many bytes imports add to a file: each may be imported several times.
const mostInlined = 4 << 20

// inliner replaces imports by the imported texts.
type inliner struct {
	chain *Chain
	from  *part // the file that a session reads
	left  int
}

// expand replaces the imports in a text; open are the files that led to it.
func (in *inliner) expand(text []byte, folder string, open []string) []byte {
	if len(open) >= in.chain.agent.Imports.Hops {
		return text
	}
	var out []byte
	at := 0
	for _, m := range in.chain.agent.Imports.mentions(text) {
		out = append(out, text[at:m.start]...)
		out = append(out, in.imported(m.path, folder, open)...)
		at = m.end
	}
	return append(out, text[at:]...)
}

func (in *inliner) imported(path, folder string, open []string) string {
	full := in.chain.resolve(path, folder)
	if !in.from.reaches(full) {
		return "<!-- Import failed: " + path + " - Path traversal attempt -->"
	}
	for _, o := range open {
		if o == full {
			return "<!-- File already processed: " + path + " -->"
		}
	}
	text, err := in.read(full)
	if err != nil {
		return "<!-- Import failed: " + path + " - " + whyNot(err) + " -->"
	}
	below := in.expand(text, filepath.Dir(full), append(open[:len(open):len(open)], full))
	return "<!-- Imported from: " + path + " -->\n" + string(below) + "\n<!-- End of import from: " + path + " -->"
}

// read reads a file, through links that stay in its scope.
func (in *inliner) read(full string) (text []byte, err error) {
	rel, _ := in.from.at.rel(full)
	err = in.from.at.use(false, func(d *dir.Dir) error {
		text, err = backend.ReadFile(d, rel, backend.Look, int64(in.left))
		return err
	})
	in.left -= len(text)
	return text, err
}
