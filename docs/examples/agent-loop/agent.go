package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"

	"memcurator/memstore"
)

// Agent runs one conversation at a time over a store. Its fields are not changed
// while it runs.
type Agent struct {
	Messages anthropic.BetaMessageService
	Model    anthropic.Model
	Store    *memstore.Store
	Tools    []Tool
	Session  string    // names the conversation in the record of the store's edits
	MaxTurns int       // requests in one run, 0: 50
	Log      io.Writer // one line for each call and each edit of the context
}

// Tool is a tool of the agent beside its memory.
type Tool struct {
	Param anthropic.BetaToolParam
	Run   func(ctx context.Context, input json.RawMessage) (string, error)
}

// tidy is the sentence that the memory tool's documentation gives against cluttered
// memories. The memory protocol itself is put into the system prompt by the API.
const tidy = "Note: when editing your memory folder, always try to keep its content up-to-date, coherent and organized. " +
	"You can rename or delete files that are no longer relevant. Do not create new files unless necessary."

const (
	maxTokens = 4096 // of one answer
	// clearFrom is how many input tokens start the clearing of old tool results, and
	// keepUses how many of the newest stay. Compaction starts at the API's default, which
	// is higher: what can be looked up again goes first.
	clearFrom = 100_000
	keepUses  = 3
)

// contextEdits keep a long conversation in its window. Old results of the other tools
// are cleared; those of the memory stay, so that the model does not read its
// notes again and again. What is then still too long is summarized by the server,
// and what must survive the summary is in the memory.
func contextEdits() anthropic.BetaContextManagementConfigParam {
	return anthropic.BetaContextManagementConfigParam{Edits: []anthropic.BetaContextManagementConfigEditUnionParam{
		{OfClearToolUses20250919: &anthropic.BetaClearToolUses20250919EditParam{
			ExcludeTools: []string{"memory"},
			Keep:         anthropic.BetaToolUsesKeepParam{Value: keepUses},
			Trigger: anthropic.BetaClearToolUses20250919EditTriggerUnionParam{
				OfInputTokens: &anthropic.BetaInputTokensTriggerParam{Value: clearFrom},
			},
		}},
		{OfCompact20260112: &anthropic.BetaCompact20260112EditParam{}},
	}}
}

func (a *Agent) request(conversation []anthropic.BetaMessageParam) anthropic.BetaMessageNewParams {
	tools := []anthropic.BetaToolUnionParam{{OfMemoryTool20250818: &anthropic.BetaMemoryTool20250818Param{}}}
	for _, t := range a.Tools {
		tools = append(tools, anthropic.BetaToolUnionParam{OfTool: &t.Param})
	}
	return anthropic.BetaMessageNewParams{
		Model:     a.Model,
		MaxTokens: maxTokens,
		System:    []anthropic.BetaTextBlockParam{{Text: tidy}},
		Messages:  conversation,
		Tools:     tools,
		Betas: []anthropic.AnthropicBeta{
			anthropic.AnthropicBetaContextManagement2025_06_27,
			anthropic.AnthropicBetaCompact2026_01_12,
		},
		ContextManagement: contextEdits(),
	}
}

// Run gives the model a task and answers its calls until it is done. It returns the
// text of the last answer.
func (a *Agent) Run(ctx context.Context, task string) (string, error) {
	conversation := []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(task))}
	turns := a.MaxTurns
	if turns == 0 {
		turns = 50
	}
	for range turns {
		answer, err := a.Messages.New(ctx, a.request(conversation))
		if err != nil {
			return "", err
		}
		a.logContext(answer)
		// The answer goes back as it came. When it holds a compaction block, the API
		// leaves out everything before that block by itself.
		conversation = append(conversation, answer.ToParam())
		switch answer.StopReason {
		case anthropic.BetaStopReasonToolUse:
			conversation = append(conversation, anthropic.NewBetaUserMessage(a.results(ctx, answer)...))
		case anthropic.BetaStopReasonPauseTurn, anthropic.BetaStopReasonCompaction:
			// The server stopped for itself and goes on when it gets its answer back.
		case anthropic.BetaStopReasonEndTurn, anthropic.BetaStopReasonStopSequence:
			return text(answer), nil
		default:
			return "", fmt.Errorf("the model stopped early: %s", answer.StopReason)
		}
	}
	return "", errors.New("the model was not done after the last turn allowed")
}

// results carries out the calls of one answer, in their order. All results go into
// one message: the API wants every call answered in the next one.
func (a *Agent) results(ctx context.Context, answer *anthropic.BetaMessage) []anthropic.BetaContentBlockParamUnion {
	var results []anthropic.BetaContentBlockParamUnion
	for _, block := range answer.Content {
		use, ok := block.AsAny().(anthropic.BetaToolUseBlock)
		if !ok {
			continue
		}
		// The raw bytes, since a decoded value no longer tells a field that is absent
		// from one that is empty.
		input := json.RawMessage(use.JSON.Input.Raw())
		content, failed := a.call(ctx, use, input)
		results = append(results, anthropic.NewBetaToolResultBlock(use.ID, content, failed))
	}
	return results
}

func (a *Agent) call(ctx context.Context, use anthropic.BetaToolUseBlock, input json.RawMessage) (content string, failed bool) {
	if use.Name == "memory" {
		result := a.Store.DoJSON(memstore.WithOrigin(ctx, memstore.Origin{
			Session: a.Session, Model: string(a.Model), ToolUseID: use.ID,
		}), input)
		a.logMemory(input, result)
		return result.Content, result.IsError
	}
	for _, t := range a.Tools {
		if t.Param.Name != use.Name {
			continue
		}
		content, err := t.Run(ctx, input)
		if err != nil {
			return "Error: " + err.Error(), true
		}
		return content, false
	}
	return "Error: there is no tool " + use.Name, true
}

// logMemory says in a line what a call asked for: here the SDK's type of the tool's input is handy.
func (a *Agent) logMemory(input json.RawMessage, r memstore.Result) {
	var c anthropic.BetaMemoryTool20250818CommandUnion
	if err := json.Unmarshal(input, &c); err != nil {
		fmt.Fprintln(a.Log, "memory: the input is not an object")
		return
	}
	state := "ok"
	if r.IsError {
		state = "failed"
	}
	path := c.Path
	if rename, ok := c.AsAny().(anthropic.BetaMemoryTool20250818RenameCommand); ok {
		path = rename.OldPath + " to " + rename.NewPath
	}
	fmt.Fprintf(a.Log, "memory: %s %s %s\n", c.Command, path, state)
}

// logContext logs what the API has removed from the context.
func (a *Agent) logContext(answer *anthropic.BetaMessage) {
	for _, e := range answer.ContextManagement.AppliedEdits {
		if cleared, ok := e.AsAny().(anthropic.BetaClearToolUses20250919EditResponse); ok {
			fmt.Fprintf(a.Log, "context: %d tool results cleared, %d tokens\n", cleared.ClearedToolUses, cleared.ClearedInputTokens)
		}
	}
	for _, block := range answer.Content {
		if _, ok := block.AsAny().(anthropic.BetaCompactionBlock); ok {
			fmt.Fprintln(a.Log, "context: compacted")
		}
	}
}

func text(answer *anthropic.BetaMessage) string {
	var parts []string
	for _, block := range answer.Content {
		if t, ok := block.AsAny().(anthropic.BetaTextBlock); ok {
			parts = append(parts, t.Text)
		}
	}
	return strings.Join(parts, "\n")
}
