//go:build unix

package ccmemory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/memtest"
	"memcurator/memstore/memtest/cctest"
)

const manyEpisodes = 50_000

// BenchmarkFirstLook opens a memory of 50,000 episodes of 400 days and lists it; beside it, a directory of files with their names and texts.
func BenchmarkFirstLook(b *testing.B) {
	file := filepath.Join(b.TempDir(), "memory.db")
	var m cctest.Memory
	for i := range manyEpisodes {
		at := noon.Add(-time.Duration(i) * 400 * 24 * time.Hour / manyEpisodes).UnixMilli()
		m.Episodes = append(m.Episodes, cctest.Episode{ID: cctest.ID(at, i), Timestamp: at, Type: "interaction",
			Summary: fmt.Sprintf("Mended the pool for the %d time", i), Details: "The pool of 10 connections was exhausted at the peak of the evening.",
			Context: cctest.Context{Session: fmt.Sprintf("session-%d", i/20)}, RelatedEpisodes: []string{}, RelatedEntities: []string{},
			Importance: 5, Tags: []string{"database", "performance"}, Arousal: 0.5})
	}
	m.Write(b, file)
	old := time.Now().Add(-time.Hour) // a file that changed a moment ago is read twice
	if err := os.Chtimes(file, old, old); err != nil {
		b.Fatal(err)
	}
	open := func() (backend.Backend, error) { return adapt.Open(Adapter, file) }
	root := b.TempDir()
	s, err := adapt.Open(Adapter, file)
	if err != nil {
		b.Fatal(err)
	}
	image, err := s.Image()
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range image.Entries {
		name := filepath.Join(root, filepath.FromSlash(e.Name))
		if strings.HasPrefix(e.Name, "episodic/") {
			_ = os.MkdirAll(filepath.Dir(name), 0o700) // the file says if it failed
			if err := os.WriteFile(name, e.Text, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("cc-memory", func(b *testing.B) { memtest.FirstLook(b, open) })
	b.Run("directory", func(b *testing.B) {
		memtest.FirstLook(b, func() (backend.Backend, error) { return dir.Open(root, dir.Options{}) })
	})
}
