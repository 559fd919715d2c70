package policy

import (
	"fmt"
	"strconv"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// over is a cap that is passed.
type over struct {
	key    string
	rule   config.Origin
	reason string // in the wording of the tool's answer
	said   string // as the plan says it
}

// measure is what caps are held against. Lines is -1 where they were not counted, and loaded zero.
type measure struct {
	path         string
	bytes, lines int64
	loaded       loadlimit.Extent // what counts of the text for a client that loads its beginning
}

// fileCaps are the caps that a file passes, whatever their mode.
func (r *Rules) fileCaps(m measure) []over {
	var out []over
	check := func(key string, limit config.Value[int64], have int64, texts func(have, limit int64) (agent, plan string)) {
		if limit.Value > 0 && have > limit.Value {
			agent, plan := texts(have, limit.Value)
			out = append(out, over{key, limit.From, agent, plan})
		}
	}
	check("max_file_bytes", r.MaxFileBytes, m.bytes, func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("%s, %s over the %s that a file may have", size(have), size(have-limit), size(limit)),
			"over " + size(limit) + " per file"
	})
	check("max_file_lines", r.MaxFileLines, m.lines, func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("%d lines, %d over the %d that a file may have", have, have-limit, limit),
			fmt.Sprintf("%s lines, limit %s per file", number(have), number(limit))
	})
	check("max_path_bytes", r.MaxPathBytes, pathBytes(m.path), func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("a path of %d bytes, %d over the %d that it may have", have, have-limit, limit),
			fmt.Sprintf("path of %d bytes, limit %d", have, limit)
	})
	check("max_depth", r.MaxDepth, depth(m.path), func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("below %s, %d over the %d that it may be", text.Count(int(have), "folder"), have-limit, limit),
			fmt.Sprintf("%s deep, limit %d", text.Count(int(have), "folder"), limit)
	})
	check("load_lines", r.LoadLines, m.loaded.Lines, func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("%d lines, of which only the first %d are loaded by itself", have, limit),
			fmt.Sprintf("%s lines, only the first %s load at start", number(have), number(limit))
	})
	check("load_bytes", r.LoadBytes, m.loaded.Bytes, func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("%s, of which only the first %s are loaded by itself", size(have), size(limit)),
			fmt.Sprintf("only the first %s load at start", size(limit))
	})
	check("load_tokens", r.LoadTokens, m.loaded.Tokens, func(have, limit int64) (agent, plan string) {
		return fmt.Sprintf("about %s tokens, of which only the first %s are loaded by itself", number(have), number(limit)),
			fmt.Sprintf("about %s tokens, only the first %s load at start", loadlimit.About(have), loadlimit.About(limit))
	})
	return out
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
		warn("max_files", l.MaxFiles.From, fmt.Sprintf("%s files, limit %s", number(int64(w.plan.Files)), number(limit)))
	}
	if limit := l.MaxBytes.Value; limit > 0 && w.plan.Bytes > limit {
		warn("max_bytes", l.MaxBytes.From, "over "+size(limit)+" in all")
	}
	if limit := l.MaxTokens.Value; limit > 0 && w.plan.Tokens > limit {
		warn("max_tokens", l.MaxTokens.From, fmt.Sprintf("about %s tokens, limit %s", loadlimit.About(w.plan.Tokens), loadlimit.About(limit)))
	}
}

// size is a number of bytes for people: exact below 1,024, else with one decimal in units
// of 1,024 as listings have them.
func size(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	const units = "KMGTPE"
	v := float64(n)
	for i := range len(units) {
		v /= 1024
		if text := strconv.FormatFloat(v, 'f', 1, 64); len(text) < len("1024.0") && text != "1024.0" || i == len(units)-1 {
			return text + string(units[i])
		}
	}
	return ""
}
