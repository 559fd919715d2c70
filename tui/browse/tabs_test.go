package browse

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
	"memcurator/tui/ui/panetest"
)

// namedTab is a tab with nothing but a name.
type namedTab struct {
	ui.Tab
	title string
}

func (t namedTab) Title() string { return t.title }
func (t namedTab) Place() string { return "" }

func namedTabs(t *testing.T) *Tabs {
	tabs := &Tabs{env: panetest.NewEnv(t, theme.Options{Name: theme.Dark})}
	for _, title := range []string{"view", "diff", "rendered", "hex"} {
		tabs.row = append(tabs.row, namedTab{title: title})
	}
	return tabs
}

// As many names as fit stand around the shown tab, with an ellipsis for the others that leads to them.
func TestTabsThatDoNotFit(t *testing.T) {
	tabs := namedTabs(t)
	for _, shown := range tabs.Available() {
		tabs.Show(shown)
		for width := 1; width < 80; width++ {
			painted, spans, cells := tabs.draw(width)
			row := ansi.Strip(painted)
			if got := text.Width(row); cells != got || width > 2 && cells > width {
				t.Fatalf("the names of the tabs take %d cells of %d, %d are reported: %q", got, width, cells, row)
			}
			if name := "[" + tabs.Shown().Title() + "]"; width > len(name)+2 && !strings.Contains(row, name) {
				t.Fatalf("the shown tab has no name in %d cells: %q", width, row)
			}
			for _, s := range spans {
				word := strings.Trim(string([]rune(row)[s.from:s.to]), "[]")
				if word != tabs.row[s.tab].Title() && (word != "…" || s.tab == shown) {
					t.Fatalf("%q leads to tab %d", word, s.tab)
				}
			}
		}
	}
	tabs.Show(2)
	painted, spans, _ := tabs.draw(20)
	if got, want := ansi.Strip(painted), "… [rendered] hex"; got != want {
		t.Fatalf("tabs in 20 cells: %q", got)
	}
	if spans[0].tab >= spans[1].tab {
		t.Fatalf("the ellipsis leads to tab %d, before %d", spans[0].tab, spans[1].tab)
	}
}

func TestTabsAreCountedWhereOnlyOneFits(t *testing.T) {
	painted, spans, _ := namedTabs(t).draw(12)
	if got, want := ansi.Strip(painted), "[view] 1/4"; got != want || spans != nil {
		t.Fatalf("tabs in 12 cells: %q", got)
	}
}
