package screen

import (
	"context"
	"os"
	"path/filepath"

	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/tui"
)

// preferences are the settings of the screen after applying flags and variables.
func preferences(s session.Settings) tui.Preferences {
	return tui.Preferences{
		Theme: s.Theme.Name, ASCII: s.Theme.ASCII, Dialect: s.Dialect, Keys: s.Keys,
		MouseOff: !s.Ui.Mouse.Or(true), NoWrap: !s.Ui.Wrap.Or(true), HideHidden: !s.Ui.Hidden.Or(true), Sort: s.Ui.Sort.Value,
		Bell: s.Ui.Bell.Value,
	}
}

// configPlace is where the user interface writes rules; none for the demo, whose store is temporary.
func configPlace(run *session.Session, s session.Settings) tui.ConfigPlace {
	file, _ := run.ConfigFile()
	dir, err := filepath.Abs(s.Dir)
	if file == "" || file == os.DevNull || s.Dir == "" || err != nil {
		return tui.ConfigPlace{}
	}
	return tui.ConfigPlace{File: file, Home: config.Home(run.Env.Getenv), Dir: dir}
}

// reloads follows the rules while the user interface runs. It delivers each version that came into force, or why one didn't; nil without
// a configuration to follow. The guards get each version first.
func reloads(run *session.Session, ctx context.Context, s session.Settings, guards session.Guards) <-chan tui.Reload {
	file, _ := run.ConfigFile()
	if file == "" || file == os.DevNull { // the null device means no configuration
		return nil
	}
	out := make(chan tui.Reload)
	stop := run.Follow(ctx, s, guards, func(f session.Followed) {
		r := tui.Reload{Broken: f.Kept}
		if f.Kept == "" {
			r = tui.Reload{Preferences: preferences(f.Settings), Rules: f.Settings.OfStore()}
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
