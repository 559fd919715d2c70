package screen

import (
	"os"
	"path/filepath"

	"memcurator/cli/session"
	"memcurator/memstore/config"
	"memcurator/tui"
)

// preferences are the settings of the screen after applying flags and variables.
func preferences(s session.Settings) tui.Preferences {
	return tui.Preferences{
		Keys: s.Keys, MouseOff: !s.Ui.Mouse.Or(true), NoWrap: !s.Ui.Wrap.Or(true), HideHidden: !s.Ui.Hidden.Or(true), Sort: s.Ui.Sort.Value,
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
