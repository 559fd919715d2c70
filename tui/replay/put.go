package replay

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/transcript/use"
	"memcurator/render/text"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

// Restore writes a file of a transcript into the store at dir through the handlers of that store, recorded in its journal. It does I/O.
type Restore func(ctx context.Context, dir, path string, data []byte, by memstore.Origin) error

// elsewhere returns the store that a transcript belongs to; "" if that is the replay's own, or unknown. It does I/O.
func (p *Places) elsewhere(file string) string {
	dir := p.Machine.StoreOf(file)
	if dir == "" || p.Store == "" {
		return dir
	}
	if beside, err := p.Machine.Files.Resolve(p.Store); err == nil && beside == dir {
		return ""
	}
	return dir
}

// TextNoStore refuses what needs a store beside the transcript.
const TextNoStore = "No store is open. memcurator replay --dir DIR FILE opens one"

const textAskPut = "The journal shows it with the actor replay. {global/undo} undoes."

const textAskElsewhere = "This is another store. To undo: memcurator undo %s"

const textElsewhere = "That was in another store. memcurator undo %s"

// version is a file as it was after a call, to be restored.
type version struct {
	path   string
	data   []byte
	call   int
	origin memstore.Origin
}

// askPut asks whether to restore the file that is shown, as it was after the call, to the store that the transcript belongs to.
func (s *Screen) askPut() tea.Cmd {
	path, data, exists := s.detail.File()
	step, ok := s.list.Selected()
	if track := s.list.Track(); ok && track.Unknown(path, s.list.Call()) {
		s.shell.Tell(ui.Info, "Can't restore it: the transcript never shows its content")
		return nil
	}
	if !ok || !exists {
		s.shell.Tell(ui.Info, textNoFileThen)
		return nil
	}
	v := version{path: path, data: data, call: s.list.Call(), origin: memstore.Origin{
		Actor: memstore.Replay, Session: step.Session, ToolUseID: step.ID, Model: step.Model, Group: use.PutGroup(),
	}}
	if dir := s.list.elsewhere[s.list.calls.rows[v.call-1].file]; dir != "" && s.Restore != nil {
		return s.askElsewhere(v, dir)
	}
	if s.Unlinked {
		s.shell.Tell(ui.Info, TextNoStore)
		return nil
	}
	was := int64(-1)
	if node := s.Exists(path); node != nil {
		was = node.Bytes
	}
	s.ask(v, s.Title, was, s.env.Keyed(textAskPut), func() tea.Cmd { return s.put(v) })
	return nil
}

// ask names the version, the store and what is there now; was is below 0 where there is no file.
func (s *Screen) ask(v version, store string, was int64, wayBack string, yes func() tea.Cmd) {
	size := func(bytes int64) string { return memstore.FormatSize(s.Store().Dialect(), bytes) }
	replaces := "a new file"
	if was >= 0 {
		replaces = "replaces the file of " + size(was)
	}
	body := fmt.Sprintf("%s\n%s, as it was after call %d\n%s in %s\n\n%s", text.Clean(v.path), size(int64(len(v.data))), v.call,
		replaces, text.Clean(store), wayBack)
	s.shell.Ask("Restore "+text.Clean(ui.PathText(v.path))+" as of call "+ui.Number(v.call)+"?", body, yes)
}

// askElsewhere looks at the store that the transcript belongs to, and asks then.
func (s *Screen) askElsewhere(v version, dir string) tea.Cmd {
	title := s.library.tilde(dir)
	return ui.Start(s.env.Jobs, ui.Job[int64]{
		Owner: ownerPut, Label: "reading the store",
		Work: func(context.Context, *ui.Progress) (int64, error) { return bytesAt(dir, v.path) },
		Done: func(was int64) tea.Cmd {
			s.ask(v, title, was, fmt.Sprintf(textAskElsewhere, text.Clean(text.ShellQuoted(title))),
				func() tea.Cmd { return s.putElsewhere(v, dir, title) })
			return nil
		},
	})
}

// bytesAt is the size of the file at an agent path of a store, below 0 where there is none.
func bytesAt(dir, path string) (int64, error) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return -1, err
	}
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		return -1, err
	}
	defer func() { _ = b.Close() }() // it was only read
	info, err := b.Stat(name)
	if err != nil {
		return -1, nil
	}
	return info.Size, nil
}

// put writes a file of the replayed memory into the store on the screen, recorded as what it is.
func (s *Screen) put(v version) tea.Cmd {
	store := s.Store()
	return ui.Start(s.env.Jobs, ui.Job[memstore.Result]{
		Owner: ownerPut, Label: "writing", Write: true,
		Work: func(ctx context.Context, _ *ui.Progress) (memstore.Result, error) {
			return use.Put(ctx, store, v.path, v.data, v.origin), nil
		},
		Done: func(result memstore.Result) tea.Cmd {
			if result.IsError {
				s.shell.Tell(ui.Fail, result.Content)
				return nil
			}
			s.shell.Tell(ui.Info, s.env.Keyed("Restored "+text.Clean(ui.PathText(v.path))+". {global/undo} undoes"))
			return nil
		},
	})
}

// putElsewhere writes it into another store, where the undo of this screen does not reach: the next one names the command that does.
func (s *Screen) putElsewhere(v version, dir, title string) tea.Cmd {
	restore := s.Restore
	return ui.Start(s.env.Jobs, ui.Job[string]{
		Owner: ownerPut, Label: "writing", Write: true,
		Work: func(ctx context.Context, _ *ui.Progress) (problem string, err error) {
			if err := restore(ctx, dir, v.path, v.data, v.origin); err != nil {
				return text.Clean(err.Error()), nil
			}
			return "", nil
		},
		Done: func(problem string) tea.Cmd {
			name := text.Clean(ui.PathText(v.path))
			if problem != "" {
				s.shell.Tell(ui.Fail, "Can't restore "+name+": "+problem)
				return nil
			}
			s.shell.Tell(ui.Info, "Restored "+name+" to "+text.Clean(title))
			return s.edits.Beside(edits.Beside{Owner: ownerPut, Undo: func() tea.Cmd {
				s.shell.Tell(ui.Info, fmt.Sprintf(textElsewhere, text.Clean(text.ShellQuoted(title))))
				return nil
			}})
		},
	})
}
