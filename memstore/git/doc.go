// Package git reads the repository around a store, by running the git of this machine.
//
// The repository may be as hostile as any writer of the store: an agent that writes there can write .git/config too. So git
// runs with a fixed environment, without the user's configuration, hooks, pager, external diff, file system monitor or
// network, and only for commands that start no other program. Reading writes nothing into it, neither the index nor a lock.
//
// Without git on the machine every call returns [ErrMissing].
package git
