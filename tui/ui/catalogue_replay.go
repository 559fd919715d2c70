package ui

import (
	"fmt"
	"strings"

	"memcurator/render/text"
)

// The texts of the Replay screen.
const (
	TextReplayScreen     = "replay"
	TextReplayNone       = "no transcript is open; {global/prompt}replay FILE opens one"
	TextReplayReading    = "reading the transcript..."
	TextReplayFailed     = "the transcript could not be read; {global/messages} tells why"
	TextReplayNoMatch    = "no call fits the filter; {global/back} takes it off"
	TextReplayEmpty      = "there is no call of the memory in this transcript"
	TextReplayNoFile     = "there is no such file"
	TextReplayDenied     = "permission denied"
	TextReplayNoSuchCall = "no call is there or after that"
	TextReplayNoHit      = "no call that the filter leaves has to do with it"
	TextReplayNoMore     = "no more in this direction"
	TextReplayPlays      = "playing; {replay/replay-play} stops, {replay/replay-faster} and {replay/replay-slower} change the speed"
	TextReplayNoSearch   = "nothing is searched for; {global/search} searches all versions of all files"
	TextReplayInInput    = "in the input"
	TextReplayInResult   = "in the result"
	TextReplayAppears    = "appears"
	TextReplayVanishes   = "vanishes"
	TextReplayFailedCall = "failed"
	TextReplaySide       = "subagent"
	TextReplayNotHere    = "the replayed memory is not edited; {replay/replay-put} puts a file of it into the store"
	TextReplayHow        = "replay takes the file of a transcript: replay session.jsonl"

	TextReplayMemory = "memory"
	TextReplayResult = "result"
	TextReplayCall   = "call"
	TextReplaySeen   = "seen"
	TextReplayBlame  = "blame"

	TextReplayNoFileThen   = "there is no file in the memory at this call"
	TextReplayMayBeCleared = "results were cleared since, which is not told"
	TextReplayUnknownPast  = "what was in the file before is not known"
	TextReplayMemoryEmpty  = "the memory is empty here"
	TextReplayPending      = "this call is not replayed yet"
	TextReplaySame         = "recorded and replayed: the same, byte for byte"
	TextReplaySameText     = "the same text; the flag is_error differs"
	TextReplayNotAsked     = "our handlers were not asked"
	TextReplayNoRecord     = "no result was recorded; this is what our handlers answer"
	TextReplayRecorded     = "recorded (-) against ours (+)"
	TextReplayOnlyRecorded = "as it was recorded"
	TextReplayEmptyText    = "(empty)"
	TextReplayWhy          = "Said before it"
	TextReplaySaid         = "Said around it"
	TextReplayNothingSaid  = "nothing is said around this call"
	TextReplayInputTitle   = "Input"
	TextReplayNothingSeen  = "the agent has seen no file of the memory since its conversation began or was compacted"
	TextReplaySeenTitle    = "What the agent has seen, and when"
	TextReplayOnlyDisk     = "On disk, and not seen"
	TextReplayStart        = "start"
	TextReplayLife         = "Its life"
	TextReplayThisCall     = "this call"

	TextReplayNoStore  = "no store is open beside the transcript; memcurator replay --dir DIR FILE opens one"
	TextReplayNotKnown = "what is in this file is not known, so it cannot be put into the store"
	TextReplayPutTitle = "Put into the store?"
	TextReplayAskPut   = "It is recorded with the actor replay; {global/undo} takes it back. {confirm/yes} writes it, {confirm/no} leaves the store as it is."
	TextReplayPutDone  = "put into the store, {global/undo} takes it back: "
	TextReplayPast     = "this is the memory of a replay, which is not edited; {global/focus-tree} comes back"
	TextReplayNoCallOf = "no call of the open transcript made this change"
	LabelReplayLearn   = "linking transcript and journal"
	LabelReplayPut     = "writing"

	LabelReplayLoad = "reading the transcript"
	LabelReplayPage = "reading"
)

