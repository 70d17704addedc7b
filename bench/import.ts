import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { demoEntity } from '../server/demo/entity.ts'
import type { Observable } from '../server/demo/observables.ts'
import { startServer } from './server.ts'

const SEED = 20_260_102
const BATCH = 1000
const PARALLEL_REQUESTS = 2

/** Compares the same indicators by bulk PUT and in a bundle, and measures the memory for a large bundle. */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      entities: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '4' },
      megabytes: { type: 'string', default: '50' },
    },
  })
  const count = Math.ceil(Number(values.entities) / BATCH) * BATCH
  const folder = await mkdtemp(join(tmpdir(), 'corvus-bundles-'))
  const server = await startServer()
  let from = 0
  const next = (size: number) => {
    from += size
    return from - size
  }
  try {
    const seconds = { put: 0, file: 0 }
    for (let round = 0; round <= Number(values.rounds); round++) {
      const put = await timed(() => putAll(server, next(count), count))
      const file = await write(join(folder, `${round}.json`), next(count), count)
      const imported = await timed(async () => {
        await importFile(server, file)
      })
      // The first round is a warm-up.
      if (round > 0) seconds.put += put
      if (round > 0) seconds.file += imported
    }
    const rate = (took: number) => (count * Number(values.rounds)) / took
    console.log(`\n${count} indicators of about 2 KB with three observables each, ${values.rounds} times in turn`)
    console.log(`  PUT of ${BATCH}, ${PARALLEL_REQUESTS} at a time  ${rate(seconds.put).toFixed(0)}/s`)
    console.log(
      `  a STIX 2.1 bundle        ${rate(seconds.file).toFixed(0)}/s  ` +
        `${((seconds.put / seconds.file) * 100).toFixed(0)} % of PUT  (at least 50 % wanted)`,
    )
    const each = (await stat(join(folder, '0.json'))).size / count
    const many = Math.ceil((Number(values.megabytes) * 1_000_000) / each)
    const large = await write(join(folder, 'large.json'), next(many), many)
    let first = 0
    const took = await timed(async () => {
      first = await importFile(server, large)
    })
    const size = (await stat(large)).size / 1_000_000
    console.log(`\na bundle of ${size.toFixed(0)} MB, ${many} objects: ${(many / took).toFixed(0)}/s`)
    console.log(`  the first object is stored after ${first.toFixed(0)} s  (under 60 s wanted for 500 MB)`)
    console.log(`  server memory at its peak ${await peakOf(server.pid)} MB  (under 400 MB wanted)`)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Target {
  readonly url: string
  readonly token: string
}

async function putAll({ url, token }: Target, from: number, count: number): Promise<void> {
  const bodies = Array.from({ length: count / BATCH }, (_, i) =>
    JSON.stringify({ data: Array.from({ length: BATCH }, (_, k) => itemOf(from + i * BATCH + k)) }),
  ).values()
  const work = async () => {
    for (const body of bodies) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v2/entities`, { method: 'PUT', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work))
}

/** Imports a file, and returns the seconds until its first object was stored. */
async function importFile({ url, token }: Target, path: string): Promise<number> {
  const start = performance.now()
  let first = 0
  const form = new FormData()
  form.append('name', path)
  form.append('file', await openAsBlob(path), path)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v2/files`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(await answer.text())
  const { data } = (await answer.json()) as { data: { id: number; run: string } }
  for (;;) {
    const { data: run } = (await (await fetch(data.run, { headers })).json()) as {
      data: { state: string; ended_at: string | null; error_detail: string | null }
    }
    if (run.ended_at !== null) {
      if (run.state !== 'SUCCESS') throw new Error(`${run.state}: ${run.error_detail}`)
      return first
    }
    if (first === 0) {
      const stored = await fetch(`${url}/api/v2/files/${data.id}/outcomes?data=false`, { headers })
      const { total_count } = (await stored.json()) as { total_count: number }
      if (total_count > 0) first = (performance.now() - start) / 1000
    }
    await sleep(20)
  }
}

async function write(path: string, from: number, count: number): Promise<string> {
  const lines = function* () {
    yield `{"type": "bundle", "id": "bundle--${randomUUID()}", "objects": [\n`
    for (let i = 0; i < count; i++) yield `${JSON.stringify(objectOf(from + i))}${i < count - 1 ? ',' : ''}\n`
    yield ']}\n'
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
  return path
}

/** An indicator as sent by PUT. */
function itemOf(index: number) {
  const { data, meta, observables } = demoEntity(SEED, index)
  const { tags, estimated_threat_start_time } = meta
  return {
    data: {
      type: 'indicator',
      id: idOf(data.id),
      title: data.title,
      description: data.description,
      pattern: patternOf(observables),
      pattern_type: 'stix',
      created: data.timestamp,
      modified: data.timestamp,
      valid_from: estimated_threat_start_time,
    },
    meta: { tags, estimated_threat_start_time },
    observables,
  }
}

/** The same indicator in STIX. */
function objectOf(index: number) {
  const { data, meta } = itemOf(index)
  const { title, created, modified, valid_from, ...rest } = data
  const stixTime = (time: string) => new Date(time).toISOString()
  return {
    ...rest,
    spec_version: '2.1',
    name: title,
    labels: meta.tags,
    created: stixTime(created),
    modified: stixTime(modified),
    valid_from: stixTime(valid_from),
  }
}

const idOf = (id: string): string => `indicator--${id.slice(-36)}`

const PATHS: Readonly<Record<string, string>> = {
  domain: 'domain-name:value',
  host: 'domain-name:value',
  ipv4: 'ipv4-addr:value',
  ipv6: 'ipv6-addr:value',
  uri: 'url:value',
  email: 'email-addr:value',
  'hash-md5': 'file:hashes.MD5',
  'hash-sha1': "file:hashes.'SHA-1'",
  'hash-sha256': "file:hashes.'SHA-256'",
  mutex: 'mutex:name',
  'user-account': 'user-account:account_login',
}

const patternOf = (observables: readonly Observable[]): string =>
  observables
    .map(({ type, value }) => `[${PATHS[type] ?? 'file:name'} = '${value.replaceAll(/['\\]/g, '\\$&')}']`)
    .join(' OR ')

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function peakOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0)
}
