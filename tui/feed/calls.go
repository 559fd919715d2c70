package feed

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
)

// CallsMsg brings calls of agents that changed nothing.
type CallsMsg struct {
	Calls []past.Call
	next  int64
}

// Calls follows the calls of agents that changed nothing, beginning now; life ends it.
type Calls struct {
	life   context.Context
	source past.CallFollower
	at     int64
}

// NewCalls makes a follower.
func NewCalls(life context.Context, source past.CallFollower) *Calls {
	return &Calls{life: life, source: source, at: -1}
}

// Start is the command that delivers the first message.
func (c *Calls) Start() tea.Cmd { return c.waitForCalls() }

// Take takes a message, and returns the command that delivers the next one.
func (c *Calls) Take(m CallsMsg) tea.Cmd {
	c.at = m.next
	return c.waitForCalls()
}

func (c *Calls) waitForCalls() tea.Cmd {
	life, source, at := c.life, c.source, c.at
	return func() tea.Msg {
		list, next, err := source.FollowCalls(life, at)
		if err != nil {
			select {
			case <-life.Done():
				return nil
			case <-time.After(retryAfter):
			}
			next = at
		}
		return CallsMsg{list, next}
	}
}
