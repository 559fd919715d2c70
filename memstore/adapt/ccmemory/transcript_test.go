package ccmemory

import (
	"errors"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

// A transcript that was deleted can be made again, with its episode and without.
func TestTranscriptsComeBack(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	image := imageOf(t, s)
	back := func(e adapt.Entry) {
		t.Helper()
		now := imageOf(t, s)
		text, err := s.Form(now, e.Name, nil, e.Text)
		if err != nil || string(text) != string(e.Text) {
			t.Fatalf("%s: %q, %v", e.Name, text, err)
		}
		if err := s.Write(t.Context(), now, adapt.Edit{Name: e.Name, New: text}); err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		if got := entryOf(t, imageOf(t, s), e.Name); string(got.Text) != string(e.Text) {
			t.Errorf("%s is %q, not %q", e.Name, got.Text, e.Text)
		}
	}
	orphan := find(t, image, orphanFolder+"/")
	if err := do(t, s, adapt.Edit{Name: orphan.Name}); err != nil {
		t.Fatal(err)
	}
	back(orphan)

	var beside adapt.Entry
	for _, e := range image.Entries {
		if strings.HasSuffix(e.Name, transcriptExtension) {
			beside = e
		}
	}
	episode := entryOf(t, image, strings.TrimSuffix(beside.Name, transcriptExtension)+extension)
	if err := do(t, s, adapt.Edit{Name: episode.Name}); err != nil {
		t.Fatal(err)
	}
	back(episode)
	back(beside)

	for _, name := range []string{orphanFolder + "/.jsonl", orphanFolder + "/a,b.jsonl", orphanFolder + "/deeper/a.jsonl",
		orphanFolder + "/" + entryOf(t, image, episode.Name).ID + orphanExtension, "episodic/2026-01/none" + transcriptExtension} {
		var refusal *backend.Refusal
		if err := s.Write(t.Context(), imageOf(t, s), adapt.Edit{Name: name, New: orphan.Text}); !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
