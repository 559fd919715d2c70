package mcpserver

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The texts of the memory tool's documentation, word for word.
const (
	// protocol is what the API puts into the system prompt of a model that has the tool.
	protocol = "IMPORTANT: ALWAYS VIEW YOUR MEMORY DIRECTORY BEFORE DOING ANYTHING ELSE.\n" +
		"MEMORY PROTOCOL:\n" +
		"1. Use the `view` command of your `memory` tool to check for earlier progress.\n" +
		"2. ... (work on the task) ...\n" +
		"     - As you make progress, record status / progress / thoughts etc in your memory.\n" +
		"ASSUME INTERRUPTION: Your context window might be reset at any moment, so you risk losing any progress that is not recorded " +
		"in your memory directory."

	// tidy is for a model that clutters its memory.
	tidy = "Note: when editing your memory folder, always try to keep its content up-to-date, coherent and organized. " +
		"You can rename or delete files that are no longer relevant. Do not create new files unless necessary."

	// multiSession describes the pattern for software projects over many sessions.
	multiSession = "For long-running software projects that span multiple agent sessions, memory files need to be bootstrapped " +
		"deliberately, " +
		"not just written ad hoc as work progresses. The pattern below turns memory into a structured recovery mechanism, " +
		"so each new session can pick up exactly where the last one left off.\n" +
		"\n" +
		"1. **Initializer session:** The first session sets up the memory artifacts before any substantive work begins. " +
		"This includes a progress log (tracking what has been done and what comes next), a feature checklist (defining the scope of work), " +
		"and a reference to any startup or initialization script the project needs.\n" +
		"\n" +
		"2. **Subsequent sessions:** Each new session opens by reading those memory artifacts. " +
		"This recovers the full state of the project in seconds, without needing to re-explore the codebase or retrace earlier decisions.\n" +
		"\n" +
		"3. **End-of-session update:** Before a session ends, it updates the progress log with what was completed and what remains. " +
		"This ensures the next session has an accurate starting point.\n" +
		"\n" +
		"Work on one feature at a time. Only mark a feature complete after end-to-end verification confirms it works, not just after " +
		"the code is written. " +
		"This keeps the progress log trustworthy and prevents scope creep from compounding across sessions."

	topicBefore, topicAfter = "Only write down information relevant to ", " in your memory system."
)

// instructions are what the server tells a client about itself; clients put them
// into the system prompt, where the API would put the protocol.
const instructions = "The `memory` tool keeps files below /memories that last across conversations.\n\n" + protocol

// PatternMultiSession is the name of the one pattern there is.
const PatternMultiSession = "multi-session"

// Prompt is a choice of the documentation's texts.
type Prompt struct {
	Tidy    bool   // add [tidy]
	Topic   string // add the sentence that limits the memory to a topic; "": no sentence
	Pattern string // add the text of a pattern, [PatternMultiSession]; "": none
}

// PromptError is a choice that there is no text for. Its text is a sentence without its end.
type PromptError struct {
	Field   string // of [Prompt], in lower case
	Message string
}

func (e *PromptError) Error() string { return e.Message }

// Text puts the prompt together: the protocol first, then what was added, a blank line
// between, no newline at the end. The error is a [*PromptError].
func (p Prompt) Text() (string, error) {
	parts := []string{protocol}
	if p.Tidy {
		parts = append(parts, tidy)
	}
	if p.Topic != "" {
		topic := strings.TrimSpace(p.Topic)
		if topic == "" || !utf8.ValidString(topic) || strings.ContainsFunc(topic, unicode.IsControl) {
			return "", &PromptError{"topic", "The topic must be words on one line"}
		}
		parts = append(parts, topicBefore+topic+topicAfter)
	}
	switch p.Pattern {
	case "":
	case PatternMultiSession:
		parts = append(parts, multiSession)
	default:
		return "", &PromptError{"pattern", "Unknown pattern; the only one is " + PatternMultiSession}
	}
	return strings.Join(parts, "\n\n"), nil
}

const protocolPrompt = "memory_protocol"

func (s *server) addPrompts() {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: protocolPrompt, Title: "Memory protocol",
		Description: "How to work with the memory directory, in the words of the memory tool's documentation",
		Arguments: []*mcp.PromptArgument{
			{Name: "tidy", Description: "yes: also keep the folder organized"},
			{Name: "topic", Description: "Only write down what is relevant to this topic"},
			{Name: "pattern", Description: PatternMultiSession + ": also the pattern for software projects over many sessions"},
		},
	}, s.prompt)
}

func (s *server) prompt(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	tidy, ok := yes(r.Params.Arguments["tidy"])
	if !ok {
		return nil, invalidParams("The argument tidy must be yes or no")
	}
	text, err := Prompt{Tidy: tidy, Topic: r.Params.Arguments["topic"], Pattern: r.Params.Arguments["pattern"]}.Text()
	if err != nil {
		return nil, invalidParams(err.Error())
	}
	return &mcp.GetPromptResult{
		Description: "The memory protocol",
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}, nil
}

// yes reads an argument that clients offer as free text.
func yes(word string) (is, ok bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "", "no", "false", "0":
		return false, true
	case "yes", "true", "1":
		return true, true
	}
	return false, false
}

func invalidParams(sentence string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: sentence}
}
