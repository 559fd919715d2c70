package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
)

// callLine is a call with --json. Purged values are masked.
type callLine struct {
	ID      string          `json:"id"`
	Session *string         `json:"session"`
	Agent   *string         `json:"agent"`
	Turn    int             `json:"turn"`
	Time    *string         `json:"time"`
	Model   *string         `json:"model"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Result  json.RawMessage `json:"result"`
	IsError *bool           `json:"is_error"`
	Verdict string          `json:"verdict"`
	Detail  string          `json:"detail"`
	File    string          `json:"transcript"`
}

func callLineOf(s transcript.Step, purged *findings.PurgedValues) callLine {
	line := callLine{
		ID: s.ID, Session: output.OrNull(s.Session), Agent: output.OrNull(s.Agent), Turn: s.Turn, Time: output.OrNull(s.Time),
		Model: output.OrNull(s.Model), Tool: s.Tool, Input: maskedJSON(s.Input, purged),
		Verdict: string(s.Verdict), Detail: string(purged.Mask([]byte(s.Detail))), File: s.Source.File,
	}
	if s.Result != nil {
		line.Result, line.IsError = maskedJSON(s.Result.Raw, purged), &s.Result.IsError
	}
	return line
}

// maskedJSON is a JSON value without purged values. It is valid UTF-8, which a transcript need not be.
func maskedJSON(v json.RawMessage, purged *findings.PurgedValues) json.RawMessage {
	v = bytes.ToValidUTF8(v, []byte("\uFFFD"))
	masked := purged.Mask(v)
	if !bytes.Equal(masked, v) && !json.Valid(masked) { // the value was part of the syntax
		return []byte(`"` + redact.Placeholder("value") + `"`)
	}
	return masked
}

// aboutStep is what a call was about, and how its result differs.
func aboutStep(s transcript.Step) string {
	about := s.Path
	if s.To != "" {
		about += " -> " + s.To
	}
	if s.Detail != "" {
		about += "  (" + s.Detail + ")"
	}
	return about
}

// tellTotal prints the totals on standard error: standard output has only the calls.
func tellTotal(run *session.Session, t transcript.Total, seen transcript.Summary, dialect memstore.Dialect) {
	run.SayPlain(text.Clean(t.String()))
	run.SayPlain(fmt.Sprintf("Dialect: %s", dialect))
	for _, note := range seen.Notes() {
		run.SayPlain(text.Clean(output.Capital(note)))
	}
}
