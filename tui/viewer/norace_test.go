//go:build !race

package viewer

const slow = false
