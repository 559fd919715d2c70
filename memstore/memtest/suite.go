package memtest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// Handler is an implementation of the memory tool over one store. input is the
// input of the tool, JSON as the model sent it.
type Handler interface {
	Do(ctx context.Context, input json.RawMessage) (content string, isError bool)
}

// Opener makes a store that holds v.Tree and returns its handler, and how to look at the
// store afterwards. It skips t where the store cannot hold what v.Needs names. A
// [Place] does most of it for handlers that work on directories; others give
// what [Tree.Split] calls outside back as they got it.
type Opener func(t *testing.T, v Vector) (h Handler, after func() (Tree, error))

// Failure is one thing that is not as a vector has it.
type Failure struct {
	Step          int             // from 1; 0: the tree after the last step, in lines
	Input         json.RawMessage // the command; nil for the tree
	Expected      string
	ExpectedError bool
	Got           string
	GotError      bool
}

// Run runs the vectors of a dialect, each as a subtest on a store of its own.
func Run(t *testing.T, dialect string, open Opener) {
	t.Helper()
	vectors, err := Vectors(dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(strings.TrimPrefix(v.Name, dialect+"/"), func(t *testing.T) {
			h, after := open(t, v)
			for _, f := range v.Try(t.Context(), h, after) {
				if f.Step == 0 {
					t.Errorf("%s\nthe tree afterwards is\n%swant\n%s", v.Rule, f.Got, f.Expected)
				} else {
					t.Errorf("%s\nstep %d: %s\n got %v %q\nwant %v %q", v.Rule, f.Step, f.Input, f.GotError, f.Got, f.ExpectedError, f.Expected)
				}
			}
		})
	}
}

// Try carries out the steps of a vector and returns what was not as it has it.
func (v Vector) Try(ctx context.Context, h Handler, after func() (Tree, error)) []Failure {
	var failures []Failure
	for i, s := range v.Steps {
		content, isError := h.Do(ctx, s.Input)
		if isError != s.IsError || !match(s.Content, content) {
			failures = append(failures, Failure{Step: i + 1, Input: s.Input, Expected: s.Content, Got: content, ExpectedError: s.IsError,
				GotError: isError})
		}
	}
	left, err := after()
	f := Failure{Expected: v.After.String(), Got: left.String()}
	if err != nil {
		f.Got = "The tree cannot be read: " + err.Error() + "\n"
	}
	if f.Got != f.Expected {
		failures = append(failures, f)
	}
	return failures
}
