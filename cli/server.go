package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"memcurator/cli/session"
	"memcurator/memstore"
)

// lineServer answers lines of tool calls, one at a time: the protocol of exec.
type lineServer struct {
	store *memstore.Store
	out   io.Writer

	command sync.Mutex    // held while a command runs
	turn    chan struct{} // holds a token while a command runs or its answer is written
}

func newServer(store *memstore.Store, out io.Writer) *lineServer {
	return &lineServer{store: store, out: out, turn: make(chan struct{}, 1)}
}

// lines answers line by line until in ends. Before each command it checks whether ctx has ended. A line that is too long ends the input,
// after an answer that says so.
func (s *lineServer) lines(ctx context.Context, in io.Reader) error {
	r := bufio.NewScanner(in)
	r.Buffer(nil, memstore.MaxLine)
	for first := true; r.Scan(); first = false {
		line := r.Bytes()
		if first {
			line = bytes.TrimPrefix(line, []byte("\uFEFF")) // some programs put one there
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := s.serveLine(ctx, line); err != nil {
			return err
		}
	}
	switch err := r.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return errors.Join(s.write(refusal(lineTooLong, strconv.Itoa(memstore.MaxLine))), session.Failed(err,
			"A line has more than %d bytes. The lines before it were carried out", memstore.MaxLine))
	case err != nil:
		return session.Failed(err, "Can't read the input: %s", session.Reason(err))
	}
	return nil
}

// serveLine runs the command of one line and writes its answer.
func (s *lineServer) serveLine(ctx context.Context, line []byte) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	answer, err := s.run(ctx, line)
	if err != nil {
		return err
	}
	return s.write(answer)
}

// write writes an answer, which is one line.
func (s *lineServer) write(answer any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		return err
	}
	if _, err := s.out.Write(b.Bytes()); err != nil {
		return session.OutputError(err)
	}
	return nil
}

func (s *lineServer) run(ctx context.Context, line []byte) (any, error) {
	s.command.Lock()
	defer s.command.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.answer(ctx, line), nil
}

// plainAnswer is the line for a bare input.
type plainAnswer struct {
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

// blockAnswer is the line for a tool_use block: the block for the next
// message to the model.
type blockAnswer struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	plainAnswer
}

const (
	toolName        = "memory"
	typeToolUse     = "tool_use"
	typeToolResult  = "tool_result"
	errorPrefix     = "Error: "
	notJSON         = errorPrefix + "The line is not valid JSON"
	lineTooLong     = errorPrefix + "The line is too long: it may have %s bytes. Write a large text in several commands"
	blockIncomplete = errorPrefix + "The field `%s` of the tool_use block is required and must be a string"
)

// answer carries out one line.
func (s *lineServer) answer(ctx context.Context, line []byte) any {
	fields, isBlock := toolUse(line)
	if !isBlock {
		return s.bare(ctx, line)
	}
	id, hasID := stringField(fields, "id")
	name, hasName := stringField(fields, "name")
	block := blockAnswer{Type: typeToolResult, ToolUseID: id}
	switch {
	case !hasID:
		block.plainAnswer = refusal(blockIncomplete, "id")
	case !hasName:
		block.plainAnswer = refusal(blockIncomplete, "name")
	case name != toolName:
		block.plainAnswer = refusal(errorPrefix+"There is no tool %s here, only "+toolName, name)
	default:
		r := s.store.DoJSON(memstore.WithOrigin(ctx, memstore.Origin{ToolUseID: id}), fields["input"])
		block.plainAnswer = plainAnswer{Content: r.Content, IsError: r.IsError}
	}
	return block
}

// bare runs a line that is the tool's input. A line that is not JSON has another error than JSON that is not an object: the caller made
// another mistake.
func (s *lineServer) bare(ctx context.Context, line []byte) plainAnswer {
	r := s.store.DoJSON(ctx, line)
	var input *memstore.InputError
	if errors.As(r.Err, &input) && input.Field == "" && utf8.Valid(line) && !json.Valid(line) {
		return plainAnswer{Content: notJSON, IsError: true}
	}
	return plainAnswer{Content: r.Content, IsError: r.IsError}
}

func refusal(format, what string) plainAnswer {
	return plainAnswer{Content: strings.Replace(format, "%s", what, 1), IsError: true}
}

// toolUse recognizes a block by its type, and returns the fields of the object. A line that contains the type neither literally nor
// possibly in \u escapes is not a block, so most lines are only decoded once, by the store.
func toolUse(line []byte) (fields map[string]json.RawMessage, isBlock bool) {
	if !bytes.Contains(line, []byte(typeToolUse)) && !bytes.Contains(line, []byte(`\u`)) {
		return nil, false
	}
	if !utf8.Valid(line) || json.Unmarshal(line, &fields) != nil {
		return nil, false
	}
	kind, _ := stringField(fields, "type")
	return fields, kind == typeToolUse
}

func stringField(fields map[string]json.RawMessage, name string) (string, bool) {
	var s *string
	if json.Unmarshal(fields[name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}
