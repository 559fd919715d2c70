// Runs memory tool commands through the file memory of the TypeScript SDK, for
// differential_test.go. Usage: node driver.mjs DIR, where DIR holds node_modules.
//
// It speaks JSON Lines: {"base": folder that holds "memories", "commands": [input, ...]}
// in, [{"content", "is_error", "tree"}, ...] out. The tree is what is below memories
// after the command: [path, kind, bytes in base64 or target of the link], sorted;
// left out where it is that of the command before.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const tools = path.join(process.argv[2], 'node_modules', '@anthropic-ai', 'sdk', 'tools', 'memory', 'node.mjs');
const { BetaLocalFilesystemMemoryTool, betaMemoryTool } = await import(pathToFileURL(tools).href);

// Names are handled as bytes: not all of them are UTF-8.
function tree(dir, prefix, rows) {
  for (const bytes of fs.readdirSync(dir, { encoding: 'buffer' })) {
    const at = Buffer.concat([dir, Buffer.from('/'), bytes]);
    const name = bytes.toString();
    const stat = fs.lstatSync(at);
    if (stat.isSymbolicLink()) {
      rows.push([prefix + name, 'link', fs.readlinkSync(at)]);
    } else if (stat.isDirectory()) {
      rows.push([prefix + name, 'dir', '']);
      tree(at, prefix + name + '/', rows);
    } else if (stat.isFile()) {
      rows.push([prefix + name, 'file', fs.readFileSync(at).toString('base64')]);
    } else {
      rows.push([prefix + name, 'other', '']);
    }
  }
  return rows;
}

async function run(tool, input) {
  try {
    const content = await tool.run(input);
    return { content: String(content), is_error: false };
  } catch (err) {
    return { content: err.message, is_error: true };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { base, commands } = JSON.parse(line);
  const tool = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(base));
  const results = [];
  let last = '';
  for (const input of commands) {
    const result = await run(tool, input);
    const rows = tree(Buffer.from(path.join(base, 'memories')), '', []);
    const now = JSON.stringify(rows);
    if (now !== last) result.tree = rows;
    last = now;
    results.push(result);
  }
  process.stdout.write(JSON.stringify(results) + '\n');
}
