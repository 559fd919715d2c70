// The memory tool of Anthropic's TypeScript SDK as a peer for benchmarks.
//
//   node sdk.mjs FOLDER      FOLDER is where npm installed @anthropic-ai/sdk
//
// It reads one JSON value a line from standard input and answers each with one line:
//
//   in:  {"base": "/dir", "calls": [{"command": "view", "path": "/memories/a.md"}, ...]}
//        base is the folder that holds the folder "memories"
//   out: {"ns": [123, ...], "bytes": 456, "sha256": "...", "peak": 789}
//        ns: one number for each call; bytes and sha256: of the last result;
//        peak: the largest resident set of this process so far, in bytes
//   or:  {"error": "..."} for the first call that fails
//
// One process answers many lines, so that its compiler is warm after the first.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const load = createRequire(join(resolve(process.argv[2]), 'package.json'));
const { BetaLocalFilesystemMemoryTool } = load('@anthropic-ai/sdk/tools/memory/node');

async function run({ base, calls }) {
  const tool = new BetaLocalFilesystemMemoryTool(base);
  const ns = [];
  let text = '';
  for (const call of calls) {
    const begin = process.hrtime.bigint();
    text = await tool[call.command](call);
    ns.push(Number(process.hrtime.bigint() - begin));
  }
  const bytes = Buffer.from(text);
  return {
    ns,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    peak: process.resourceUsage().maxRSS * 1024,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await run(JSON.parse(line));
  } catch (err) {
    answer = { error: String(err) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
