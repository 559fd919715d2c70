package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
)

// sweep lists sizes from 1x1 on: all small ones, coarse steps above.
func sweep() (sizes [][2]int) {
	var widths, heights []int
	for w := 1; w <= 140; w++ {
		if w <= 28 || w >= 56 && w <= 64 || w%9 == 0 {
			widths = append(widths, w)
		}
	}
	for h := 1; h <= 45; h++ {
		if h <= 12 || h >= 19 && h <= 21 || h%7 == 0 {
			heights = append(heights, h)
		}
	}
	for i, w := range widths {
		for k, h := range heights {
			if brief() && (i+k)%9 != 0 {
				continue
			}
			sizes = append(sizes, [2]int{w, h})
		}
	}
	return sizes
}

// resizes goes through all sizes; the driver checks each frame.
func (d *driver) resizes() {
	d.t.Helper()
	for _, s := range sweep() {
		d.take(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
		small := s[0] < minWidth || s[1] < minHeight
		if first := strings.Split(d.screen(), "\n")[0]; small != strings.HasPrefix(textTooSmall, first) {
			d.t.Fatalf("at %dx%d the first row is %q", s[0], s[1], first)
		}
	}
	d.rest()
}

// awkwardStore has wide, long and hostile names and texts, and changes of the agent to show.
func awkwardStore(t *testing.T) *driver {
	t.Helper()
	contents := awkward()
	contents["日本語の覚え書き📝.md"] = "全角\n" + strings.Repeat("日本語", 60) + "\n"
	contents["esc\x1b[31mred\u202e.md"] = "one\n"
	contents[strings.Repeat("long-", 40)+".md"] = "one\n"
	contents["deep/er/and/deeper/日本/x.md"] = "x\n"
	d := start(t, setup{dir: files(t, contents), w: 80, h: 24, theme: dark})
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/cjk.md", OldStr: strings.Repeat("全", 200), NewStr: "短い"})
	d.does(memstore.Command{Name: "create", Path: "/memories/新しいファイル.md", FileText: "内容\n"})
	d.does(memstore.Command{Name: "rename", OldPath: "/memories/新しいファイル.md", NewPath: "/memories/notes/古いファイル.md"})
	d.arrived(3)
	return d
}

func TestEverySizeOfTheScreen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		keys []string
	}{
		{"tree", []string{"+"}},
		{"tree zoomed", []string{"+", "G", "z"}},
		{"view", []string{"f", "c", "j", "k", "enter", "enter"}},
		{"view zoomed", []string{"j", "j", "enter", "z"}},
		{"view cut", []string{"j", "j", "enter", "w", "l", "l", "G"}},
		{"diff", []string{"."}},
		{"diff zoomed", []string{".", "tab", "z", "l"}},
		{"changes", []string{"shift+tab", "k"}},
		{"changes zoomed", []string{"shift+tab", "z"}},
		{"help", []string{"?", "j"}},
		{"help filtered", []string{"?", "/", "p", "a"}},
		{"messages", []string{"M"}},
		{"copy menu", []string{"+", "y"}},
		{"prompt", []string{":", "v", "i", "e"}},
		{"prompt with choices", []string{":", "v", "i", "e", "w", "space", "tab", "tab"}},
		{"prompt with a problem", []string{":", "x", "enter"}},
		{"search", []string{"j", "j", "enter", "/", "a"}},
		{"filter", []string{"f", "m", "d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := awkwardStore(t)
			d.press(c.keys...)
			d.resizes()
		})
	}
}

var anyKey = []string{
	"j", "k", "h", "l", "g", "G", "enter", "esc", "tab", "shift+tab", "t", "c", "z", "w", "[", "]", "n", "N", "/", ":", "f", "?", "M", "y",
	"E", "C", "H", "L", ".", "a", "A", "T", "0", "$", "+", "-", "<", ">", "{", "}", "space", "pgdown", "pgup", "ctrl+d", "ctrl+u",
	"up", "down", "left", "right", "home", "end", "o", "x", "backspace", "ctrl+l", "é", "日",
}

func TestRandomKeysAtRandomSizes(t *testing.T) {
	t.Parallel()
	seeds, steps := uint64(6), 400
	if brief() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			d := awkwardStore(t)
			r := rand.New(rand.NewPCG(seed, 11))
			for range steps {
				switch r.IntN(12) {
				case 0:
					d.take(tea.WindowSizeMsg{Width: r.IntN(150), Height: r.IntN(50)})
				case 1:
					d.take(tea.WindowSizeMsg{Width: 20 + r.IntN(100), Height: 5 + r.IntN(40)})
				case 2:
					d.take(tea.PasteMsg{Content: "日本\x1b[31m\n\u202e"})
				default:
					d.take(keyPress(anyKey[r.IntN(len(anyKey))]))
				}
				if r.IntN(3) == 0 {
					d.rest()
				}
			}
			d.rest()
		})
	}
}
