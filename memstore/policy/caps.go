package policy

import (
	"fmt"
	"slices"
	"strconv"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/text"
)

// measure is what caps are held against.
type measure struct {
	path  string
	bytes int64
	lines int64
}

// fileCap is a cap of single files.
type fileCap struct {
	key    string
	limit  func(*Rules) config.Value[int64]
	have   func(measure) int64
	say    func(have, limit int64) string
	advice string // what the agent can do about it
}

const shorten = "Shorten the text, or split it into several files"

var allFileCaps = []fileCap{
	{
		"max_file_bytes", func(r *Rules) config.Value[int64] { return r.MaxFileBytes }, func(m measure) int64 { return m.bytes },
		func(have, limit int64) string { return size(have) + ", limit " + size(limit) + " per file" }, shorten,
	},
	{
		"max_file_lines", func(r *Rules) config.Value[int64] { return r.MaxFileLines }, func(m measure) int64 { return m.lines },
		func(have, limit int64) string {
			return fmt.Sprintf("%s lines, limit %s per file", text.Number(have), text.Number(limit))
		}, shorten,
	},
	{
		"max_depth", func(r *Rules) config.Value[int64] { return r.MaxDepth }, func(m measure) int64 { return depth(m.path) },
		func(have, limit int64) string {
			return fmt.Sprintf("a path %s deep, limit %d", text.Count(int(have), "folder"), limit)
		},
		"Choose a folder higher up",
	},
}

// passed reports whether a file is over a cap.
func (c *fileCap) passed(r *Rules, m measure) bool {
	limit := c.limit(r).Value
	return limit > 0 && c.have(m) > limit
}

// storeLimit is a cap of the whole store, with what the store has of it and what an edit adds.
type storeLimit struct {
	key        string
	limit      config.Value[int64]
	have, more int64
	say        func(have, limit int64) string
	advice     string // what the agent can do about it
}

// storeLimits are the caps of the whole store that are set.
func (p *Policy) storeLimits(have, more tally) []storeLimit {
	l := p.settings.Limits
	all := []storeLimit{
		{"max_files", l.MaxFiles, have.files, more.files,
			func(have, limit int64) string {
				return fmt.Sprintf("%s files, limit %s", text.Number(have), text.Number(limit))
			},
			"Delete a file that is not needed any more, or add to one that exists"},
		{"max_bytes", l.MaxBytes, have.bytes, more.bytes,
			func(have, limit int64) string { return size(have) + " in all, limit " + size(limit) },
			"Delete or shorten first what is not needed any more"},
	}
	return slices.DeleteFunc(all, func(one storeLimit) bool { return one.limit.Value == 0 })
}

// reason says that a store has, or would have, more than it may have.
func (s *storeLimit) reason() string {
	return s.say(s.have+s.more, s.limit.Value)
}

// storeCaps warns of a store above its limits.
func (w *planning) storeCaps() {
	if !w.capsStore() {
		return
	}
	for _, one := range w.storeLimits(tally{int64(w.plan.Files), w.plan.Bytes}, tally{}) {
		if one.have > one.limit.Value {
			w.plan.Actions = append(w.plan.Actions, Action{Do: Warn, Group: storeCap, Path: memstore.Root, Key: one.key, Rule: one.limit.From,
				Reason: one.reason(), Bytes: w.plan.Bytes})
		}
	}
}

// size is a number of bytes for people: exact below 1,024, else as listings have it.
func size(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return text.Size(n)
}
