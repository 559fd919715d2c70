// Package rule holds what files of rules say: rules with their patterns and expressions, classes of values, and the words
// that announce one.
//
// A [Set] is filled file by file and not changed afterwards, so that many goroutines may read it. Who calls it:
// memstore/scrub, which makes an engine of a set, and the callers that pass files to the engine.
package rule
