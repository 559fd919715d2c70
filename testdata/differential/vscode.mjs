// Runs memory tool commands through the memory tool of VS Code, for differential_test.go.
// Usage: node vscode.mjs TOOL DIR, where TOOL is memoryTool.tsx of a clone of
// microsoft/vscode and DIR holds node_modules with typescript.
//
// It speaks the protocol of driver.mjs. The tool is compiled as it is; what it imports from
// the editor is replaced by what matters here: paths, and files as the editor's disk
// provider sees them. The three scopes of the tool are folders of one directory, with
// "session" as the id of the chat session. The tool flags no errors; what it throws is
// flagged.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [tool, modules] = process.argv.slice(2);
const ts = createRequire(pathToFileURL(path.join(modules, 'x.js')))('typescript');
const { outputText } = ts.transpileModule(fs.readFileSync(tool, 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, experimentalDecorators: true, jsx: ts.JsxEmit.React },
});

const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

class URI {
  constructor(p) { this.path = p; this.authority = ''; }
  static from(u) { return u; }
  static file(p) { return new URI(p); }
  static parse(text) { return new URI(new URL(text).pathname); }
  static joinPath(base, ...names) {
    // What the tool keeps below its own folder is the store here.
    return new URI(path.posix.join(base.path, ...names.map((n) => (n === 'memory-tool/memories' ? 'memories' : n))));
  }
}

function typeOf(stat, linked, dangling) {
  let type = FileType.Unknown;
  if (!dangling && stat.isFile()) type = FileType.File;
  if (!dangling && stat.isDirectory()) type = FileType.Directory;
  return linked ? type | FileType.SymbolicLink : type;
}

function describe(p) {
  const own = fs.lstatSync(p);
  if (!own.isSymbolicLink()) return { type: typeOf(own, false, false), size: own.size };
  try {
    const stat = fs.statSync(p);
    return { type: typeOf(stat, true, false), size: stat.size };
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    return { type: typeOf(own, true, true), size: own.size };
  }
}

// A pipe would block for ever.
function notPipe(p) {
  const stat = fs.statSync(p, { throwIfNoEntry: false });
  if (stat && !stat.isFile() && !stat.isDirectory()) throw new Error('EINVAL: a pipe blocks');
}

const files = {
  async stat(u) { return describe(u.path); },
  async readDirectory(u) {
    // The user's folder does not hold the other scopes.
    const own = u.path.endsWith('/memories') || u.path.endsWith('/memories/') ? ['session', 'repo'] : [];
    return fs.readdirSync(u.path).filter((name) => !own.includes(name)).map((name) => {
      try {
        return [name, describe(path.join(u.path, name)).type];
      } catch {
        return [name, FileType.Unknown];
      }
    });
  },
  async readFile(u) { notPipe(u.path); return fs.readFileSync(u.path); },
  async writeFile(u, bytes) { notPipe(u.path); fs.writeFileSync(u.path, bytes); },
  async createDirectory(u) { fs.mkdirSync(u.path, { recursive: true }); },
  async delete(u) { fs.rmSync(u.path, { recursive: true }); },
  async rename(from, to) { fs.renameSync(from.path, to.path); },
};

const known = {
  URI, FileType,
  async createDirectoryIfNotExists(service, u) {
    try {
      await service.stat(u);
    } catch {
      await service.createDirectory(u);
    }
  },
  ToolRegistry: { registerTool() {} },
  LanguageModelTextPart: class { constructor(value) { this.value = value; } },
  LanguageModelToolResult: class { constructor(content) { this.content = content; } },
};
// Every other import is a decorator that does nothing, or a value that nothing asks for.
const imports = new Proxy(known, { get: (all, name) => all[name] ?? (name === '__esModule' ? true : Object.assign(() => {}, { Memory: 'memory' })) });
const exported = {};
new Function('require', 'exports', outputText)(() => imports, exported);

function tree(dir, prefix, rows) {
  if (!fs.existsSync(dir)) return rows; // the tool deletes its own folder
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

async function run(memory, input) {
  if (input.old_str === '') return { content: 'never returns', is_error: true };
  try {
    const session = { toString: () => 'vscode-chat-session://local/session' };
    const result = await memory.invoke({ input, chatSessionResource: session });
    return { content: result.content[0].value, is_error: false };
  } catch (err) {
    return { content: String(err.message), is_error: true };
  }
}

const off = { checkMemoryEnabled: async () => false, getExperimentBasedConfig: () => false };
const quiet = { error() {}, debug() {}, sendMSFTTelemetryEvent() {}, start() {}, markAccessed() {}, isMemoryUri: () => true };

for await (const line of createInterface({ input: process.stdin })) {
  const { base, commands } = JSON.parse(line);
  const storage = new URI(base);
  const memory = new exported.MemoryTool(files, off, quiet, { globalStorageUri: storage, storageUri: storage }, quiet, off, quiet, quiet);
  const results = [];
  let last = '';
  for (const input of commands) {
    const result = await run(memory, input);
    const rows = tree(Buffer.from(path.join(base, 'memories')), '', []);
    const now = JSON.stringify(rows);
    if (now !== last) result.tree = rows;
    last = now;
    results.push(result);
  }
  process.stdout.write(JSON.stringify(results) + '\n');
}
