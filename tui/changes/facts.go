package changes

import (
	"fmt"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Facts implements [kit.Explained]: who made a change, when, how and of what size.
func (s *Screen) Facts() string {
	r, ok := s.list.Selected()
	if !ok {
		return ""
	}
	var out strings.Builder
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%-9s %s\n", name, text.Clean(value))
		}
	}
	fmt.Fprintf(&out, "#%d %s\n\n", r.Rev, text.Clean(kit.PathText(r.Path)))
	if r.OldPath != "" {
		add("from", kit.PathText(r.OldPath))
	}
	made := r.Time.In(s.env.Now().Location()).Format("2006-01-02 15:04:05")
	if r.Note == past.NoteUnseen {
		made = "by " + made // found then
	}
	add("made", made)
	add("by", string(r.Actor))
	add("command", r.Command)
	if verb, store, ok := strings.Cut(r.Transfer, " "); ok {
		add(verb, store)
	}
	add("session", r.Session)
	add("model", r.Model)
	add("call", r.ToolUseID)
	add("commit", past.ShortCommit(r.Commit))
	add("message", r.Message)
	if r.Kind == memstore.KindFile {
		add("before", sideText(r.Before))
		add("after", sideText(r.After))
	}
	for _, one := range []struct {
		name string
		rev  int64
	}{{"undoes", r.Undoes}, {"undone by", r.UndoneBy}} {
		if one.rev != 0 && one.rev != r.Rev {
			add(one.name, fmt.Sprintf("#%d", one.rev))
		}
	}
	return strings.TrimRight(out.String(), "\n")
}

// sideText is the size of one side of a change.
func sideText(side past.Side) string {
	switch {
	case !side.Exists:
		return "no file"
	case !side.Kept && side.Why != "":
		return memstore.FormatSize(memstore.Docs, side.Size) + ", not kept"
	}
	return memstore.FormatSize(memstore.Docs, side.Size)
}

var _ kit.Explained = (*Screen)(nil)
