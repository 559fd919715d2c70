package scrubguard

import (
	"context"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
)

// filter masks values in the names of files that the agent reads.
func (k *Keeper) filter(_ context.Context, _ memstore.Command, r memstore.Result) memstore.Result {
	e, s := k.now(true)
	if e == nil {
		return r
	}
	r.Content = k.maskNames(e, &s, r.Content, r.IsError)
	return r
}

// hide names the values in a text that the agent does not get to see.
func (k *Keeper) hide(_ context.Context, path string, text []byte) (hidden []memstore.Masked) {
	e, s := k.now(true)
	if e == nil {
		return nil
	}
	for _, ed := range e.Edits(path, text, k.telling(e, &s, path, text), redact.Treatment{Default: redact.Tag}) {
		hidden = append(hidden, memstore.Masked{From: ed.Start, To: ed.End, Text: ed.Text})
	}
	return hidden
}

// telling are the findings that are masked.
func (k *Keeper) telling(e *scrub.Engine, s *Settings, path string, text []byte) (found []scrub.Finding) {
	if len(text) == 0 {
		return nil
	}
	for _, f := range e.Find(path, text) {
		if s.masksRead(e, path, text, f) {
			found = append(found, f)
		}
	}
	return found
}

// masksRead reports whether a finding is masked in what the agent reads.
func (s *Settings) masksRead(e *scrub.Engine, path string, text []byte, f scrub.Finding) bool {
	return !e.Class(f.Class).Quiet && !s.dismisses(e, path, text, f)
}

func isNumber(label string) bool {
	label = strings.TrimLeft(label, " ")
	return label != "" && strings.Trim(label, "0123456789") == ""
}
