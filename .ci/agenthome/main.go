// Command agenthome fills a folder with the memories of every agent that is known, to look at the list of stores in it or to record it:
//
//	go run ./.ci/agenthome DIR && HOME=DIR XDG_CONFIG_HOME= memcurator
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/memtest/dbtest"
)

func main() {
	dir := ""
	if len(os.Args) == 2 {
		dir = os.Args[1]
	}
	if err := fill(dir); err != nil {
		fmt.Fprintln(os.Stderr, "agenthome:", err)
		os.Exit(1)
	}
}

func fill(dir string) error {
	if dir == "" {
		return fmt.Errorf("name a folder that does not exist yet")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil { // never over a home that is used
		return err
	}
	h := memtest.AgentHome{Home: dir}
	if err := h.Write(time.Now()); err != nil {
		return err
	}
	for _, d := range dbtest.All {
		file := filepath.Join(dir, filepath.FromSlash(d.Names))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		db, err := d.Create(file)
		if err != nil {
			return err
		}
		if err := db.Close(); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, ".claude-memory/memory.db")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return dbtest.WriteCCMemory(file, time.Now(), false)
}
