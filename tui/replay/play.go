package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/ui"
)

// play goes from call to call by itself.
type play struct {
	on    bool
	speed float64 // calls a second
	run   int     // beats of an earlier run are dropped
}

// The speeds, in calls a second.
const (
	slowest = 0.25
	fastest = 64
)

// beat is the moment of the next call.
type beat struct{ run int }

func (beat) ofReplay() {}

func (p *play) stop() {
	p.on = false
	p.run++
}

func (p *play) next() tea.Cmd {
	run := p.run
	return tea.Tick(time.Duration(float64(time.Second)/p.speed), func(time.Time) tea.Msg { return beat{run} })
}

const textPlays = "Playing. {replay/replay-play} stops, {replay/replay-faster} {replay/replay-slower} change the speed"

func (p *callList) togglePlay() tea.Cmd {
	if p.play.on {
		p.play.stop()
		return nil
	}
	if at, ok := p.list.At(); !ok {
		return nil
	} else if at == len(p.shown)-1 {
		p.list.MoveTo(0)
	}
	p.play.run++
	p.play.on = true
	p.env.Emit(ui.Say{Text: p.env.Keyed(textPlays)})
	return tea.Batch(p.moved(), p.play.next())
}

func (p *callList) faster(by float64) {
	p.play.speed = max(slowest, min(fastest, p.play.speed*by))
	p.env.Emit(ui.Say{Text: speedText(p.play.speed)})
}

// beat goes to the next call; at the last one playing ends.
func (p *callList) beat(b beat) tea.Cmd {
	at, ok := p.list.At()
	if !p.play.on || b.run != p.play.run || !ok {
		return nil
	}
	p.list.MoveTo(at + 1)
	if at+1 >= len(p.shown)-1 {
		p.play.stop()
		return p.moved()
	}
	return tea.Batch(p.moved(), p.play.next())
}
