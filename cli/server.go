package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"memcurator/cli/session"
	"memcurator/memstore"
)

// lineServer answers lines of tool calls, one at a time: the protocol of exec.
type lineServer struct {
	store *memstore.Store
	out   io.Writer
	turn  sync.Mutex // held while a command runs and its answer is written
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
		return errors.Join(s.write(refusal(lineTooLong, memstore.MaxLine)), session.Failed(err,
			"A line has more than %d bytes. The lines before it were carried out", memstore.MaxLine))
	case err != nil:
		return session.Failed(err, "Can't read the input: %s", session.Reason(err))
	}
	return nil
}

// serveLine runs the command of one line and writes its answer.
func (s *lineServer) serveLine(ctx context.Context, line []byte) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.write(s.answer(ctx, line))
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
	lineTooLong     = "Error: The line is too long: it may have %d bytes. Write a large text in several commands"
	blockIncomplete = "Error: The field `%s` of the tool_use block is required and must be a string"
	otherTool       = "Error: There is no tool %s here, only " + toolName
)

// answer carries out one line.
func (s *lineServer) answer(ctx context.Context, line []byte) any {
	fields, isBlock := toolUse(line)
	if !isBlock {
		return plain(s.store.DoJSON(ctx, line))
	}
	id, name := textField(fields, "id"), textField(fields, "name")
	if id == nil {
		return blockAnswer{Type: typeToolResult, plainAnswer: refusal(blockIncomplete, "id")}
	}
	out := blockAnswer{Type: typeToolResult, ToolUseID: *id}
	switch {
	case name == nil:
		out.plainAnswer = refusal(blockIncomplete, "name")
	case *name != toolName:
		out.plainAnswer = refusal(otherTool, *name)
	default:
		out.plainAnswer = plain(s.store.DoJSON(memstore.WithOrigin(ctx, memstore.Origin{ToolUseID: *id}), fields["input"]))
	}
	return out
}

// toolUse returns the fields of a tool_use block, by their exact names, as the store reads its own. A line that has the type neither literally
// nor, perhaps, in escapes is none, so that most lines are decoded once, by the store.
func toolUse(line []byte) (fields map[string]json.RawMessage, isBlock bool) {
	if !bytes.Contains(line, []byte(typeToolUse)) && !bytes.Contains(line, []byte(`\u`)) {
		return nil, false
	}
	if !utf8.Valid(line) || json.Unmarshal(line, &fields) != nil {
		return nil, false // the store words what is wrong
	}
	kind := textField(fields, "type")
	return fields, kind != nil && *kind == typeToolUse
}

// textField is the text of a field; nil: it is missing, or of another type.
func textField(fields map[string]json.RawMessage, name string) (text *string) {
	if json.Unmarshal(fields[name], &text) != nil {
		return nil
	}
	return text
}

func plain(r memstore.Result) plainAnswer { return plainAnswer{Content: r.Content, IsError: r.IsError} }

func refusal(format string, what any) plainAnswer {
	return plainAnswer{Content: fmt.Sprintf(format, what), IsError: true}
}
