// Package policy says what the user's rules propose for a store now, and carries it out.
//
// # What lives here
//
// A [Policy] is what the configuration says for one store, made ready for many paths. [Policy.Plan]
// is a pure function of a snapshot of the tree, of [Facts] about its paths, and of a clock: it
// reads nothing and changes nothing, so that the same input yields the same [Plan] on every
// machine. [Reader] reads from a store what facts a policy needs beyond those of the journal; [Apply]
// carries a plan out, as one group that one undo undoes. An [Enforcer] holds the
// handlers to the caps and locks of the same configuration.
//
// # Which clock counts
//
// Times of files are wrong after a clone, a sync or a restore, and clocks jump. So what the journal has
// recorded counts before what the disk says, the later of two times before the earlier, and a time
// that cannot be (1980 and before, or yet to come) expires nothing. Every [Action] says in its
// reason which clock decided.
//
// # What may be touched, and by whom
//
// The command line and the user interface call this package; it knows neither. It asks the
// configuration for values (memstore/config), and the store for bytes; nothing of it runs by itself.
package policy
