// Package age is a [backend.Backend] that keeps a store in an encrypted
// directory: neither names nor contents can be read on disk without the key,
// the handlers above it notice no difference.
//
// # What is on disk
//
// Each file of the store is one file on disk, encrypted with age
// (age-encryption.org/v1) to the recipient of one identity. Each directory is
// a directory. Each name is encrypted by itself, and the header file
// memcurator.agestore says which key opens the store. There is no index: every
// write touches one entry, and is whole or absent because [dir.Dir] below
// makes it so, with its locks and its containment.
//
// The key is an identity of age, X25519 or hybrid, as age-keygen makes it. Instead, a
// passphrase may unlock an identity that the header holds: scrypt then costs
// about a second and 256 MiB once, when the store is opened, and nothing for each file. The
// identity alone is enough to get everything back: the key of the names
// is derived from it, contents open with "age -d -i IDENTITY FILE", and the
// header of a store opened by identity holds nothing secret.
//
// # What is protected
//
// Who has a copy of the directory and not the key learns no name and no byte of
// any content. A file whose bytes were changed does not open ([ErrDamaged]); a name
// that was changed is left out of listings, and [Dir.Check] finds both.
//
// What can be seen: that it is such a store, the number of files and folders
// and how they are nested, the size of each file to the byte, the length
// of each name rounded up to 16 bytes, times, and which entries have equal names
// (a name looks the same in every folder, and in every store of the same identity).
//
// What is not prevented: who may write to the directory can delete files,
// restore older ones, and exchange the contents of two. A sender is not
// authenticated by age: who knows the recipient, which is never written to disk,
// can make files that open. While a store is open, its texts are in the memory of the
// process, as are those of any other store.
//
// # Limits
//
// A name has at most [maxName] bytes, fewer than the 255 of most file systems. There are
// no links: one put on the disk by other means is shown as neither file nor directory
// and never followed as the last segment of a path. An edit holds the file in memory, as the handlers do.
// Reading a big file decrypts 64 KiB at a time.
//
// # What may be touched, and by whom
//
// The package writes below its directory only, through [dir.Dir]. Programs
// that embed memstore pass a [Dir] to [memstore.New]; nothing else in the library knows it.
package age
