package cli

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/render/theme"
	"memcurator/tui"
)

// Each saved version arrives, merged with flags and the section of the store; a broken one says where.
func TestReloadsFollowTheFile(t *testing.T) {
	t.Parallel()
	dir := newStore(t, nil)
	file := filepath.Join(t.TempDir(), "config.toml")
	write := func(text string) {
		t.Helper()
		temp := file + ".new" // as editors do, so that no half of it is read
		if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(temp, file); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	run := &session.Session{Env: session.Environment{Getenv: func(string) string { return "" }}, Log: slog.New(slog.DiscardHandler)}
	run.Flags.Config, run.Flags.Theme = file, "mono"
	s, err := run.Settings()
	if err == nil {
		s, err = run.ForStore(s, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	reloads := screen.Reloads(run, ctx, s, policy.NewEnforcer(memstore.NewMemory(), config.Settings{}))
	if reloads == nil {
		t.Skip("nothing can be watched here")
	}
	next := func() tui.Reload {
		t.Helper()
		select {
		case r := <-reloads:
			return r
		case <-time.After(time.Minute):
			t.Fatal("no reload")
			return tui.Reload{}
		}
	}
	write("[ui]\ntheme = \"dark\"\nsort = \"age\"\nmouse = false\n[keys]\nquit = \"Q\"\n[stores.x]\ndir = '" + dir +
		"'\ndialect = \"python\"\n")
	r := next()
	if p := r.Preferences; r.Broken != "" || p.Theme != theme.Mono || p.Sort != "age" || !p.MouseOff || p.Dialect != memstore.Python ||
		p.Keys == nil {
		t.Errorf("reload %+v", r)
	}
	write("[ui]\nthem = \"dark\"\n[keys]\nquit = \"a\"\n")
	if r := next(); r.Broken != `config.toml:2:1: unknown key "them"; did you mean theme? (and 1 more)` {
		t.Errorf("broken %q", r.Broken)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if r := next(); r.Broken != "config.toml is gone" {
		t.Errorf("gone %+v", r)
	}
	write("")
	if r := next(); r.Broken != "config.toml is empty" {
		t.Errorf("empty %+v", r)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file+".nowhere", file); err == nil {
		if r := next(); r.Broken != "config.toml can't be read: it is a link that leads nowhere" {
			t.Errorf("dangling %+v", r)
		}
	}
	write("[ui]\ntheme = \"light\"\n")
	if r := next(); r.Broken != "" || r.Preferences.Dialect != memstore.Docs {
		t.Errorf("good again %+v", r)
	}
	cancel()
	for range reloads {
	}
}
