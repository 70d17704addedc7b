import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BUNDLES, type BundleKind, writeBundle } from './bundles.ts'
import { processorSeconds, watchMemory } from './memory.ts'
import { startServer } from './server.ts'

const LOOK_MS = 250

/** Imports a large STIX 2.1 bundle completely, and measures memory, time to the first visible objects, and progress. */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      kind: { type: 'string', default: 'mixed' },
      megabytes: { type: 'string', default: '500' },
      every: { type: 'string', default: '30' },
    },
  })
  if (!Object.hasOwn(BUNDLES, values.kind)) throw new Error(`--kind must be one of ${Object.keys(BUNDLES).join(', ')}`)
  const folder = await mkdtemp(join(tmpdir(), 'corvus-large-'))
  const server = await startServer()
  try {
    const path = join(folder, 'bundle.json')
    const objects = await writeBundle(path, values.kind as BundleKind, Number(values.megabytes) * 1_000_000)
    const size = (await stat(path)).size / 1_000_000
    console.log(`\n${values.kind}: a bundle of ${size.toFixed(0)} MB with ${objects} objects`)
    const memory = await watchMemory(server.pid)
    const { first, work, took, fallbacks, run } = await importBundle(server, path, Number(values.every), memory)
    const { before, peak } = await memory.stop()
    console.log(`  ${run.state} after ${took.toFixed(0)} s: ${JSON.stringify(run.result)}`)
    console.log(
      `  first entity visible after ${first.toFixed(0)} s  (under 60 s wanted), ${work.toFixed(0)} s of processor time`,
    )
    console.log(
      `  memory of the server: ${before.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at its peak  (under 400 MB wanted)`,
    )
    console.log(`  progress went back ${fallbacks} times  (0 wanted)`)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Run {
  readonly state: string
  readonly progress: number
  readonly ended_at: string | null
  readonly error_detail: string | null
  readonly result: unknown
}

interface Target {
  readonly url: string
  readonly token: string
  readonly pid: number
}

/** Imports a bundle. The time to the first entity counts from the end of the upload. */
async function importBundle(
  { url, token, pid }: Target,
  path: string,
  every: number,
  memory: { now(): number; highest(): number },
): Promise<{ first: number; work: number; took: number; fallbacks: number; run: Run }> {
  const headers = { authorization: `Bearer ${token}` }
  const read = async <T>(address: string): Promise<T> => (await fetch(address, { headers })).json() as Promise<T>
  const form = new FormData()
  form.append('name', 'bundle.json')
  form.append('file', await openAsBlob(path), 'bundle.json')
  const answer = await fetch(`${url}/api/v2/files`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(await answer.text())
  const { data } = (await answer.json()) as { data: { run: string } }
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const before = await processorSeconds(pid)
  let [first, work, told, reached, fallbacks] = [0, 0, 0, 0, 0]
  for (;;) {
    const { data: run } = await read<{ data: Run }>(data.run)
    if (run.progress < reached) fallbacks++
    reached = run.progress
    if (first === 0) {
      const { total_count } = await read<{ total_count: number }>(`${url}/api/v2/entities?data=false`)
      if (total_count > 0) {
        first = seconds()
        work = (await processorSeconds(pid)) - before
      }
    }
    if (seconds() >= told || run.ended_at !== null) {
      const line = [
        `${seconds().toFixed(0)} s`,
        `${(run.progress * 100).toFixed(1)} %`,
        `${memory.now().toFixed(0)} MB`,
      ]
      console.log(`  ${line.join('  ')}  (at most ${memory.highest().toFixed(0)} MB)`)
      told += every
    }
    if (run.ended_at !== null) return { first, work, took: seconds(), fallbacks, run }
    await sleep(LOOK_MS)
  }
}
