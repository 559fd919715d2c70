package tui

import (
	"testing"
	"time"

	"memcurator/tui/tour"
)

// A box may have an answer that only closes it.
func TestRuleMakerCancels(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 35, theme: dark, rules: "[ui]\n"})
	d.press("3", "c")
	d.sees("New rule")
	d.press("esc")
	d.lacks("New rule")
}

// The tour shows its captions above the bottom bar and ends with a card, which any key closes before it acts.
func TestTourInTheInterface(t *testing.T) {
	t.Parallel()
	steps := []tour.Step{{Caption: "First 運航メモ", Stay: time.Second}, {Caption: "Press 2", Press: []string{"2"}, Stay: time.Second}}
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir(), tour: tour.New(steps, 1)})
	d.sees("demo │ First 運航メモ")
	d.passes(time.Minute)
	d.sees("demo │ Press 2")
	d.press("j")
	d.sees("Paused. F continues, q quits")
	d.press("F")
	d.sees("demo │ Press 2")
	d.passes(time.Minute)
	d.sees("[2 Changes")
	d.passes(time.Minute)
	d.sees("Try next")
	d.lacks("demo │")
	d.press("1")
	d.lacks("Try next")
	d.sees("[1 Browse")
}

// The card has the keys that it names: enter only closes it, and a box that the last step opened doesn't open again behind it.
func TestCardAtTheEndOfATour(t *testing.T) {
	t.Parallel()
	steps := []tour.Step{{Caption: "Press y", Press: []string{"y"}, Stay: time.Second}}
	ended := func() *driver {
		d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 80, h: 24, theme: dark, journal: t.TempDir(), tour: tour.New(steps, 1)})
		d.passes(time.Minute)
		d.sees("Copy")
		d.passes(time.Minute)
		d.sees("Try next")
		d.sees(" enter stay  q quit")
		d.lacks("esc close")
		return d
	}
	d := ended()
	d.press("enter")
	d.lacks("Try next")
	d.lacks("copy the line under the cursor")
	d.lacks("demo │")
	d.sees("[1 Browse]")
	d = ended()
	d.press("3")
	d.lacks("Try next")
	d.sees("[3 Curate")
	d = ended()
	d.press("q")
	if !d.m.jobs.quitting {
		t.Error("q does not quit")
	}
}
