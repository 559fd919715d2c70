package browse

import (
	"context"
	"encoding/hex"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// followed is the outcome of looking for what a link means.
type followed struct {
	target string
	path   string // "" when no file of the store is meant
}

const textNoLink = "No link on this row"

// openLink opens the first file of the store that a link on the cursor's row leads to.
func (p *RenderedPane) openLink() tea.Cmd {
	if p.doc.body == nil {
		return nil
	}
	row, ok := p.row(p.view.Cursor)
	var targets []string
	for _, s := range row.Spans {
		if ok && s.Link > 0 && s.Link <= len(row.Links) {
			targets = append(targets, row.Links[s.Link-1])
		}
	}
	if len(targets) == 0 {
		p.env.Emit(ui.Say{Level: ui.Info, Text: textNoLink})
		return nil
	}
	store, from := p.store, p.doc.path
	return p.env.Jobs.Start(ownerLink, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		for _, target := range targets {
			for _, at := range candidates(from, target) {
				if info, err := store.Backend().Stat(memstore.BackendName(at)); err == nil && info.Kind == memstore.KindFile {
					return followed{target, at}, nil
				}
			}
		}
		return followed{target: targets[0]}, nil
	})
}

func (p *RenderedPane) follow(v followed) {
	if v.path == "" {
		p.env.Emit(ui.Say{Level: ui.Warn, Text: noTargetText(text.Truncate(text.Clean(v.target), 60, p.env.Styles.Glyphs.Ellipsis))})
		return
	}
	p.env.Emit(ui.Select{Path: v.path, Reveal: true})
}

// noTargetText says that a link leads to no file of the store.
func noTargetText(target string) string {
	return "No file " + target + " in this store"
}

// candidates are the agent paths that a link in a file may mean, the likeliest first. Nothing
// above the store is ever among them.
func candidates(from, target string) []string {
	if i := strings.IndexAny(target, "#?"); i >= 0 {
		target = target[:i]
	}
	target = unescape(target)
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

// unescape decodes %20 and the like; everything else stays.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
