package session

import (
	"sync"

	"memcurator/cli/output"
	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
)

// LoadRule says what a session loads of the store in a directory, by the place of the directory. It looks when it is called first.
func (run *Session) LoadRule(dir string) func() load.Rule {
	return sync.OnceValue(func() load.Rule { return run.Machine().LoadOf(dir) })
}

// LoadLine is the start of a session in the JSON of commands; the keys are a contract. A missing limit is null.
type LoadLine struct {
	Lines       int64  `json:"lines"`
	Bytes       int64  `json:"bytes"`
	Tokens      int64  `json:"tokens"`
	LimitLines  *int64 `json:"limit_lines"`
	LimitBytes  *int64 `json:"limit_bytes"`
	LimitChars  *int64 `json:"limit_chars"`
	LimitTokens *int64 `json:"limit_tokens"`
}

// LoadLineOf is the line for the gauge of a start and what is given of it.
func LoadLineOf(g loadlimit.Gauge, given loadlimit.Extent) *LoadLine {
	have, limit := g.Have, g.Limit
	line := &LoadLine{have.Lines, have.Bytes, have.Tokens, output.OrNull(limit.Lines), output.OrNull(limit.Bytes), output.OrNull(limit.Chars),
		output.OrNull(limit.Tokens)}
	if limit.Tokens == 0 {
		line.Tokens = given.Tokens
	}
	return line
}
