import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { effort } from '../effort.ts'
import { crashing } from '../set-up/crashing.ts'

const KILLS = effort(20, 3)
const BATCH = 300

const server = crashing()

async function killPostgres(): Promise<void> {
  const pid = Number((await readFile(join(server.folder(), 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
}

/** Retries until the server has restarted. Right after a kill, a dead connection may still look open. */
async function read(path: string): Promise<Response> {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const answer = await fetch(server.url(path), { headers: server.headers() }).catch(() => null)
    if (answer?.ok) return answer
    assert.ok(!answer || answer.status === 503, `${answer?.status} ${await answer?.text()}`)
    await sleep(100)
  }
  throw new Error('Corvus did not come back.')
}

test(`after each of ${KILLS} kills every acknowledged bulk PUT is whole and no other one is in part`, async () => {
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  const kinds = { server: 0, postgres: 0, both: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    let isOver = false
    const write = async (lane: number) => {
      for (let i = 0; !isOver; i++) {
        const batch = `batch-${kill}-${lane}-${i}`
        const items = Array.from({ length: BATCH }, (_, n) => ({
          name: `${batch} ${n}`,
          description: batch,
          workspaces: [1],
        }))
        sent.add(batch)
        const answer = await fetch(server.url('/api/v2/tickets'), {
          method: 'PUT',
          headers: server.headers(),
          body: JSON.stringify(items),
        }).catch(() => null)
        // The status line is sent after the commit, so a client that has received it has the acknowledgement.
        if (answer?.status === 201) acknowledged.add(batch)
        await answer?.text().catch(() => '')
        if (!answer?.ok) await sleep(20)
      }
    }
    const writers = [write(0), write(1)]
    // Waits until some are acknowledged and some still running, however slow the machine is.
    const before = acknowledged.size
    while (acknowledged.size < before + 2) await sleep(10)
    await sleep(Math.random() * 300)
    const kind = (['server', 'postgres', 'both'] as const)[kill % 3] ?? 'both'
    kinds[kind]++
    if (kind !== 'server') await killPostgres()
    if (kind !== 'postgres') await server.kill()
    isOver = true
    await Promise.all(writers)
    if (kind !== 'postgres') await server.start()

    const counts = await stored()
    for (const batch of acknowledged) assert.equal(counts.get(batch), BATCH, `${batch} was acknowledged`)
    for (const [batch, count] of counts) assert.equal(count, BATCH, `${batch} is there in part`)
    for (const batch of counts.keys()) assert.ok(sent.has(batch))
  }
  assert.ok(sent.size > acknowledged.size, 'some request was under way at a kill')
  assert.ok(Math.min(...Object.values(kinds)) > 0)
})

/** How many tickets of each batch the API returns, and that each is linked to its workspace. */
async function stored(): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let cursor: string | null = null
  do {
    const query: string = `attributes=description,workspaces&limit=2000${cursor ? `&page[cursor]=${cursor}` : ''}`
    const answer = await read(`/api/v2/tickets?${query}`)
    const page = (await answer.json()) as {
      data: { description: string; workspaces: string[] }[]
      cursor: string | null
    }
    for (const { description, workspaces } of page.data) {
      assert.equal(workspaces.length, 1)
      counts.set(description, (counts.get(description) ?? 0) + 1)
    }
    cursor = page.cursor
  } while (cursor)
  return counts
}
