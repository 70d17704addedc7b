import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import type { OutgoingFeed } from '../../server/feeds/outgoing/feed.ts'
import { type Content, openContent, readerOf, typeOfFeed } from '../../server/feeds/publishing/content.ts'
import { requireFeed } from '../../server/feeds/publishing/package-feed.ts'
import { planOf } from '../../server/feeds/publishing/plan.ts'
import { dropStage } from '../../server/feeds/publishing/stage.ts'
import { wholeDocument } from '../../server/feeds/publishing/whole-document.ts'
import { effort } from '../effort.ts'
import type { Consumer } from './consumers.ts'
import { make, server, textOf } from './set-up.ts'
import { type Change, change, edit, editFeeds, makeChange, makeWorld, type World } from './world.ts'

const DOWNLOAD = 'eiq.outgoing-transports.http-download'

/** A kind of feed, and its consumer. */
export interface Kind {
  readonly content_type: string
  readonly update_strategy: string
  readonly consumer: () => Consumer
  readonly transport_type?: string
}

export const kind = (content_type: string, update_strategy: string, consumer: () => Consumer): Kind => ({
  content_type,
  update_strategy,
  consumer,
})

type Fate = 'run' | 'wait' | 'crash' | 'restart'
type Step =
  | { readonly change: Change }
  | { readonly edit: Record<string, unknown> }
  | { readonly fates: readonly Fate[] }

/** What happens to each feed in a step: it runs, crashes before everything is stored, restarts from the beginning, or waits. */
const fate = fc.constantFrom<Fate[]>('run', 'run', 'run', 'run', 'wait', 'wait', 'wait', 'crash', 'restart')

const historyOf = (feeds: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 9, arbitrary: change.map((each): Step => ({ change: each })) },
      { weight: 3, arbitrary: edit.map((each): Step => ({ edit: each })) },
      {
        weight: 5,
        arbitrary: fc.array(fate, { minLength: feeds, maxLength: feeds }).map((fates): Step => ({ fates })),
      },
    ),
    { minLength: 4, maxLength: 12 },
  )

/** The number of histories to try. */
const HISTORIES = effort(1000, 5)

interface Followed {
  readonly kind: Kind
  readonly feed: number
}

/** Tests that consumers have the content of feeds of these kinds, over many histories of content and settings. */
export function testHistories(kinds: readonly Kind[]): void {
  let world: World
  let followed: Followed[]
  before(async () => {
    world = await makeWorld()
    followed = await Promise.all(
      kinds.map(async (each, i) => {
        const { content_type, update_strategy, transport_type = DOWNLOAD } = each
        const own = { name: `Feed ${i}`, content_type, update_strategy, transport_type, transport_configuration: {} }
        return { kind: each, feed: (await make('outgoing-feeds', { ...own, datasets: [world.dataset] })).id }
      }),
    )
  })
  const follow = (steps: readonly Step[]): Promise<void> =>
    undone(server.db, async (db) => {
      const consumers = kinds.map((each) => each.consumer())
      const all: Step = { fates: kinds.map(() => 'run') }
      let day = 0
      for (const step of [...steps, all]) {
        day += 10
        if ('change' in step) await makeChange(db, world, step.change)
        else if ('edit' in step)
          await editFeeds(
            db,
            followed.map(({ feed }) => feed),
            step.edit,
          )
        else await runAll(db, followed, consumers, step.fates, day)
      }
    })
  test(`a consumer that applies what a feed sends has its content, over ${HISTORIES} histories of content and settings`, () =>
    fc.assert(fc.asyncProperty(historyOf(kinds.length), follow), { numRuns: HISTORIES, endOnFailure: true }))
}

/** All feeds publish the same content in different forms, so it is read once. */
async function runAll(
  db: Kysely<unknown>,
  followed: readonly Followed[],
  consumers: Consumer[],
  fates: readonly Fate[],
  day: number,
): Promise<void> {
  const at = new Date(Date.now() + day * 86_400_000).toISOString()
  let content: Content | undefined
  for (const [i, { kind: own, feed: id }] of followed.entries()) {
    if (fates[i] === 'wait') continue
    if (fates[i] === 'restart') {
      for (const table of ['outgoing_feed_items', 'collection_objects'])
        await sql`delete from ${sql.table(table)} where feed = ${id}`.execute(db)
      consumers[i] = own.consumer()
    }
    const feed = await requireFeed(db, id)
    content ??= await read(db, feed, at)
    await run({ ...content, feed, type: typeOfFeed(feed) }, consumers[i] ?? assert.fail(), fates[i] === 'crash')
  }
}

/** Packages the content. A crash happens after everything is written and before it is committed. */
async function run(content: Content, consumer: Consumer, isCrash: boolean): Promise<void> {
  const { db } = content.ctx
  await sql`savepoint run`.execute(db)
  const plan = await planOf(db, content, ignore, ignore)
  const blocks: string[] = []
  for (const { pieces } of plan.documents) blocks.push(await textOf(pieces))
  await plan.keep(db)
  if (isCrash) return void (await sql`rollback to run`.execute(db))
  await dropStage(db)
  for (const block of blocks) await consumer.apply(block)
  await consumer.poll?.(db, content.feed.id)
  await consumer.check(await textOf((await wholeDocument(content, ignore)).pieces))
}

const ignore = () => {}

/** The content of a feed, in memory, with everything that any format needs. */
async function read(db: Kysely<unknown>, feed: OutgoingFeed, at: string): Promise<Content> {
  const { vault, resources, taskTypes } = server
  const caller = await readerOf({ db }, feed, feed.owner, 'nobody')
  const whole = { ...feed, content_type: 'urn:oasis:stix:json:2.1' as const }
  const content = await openContent({ db, vault, resources, taskTypes, caller, baseUrl: '' }, whole, at)
  const entities = await Array.fromAsync(content.shipment.entities())
  const relationships = await Array.fromAsync(content.shipment.relationships())
  const shipment = {
    ...content.shipment,
    entities: async function* (types?: ReadonlySet<string>) {
      yield* entities.filter(({ data }) => types?.has(data.type) ?? true)
    },
    relationships: async function* () {
      yield* relationships
    },
  }
  return { ...content, shipment }
}

class Undone extends Error {}

/** Runs something in a transaction that is rolled back. */
const undone = (db: Kysely<unknown>, work: (db: Kysely<unknown>) => Promise<void>): Promise<void> =>
  db
    .transaction()
    .execute(async (trx): Promise<void> => {
      await work(trx)
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
