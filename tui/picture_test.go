package tui

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/memstore"
)

// TestPictures draws the pictures of the README from real screens; run with
// -update after a change of the screen.
func TestPictures(t *testing.T) {
	t.Parallel()
	drawsPictures(t)
	dir := store(t, "demo")
	d := start(t, setup{dir: dir, w: 112, h: 30, theme: dark, journal: t.TempDir()})
	d.does(memstore.Command{Name: "create", Path: "/memories/notes/waitlist.md", FileText: "# F-011 waitlist\n\n- [ ] table waitlist_entries\n- [ ] mail when a place is free\n"})
	d.does(memstore.Command{Name: "insert", Path: "/memories/preferences.md", InsertLine: 2, InsertText: "- Answer in short sentences.\n"})
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/progress.md", OldStr: "idle (session 18 ended cleanly)", NewStr: "working on F-011 (session 19)"})
	d.arrived(3)
	d.press("2", "g", "l")
	d.sees("working on F-011")
	d.m.say.forget()
	d.picture("changes")
	d.command("replay " + filepath.ToSlash(storyFile))
	d.sees("8 calls, 2 differ")
	d.press(">", ">")
	d.m.say.forget()
	d.picture("replay")
}

func (d *driver) picture(name string) {
	d.t.Helper()
	if !*update {
		return
	}
	rows, _ := d.m.frame()
	if err := os.WriteFile(filepath.Join("..", "docs", "screens", name+".svg"), []byte(svg(rows, d.m.stage.w)), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func drawsPictures(t *testing.T) {
	t.Helper()
	if !*update {
		t.Skip("draws pictures for the README with -update")
	}
}

const (
	cellWidth  = 8.4
	cellHeight = 18
)

type cellStyle struct {
	fg, bg             string
	bold, faint, under bool
	invert             bool
}

// svg draws rows with their control sequences as a picture.
func svg(rows []string, cells int) string {
	var b strings.Builder
	w, h := float64(cells)*cellWidth+16, len(rows)*cellHeight+16
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`+"\n", w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="#1c1c1c"/>`+"\n")
	for y, row := range rows {
		drawSVGRow(&b, row, 8, float64(8+y*cellHeight))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func drawSVGRow(b *strings.Builder, row string, x, y float64) {
	var st cellStyle
	for row != "" {
		if strings.HasPrefix(row, "\x1b[") {
			end := strings.IndexByte(row, 'm')
			st = st.apply(row[2:end])
			row = row[end+1:]
			continue
		}
		end := strings.IndexByte(row, '\x1b')
		if end < 0 {
			end = len(row)
		}
		run := row[:end]
		row = row[end:]
		width := float64(ansi.StringWidth(run)) * cellWidth
		st.draw(b, run, x, y, width)
		x += width
	}
}

func (st cellStyle) draw(b *strings.Builder, run string, x, y, width float64) {
	fg, bg := st.fg, st.bg
	if fg == "" {
		fg = "#d0d0d0"
	}
	if st.invert {
		if bg == "" {
			bg = "#1c1c1c"
		}
		fg, bg = bg, fg
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`+"\n", x, y, width, cellHeight, bg)
	}
	if strings.TrimSpace(run) == "" {
		return
	}
	more := ""
	if st.bold {
		more += ` font-weight="bold"`
	}
	if st.faint {
		more += ` opacity="0.6"`
	}
	if st.under {
		more += ` text-decoration="underline"`
	}
	for _, piece := range alike(run) {
		width := float64(ansi.StringWidth(piece)) * cellWidth
		if strings.TrimSpace(piece) != "" {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s" textLength="%.1f" xml:space="preserve"%s>%s</text>`+"\n",
				x, y+13.5, fg, width, more, html.EscapeString(piece))
		}
		x += width
	}
}

// alike cuts a run into pieces that every font lays out alike: narrow characters together, each wide one by itself.
func alike(run string) (pieces []string) {
	narrow := false
	for _, r := range run {
		n := ansi.StringWidth(string(r))
		if len(pieces) > 0 && (n == 0 || n == 1 && narrow) {
			pieces[len(pieces)-1] += string(r)
			continue
		}
		pieces, narrow = append(pieces, string(r)), n == 1
	}
	return pieces
}

// apply reads the parameters of one SGR sequence in full color.
func (st cellStyle) apply(parameters string) cellStyle {
	n := strings.Split(parameters, ";")
	for i := 0; i < len(n); i++ {
		switch n[i] {
		case "", "0":
			st = cellStyle{}
		case "1":
			st.bold = true
		case "2":
			st.faint = true
		case "4":
			st.under = true
		case "7":
			st.invert = true
		case "38", "48":
			if i+4 >= len(n) {
				return st
			}
			colour := "#" + hex(n[i+2]) + hex(n[i+3]) + hex(n[i+4])
			if n[i] == "38" {
				st.fg = colour
			} else {
				st.bg = colour
			}
			i += 4
		}
	}
	return st
}

func hex(decimal string) string {
	v, _ := strconv.Atoi(decimal)
	return fmt.Sprintf("%02x", v)
}

// The picture of the Secrets screen: an API key that an agent wrote into two notes, and others.
func TestSecretsPicture(t *testing.T) {
	t.Parallel()
	drawsPictures(t)
	key := "sk" + "-ant-api03-" + strings.Repeat("Qw3Er7Ty9U", 9) + "hJkAA"
	state, dir := t.TempDir(), store(t, "demo")
	d := start(t, setup{dir: dir, w: 112, h: 30, theme: dark, journal: state, scrub: scrubbingIn(t, state, dir)})
	d.does(memstore.Command{Name: "create", Path: "/memories/notes/deploy.md",
		FileText: "# Deploy\n\n- staging: make deploy-staging\n- key for the smoke test: " + key + "\n- wifi password: harbour-" + "4711\n"})
	d.does(memstore.Command{Name: "create", Path: "/memories/log/smoke.log",
		FileText: "10:48 smoke test with " + key + " passed\n10:52 told mika@" + "ferry-example.jp\n"})
	d.arrived(2)
	d.press("6")
	d.sees("3 values")
	d.press("space", "k", "l")
	d.rest()
	d.m.say.hide()
	d.picture("secrets")
}
