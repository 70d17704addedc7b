import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask, blobsOf, server } from '../../../../test/set-up/incoming-feeds.ts'
import type { Job } from '../../../background/task.ts'
import { collect } from './collect.ts'
import { findFeed } from './feed.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'corvus-collect-')))
after(() => rmSync(folder, { recursive: true }))

/** Collects once; `onReceive` runs before the bytes of each piece are read. */
async function collectOnce(id: number, onReceive: (count: number) => void = () => {}) {
  const feed = (await findFeed(server, id)) ?? assert.fail()
  const lines: string[] = []
  let count = 0
  const blobs = {
    ...server.blobs,
    receive: (...given: Parameters<typeof server.blobs.receive>) => {
      onReceive(++count)
      return server.blobs.receive(...given)
    },
  }
  const job: Job = {
    ...server,
    blobs,
    feedFolders: [folder],
    id: randomUUID(),
    attempt: 1,
    parameters: {},
    callerId: null,
    signal: new AbortController().signal,
    progress: () => {},
    log: (line) => lines.push(line),
  }
  const { fault, ...counts } = await collect(job, feed)
  return { ...counts, fault: fault?.message, lines }
}

test('a piece that fails while it is read is fetched by the next run', async () => {
  const path = join(folder, 'breaking')
  mkdirSync(path)
  const setTime = (name: string, seconds: number) => utimesSync(join(path, name), seconds, seconds)
  for (const [i, name] of ['one.txt', 'two.txt', 'three.txt'].entries()) {
    writeFileSync(join(path, name), `${name} holds text`)
    setTime(name, 1_700_000_000 + i)
  }
  const feed = await ask('POST', 'incoming-feeds', {
    name: `Folder ${randomUUID()}`,
    transport_type: 'mount-point-download',
    transport_configuration: { path },
  })
  // The second file changes while it is read and looks as before afterwards: only the cursor shows that it was not stored.
  const first = await collectOnce(feed.id, (count) => count === 2 && setTime('two.txt', 1_600_000_000))
  setTime('two.txt', 1_700_000_001)
  assert.partialDeepStrictEqual(first, { fetched: 2, new: 2, known: 0, fault: 'two.txt changed while it was read' })
  assert.deepEqual(first.lines, ['two.txt was skipped: two.txt changed while it was read.'])
  // After the failure nothing counts as passed: the third file is fetched again as well.
  assert.partialDeepStrictEqual(await collectOnce(feed.id), { fetched: 2, fault: undefined })
  assert.partialDeepStrictEqual(await collectOnce(feed.id), { fetched: 0, fault: undefined })
  const names = (await blobsOf(feed)).map(({ name }: { name: string }) => name)
  assert.deepEqual(names.sort(), ['one.txt', 'three.txt', 'two.txt'])
})
