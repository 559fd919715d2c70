// Package cctest makes databases as the program cc-memory makes them (its commit 30d7ed2), for tests: the same tables, columns and
// indexes, and rows of every kind. It is written from scratch; what it makes is compared with what the program itself makes where the
// program is at hand (see [Program]).
package cctest
