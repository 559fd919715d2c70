package cli

import (
	"fmt"
	"io"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
)

// scanReport is a format for printing places.
type scanReport interface {
	place(p findings.Place, value, masked string) error
}

// foundPlace is a line of scan --json.
type foundPlace struct {
	Path     string  `json:"path"`
	Start    int     `json:"start"`
	End      int     `json:"end"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Class    string  `json:"class"`
	Rule     string  `json:"rule"`
	Severity string  `json:"severity"`
	Rev      *int64  `json:"rev"`
	ID       *string `json:"id"`
	Why      string  `json:"why"`
	Context  string  `json:"context"`
	Value    *string `json:"value,omitempty"`
}

// jsonReport prints one JSON object per line.
type jsonReport struct {
	out    interface{ Encode(any) error }
	memory *findings.Memory
	reveal bool
}

func (r *jsonReport) place(p findings.Place, value, masked string) error {
	line := foundPlace{
		Path: p.Path, Start: p.Start, End: p.End, Line: p.Line, Column: p.Column,
		Class: p.Class, Rule: p.Rule, Severity: p.Severity.String(), Why: p.Why, Context: p.Context(masked),
	}
	if r.memory.Keeps() { // without a stored key, the next run has other IDs
		line.ID = &p.ID
	}
	if p.Past {
		line.Rev = &p.Rev
	}
	if r.reveal {
		line.Value = &value
	}
	return r.out.Encode(line)
}

// textReport prints a place, the evidence, and its line.
type textReport struct {
	out    io.Writer
	engine *scrub.Engine
	reveal bool
}

func (r *textReport) place(p findings.Place, value, masked string) error {
	at := fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
	if p.InName {
		at = p.Path + " (in the name)"
	}
	at += placeRevision(&p)
	context := strings.TrimSpace(p.Context(masked))
	shown := masked
	if r.reveal {
		shown = strings.ReplaceAll(value, "\n", "\\n")
	}
	_, err := fmt.Fprintf(r.out, "%-8s  %-22s  %s  %s  %s\n          %s\n", p.Severity, r.engine.Class(p.Class).Title,
		p.ID[:min(len(p.ID), shownDigits)], at, shown, p.Why)
	if err == nil && !p.InName && context != masked {
		_, err = fmt.Fprintf(r.out, "          %s\n", context)
	}
	return err
}

// placeRevision names the revision of a place in the past; "" for a present one.
func placeRevision(p *findings.Place) string {
	switch {
	case p.Past && p.Rev > 0:
		return fmt.Sprintf(" (revision %d)", p.Rev)
	case p.Past:
		return " (before the first revision)"
	}
	return ""
}
