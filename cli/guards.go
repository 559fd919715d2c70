package cli

import (
	"bytes"
	"context"
	"os"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/memstore/watch"
)

// enforce holds the handlers to what the configuration says for the store: with none, to nothing.
func enforce(o *memstore.Options, s settings, b memstore.Backend) *policy.Enforcer {
	e := policy.NewEnforcer(b, s.ofStore())
	o.Guards = append(o.Guards, e.Guard())
	o.ViewChars = e.ViewChars
	return e
}

// taker takes each version of the configuration that is saved.
type taker interface{ Set(config.Settings) }

// takers are several.
type takers []taker

func (t takers) Set(s config.Settings) {
	for _, one := range t {
		one.Set(s)
	}
}

// guards are all that a store has.
type guards struct {
	takers
	limits *policy.Enforcer
}

// guard gives a store all its guards; say tells what is wrong with rules of the user. Locks and caps look at what an edit leaves after values in it were masked.
func (a *app) guard(o *memstore.Options, s settings, b memstore.Backend, say func(string)) guards {
	e := enforce(o, s, b)
	k := a.keeper(s, b, say)
	o.Guards = append(o.Guards, k.Guards()...)
	return guards{takers{e, k}, e}
}

// ofStore is all that the configuration says for the store; of the demo, which has no place of its own, nothing.
func (s settings) ofStore() config.Settings {
	if s.dir == "" {
		return config.Settings{}
	}
	return s.config.For(s.dir)
}

// followAfter is when the watch on the configuration begins: a command of a moment does without, since beginning
// and ending a watch takes some milliseconds. What is saved until then is read when it begins.
const followAfter = 500 * time.Millisecond

// follow gives e each version of the configuration that is saved until stop is called. A broken one is said
// and changes nothing.
func (a *app) follow(ctx context.Context, s settings, e taker) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	file, _ := a.configFile()
	if file == "" || file == os.DevNull { // which stands for no configuration at all
		return cancel
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-time.After(followAfter):
		case <-ctx.Done():
			return
		}
		changes, err := watch.File(ctx, file)
		if err != nil {
			a.log.Warn("the configuration is not watched", "file", file, "error", err)
			return
		}
		var last []byte
		for more := true; more; _, more = <-changes {
			data, err := config.Read(file)
			if err == nil && last != nil && bytes.Equal(data, last) {
				continue
			}
			last = data
			c, _, err := a.loadConfig()
			s.config = c
			if err == nil {
				s, err = a.forStore(s, s.dir)
			}
			if err != nil {
				a.say("Warning: The configuration that was saved is not taken: " + mistakesNotice(err))
				continue
			}
			e.Set(s.ofStore())
		}
	}()
	return func() { cancel(); <-done }
}
