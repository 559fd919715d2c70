package curate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// Parts of SARIF 2.1.0 that a scan uses. Paths are relative to the store, which is named but not located, since reports may be published.
// The report contains no values; a finding in the past only has logical locations, since no file contains it.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                  `json:"tool"`
		Language    string                     `json:"language"`
		LineEnds    []string                   `json:"newlineSequences"`
		Invocations []sarifInvocation          `json:"invocations"`
		BaseIDs     map[string]sarifDescribed  `json:"originalUriBaseIds"`
		Results     []sarifResult              `json:"results"`
		Properties  map[string]json.RawMessage `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name     string      `json:"name"`
		Version  string      `json:"version,omitempty"`
		Language string      `json:"language"`
		Rules    []sarifRule `json:"rules"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool `json:"executionSuccessful"`
	}
	sarifDescribed struct {
		Description sarifText `json:"description"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID               string         `json:"id"`
		ShortDescription sarifText      `json:"shortDescription"`
		Help             *sarifText     `json:"help,omitempty"`
		Configuration    sarifLevel     `json:"defaultConfiguration"`
		Properties       sarifRuleProps `json:"properties"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifRuleProps struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"security-severity"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine  int        `json:"startLine"`
		ByteOffset int        `json:"byteOffset"`
		ByteLength int        `json:"byteLength"`
		Snippet    *sarifText `json:"snippet,omitempty"`
	}
	sarifLogical struct {
		Name               string `json:"name"`
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

const (
	sarifSchema   = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifStore    = "STORE" // the base folder of all paths
	sarifLanguage = "en-US" // of the messages
)

// sarifReport collects the places of a scan for one document.
type sarifReport struct {
	out    io.Writer
	engine *scrub.Engine
	print  fingerprints
	rules  []sarifRule
	number map[string]int // of rules
	places []sarifResult
}

func newSARIF(out io.Writer, engine *scrub.Engine, print fingerprints) *sarifReport {
	return &sarifReport{out: out, engine: engine, print: print, rules: []sarifRule{}, number: map[string]int{}, places: []sarifResult{}}
}

func (r *sarifReport) place(p findings.Place, value, masked string) error {
	i := r.rule(&p)
	what := r.engine.Class(p.Class).Title + ": " + p.Why
	if p.InName {
		what = "In the name: " + what
	}
	r.places = append(r.places, sarifResult{RuleID: r.rules[i].ID, RuleIndex: i, Level: sarifLevelOf(p.Severity), Message: sarifText{what},
		Locations: []sarifLocation{locate(&p, masked)}, Fingerprints: map[string]string{"memcurator/v1": r.print.of(&p, value)}})
	return nil
}

// rule returns the index of a place's rule. If a purge or the user renamed the rule, it is the class.
func (r *sarifReport) rule(p *findings.Place) int {
	id := p.Rule
	if id == "" {
		id = p.Class
	}
	if i, ok := r.number[id]; ok {
		return i
	}
	class := r.engine.Class(p.Class)
	one := sarifRule{ID: id, ShortDescription: sarifText{class.Title}, Configuration: sarifLevel{sarifLevelOf(p.Severity)},
		Properties: sarifRuleProps{Tags: []string{"security"}, Severity: securitySeverity(p.Severity)}}
	if class.Rotate != "" {
		one.Help = &sarifText{class.Rotate}
	}
	r.number[id] = len(r.rules)
	r.rules = append(r.rules, one)
	return len(r.rules) - 1
}

// locate returns where a place is: in a file of the store, in a revision, or in a file outside.
func locate(p *findings.Place, masked string) sarifLocation {
	relative, inStore := strings.CutPrefix(p.Path, memstore.Root+"/")
	switch {
	case p.Past:
		name := relative[strings.LastIndexByte(relative, '/')+1:]
		return sarifLocation{Logical: []sarifLogical{{Name: name, FullyQualifiedName: p.Path + revisionOf(p), Kind: "revision"}}}
	case !inStore:
		relative = p.Path
	}
	at := &sarifPhysical{Artifact: sarifArtifact{URI: pathURI(relative)}}
	if inStore {
		at.Artifact.URIBaseID = sarifStore
	}
	if !p.InName {
		at.Region = &sarifRegion{StartLine: p.Line, ByteOffset: p.Start, ByteLength: p.End - p.Start,
			Snippet: &sarifText{p.Context(masked)}}
	}
	return sarifLocation{Physical: at}
}

// pathURI returns a path as a URI reference, with everything but unreserved characters encoded.
func pathURI(path string) string {
	var uri strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/-._~", c) >= 0:
			uri.WriteByte(c)
		default:
			fmt.Fprintf(&uri, "%%%02X", c)
		}
	}
	return uri.String()
}

// end writes the document. complete means that everything could be read.
func (r *sarifReport) end(complete bool) error {
	e := json.NewEncoder(r.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool: sarifTool{sarifDriver{Name: session.Program, Version: session.BuildVersion().Version,
			Language: sarifLanguage, Rules: r.rules}},
		Language:    sarifLanguage,
		LineEnds:    []string{"\n"},
		Invocations: []sarifInvocation{{complete}},
		BaseIDs:     map[string]sarifDescribed{sarifStore: {sarifText{"The memory directory"}}},
		Results:     r.places,
	}}})
}

func sarifLevelOf(s rule.Severity) string {
	switch {
	case s >= rule.High:
		return "error"
	case s == rule.Medium:
		return "warning"
	}
	return "note"
}

// securitySeverity is the score out of ten by which code hosts sort.
func securitySeverity(s rule.Severity) string {
	switch s {
	case rule.Critical:
		return "9.5"
	case rule.High:
		return "8.0"
	case rule.Medium:
		return "5.0"
	}
	return "2.0"
}
