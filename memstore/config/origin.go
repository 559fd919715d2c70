package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Origin is where a value came from: a place in the file. The zero value is the default of the program.
type Origin struct {
	File         string
	Line, Column int // from 1; the column counts characters
}

// String is what people read: "config.toml:12" or "default".
func (o Origin) String() string {
	if !o.isSet() {
		return "default"
	}
	return fmt.Sprintf("%s:%d", o.File, o.Line)
}

func (o Origin) isSet() bool { return o.Line != 0 }

// Value is a value and where it came from.
type Value[T any] struct {
	Value T
	From  Origin
}

// IsSet reports whether the value is given.
func (v Value[T]) IsSet() bool { return v.From.isSet() }

// Or is the value, or other where none is given.
func (v Value[T]) Or(other T) T {
	if v.IsSet() {
		return v.Value
	}
	return other
}

// slot is a [Value] of any type.
type slot interface{ IsSet() bool }

func isValue(v reflect.Value) bool {
	_, ok := v.Interface().(slot)
	return ok
}

// Mistake is one thing that is wrong in the file; of the whole file if the line is 0.
type Mistake struct {
	Origin
	Text string
}

// Error returns "config.toml:3:1: unknown key ...".
func (m Mistake) Error() string {
	if !m.isSet() {
		return m.File + ": " + m.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Text)
}

// Mistakes are all that is wrong in a file, in the order of the file. It is the error of
// [Parse] and [Load].
type Mistakes []Mistake

// Error returns one line for each mistake.
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i, one := range m {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort brings mistakes from several sources into the order of the file.
func (m Mistakes) Sort() {
	slices.SortStableFunc(m, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
