package ui

import "fmt"

// The texts of the tabs that show a file otherwise than the tool does: rendered and hex.
const (
	TextRendered       = "rendered"
	TextHex            = "hex"
	TextRenderFolder   = "a folder has no text of its own: [ goes back to its listing in the view"
	TextRenderBinary   = "this is not text: ] goes on to hex, which shows its bytes"
	TextRenderEmpty    = "the file is empty"
	TextRenderUnread   = "the file cannot be read now; [ goes back to the view"
	TextRenderLongLine = "a line of this file is longer than 64 KiB, too long to be rendered: [ goes back to the view"
	TextNoLink         = "there is no link on this row"
	TextHexFolder      = "a folder has no bytes of its own: [ goes back"
	TextHexBytes       = "bytes are searched as pairs of hex digits: x:de ad be ef"
)

// RenderTooLargeText says why a large file is not rendered.
func RenderTooLargeText(limit int64) string {
	return fmt.Sprintf("the file is larger than %d MiB, too large to be rendered: [ goes back to the view, ] to hex", limit>>20)
}

// MoreRowsText stands for the rows of a front matter that are not shown.
func MoreRowsText(n int) string { return fmt.Sprintf("%d more in the view", n) }

// NoTargetText says that a link leads to no file of the store.
func NoTargetText(target string) string {
	return target + " is no file of this memory directory"
}

// MatchAtText is the state of a search for which only the match under the cursor is known.
func MatchAtText(query string, offset int64) string {
	return fmt.Sprintf("%q: at offset 0x%x", query, offset)
}

// SearchedText is the state of a search that has not led anywhere yet.
func SearchedText(e *Env, query string) string {
	return fmt.Sprintf("%q", query) + e.Keyed(": {input/accept} looks for it")
}
