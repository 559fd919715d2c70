"""Runs memory tool commands through the file memory of the Python SDK, for
differential_test.go. The package anthropic must be importable.

It speaks the protocol of driver.mjs: {"base": folder that holds "memories", "commands":
[input, ...]} a line in, [{"content", "is_error", "tree"}, ...] a line out.
"""

import base64
import json
import os
import sys

from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from anthropic.lib.tools._beta_functions import ToolError


def tree(folder, prefix, rows):
    # Names are handled as bytes: not all of them are UTF-8.
    for entry in os.scandir(folder):
        name = prefix + entry.name.decode("utf-8", "replace")
        if entry.is_symlink():
            rows.append([name, "link", os.readlink(entry.path).decode("utf-8", "replace")])
        elif entry.is_dir():
            rows.append([name, "dir", ""])
            tree(entry.path, name + "/", rows)
        elif entry.is_file():
            with open(entry.path, "rb") as f:
                rows.append([name, "file", base64.b64encode(f.read()).decode()])
        else:
            rows.append([name, "other", ""])
    return rows


def run(tool, command):
    try:
        return {"content": str(tool.call(command)), "is_error": False}
    except ToolError as err:
        return {"content": str(err.content), "is_error": True}
    except Exception as err:  # what the tool runner makes of it
        return {"content": repr(err), "is_error": True}


for line in sys.stdin:
    job = json.loads(line)
    tool = BetaLocalFilesystemMemoryTool(job["base"])
    results, last = [], None
    for command in job["commands"]:
        result = run(tool, command)
        root = os.path.join(job["base"], "memories").encode()
        rows = sorted(tree(root, "", [])) if os.path.isdir(root) else []
        if rows != last:
            result["tree"] = rows
        last = rows
        text = result["content"].encode("utf-8", "surrogateescape")
        result["content"] = text.decode("utf-8", "replace")
        results.append(result)
    print(json.dumps(results), flush=True)