// ReplayUnreadText says why a transcript was not read.
func ReplayUnreadText(name, why string) string {
	return fmt.Sprintf("the transcript %s was not read: %s", text.Clean(name), why)
}

// ReplayGrownText says what a transcript got that is followed.
func ReplayGrownText(calls int) string {
	if calls <= 0 {
		return "the transcript was written on"
	}
	return "the transcript has " + Count(calls, "new call")
}

// ReplaySpeedText is the speed of playing.
func ReplaySpeedText(speed float64) string { return fmt.Sprintf("%gx", speed) }

// ReplayHitsText says in how many calls a search finds something.
func ReplayHitsText(query string, n int) string {
	return fmt.Sprintf("/%s: %s", text.Clean(query), Count(n, "call"))
}

// ReplayAfterText marks the first call after a boundary.
func ReplayAfterText(kind string) string { return "after " + kind }

// ReplayClearedText says which calls were cleared from the conversation; none: those of other tools.
func ReplayClearedText(calls []int) string {
	if len(calls) == 0 {
		return "after clearing of other tools' results"
	}
	return "after clearing of call " + numbers(calls)
}

// numbers writes rising numbers with runs as 1-4.
func numbers(list []int) string {
	var out strings.Builder
	for i := 0; i < len(list); i++ {
		from := i
		for i+1 < len(list) && list[i+1] == list[i]+1 {
			i++
		}
		if from > 0 {
			out.WriteString(", ")
		}
		fmt.Fprint(&out, list[from])
		if i > from {
			fmt.Fprintf(&out, "-%d", list[i])
		}
	}
	return out.String()
}

// ReplayCallText names a call in the title of its details.
func ReplayCallText(n, turn int) string { return fmt.Sprintf("call %d, turn %d", n, turn) }

// ReplayOffsetText says where two results differ first.
func ReplayOffsetText(offset, recorded, ours int) string {
	return fmt.Sprintf("the first byte that differs is %d; recorded %d bytes, ours %d", offset, recorded, ours)
}

// ReplayUnreadAroundText says why the conversation around a call is not shown.
func ReplayUnreadAroundText(why string) string { return "the conversation cannot be shown: " + why }

// ReplayListedText says when the agent saw a listing.
func ReplayListedText(step int) string { return fmt.Sprintf("the names: listed at call %d", step) }

// ReplaySeenText says how and when the agent got to know a file, and what became of that.
func ReplaySeenText(step int, wrote, part bool) string {
	how := "read"
	switch {
	case wrote && part:
		how = "changed, not read whole,"
	case wrote:
		how = "written"
	case part:
		how = "read in part"
	}
	return fmt.Sprintf("%s at call %d", how, step)
}

// ReplayLostText says that a result was cleared later.
func ReplayLostText(after int) string {
	return fmt.Sprintf("cleared from the conversation after call %d", after)
}

// ReplayUnknownText says what is known of a file of which only the name is told, and perhaps the size.
func ReplayUnknownText(bytes int) string {
	if bytes == 0 {
		return "the content is not known, only that the file is there"
	}
	return fmt.Sprintf("the content is not known; the file is there, with %d bytes or about", bytes)
}

// ReplayLifeText is one station in the life of a file.
func ReplayLifeText(step, bytes int, gone, unknown bool) string {
	at := fmt.Sprintf("#%d", step)
	if step == 0 {
		at = TextReplayStart
	}
	if gone {
		return at + "  gone"
	}
	if unknown {
		return at + "  there, content not known"
	}
	return fmt.Sprintf("%s  %d bytes", at, bytes)
}

// ReplayAtText is the badge while Browse shows the memory of a replay.
func ReplayAtText(call int) string { return fmt.Sprintf("replay: after call %d", call) }

// ReplayLearnedText says how many revisions of the journal were linked with calls.
func ReplayLearnedText(n int) string {
	return Count(n, "change") + " of the journal got the call, the model and the session"
}
