package tui

import "testing"

func TestDialectCanBeSwitchedLive(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a\r\nb\r\n", "node_modules/x.md": "x\n", "big.md": string(make1280())})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.sees("1.2K    /memories/big.md")
	d.command("dialect typescript")
	d.sees("Dialect: typescript")
	d.sees("1.3K    /memories/big.md")
	d.command("dialect python")
	d.sees("excluding hidden items:")
	d.sees("/memories/node_modules")
	d.command("view /memories/none")
	d.sees("The path /memories/none does not exist.")
	d.press("esc")
	d.command("dialect docs")
	d.sees("node_modules:")
}

// make1280 is a text of 1,280 bytes, whose size the SDKs round differently.
func make1280() []byte {
	out := make([]byte, 1280)
	for i := range out {
		out[i] = 'x'
	}
	return out
}
