// Command agent-loop is an example of an agent whose memory is a store of
// memcurator: it gives a task to a model, answers the model's calls with the handlers of
// package memstore, and lets the API keep the conversation inside its window.
//
//	export ANTHROPIC_API_KEY=...
//	go run . -memory ./memories -tickets ./tickets "Help me respond to ticket 1042."
//
// It is a module of its own, so that who embeds memstore does not inherit the SDK. The loop is
// in agent.go; its test runs it against a local server that plays the Messages
// API from testdata.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"time"

	"github.com/anthropics/anthropic-sdk-go"

	"memcurator/memstore"
)

// viewChars caps what one view of a file returns. The model reads on with view_range.
const viewChars = 16_000

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "agent-loop:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("agent-loop", flag.ContinueOnError)
	memory := flags.String("memory", "memories", "the memory directory; it is made if it is missing")
	tickets := flags.String("tickets", "tickets", "a directory of text files, the ticket 1042 in 1042.txt")
	model := flags.String("model", string(anthropic.ModelClaudeSonnet5_5), "the model to ask")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("one argument is wanted, the task")
	}
	store, err := memstore.Open(*memory, memstore.Options{Create: true, MaxViewChars: viewChars})
	if err != nil {
		return err
	}
	defer store.Close()
	client := anthropic.NewClient()
	agent := &Agent{
		Messages: client.Beta.Messages,
		Model:    anthropic.Model(*model),
		Store:    store,
		Tools:    []Tool{readTicket(*tickets)},
		Session:  time.Now().UTC().Format(time.RFC3339),
		Log:      os.Stderr,
	}
	answer, err := agent.Run(ctx, flags.Arg(0))
	if err != nil {
		return err
	}
	fmt.Println(answer)
	return nil
}

// readTicket is the agent's other tool. Its results are what the clearing of tool
// results is for: long, and there to be read again.
func readTicket(dir string) Tool {
	schema := anthropic.BetaToolInputSchemaParam{
		Properties: map[string]any{"id": map[string]any{"type": "string", "description": "number of the ticket"}},
		Required:   []string{"id"},
	}
	return Tool{
		Param: anthropic.BetaToolParam{
			Name: "read_ticket", Description: anthropic.String("Returns the text of a customer's ticket."), InputSchema: schema,
		},
		Run: func(_ context.Context, input json.RawMessage) (string, error) {
			var in struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(input, &in); err != nil {
				return "", errors.New("the input is not a ticket number")
			}
			root, err := os.OpenRoot(dir) // the model chooses the name: it must not lead out
			if err != nil {
				return "", errors.New("there are no tickets")
			}
			defer root.Close()
			data, err := fs.ReadFile(root.FS(), in.ID+".txt")
			if err != nil {
				return "", fmt.Errorf("there is no ticket %q", in.ID)
			}
			if len(data) == 0 {
				return "(empty)", nil // the API takes no empty text
			}
			return string(data), nil
		},
	}
}
