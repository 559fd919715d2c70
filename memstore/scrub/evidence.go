package scrub

import (
	"memcurator/memstore/scrub/prose"
)

// Evidence is what speaks for a value, the weakest first.
type Evidence uint8

// The kinds of evidence.
const (
	Nearby   Evidence = iota // a word that announces such values stands in the same line
	Beside                   // it stands next to such a word
	Stated                   // a sentence says that it is the value
	Assigned                 // it is the value of a key, a flag, a header, or a cell below such a title
	Shaped                   // it has the form that its provider or a standard gives it
	Checked                  // and its check digits are right
)

// ofForm is the evidence that a cue gives to the value behind it.
func ofForm(f prose.Form) Evidence {
	switch f {
	case prose.Assigned:
		return Assigned
	case prose.Copula:
		return Stated
	}
	return Beside
}

// usualEvidence is that of what a detector finds where it says nothing else.
var usualEvidence = map[string]Evidence{"private-key": Shaped, "url-credentials": Shaped, "email": Shaped, "ip-address": Shaped,
	"iban": Checked}

// maxCue bounds what a finding says of its cue, in bytes.
const maxCue = 40

// Why says in a few words what speaks for a finding, without its value.
func (e *Engine) Why(f Finding) string {
	why := ""
	switch {
	case f.Evidence == Checked:
		why = e.class(f.Class).Title + " with valid check digits"
	case f.Evidence == Shaped:
		why = "form of " + e.class(f.Class).Title
	case f.Cue == "":
		why = "context of " + e.class(f.Class).Title
	case f.Evidence == Assigned:
		why = "value of \"" + f.Cue + "\""
	case f.Evidence == Stated:
		why = "named in a sentence with \"" + f.Cue + "\""
	case f.Evidence == Beside:
		why = "next to \"" + f.Cue + "\""
	default:
		why = "near \"" + f.Cue + "\""
	}
	if f.Repeat {
		return "same value as elsewhere: " + why
	}
	return why
}
