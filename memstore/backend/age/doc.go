// Package age is a [backend.Backend] that keeps a store in an encrypted directory. Without the key, neither names nor contents can be
// read on disk; the handlers notice no difference.
//
// # What is on disk
//
// Each file of the store is one file on disk, encrypted with age (age-encryption.org/v1) to the recipient of one identity. Each directory
// is a directory. Each name is encrypted separately, and the header file memcurator.agestore records which key opens the store. The store
// has no index: every write touches one entry, and is whole or absent because [dir.Dir] below makes it so, with its locks and its
// containment.
//
// The key is an age identity, X25519 or hybrid, as age-keygen makes it. The identity alone recovers everything: the key for names is
// derived from it, contents can be read with "age -d -i IDENTITY FILE", and the header contains nothing secret.
//
// # What is protected
//
// Someone with a copy of the directory but without the key learns no name and no byte of any content. A file whose bytes were changed
// doesn't open ([ErrDamaged]); listings omit an entry whose name was changed.
//
// What remains visible: that it is such a store, the number of files and folders and their nesting, the size of each file to the byte,
// the length of each name rounded up to 16 bytes, times, and which entries have equal names (a name looks the same in every folder, and
// in every store of the same identity).
//
// What isn't prevented: anyone who may write to the directory can delete files, restore older ones, and swap the contents of two. age
// doesn't authenticate senders: anyone who knows the recipient, which is never written to disk, can make files that open. While a store
// is open, its texts are in the memory of the process, as with any other store.
//
// # Limits
//
// A name has at most [maxName] bytes, fewer than the 255 of most file systems. Links don't exist: one put on the disk by other means is
// shown as neither file nor directory and never followed as the last segment of a path. An open file is in memory,
// whole; a file of more than 512 MiB is not opened.
//
// # What may be touched, and by whom
//
// The package writes only below its directory, through [dir.Dir]. Programs that embed memstore pass an [EncryptedDir] to
// [memstore.New]; nothing else in the library knows it.
package age
