package tui

import (
	"testing"

	"memcurator/render/theme"
)

func TestFirstScreen(t *testing.T) {
	for name, size := range map[string][2]int{"first-120x35": {120, 35}, "first-80x24": {80, 24}, "first-60x20": {60, 20}, "first-40x12": {40, 12}} {
		t.Run(name, func(t *testing.T) {
			d := start(t, setup{dir: store(t, "demo"), w: size[0], h: size[1], theme: theme.Options{Dark: true}})
			d.golden(name)
		})
	}
}
