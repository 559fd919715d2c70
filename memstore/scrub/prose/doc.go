// Package prose reads how a text announces a value: which words announce one ([Kind]), what is between such a
// cue and its value ([Reader.Gap]), and whether what follows may be the value ([Reader.Plausible]).
//
// A [Reader] belongs to one text and one goroutine; the functions keep nothing. memstore/scrub calls it, once for each
// cue that it meets; what a value looks like without its surroundings is in package shape.
package prose
