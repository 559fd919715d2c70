// Takes steps with cc-memory, from a clone of it that has been built, and prints what each gave, as JSON.
import { readFileSync } from 'node:fs';

const { clone, folder, now, steps } = JSON.parse(readFileSync(0, 'utf8'));
let clock = now;
Date.now = () => clock;
console.log = console.info = () => {};

const { MemoryManager } = await import(`${clone}/dist/memory/MemoryManager.js`);
const manager = new MemoryManager({ dataPath: folder, sessionId: 'session-driver' });
await manager.ready();
const storage = manager.getStorage();

// At the time at which a record was made, since some of its columns are the program's clock.
const at = (time, act) => {
  clock = time;
  try { return act(); } finally { clock = now; }
};

const acts = {
  // fill puts records in through the program's own functions.
  fill({ memory: m }) {
    for (const w of m.working) at(w.metadata.updatedAt, () => storage.setWorkingItem(w));
    for (const e of m.episodic) at(e.timestamp, () => storage.createEpisode(e));
    for (const [id, messages] of Object.entries(m.transcripts ?? {})) {
      at(m.episodic.find((e) => e.id === id)?.timestamp ?? 1770000000000, () => storage.saveTranscript(id, messages));
    }
    for (const e of m.entities) at(e.createdAt, () => storage.createEntity(e));
    for (const r of m.relations) storage.createRelation(r);
    for (const p of m.patterns ?? []) at(p.createdAt, () => storage.createPattern(p));
    for (const i of m.insights ?? []) at(i.createdAt, () => storage.createInsight(i));
    for (const w of m.wisdom ?? []) at(w.createdAt, () => storage.createWisdom(w));
    for (const s of m.shared ?? []) storage.setSharedMemoryItem(s);
  },
  recall({ query, options }) {
    const found = manager.smartRecall(query, options);
    const short = (list) => list.map((r) => ({ id: r.id, score: r.relevanceScore }));
    return { working: short(found.working), episodic: short(found.episodic), semantic: short(found.semantic) };
  },
  // What the tool memory_decay does by default, and with use_ebbinghaus=false.
  decay: ({ options }) => manager.applyEbbinghausDecay(options),
  legacy: ({ options }) => manager.applyImportanceDecay({ olderThanDays: 1, ...options }),
  boost: ({ options }) => manager.applyAccessBoost(options),
  set: ({ item }) => manager.working.set(item),
  clear: () => manager.working.clearExpired(),
  end: () => manager.consolidateOnSessionEnd(),
  export: () => manager.export(),
  import: ({ data, options }) => manager.import(data, options),
  episode: ({ id }) => storage.getEpisode(id),
  item: ({ key }) => storage.getWorkingItem(key),
  entity: ({ id }) => storage.getEntity(id),
  transcript: ({ id }) => storage.getTranscript(id),
  search: ({ query }) => storage.searchEpisodes({ query }).map((e) => e.id),
};

const answers = steps.map((step) => acts[step.do](step) ?? null);
storage.close();
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
