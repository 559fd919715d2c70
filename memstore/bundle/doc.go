// Package bundle packs the notes of a store into one file, and reads such files. They may come from anywhere.
//
// A bundle is a ZIP file, or a folder with the same files: manifest.json and the notes below notes/ by their paths in the store. It has
// no history. The manifest names each note with its size, SHA-256, permissions and time
// of its last change, and each link with its target.
//
// ZIP, because every system opens it without another program, and because its directory has sizes and names before anything is
// unpacked. Nothing in it is compressed: the same notes make the same bytes whichever version wrote them, and a purge of the store that
// searches the bundle finds what it looks for. The order is that of the paths, and times in the ZIP headers are constant.
//
// [Open] reads nothing that the manifest doesn't name, and refuses whatever doesn't fit it: other digests or sizes, absolute paths, "..",
// names that differ only in case, a note within a note, links that leave the store. Called by cli.
package bundle
