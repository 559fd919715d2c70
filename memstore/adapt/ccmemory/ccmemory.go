// Package ccmemory opens the database of cc-memory (0xchoux1/cc-memory, read at commit 30d7ed2): items of working memory that expire,
// episodes with their transcripts, a graph of entities, the knowledge made from them, and what agents share. Each record is a file.
//
// The program holds its database in memory (sql.js): it reads the file once, when it starts, and writes the whole file over, about a second
// after each change, neither locked nor atomic. So the file is read until two reads agree and is queried in memory, and it
// is changed only while no server runs.
package ccmemory
