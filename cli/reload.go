package cli

import (
	"context"
	"os"
	"path/filepath"

	"memcurator/memstore/config"
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

// reloads follows the rules while the user interface runs and delivers each version that was taken, or why one was
// not; nil where there is no configuration to follow. The guards have it before.
func (a *app) reloads(ctx context.Context, s settings, guards taker) <-chan tui.Reload {
	file, _ := a.configFile()
	if file == "" || file == os.DevNull { // which stands for no configuration at all
		return nil
	}
	out := make(chan tui.Reload)
	stop := a.follow(ctx, s, guards, func(f followed) {
		r := tui.Reload{Broken: f.kept}
		if f.kept == "" {
			r = tui.Reload{Preferences: f.settings.preferences(), Rules: f.settings.ofStore()}
		}
		select {
		case out <- r:
		case <-ctx.Done():
		}
	})
	go func() {
		<-ctx.Done()
		stop()
		close(out)
	}()
	return out
}
