//go:build linux

package cli

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"memcurator/memstore/config"
)

// stepConfig saves the configuration in one of the ways that programs have, while agents that live and agents that
// start try to write what both the old and the new rules lock.
func (w *world) stepConfig(r *rand.Rand) (dayOutcome, string) {
	old, err := os.ReadFile(w.config)
	w.must(err)
	next := dayRules + "# " + w.token() + "\n"
	way, pause := r.IntN(len(savings)), time.Duration(1+r.IntN(20))*time.Millisecond
	rounds := 4 + r.IntN(6)
	if r.IntN(3) == 0 { // so long that what is there meanwhile no longer changes
		rounds, pause = 2, time.Duration(300+r.IntN(400))*time.Millisecond
	}
	w.note("the configuration is saved %d times, each pause %v: %s", rounds, pause, savings[way].name)
	saved := make(chan struct{})
	living := w.agent(r.IntN(4))
	living.does(dayCommand{Command: "view", Path: "/memories"}) // from now on it has rules
	// how long a file that is not a configuration was there, as the saving program sees it
	var longest atomic.Int64
	if pause >= config.SettledFor {
		longest.Store(int64(pause))
	}
	a, b := rand.New(rand.NewPCG(r.Uint64(), 1)), rand.New(rand.NewPCG(r.Uint64(), 2))
	ended := func() bool {
		select {
		case <-saved:
			return true
		default:
			return false
		}
	}
	w.together(
		func() {
			defer close(saved)
			for range rounds {
				longest.Store(max(longest.Load(), int64(savings[way].save(w, next, pause))))
				time.Sleep(pause) // other programs are not in a hurry
			}
		},
		func() {
			for !ended() {
				c := w.lockedEdit(a)
				e, text := living.does(c)
				w.lockHeld(e, text)
			}
		},
		func() {
			for !ended() {
				w.newcomer(w.lockedEdit(b), &longest)
			}
		},
	)
	w.must(os.WriteFile(w.config, old, 0o600))
	return dayOK, ""
}

// newcomer starts an exec for one command, which must be refused, or not be carried out at all.
func (w *world) newcomer(c dayCommand, longest *atomic.Int64) {
	a := w.hire(0)
	e, text, err := a.ask(c)
	if err != nil { // it did not start: the configuration was bad, and it must say so
		_ = a.in.Close()
		_ = a.cmd.Wait() // the status says it
		a.gone = true
		w.spoken("exec", outcome{a.cmd.ProcessState.ExitCode(), "", a.errs.String()})
		return
	}
	a.close()
	// A file that stays as it is for 200 ms counts, also when it is empty: a saving program that slow was not meant.
	if time.Duration(longest.Load()) < 150*time.Millisecond {
		w.lockHeld(e, text)
	}
}

// savings are the ways to save a configuration. save returns how long something else than a whole configuration was there.
var savings = []struct {
	name string
	save func(w *world, text string, pause time.Duration) time.Duration
}{
	{"truncated and written slowly", func(w *world, text string, pause time.Duration) time.Duration {
		begun := time.Now()
		w.must(slowly(w.config, text, pause))
		return time.Since(begun)
	}},
	{"truncated and written at once", func(w *world, text string, _ time.Duration) time.Duration {
		begun := time.Now()
		w.must(os.WriteFile(w.config, []byte(text), 0o600))
		return time.Since(begun)
	}},
	{"moved to a backup and rewritten, as vim does", func(w *world, text string, pause time.Duration) time.Duration {
		begun := time.Now()
		w.must(os.Rename(w.config, w.config+"~"))
		time.Sleep(pause)
		w.must(os.WriteFile(w.config, nil, 0o600))
		time.Sleep(pause)
		w.must(os.WriteFile(w.config, []byte(text), 0o600))
		took := time.Since(begun)
		w.must(os.Remove(w.config + "~"))
		return took
	}},
	{"removed and made again", func(w *world, text string, pause time.Duration) time.Duration {
		begun := time.Now()
		w.must(os.Remove(w.config))
		time.Sleep(pause)
		w.must(os.WriteFile(w.config, []byte(text), 0o600))
		return time.Since(begun)
	}},
	{"written beside and renamed over", func(w *world, text string, pause time.Duration) time.Duration {
		w.must(os.WriteFile(w.config+".new", []byte(text), 0o600))
		time.Sleep(pause)
		w.must(os.Rename(w.config+".new", w.config))
		return 0
	}},
	{"a link that leads nowhere for a while", func(w *world, text string, pause time.Duration) time.Duration {
		begun := time.Now()
		link := w.config + ".link"
		w.must(os.Symlink(filepath.Join(filepath.Dir(w.config), "nowhere"), link))
		w.must(os.Rename(link, w.config))
		time.Sleep(pause)
		w.must(os.WriteFile(w.config+".new", []byte(text), 0o600))
		w.must(os.Rename(w.config+".new", w.config))
		return time.Since(begun)
	}},
	{"half of it, which cannot be read", func(w *world, text string, pause time.Duration) time.Duration {
		begun := time.Now()
		half := strings.Replace(text, "lock = true", "lock = tr", 1)
		w.must(os.WriteFile(w.config, []byte(half), 0o600))
		time.Sleep(pause)
		w.must(os.WriteFile(w.config, []byte(text), 0o600))
		return time.Since(begun)
	}},
}
