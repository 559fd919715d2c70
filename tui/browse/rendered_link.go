package browse

import (
	"context"
	"net/url"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

const textNoLink = "No link on this row"

// openLink opens the first file of the store that a link on the cursor's row leads to.
func (p *renderedPane) openLink() tea.Cmd {
	targets := p.links()
	if len(targets) == 0 {
		p.env.Emit(kit.Say{Level: kit.Info, Text: textNoLink})
		return nil
	}
	store, from := p.store, p.Text.Path()
	return kit.Start(p.env.Jobs, kit.Job[string]{
		Owner: ownerLink, Label: kit.LabelOpen,
		Work: func(context.Context, *kit.Progress) (string, error) {
			for _, target := range targets {
				for _, at := range candidates(from, target) {
					if info, err := store.Backend().Stat(memstore.BackendName(at)); err == nil && info.Kind == memstore.KindFile {
						return at, nil
					}
				}
			}
			return "", nil
		},
		Done: func(at string) tea.Cmd {
			if at == "" {
				p.env.Emit(kit.Say{Level: kit.Warn, Text: "No file " + text.Truncate(text.Clean(targets[0]), 60, p.env.Styles.Glyphs.Ellipsis) + " in this store"})
				return nil
			}
			return p.screen.Select(at, true)
		},
	})
}

// candidates are the agent paths that a link in a file may mean, the likeliest first. Nothing
// above the store is ever among them.
func candidates(from, target string) []string {
	if i := strings.IndexAny(target, "#?"); i >= 0 {
		target = target[:i]
	}
	if plain, err := url.PathUnescape(target); err == nil { // %20 and the like
		target = plain
	}
	if target == "" || strings.Contains(target, "://") || strings.ContainsRune(target, 0) {
		return nil
	}
	var out []string
	add := func(at string) {
		at = path.Clean(at)
		if strings.HasPrefix(at, memstore.Root+"/") {
			out = append(out, at, at+".md")
		}
	}
	switch {
	case strings.HasPrefix(target, memstore.Root+"/"):
		add(target)
	case strings.HasPrefix(target, "/"):
		add(memstore.Root + target)
	default:
		add(path.Join(path.Dir(from), target))
		add(path.Join(memstore.Root, target))
	}
	return out
}
