package ascii

import (
	"regexp"
	"sync"
)

// Expression is a regular expression that is compiled at its first use: most runs of the program scan nothing. It is safe for
// concurrent use.
type Expression struct {
	Source   string // its syntax was checked
	once     sync.Once
	compiled *regexp.Regexp
}

// NewExpression makes one of RE2's syntax.
func NewExpression(source string) *Expression { return &Expression{Source: source} }

// Get is the compiled expression.
func (e *Expression) Get() *regexp.Regexp {
	e.once.Do(func() { e.compiled = regexp.MustCompile(e.Source) })
	return e.compiled
}
