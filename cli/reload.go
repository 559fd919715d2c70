package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"memcurator/memstore/config"
	"memcurator/memstore/watch"
	"memcurator/tui"
)

// preferences are what the configuration says about the screen, after flags and variables.
func (s settings) preferences() tui.Preferences {
	return tui.Preferences{
		Theme: s.theme.Name, ASCII: s.theme.ASCII, Dialect: s.dialect, Keys: s.keys,
		MouseOff: !s.ui.Mouse.Or(true), NoWrap: !s.ui.Wrap.Or(true), HideHidden: !s.ui.Hidden.Or(true), Sort: s.ui.Sort.Value,
	}
}

// configPlace is where the user interface writes rules; nowhere for the demo, whose store is gone afterwards.
func (a *app) configPlace(s settings) tui.ConfigPlace {
	file, _ := a.configFile()
	dir, err := filepath.Abs(s.dir)
	if file == "" || file == os.DevNull || s.dir == "" || err != nil {
		return tui.ConfigPlace{}
	}
	return tui.ConfigPlace{File: file, Home: config.Home(a.env.Getenv), Dir: dir}
}

// reloads watches the configuration file while the user interface runs and delivers each
// version that is saved, or what is wrong with it; nil where it cannot be watched. The guards
// take it at once.
func (a *app) reloads(ctx context.Context, s settings, guards taker) <-chan tui.Reload {
	file, _ := a.configFile()
	if file == "" || file == os.DevNull { // which stands for no configuration at all
		return nil
	}
	changes, err := watch.File(ctx, file)
	if err != nil {
		a.log.Warn("the configuration is not watched", "file", file, "error", err)
		return nil
	}
	// Read after the watch has begun, so that no version is missed.
	last, _ := config.Read(file)
	out := make(chan tui.Reload)
	go func() {
		defer close(out)
		for range changes {
			data, err := config.Read(file)
			if err == nil && bytes.Equal(data, last) {
				continue
			}
			last = data
			select {
			case out <- a.reload(s, guards):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// reload reads the file as at the start; a file that is gone is one without anything in it.
func (a *app) reload(s settings, guards taker) tui.Reload {
	c, keys, err := a.loadConfig()
	if err == nil {
		s.config, s.keys, s.broken = c, keys, nil
		a.apply(&s, c.General())
		s, err = a.forStore(s, s.dir)
	}
	if err != nil {
		return tui.Reload{Broken: mistakesNotice(err)}
	}
	guards.Set(s.ofStore())
	return tui.Reload{Preferences: s.preferences(), Rules: s.ofStore()}
}
