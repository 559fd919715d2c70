package keymap

// The actions of the Replay screen.
const (
	ScreenReplay      ID = "replay"
	ReplayChangeNext  ID = "replay-change-next"
	ReplayChangePrev  ID = "replay-change-prev"
	ReplayDivergeNext ID = "replay-diverge-next"
	ReplayDivergePrev ID = "replay-diverge-prev"
	ReplayPlay        ID = "replay-play"
	ReplayFaster      ID = "replay-faster"
	ReplaySlower      ID = "replay-slower"
	ReplayMain        ID = "replay-main"
	ReplayJump        ID = "replay-jump"
	replayCall        ID = "replay-call"
	replayTurn        ID = "replay-turn"
	ReplayPut         ID = "replay-put"
	ReplayPageNext    ID = "replay-page-next"
	ReplayPagePrev    ID = "replay-page-prev"
	ReplayFileNext    ID = "replay-file-next"
	ReplayFilePrev    ID = "replay-file-prev"
	ReplayOpen        ID = "replay-open"
	ReplayOpenPath    ID = "replay-open-path"
	CallOf            ID = "call-of"
)

// replayActions are those of the Replay screen: what steps through the calls works in both panes.
func replayActions() []Action {
	return []Action{
		{OpenChange, Transcripts, []string{"enter"}, "", "replay the transcript", "replay"},
		{ReplayOpenPath, Transcripts, []string{"c"}, "", "open a transcript, or list those of a folder", "open a file or folder"},
		{Filter, Transcripts, []string{"f"}, "", "narrow the list: words of agent, project, prompt and path", "filter"},
		{ReplayMain, Transcripts, []string{"H"}, "", "list the transcripts of subagents too, or hide them", ""},

		{OpenChange, Replay, []string{"enter", "l", "right"}, "", "move into what the call shows", "details"},
		{ReplayPlay, Replay, []string{"space"}, "replay-play", "play the calls one after another, or stop", "play"},
		{ReplayFaster, Replay, []string{"+", "="}, "", "play faster", ""},
		{ReplaySlower, Replay, []string{"-"}, "", "play slower", ""},
		{ReplayChangeNext, Replay, []string{"}", ">"}, "", "next call that changed the memory", "change"},
		{ReplayChangePrev, Replay, []string{"{", "<"}, "", "previous call that changed the memory", ""},
		{ReplayDivergeNext, Replay, []string{"e"}, "", "next call that diverges: drift, or an error on one side", "diverging"},
		{ReplayDivergePrev, Replay, []string{"E"}, "", "previous call that diverges", ""},
		{SearchNext, Replay, []string{"n"}, "", "next call that has to do with what is searched for", ""},
		{SearchPrev, Replay, []string{"N"}, "", "previous call that has to do with what is searched for", ""},
		{Filter, Replay, []string{"f"}, "",
			"narrow the list: words of the path, command:create, session:ID, verdict:drift, is:diverging, is:write", "filter"},
		{ReplayMain, Replay, []string{"m"}, "", "leave out the calls of subagents, or show them again", ""},
		{ReplayJump, Replay, []string{"@"}, "", "jump to a call, a turn or a time: :call 12, :turn 37, :at 14:05", ""},
		{replayCall, Replay, nil, "call", "go to a call by its number: :call 12, or just :12", ""},
		{replayTurn, Replay, nil, "turn", "go to the first call of a turn: :turn 37", ""},
		{Travel, Replay, []string{"t"}, "", "show the whole memory as it was after this call in Browse; t there comes back", "travel"},
		{ReplayPut, Replay, []string{"i"}, "replay-put", "put this file into the store as it was after this call; asks first", ""},
		{ReplayPageNext, Replay, []string{"]"}, "", "next page: memory, result, call, seen, blame", "page"},
		{ReplayPagePrev, Replay, []string{"["}, "", "previous page", ""},
		{ReplayFileNext, Replay, []string{")"}, "", "next file of the memory at this call", ""},
		{ReplayFilePrev, Replay, []string{"("}, "", "previous file of the memory at this call", ""},

		{CallOf, Global, []string{"J"}, "call-of", "jump to the call that made this change, in its transcript", ""},

		{ReplayOpen, ReplayDetail, []string{"enter"}, "", "go to the call that the line tells of, or show its file", "open"},
		{Wrap, ReplayDetail, []string{"w"}, "", "wrap long lines, or cut them", ""},
		{LineStart, ReplayDetail, []string{"0", "^"}, "", "scroll to the start of the lines", ""},
		{SearchNext, ReplayDetail, []string{"n"}, "", "next line with what is searched for", ""},
		{SearchPrev, ReplayDetail, []string{"N"}, "", "previous line with what is searched for", ""},
	}
}
