package secrets

import (
	"context"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/tui/notify"
	"memcurator/tui/ui"
)

// written is a revision that wrote secrets, with their classes, the worst first. It holds no value.
type written struct {
	revision past.Revision
	classes  []rule.Class
}

// writtenMost is how many revisions of one batch are searched; after more, the next scan finds what they wrote.
const writtenMost = 64

// writtenNow is the outcome of the search of a batch.
type writtenNow struct {
	engine *scrub.Engine
	found  []written
}

// Watch searches revisions as they arrive for secrets that they wrote. A message reports the newest, and their files are marked before
// the next scan counts them.
func (s *scans) Watch(list []past.Revision) tea.Cmd {
	o, engine, j := s.o.Scrubbing, s.engine, s.o.Journal
	if o == nil || j == nil || s.held() || len(list) > writtenMost {
		return nil
	}
	var edits []past.Revision
	for _, r := range list {
		if (r.Actor == memstore.Agent || r.Actor == memstore.External) && r.After.Exists && r.Kind == memstore.KindFile {
			edits = append(edits, r)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return ui.Start(s.env.Jobs, ui.Job[writtenNow]{
		Owner: ownerWritten, Label: "scanning the new text", Done: s.reportWritten,
		Work: func(ctx context.Context, _ *ui.Progress) (out writtenNow, err error) {
			if out.engine = engine; engine == nil {
				out.engine = o.Engine()
			}
			for _, r := range edits {
				classes, err := findings.Written(ctx, out.engine, o.Memory, j, r)
				if ctx.Err() != nil {
					return out, ctx.Err()
				}
				if err == nil && len(classes) > 0 { // what cannot be read, the next scan reports
					out.found = append(out.found, written{r, classes})
				}
			}
			return out, nil
		},
	})
}

// reportWritten reports the secrets of a batch.
func (s *scans) reportWritten(out writtenNow) tea.Cmd {
	s.engine = out.engine
	if n := len(out.found); n > 0 {
		s.early = true
		marks := map[string]int{}
		if s.list.survey != nil {
			marks = s.list.survey.ByPath()
		}
		for _, w := range out.found {
			marks[w.revision.Path] += len(w.classes)
		}
		s.o.SetFindings(marks)
		last := out.found[n-1]
		s.shell.Report(ui.Warn, writtenText(last, s.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)))
		e := notify.Event{
			Kind: notify.Secret, Text: last.who() + " wrote " + withArticle(last.classes[0].Title), Actor: string(last.revision.Actor),
			Session: last.revision.Session, Count: len(last.classes),
		}
		if len(out.engine.FindName(last.revision.Path)) == 0 { // a name can be a secret too
			e.Path = relative(last.revision.Path)
		}
		s.o.Notify.Add(e)
		return s.scan(1) // the other panes mask what it finds
	}
	return nil
}

// messageWidth is how wide a message may be where the terminal has 80 columns: the key at its end must not be cut.
const messageWidth = 76

// writtenText says who wrote a secret, of what class, and where.
func writtenText(w written, key string) string {
	who := w.who()
	said := func(what, where string) string {
		return who + " wrote " + what + " to " + where + ". Press " + key + " to review it"
	}
	what, where := withArticle(w.classes[0].Title), relative(w.revision.Path)
	if text.Width(said(what, where)) > messageWidth {
		where = text.Clean(path.Base(w.revision.Path))
	}
	if text.Width(said(what, where)) > messageWidth {
		what = "a secret"
	}
	return said(what, where)
}

// who wrote it.
func (w *written) who() string {
	switch id := w.revision.Session; {
	case w.revision.Actor != memstore.Agent:
		return "Another program"
	case id == "":
		return "The agent"
	default:
		return "Agent " + text.ShortID(id)
	}
}

// withArticle puts a or an before a title.
func withArticle(title string) string {
	first := strings.ToLower(title[:min(1, len(title))])
	for _, spelled := range []string{"SSH", "NPM", "npm", "X ", "xAI", "HTTP", "RSA", "NVIDIA"} { // said letter by letter
		if strings.HasPrefix(title, spelled) {
			return "an " + title
		}
	}
	if strings.Contains("aeio", first) && first != "" {
		return "an " + title
	}
	return "a " + title
}
