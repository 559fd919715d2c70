// Command agenthome fills a folder with the memories of every agent that is known, to look at the list of stores in it or to record it:
//
//	go run ./.ci/agenthome DIR && HOME=DIR XDG_CONFIG_HOME= memcurator
//
// With -projects it adds that many projects of Claude Code, a memory of 50 notes in each fiftieth.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/memtest/dbtest"
)

func main() {
	projects := flag.Int("projects", 0, "add `N` projects")
	flag.Parse()
	if err := fill(flag.Arg(0), *projects); err != nil {
		fmt.Fprintln(os.Stderr, "agenthome:", err)
		os.Exit(1)
	}
}

func fill(dir string, projects int) error {
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
	if projects == 0 {
		return nil
	}
	return h.WriteProjects(projects, projects/50, 50)
}
