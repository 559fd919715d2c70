package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
)

// Fields of a call with --json: those before the input and the result, and those after them.
type (
	callBefore struct {
		ID      string  `json:"id"`
		Session *string `json:"session"`
		Turn    int     `json:"turn"`
		Time    *string `json:"time"`
		Model   *string `json:"model"`
		Tool    string  `json:"tool"`
	}
	callAfter struct {
		IsError *bool  `json:"is_error"`
		Verdict string `json:"verdict"`
		Detail  string `json:"detail"`
		File    string `json:"transcript"`
	}
)

// writeCall writes a call as one JSON object on a line. Input and result are copied from the transcript without encoding them again: they
// may be 100 MB.
func writeCall(w io.Writer, s transcript.Step) error {
	before := callBefore{s.ID, output.OrNull(s.Session), s.Turn, output.OrNull(s.Time), output.OrNull(s.Model), s.Tool}
	after := callAfter{nil, string(s.Verdict), s.Detail, s.Source.File}
	result := json.RawMessage("null")
	if s.Result != nil {
		result, after.IsError = s.Result.Raw, &s.Result.IsError
	}
	head, err := plainJSON(before)
	if err != nil {
		return err
	}
	tail, err := plainJSON(after)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{head[:len(head)-1], []byte(`,"input":`), onOneLine(s.Input), []byte(`,"result":`), onOneLine(result),
		[]byte{','}, tail[1:], {'\n'}} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// plainJSON encodes a value as JSON without escaping < and >.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// onOneLine compacts a JSON value that spans several lines, and makes it valid UTF-8, which a transcript need not be.
func onOneLine(v json.RawMessage) []byte {
	if !utf8.Valid(v) {
		v = bytes.ToValidUTF8(v, []byte("\uFFFD"))
	}
	var b bytes.Buffer
	if !bytes.ContainsAny(v, "\r\n") || json.Compact(&b, v) != nil {
		return v
	}
	return b.Bytes()
}

func printStep(w io.Writer, n int, s transcript.Step) error {
	detail := ""
	if s.Detail != "" {
		detail = "  (" + s.Detail + ")"
	}
	_, err := fmt.Fprintf(w, "%5d  turn %-5d %-15s  %-11s %s\n", n, s.Turn, s.Verdict.Word(), text.Clean(s.Op()), text.Clean(s.Path+detail))
	return err
}

// tellTotal prints the totals on standard error: standard output has only the calls.
func tellTotal(run *session.Session, t transcript.Total, seen transcript.Summary, start string, h transcript.Handler) {
	run.SayPlain(text.Clean(t.String()))
	run.SayPlain(fmt.Sprintf("Dialect: %s. Started with %s", h, start))
	for _, note := range seen.Notes() {
		run.SayPlain(text.Clean(output.Capital(note)))
	}
}
