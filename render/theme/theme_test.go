package theme

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

// luminance and ratio are the definitions of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

func ratio(a, b string) float64 {
	x, y := luminance(lipgloss.Color(a)), luminance(lipgloss.Color(b))
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	dark := []string{"#000000", "#1c1c1c", "#1e1e1e"}
	light := []string{"#ffffff", "#fafafa"}
	for _, c := range []struct {
		name string
		p    *palette
		bgs  []string
		want float64
	}{
		{"dark", darkPalette(), dark, 4.5},
		{"light", lightPalette(), light, 4.5},
		{"contrast on dark", contrastDark(), dark, 7},
		{"contrast on light", contrastLight(), light, 7},
	} {
		// Rows under the cursor, where texts keep their own color.
		rows := []string{c.p.blur.bg}
		if !c.p.invertSelected {
			rows = append(rows, c.p.selected.bg)
		}
		for _, tok := range tokens {
			l := tok.color(c.p)
			switch {
			case l.bg != "":
				if r := ratio(l.fg, l.bg); r < c.want {
					t.Errorf("%s: %s has a contrast of %.2f", c.name, tok.name, r)
				}
			case l.fg != "":
				bgs := c.bgs
				if !strings.HasPrefix(tok.name, "Border") {
					bgs = append(append([]string{}, bgs...), rows...)
				}
				for _, bg := range bgs {
					want := c.want
					if tok.name == "Border" {
						want = min(want, 4.5)
					}
					if r := ratio(l.fg, bg); r < want {
						t.Errorf("%s: %s on %s has a contrast of %.2f", c.name, tok.name, bg, r)
					}
				}
			}
		}
	}
}

// Without color the styles must still tell these states apart.
func TestStatesWithoutColour(t *testing.T) {
	for _, o := range []Options{{Name: Mono}, {Name: Dark, NoColor: true}, {Name: Contrast, NoColor: true, Dark: true}} {
		s := New(o)
		for _, tok := range tokens {
			l := tok.plain
			if l.fg != "" || l.bg != "" {
				t.Errorf("%s has a color without color", tok.name)
			}
			for _, code := range []string{"[38", "[48", ";38", ";48"} {
				if strings.Contains(tok.field(s).Open, code) {
					t.Errorf("%+v: %s sends the color %q", o, tok.name, tok.field(s).Open)
				}
			}
		}
		differ := map[string][]Paint{
			"rows":    {s.Text, s.Selected, s.SelectedBlur, s.Marked},
			"words":   {s.Added, s.AddedWord, s.Removed, s.RemovedWord},
			"matches": {s.Text, s.Match, s.MatchCurrent},
			"tabs":    {s.TabActive, s.TabInactive},
			"borders": {s.Border, s.BorderFocused},
			"hostile": {s.Text, s.Control, s.Invalid},
			"actors":  {s.Agent, s.External, s.Curator, s.Replay},
		}
		for name, paints := range differ {
			seen := map[Paint]bool{}
			for _, p := range paints {
				if seen[p] {
					t.Errorf("%+v: two of the %s look the same", o, name)
				}
				seen[p] = true
			}
		}
	}
}
