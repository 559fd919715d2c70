//go:build !race

package scrub

const raced = false
