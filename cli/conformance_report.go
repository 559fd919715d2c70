package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
	"memcurator/render/diff"
)

// verdicts prints and counts the results of vectors.
type verdicts struct {
	w                      io.Writer
	lines                  *json.Encoder // nil: text
	passed, tried, untried int
}

func newVerdicts(w io.Writer, asJSON bool) *verdicts {
	v := &verdicts{w: w}
	if asJSON {
		v.lines = json.NewEncoder(w)
		v.lines.SetEscapeHTML(false)
	}
	return v
}

// verdictLine is the result of one vector in JSON.
type verdictLine struct {
	Name     string        `json:"name"`
	Dialect  string        `json:"dialect"`
	Rule     string        `json:"rule"`
	Result   string        `json:"result"` // passed, failed, not tried
	Trouble  string        `json:"trouble,omitempty"`
	Stderr   string        `json:"stderr,omitempty"`
	Failures []failureLine `json:"failures,omitempty"`
}

// failureLine is a failure in JSON. Step 0 is the tree at the end, in lines.
type failureLine struct {
	Step          int             `json:"step"`
	Input         json.RawMessage `json:"input,omitempty"`
	Expected      string          `json:"expected"`
	ExpectedError bool            `json:"expected_error"`
	Got           string          `json:"got"`
	GotError      bool            `json:"got_error"`
}

// countLine is the last line in JSON.
type countLine struct {
	Passed   int `json:"passed"`
	Total    int `json:"total"`
	NotTried int `json:"not_tried"`
}

// tell prints the result of one vector; in text, only if it failed.
func (v *verdicts) tell(t trial) error {
	if t.err != nil {
		return t.err
	}
	result := "failed"
	switch {
	case t.untried:
		v.untried++
		result = "not tried"
	case t.passed():
		v.passed++
		v.tried++
		result = "passed"
	default:
		v.tried++
	}
	if v.lines == nil {
		if result != "failed" {
			return nil
		}
		_, err := io.WriteString(v.w, failureText(t))
		return err
	}
	line := verdictLine{
		Name: t.vector.Name, Dialect: t.vector.Dialect, Rule: t.vector.Rule,
		Result: result, Trouble: t.trouble, Stderr: t.said,
	}
	for _, f := range t.failures {
		line.Failures = append(line.Failures, failureLine{
			Step: f.Step, Input: f.Input,
			Expected: f.Expected, ExpectedError: f.ExpectedError, Got: f.Got, GotError: f.GotError,
		})
	}
	return v.lines.Encode(line)
}

// sum prints the counts; its error is the exit status of the command.
func (v *verdicts) sum() error {
	var err error
	switch {
	case v.lines != nil:
		err = v.lines.Encode(countLine{v.passed, v.tried, v.untried})
	case v.untried > 0:
		_, err = fmt.Fprintf(v.w, "skipped, this system can't hold them: %d\n%d/%d\n", v.untried, v.passed, v.tried)
	default:
		_, err = fmt.Fprintf(v.w, "%d/%d\n", v.passed, v.tried)
	}
	switch {
	case err != nil:
		return session.OutputError(err)
	case v.passed < v.tried:
		return session.Failed(nil, "%d of %d vectors failed", v.tried-v.passed, v.tried)
	case v.tried == 0:
		return session.Failed(nil, "This system can't run any of these vectors")
	}
	return nil
}

// failureText describes a failed vector for people.
func failureText(t trial) string {
	var b strings.Builder
	fmt.Fprintf(&b, "FAILED %s\n  %s\n", t.vector.Name, t.vector.Rule)
	for _, f := range t.failures {
		if f.Step == 0 {
			b.WriteString("  the tree afterwards\n")
		} else {
			fmt.Fprintf(&b, "  step %d  %s\n", f.Step, f.Input)
			fmt.Fprintf(&b, "    expected  %s %s\n", outcomeWord(f.ExpectedError), shortened(f.Expected))
			fmt.Fprintf(&b, "    got       %s %s\n", outcomeWord(f.GotError), shortened(f.Got))
		}
		if f.Step == 0 || strings.Contains(f.Expected, "\n") && strings.Contains(f.Got, "\n") {
			writeDiff(&b, f)
		}
	}
	if t.trouble != "" {
		fmt.Fprintf(&b, "  %s\n", t.trouble)
	}
	for line := range strings.Lines(t.said) {
		fmt.Fprintf(&b, "    %s\n", bare(strings.TrimRight(line, "\r\n")))
	}
	b.WriteByte('\n')
	return b.String()
}

func outcomeWord(isError bool) string {
	if isError {
		return "error "
	}
	return "result"
}

// Limits on what is shown of one failure.
const (
	shownContent = 400 // bytes
	shownRows    = 24  // of a difference
	shownRow     = 200 // bytes
)

// shortened returns a quoted text with invisible characters escaped.
func shortened(s string) string {
	if len(s) > shownContent {
		n := shownContent
		for !utf8.RuneStart(s[n]) && n > shownContent-utf8.UTFMax {
			n--
		}
		return strconv.Quote(s[:n]) + fmt.Sprintf("... (%d bytes)", len(s))
	}
	return strconv.Quote(s)
}

// bare returns a line with invisible characters escaped.
func bare(line string) string {
	if len(line) > shownRow {
		line = line[:shownRow] + "..."
	}
	quoted := strconv.Quote(line)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// writeDiff writes the lines that differ, - expected, + got.
func writeDiff(b *strings.Builder, f memtest.Failure) {
	expected, got := []byte(f.Expected), []byte(f.Got)
	o := diff.Options{Context: 1}
	text := string(diff.Format(diff.Lines(context.Background(), expected, got, o), expected, got, "expected", "got", o))
	rows := 0
	for line := range strings.Lines(text) {
		rows++
		if rows <= 2 {
			continue // the names
		}
		if rows > shownRows {
			b.WriteString("    ...\n")
			return
		}
		line = strings.TrimSuffix(line, "\n")
		if f.Step > 0 { // lines of a tree are already escaped
			line = bare(line)
		}
		b.WriteString("    " + line + "\n")
	}
}
