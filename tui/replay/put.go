package replay

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/transcript/use"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

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
		s.shell.Tell(kit.Info, "Can't restore it: the transcript never shows its content")
		return nil
	}
	if !ok || !exists {
		s.shell.Tell(kit.Info, textNoFileThen)
		return nil
	}
	v := version{path: path, data: data, call: s.list.Call(), origin: memstore.Origin{
		Actor: memstore.Replay, Session: step.Session, ToolUseID: step.ID, Model: step.Model, Group: use.PutGroup(),
	}}
	if dir := s.list.elsewhere; dir != "" {
		s.shell.Tell(kit.Info, "The transcript belongs to the store "+text.Clean(s.library.tilde(dir))+s.env.Keyed(". {global/stores} opens it; restore there"))
		return nil
	}
	if s.Unlinked {
		s.shell.Tell(kit.Info, TextNoStore)
		return nil
	}
	size := func(bytes int64) string { return memstore.FormatSize(s.edits.Handlers.Dialect(), bytes) }
	replaces := "a new file"
	if node := s.shell.Node(path); node != nil {
		replaces = "replaces the file of " + size(node.Bytes)
	}
	body := fmt.Sprintf("%s\n%s, as it was after call %d\n%s in %s\n\n%s", text.Clean(path), size(int64(len(data))), v.call,
		replaces, text.Clean(s.edits.Title), s.env.Keyed(textAskPut))
	s.shell.Ask("Restore "+text.Clean(kit.PathText(path))+" as of call "+kit.Number(v.call)+"?", body, func() tea.Cmd { return s.put(v) })
	return nil
}

// put writes a file of the replayed memory into the store on the screen, recorded as what it is.
func (s *Screen) put(v version) tea.Cmd {
	store := s.edits.Handlers
	return kit.Start(s.env.Jobs, kit.Job[memstore.Result]{
		Owner: ownerPut, Label: "writing", Write: true,
		Work: func(ctx context.Context, _ *kit.Progress) (memstore.Result, error) {
			return use.Put(ctx, store, v.path, v.data, v.origin), nil
		},
		Done: func(result memstore.Result) tea.Cmd {
			if result.IsError {
				s.shell.Tell(kit.Fail, result.Content)
				return nil
			}
			s.shell.Tell(kit.Info, s.env.Keyed("Restored "+text.Clean(kit.PathText(v.path))+". {global/undo} undoes"))
			return nil
		},
	})
}
