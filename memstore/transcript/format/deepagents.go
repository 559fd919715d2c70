package format

// deepAgents are the tools of deepagents for files, below /memories too; its messages are those of LangChain.
//
// Read: langchain-ai/deepagents, libs/deepagents/deepagents/middleware/filesystem.py, August 2026.
var deepAgents = format{
	Files: map[string]Does{"write_file": Writes, "edit_file": Edits, "read_file": Reads, "delete": Deletes},
}
