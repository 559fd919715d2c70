package schema

// Keys of table meta.
const (
	MetaID      = "id"            // the random name that distinguishes this journal from all others
	MetaListed  = "listed"        // when everything that was there at the beginning had been listed
	MetaFlags   = "flags"         // counts the changes to recorded revisions
	MetaPurges  = "purges"        // how many there were: a change means that copies in memory must be read again
	MetaPurged  = "purged"        // when the newest one began to rewrite, in nanoseconds since 1970
	MetaPending = "purge_pending" // what an unfinished purge was going to remove; deleted when the purge is done
	MetaCommit  = "commit"        // the commit up to which those of the repository around the store were taken
	MetaCompact = "purge_compact" // the contents are rewritten, the files of the database not yet
)
