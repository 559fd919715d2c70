package keymap

// Actions of the Replay screen.
const (
	ScreenReplay      ID = "replay"
	ReplayChangeNext  ID = "replay-change-next"
	ReplayChangePrev  ID = "replay-change-prev"
	ReplayDivergeNext ID = "replay-diverge-next"
	ReplayDivergePrev ID = "replay-diverge-prev"
	ReplayJump        ID = "replay-jump"
	Call              ID = "call"
	ReplayPut         ID = "replay-put"
	ReplayPageNext    ID = "replay-page-next"
	ReplayPagePrev    ID = "replay-page-prev"
	ReplayOpenPath    ID = "replay-open-path"
	CallOf            ID = "call-of"
)

// replayActions are those of the Replay screen; keys that step through the calls work in both panes.
func replayActions() []Action {
	return []Action{
		{Open, Transcripts, []string{"enter"}, "", "open the transcript and replay it", "replay"},
		{ReplayOpenPath, Transcripts, []string{"c"}, "", "create a replay from another file or folder", "open a file or folder"},
		{Filter, Transcripts, []string{"f"}, "", "filter by project, prompt and path: agent:codex", "filter"},

		{Open, Replay, []string{"enter"}, "", "open what the call shows", "details"},
		{ReplayChangeNext, Replay, []string{">"}, "replay-change-next", "step to the next call that changed the memory", "write"},
		{ReplayChangePrev, Replay, []string{"<"}, "replay-change-prev", "step to the previous call that changed the memory", ""},
		{ReplayDivergeNext, Replay, []string{"."}, "replay-diverge-next", "review the next call that differs", "difference"},
		{ReplayDivergePrev, Replay, []string{","}, "replay-diverge-prev", "review the previous call that differs", ""},
		{Filter, Replay, []string{"f"}, "", "filter by words and terms: command:create verdict:differs is:write", "filter"},
		{ReplayJump, Replay, []string{"@"}, "", "go to a call by number: :call 12", ""},
		{Call, Replay, nil, "call", "go to a call by number: :call 12, or :12", ""},
		{ReplayPut, Replay, []string{"R"}, "replay-put", "restore this file to the store as of this call; asks first", ""},
		{OpenFile, Replay, []string{"b"}, "open-file", "browse the file of the call", ""},
		{ReplayPageNext, Replay, []string{"]"}, "", "switch to the next page: diff, result, memory", "page"},
		{ReplayPagePrev, Replay, []string{"["}, "", "switch to the previous page", ""},

		{CallOf, Global, []string{"T"}, "call-of", "trace the change to its call in the transcript", ""},

		{Open, ReplayDetail, []string{"enter"}, "", "open the file that the line names", "open"},
	}
}
