import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, test } from 'node:test'
import { pino } from 'pino'
import { until } from '../../test/until.ts'
import type { Worker } from '../background/worker.ts'
import { type Lane, startLane } from './lane.ts'

interface Piece {
  readonly id: number
  readonly fence: string
}

/** A queue in memory. Pieces last until they are finished, or until their signal aborts, and are then given back. */
function createQueue(waiting: number[]) {
  const working = new Map<number, () => void>()
  const released: number[] = []
  const fences: string[] = []
  const lost = new Set<number>()
  const lane: Lane<Piece> = {
    name: 'claiming pieces',
    unit: 'a piece',
    concurrency: 2,
    claim: async (fence, room) => {
      fences.push(fence)
      return waiting.splice(0, room).map((id) => ({ id, fence }))
    },
    perform: async ({ id }, signal) => {
      const finished = new Promise<void>((resolve) => working.set(id, resolve))
      await Promise.race([finished, signal.aborted || once(signal, 'abort')])
      working.delete(id)
      if (signal.aborted) throw signal.reason
      if (id < 0) throw new Error('A negative piece.')
    },
    describe: ({ id }) => ({ piece: id }),
    release: async ({ id }) => {
      released.push(id)
      throw new Error('The database is away.')
    },
    keeping: {
      name: 'keeping pieces',
      everyMs: 10,
      extend: async (running) => running.filter(({ id }) => lost.has(id)),
    },
    chores: [],
  }
  return { lane, working, released, fences, lost }
}

const logged: Record<string, unknown>[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) })
const started: Worker[] = []
const start = (lane: Lane<Piece>) => {
  const worker = startLane(log, lane)
  started.push(worker)
  return worker
}
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.stop()
  logged.length = 0
})

test('a process takes no more work than it has room for, and claims again when a piece ends', async () => {
  const { lane, working, fences } = createQueue([1, 2, 3])
  start(lane)
  await until(() => working.size === 2, 'two pieces are not claimed')
  working.get(1)?.()
  await until(() => working.has(3), 'the third piece is not claimed')
  assert.deepEqual([...working.keys()], [2, 3])
  assert.equal(new Set(fences).size, fences.length, 'each claim has its own value')
})

test('work that throws is logged and given back, and the lane goes on', async () => {
  const { lane, working, released } = createQueue([-1, 2])
  start(lane)
  await until(() => working.size === 2, 'the pieces are not claimed')
  working.get(-1)?.()
  await until(() => released.length > 0, 'the piece is not given back')
  assert.deepEqual(released, [-1])
  assert.partialDeepStrictEqual(logged, [
    { piece: -1, msg: 'a piece broke off and will be tried again', err: { message: 'A negative piece.' } },
  ])
  assert.deepEqual([...working.keys()], [2])
})

test('work that the process no longer holds is aborted, and only that', async () => {
  const { lane, working, released, lost } = createQueue([1, 2])
  start(lane)
  await until(() => working.size === 2, 'the pieces are not claimed')
  lost.add(1)
  await until(() => !working.has(1), 'the lost piece goes on')
  assert.deepEqual([[...working.keys()], released], [[2], [1]])
})

test('a process that stops claims nothing, keeps its leases until the last piece ended, and aborts what does not end', async () => {
  const { lane, working, released, fences } = createQueue([1, 2])
  let extended = 0
  const keeping = {
    name: 'keeping pieces',
    everyMs: 10,
    extend: async () => {
      extended++
      return []
    },
  }
  const worker = startLane(log, { ...lane, keeping })
  await until(() => working.size === 2, 'the pieces are not claimed')
  const stopped = worker.stop()
  const [claims, extensions] = [fences.length, extended]
  await until(() => extended > extensions + 1, 'leases are not extended while work ends')
  working.get(1)?.()
  await stopped
  assert.deepEqual([working.size, released], [0, [2]])
  assert.equal(fences.length, claims)
})
