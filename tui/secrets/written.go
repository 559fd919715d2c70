package secrets

import (
	"context"
	"maps"
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
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/notify"
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
	marks  map[string]int // how many secrets files hold now that were written, by agent path
}

// watch searches revisions as they arrive. Whoever wrote them, their files are marked for the secrets that they hold now, before the
// next scan counts these; a message reports the newest that the agent or another program wrote.
func (s *scans) watch(list []past.Revision) tea.Cmd {
	o, engine, j, survey := s.o.Scrubbing, s.engine, s.o.Lasting, s.list.survey
	if o == nil || j == nil || s.held() || len(list) > writtenMost {
		return nil
	}
	var edits []past.Revision
	for _, r := range list {
		if r.Kind == memstore.KindFile {
			edits = append(edits, r)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return kit.Start(s.env.Jobs, kit.Job[writtenNow]{
		Owner: ownerWritten, Label: "scanning the new text", Done: s.reportWritten,
		Work: func(ctx context.Context, _ *kit.Progress) (out writtenNow, err error) {
			if out.engine = engine; engine == nil {
				out.engine = o.Engine()
			}
			last := map[string]past.Revision{}
			for _, r := range edits {
				if r.Rev > last[r.Path].Rev {
					last[r.Path] = r
				}
				if r.Actor != memstore.Agent && r.Actor != memstore.External {
					continue
				}
				classes, err := findings.Written(ctx, out.engine, o.Memory, j, r)
				if ctx.Err() != nil {
					return out, ctx.Err()
				}
				if err == nil && len(classes) > 0 { // what cannot be read, the next scan reports
					out.found = append(out.found, written{r, classes})
				}
			}
			out.marks = map[string]int{}
			for at, r := range last {
				n, ok, err := findings.Holds(ctx, out.engine, o.Memory, survey, j, r)
				if ctx.Err() != nil {
					return out, ctx.Err()
				}
				if err == nil && ok {
					out.marks[at] = n
				}
			}
			return out, nil
		},
	})
}

// reportWritten reports the secrets of a batch.
func (s *scans) reportWritten(out writtenNow) tea.Cmd {
	s.engine = out.engine
	s.mark(out.marks)
	if n := len(out.found); n > 0 {
		s.early = true
		last := out.found[n-1]
		key := s.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)
		if s.shell.Shows(keymap.ScreenFindings) {
			key = ""
		}
		s.shell.Report(kit.Warn, writtenText(last, key))
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

// mark marks the files that were written, until the next scan counts all of them.
func (s *scans) mark(held map[string]int) {
	if len(held) == 0 {
		return
	}
	marks := maps.Clone(s.marks)
	if marks == nil {
		marks = map[string]int{}
	}
	for at, n := range held {
		if delete(marks, at); n > 0 {
			marks[at] = n
		}
	}
	s.marks = marks
	s.env.Emit(act.Secrets{In: marks})
}

// messageWidth is how wide a message may be where the terminal has 80 columns: the key at its end must not be cut.
const messageWidth = 76

// writtenText says who wrote a secret, of what class, and where; key leads to it, "" where it is in sight.
func writtenText(w written, key string) string {
	who := w.who()
	said := func(what, where string) string {
		if key == "" {
			return who + " wrote " + what + " to " + where
		}
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
