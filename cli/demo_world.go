package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// demoWorld is the demo's store with a past of some days, and the transcripts of the sessions that made it, all below one temporary
// folder.
type demoWorld struct {
	dir     string // the store
	told    string // the folder of the transcripts
	backend memstore.Backend
	now     time.Time // clock for recorded changes
	journal *journal.Journal
	dialect memstore.Dialect
	key     string // an API key that opens nothing

	prompts map[string]string // by session
	calls   int
}

// event is a line of the history: a call in an agent's session, or an edit by another program.
type event struct {
	Day     int             `json:"day"` // 0 today, -1 yesterday
	At      string          `json:"at"`  // "15:04"
	Session string          `json:"session"`
	Prompt  string          `json:"prompt"` // the user's request, in the first call of a session
	Say     string          `json:"say"`    // the agent's words before the call
	Input   json.RawMessage `json:"input"`
	// Write is a file in which another program replaces a text.
	Write string `json:"write"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

// demoProject is the name of the transcripts' folder, in the format of Claude Code.
const demoProject = "-home-mika-src-ferrybook"

// demoModel is the model that the sessions of the demo name.
const demoModel = "demo-model"

// buildWorld makes the demo's world below a folder, as of now.
func buildWorld(run *session.Session, ctx context.Context, temp string, d memstore.Dialect, now time.Time) (w *demoWorld, err error) {
	w = &demoWorld{
		dir: filepath.Join(temp, "memories"), told: filepath.Join(temp, "home", ".claude", "projects", demoProject), now: now, dialect: d,
		key: fakeKey("past"), prompts: map[string]string{},
	}
	assets, err := fs.Sub(run.Env.Assets, demoStore)
	if err == nil {
		err = os.CopyFS(w.dir, assets)
	}
	if err == nil {
		err = os.MkdirAll(w.told, 0o700)
	}
	if err != nil {
		return nil, session.Failed(err, "Can't write the demo's files to %s: %s", temp, session.Reason(err))
	}
	if err := w.age(); err != nil {
		return nil, session.Failed(err, "Can't date the demo's files: %s", session.Reason(err))
	}
	history, err := readLines[event](run.Env.Assets, demoHistory, w.key)
	if err != nil {
		return nil, session.Failed(err, "Can't read the demo's history: %s", session.Reason(err))
	}
	if w.backend, err = run.OpenPlain(w.dir, false); err != nil {
		return nil, err
	}
	defer w.backend.Close()
	w.now = now.AddDate(0, 0, -firstSeen)
	o := journal.Options{Backend: w.backend, Process: "ui", Now: func() time.Time { return w.now }}
	if w.journal, err = run.OpenJournal(w.dir, o); err != nil {
		return nil, session.Failed(err, "Can't open the demo's journal: %s", session.JournalReason(err))
	}
	if err = errors.Join(w.live(ctx, history, now), w.journal.Close()); err != nil {
		return nil, session.Failed(err, "Can't write the demo's history: %s", session.Reason(err))
	}
	return w, nil
}

// Ages of files in days, so that rules about unused notes find some; other files are as old as the first session.
const firstSeen = 100

var fileAges = map[string]int{"notes/old_plan.md": 97, "notes/scratch.md": 61, "projects/ops/runbook.xml": 9, "known_bugs.md": 2}

// age backdates the files.
func (w *demoWorld) age() error {
	return filepath.WalkDir(w.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(w.dir, file)
		if err != nil {
			return err
		}
		days, ok := fileAges[filepath.ToSlash(name)]
		if !ok {
			days = 4
		}
		at := w.now.AddDate(0, 0, -days)
		return os.Chtimes(file, at, at)
	})
}

// live plays the history, each event at its time, and marks everything before yesterday as read.
func (w *demoWorld) live(ctx context.Context, history []event, now time.Time) error {
	if _, err := w.journal.Sync(ctx, past.Hints{Unseen: true}); err != nil {
		return err
	}
	read := int64(0)
	for i, e := range history {
		at, err := time.ParseInLocation("15:04", e.At, now.Location())
		if err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
		w.now = time.Date(now.Year(), now.Month(), now.Day()+e.Day, at.Hour(), at.Minute(), 12, 0, now.Location())
		if e.Write != "" {
			err = w.edit(ctx, e)
		} else {
			err = w.call(ctx, e)
		}
		if err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
		if e.Day < -1 {
			if read, err = w.journal.Last(ctx); err != nil {
				return err
			}
		}
	}
	return w.journal.MarkAllRead(ctx, read)
}

// edit changes a file as an editor does.
func (w *demoWorld) edit(ctx context.Context, e event) error {
	file := filepath.Join(w.dir, filepath.FromSlash(e.Write))
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Contains(data, []byte(e.Old)) {
		return fmt.Errorf("%s does not hold %q", e.Write, e.Old)
	}
	if err := os.WriteFile(file, bytes.Replace(data, []byte(e.Old), []byte(e.New), 1), 0o600); err != nil {
		return err
	}
	if err := os.Chtimes(file, w.now, w.now); err != nil {
		return err
	}
	_, err = w.journal.Sync(ctx, past.Hints{Unseen: true})
	return err
}

// call runs a call of the agent and appends it to the transcript of its session, in the format of Claude Code.
func (w *demoWorld) call(ctx context.Context, e event) error {
	w.calls++
	id := fmt.Sprintf("toolu_demo%03d", w.calls)
	store := memstore.New(w.backend, memstore.Options{
		Dialect: w.dialect, Recorders: []memstore.Recorder{w.journal}, Now: func() time.Time { return w.now },
		Origin: memstore.Origin{Actor: memstore.Agent, Session: e.Session, Model: demoModel, ToolUseID: id},
	})
	r := store.DoJSON(ctx, e.Input)
	if err := w.touch(e.Input); err != nil {
		return err
	}
	if e.Prompt != "" {
		w.prompts[e.Session] = e.Prompt
		if err := w.tell(e, "user", e.Prompt); err != nil {
			return err
		}
	}
	content := []any{map[string]any{"type": "tool_use", "id": id, "name": "memory", "input": e.Input}}
	if e.Say != "" {
		content = append([]any{map[string]any{"type": "text", "text": e.Say}}, content...)
	}
	if err := w.tell(e, "assistant", content); err != nil {
		return err
	}
	result := map[string]any{"type": "tool_result", "tool_use_id": id, "content": r.Content, "is_error": r.IsError}
	return w.tell(e, "user", []any{result})
}

// tell adds a line to the transcript of a session.
func (w *demoWorld) tell(e event, role string, content any) error {
	message := map[string]any{"role": role, "content": content}
	if role == "assistant" {
		message["model"] = demoModel
	}
	w.now = w.now.Add(time.Second)
	line, err := json.Marshal(map[string]any{
		"type": role, "uuid": fmt.Sprintf("%s-%d", e.Session, w.now.Unix()), "sessionId": e.Session, "cwd": "/home/mika/src/ferrybook",
		"timestamp": w.now.UTC().Format(time.RFC3339Nano), "message": message,
	})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(w.told, e.Session+".jsonl"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close(), os.Chtimes(f.Name(), w.now, w.now))
}

// touch sets the time of a call's file to that of the call.
func (w *demoWorld) touch(input json.RawMessage) error {
	c, err := memstore.DecodeCommand(input)
	if err != nil {
		return err
	}
	name, err := memstore.ParsePath(c.Path)
	if err != nil || c.Name == memstore.CmdView || c.Name == memstore.CmdDelete {
		return err
	}
	return os.Chtimes(filepath.Join(w.dir, filepath.FromSlash(name)), w.now, w.now)
}

// readLines reads a file of JSON values, one per line, replacing the placeholder by the key.
func readLines[T any](assets fs.FS, name, key string) ([]T, error) {
	data, err := fs.ReadFile(assets, name)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(string(data), keyPlaceholder, key)))
	d.DisallowUnknownFields()
	var list []T
	for {
		var one T
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(list)+1, err)
		}
		list = append(list, one)
	}
}
