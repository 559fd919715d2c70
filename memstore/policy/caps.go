package policy

import (
	"fmt"
	"strconv"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// measure is what caps are held against. Lines is -1 where they were not counted, and loaded zero.
type measure struct {
	path         string
	bytes, lines int64
	loaded       loadlimit.Extent // what counts of the text for a client that loads its beginning
}

// fileCap is a cap of single files.
type fileCap struct {
	key    string
	limit  func(*Rules) config.Value[int64]
	have   func(measure) int64
	agent  func(have, limit int64) string // in the wording of the tool's answer
	plan   func(have, limit int64) string
	advice string // what the agent can do about it
}

const (
	shorten    = "Shorten the text, or split it into several files"
	moveDetail = "Move details to other files and refer to them from the first lines"
)

var allFileCaps = []fileCap{
	{
		"max_file_bytes", func(r *Rules) config.Value[int64] { return r.MaxFileBytes }, func(m measure) int64 { return m.bytes },
		func(have, limit int64) string {
			return fmt.Sprintf("%s, %s over the %s that a file may have", size(have), size(have-limit), size(limit))
		},
		func(_, limit int64) string { return "over " + size(limit) + " per file" }, shorten,
	},
	{
		"max_file_lines", func(r *Rules) config.Value[int64] { return r.MaxFileLines }, func(m measure) int64 { return m.lines },
		func(have, limit int64) string {
			return fmt.Sprintf("%d lines, %d over the %d that a file may have", have, have-limit, limit)
		},
		func(have, limit int64) string {
			return fmt.Sprintf("%s lines, limit %s per file", text.Number(have), text.Number(limit))
		}, shorten,
	},
	{
		"max_path_bytes", func(r *Rules) config.Value[int64] { return r.MaxPathBytes }, func(m measure) int64 { return pathBytes(m.path) },
		func(have, limit int64) string {
			return fmt.Sprintf("a path of %d bytes, %d over the %d that it may have", have, have-limit, limit)
		},
		func(have, limit int64) string { return fmt.Sprintf("path of %d bytes, limit %d", have, limit) }, "Choose a shorter name",
	},
	{
		"max_depth", func(r *Rules) config.Value[int64] { return r.MaxDepth }, func(m measure) int64 { return depth(m.path) },
		func(have, limit int64) string {
			return fmt.Sprintf("below %s, %d over the %d that it may be", text.Count(int(have), "folder"), have-limit, limit)
		},
		func(have, limit int64) string {
			return fmt.Sprintf("%s deep, limit %d", text.Count(int(have), "folder"), limit)
		}, "Choose a folder higher up",
	},
	{
		"load_lines", func(r *Rules) config.Value[int64] { return r.LoadLines }, func(m measure) int64 { return m.loaded.Lines },
		func(have, limit int64) string {
			return fmt.Sprintf("%d lines, of which only the first %d are loaded by itself", have, limit)
		},
		func(have, limit int64) string {
			return fmt.Sprintf("%s lines, only the first %s load at start", text.Number(have), text.Number(limit))
		}, moveDetail,
	},
	{
		"load_bytes", func(r *Rules) config.Value[int64] { return r.LoadBytes }, func(m measure) int64 { return m.loaded.Bytes },
		func(have, limit int64) string {
			return fmt.Sprintf("%s, of which only the first %s are loaded by itself", size(have), size(limit))
		},
		func(_, limit int64) string { return fmt.Sprintf("only the first %s load at start", size(limit)) }, moveDetail,
	},
}

// passed reports whether a file is over a cap.
func (c *fileCap) passed(r *Rules, m measure) bool {
	limit := c.limit(r).Value
	return limit > 0 && c.have(m) > limit
}

// storeCaps warns of a store above its limits.
func (w *planning) storeCaps() {
	l := w.settings.Limits
	if l.Mode.Or(config.ModeRefuse) == config.ModeOff {
		return
	}
	warn := func(key string, rule config.Origin, reason string) {
		w.plan.Actions = append(w.plan.Actions, Action{
			Do: Warn, Group: storeCap, Path: memstore.Root, Key: key, Rule: rule, Reason: reason, Bytes: w.plan.Bytes,
		})
	}
	if limit := l.MaxFiles.Value; limit > 0 && int64(w.plan.Files) > limit {
		warn("max_files", l.MaxFiles.From, fmt.Sprintf("%s files, limit %s", text.Number(int64(w.plan.Files)), text.Number(limit)))
	}
	if limit := l.MaxBytes.Value; limit > 0 && w.plan.Bytes > limit {
		warn("max_bytes", l.MaxBytes.From, "over "+size(limit)+" in all")
	}
}

// size is a number of bytes for people: exact below 1,024, else as listings have it.
func size(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return text.Size(n)
}
