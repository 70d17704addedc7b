import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kind, Work } from '../engine/work.ts'
import { openShares } from './shares.ts'

const work = (owner: number, kind: Kind = 'read', signal = new AbortController().signal): Work => ({
  owner,
  kind,
  signal,
  held: 0,
  isOver: false,
})

/** Requests connections and tracks which request holds one. */
function asking(capacity: number) {
  const shares = openShares(capacity)
  const given: { name: string; giveBack: () => void }[] = []
  return {
    shares,
    ask: (name: string, given_for: Work | undefined) => {
      const taken = shares.take(given_for).then((giveBack) => given.push({ name, giveBack }))
      taken.catch(() => {})
      return taken
    },
    /** The holders of connections, in the order in which they got them. */
    has: async () => {
      await new Promise(setImmediate)
      return given.map(({ name }) => name).join(' ')
    },
    giveBack: (name: string) => {
      const at = given.findIndex((each) => each.name === name)
      given.splice(at, 1)[0]?.giveBack()
    },
  }
}

test('an owner has a limit per kind of work, independent of other owners', async () => {
  const { ask, has, shares } = asking(10)
  for (let i = 0; i < 8; i++) void ask('a', work(1))
  assert.equal(await has(), 'a a')
  for (let i = 0; i < 8; i++) void ask('w', work(1, 'write'))
  assert.equal(await has(), 'a a w w w w')
  void ask('b', work(2))
  assert.equal(await has(), 'a a w w w w b')
  assert.equal(shares.waiting(), 10)
})

test('owners take turns', async () => {
  const { ask, has, giveBack } = asking(3)
  void ask('first', work(9))
  void ask('second', work(9))
  for (let i = 0; i < 3; i++) void ask(`a${i}`, work(1))
  void ask('b0', work(2))
  void ask('c0', work(3))
  assert.equal(await has(), 'first second')
  giveBack('first')
  assert.equal(await has(), 'second a0')
  giveBack('second')
  assert.equal(await has(), 'a0 b0')
  giveBack('a0')
  assert.equal(await has(), 'b0 c0')
  giveBack('b0')
  assert.equal(await has(), 'c0 a1')
})

test('work that belongs to no request always gets a connection, and goes first', async () => {
  const { ask, has, giveBack } = asking(4)
  for (let owner = 1; owner <= 6; owner++) void ask(String(owner), work(owner))
  assert.equal(await has(), '1 2 3')
  void ask('system', undefined)
  assert.equal(await has(), '1 2 3 system')
  void ask('next', undefined)
  giveBack('1')
  assert.equal(await has(), '2 3 system next')
})

test("a write that needs a second connection is not blocked by its owner's limit", async () => {
  const { ask, has } = asking(10)
  const own = work(1, 'write')
  for (let i = 0; i < 5; i++) void ask('w', i === 0 ? own : work(1, 'write'))
  void ask('late', work(1, 'write'))
  void ask('inner', own)
  assert.equal(await has(), 'w w w w w inner')
})

test('a request that gives up leaves the queue and gets no connection', async () => {
  const { ask, has, shares } = asking(10)
  const gone = new AbortController()
  void ask('a', work(1))
  void ask('a', work(1))
  const waits = ask('gone', work(1, 'read', gone.signal))
  assert.equal(shares.waiting(), 1)
  gone.abort(new Error('gone'))
  await assert.rejects(waits, /gone/)
  assert.equal(shares.waiting(), 0)
  await assert.rejects(shares.take(work(2, 'read', gone.signal)), /gone/)
  assert.equal(await has(), 'a a')
})

test('a connection is returned once, however often the callback is called', async () => {
  const { shares } = asking(2)
  const giveBack = await shares.take(undefined)
  giveBack()
  giveBack()
  await shares.take(undefined)
  await shares.take(undefined)
  void shares.take(undefined)
  assert.equal(shares.waiting(), 1)
})

test('owners without connections or waiting requests are dropped, even after they gave up', async () => {
  const { ask, has, giveBack, shares } = asking(2)
  void ask('first', undefined)
  void ask('second', undefined)
  const gone = new AbortController()
  const waits = ask('gone', work(1, 'read', gone.signal))
  void ask('stays', work(2))
  assert.equal(shares.owners(), 2)
  gone.abort(new Error('gone'))
  await assert.rejects(waits, /gone/)
  assert.equal(shares.owners(), 1)
  giveBack('first')
  assert.equal(await has(), 'second stays')
  giveBack('stays')
  assert.equal(shares.owners(), 0)
})
