import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { repeat } from '../../../background/pace.ts'
import type { Worker } from '../../../background/worker.ts'
import { makeId } from '../../../engine/ids.ts'
import { openPlaces } from '../../../engine/places.ts'
import type { Server } from '../../../server.ts'
import { claimWebhooks, release } from './claims.ts'
import { deliverNext, type Means } from './deliver.ts'

const POLL_MS = 1000
const GRACE_MS = 3000
/** Receivers that are waited for at a time: a slow one keeps nobody waiting but itself. */
const MOST = 50
/** Of these, so many read the database at a time. */
const READING_AT_ONCE = 2

/** Delivers webhooks until it is stopped; each of them is told by one process at a time. */
export function startDeliveries({ server, log }: { readonly server: Server; readonly log: Logger }): Worker {
  const closing = new AbortController()
  const { signal } = closing
  const cutOff = new AbortController()
  const means: Means = { server, claim: makeId(), signal: cutOff.signal, reading: openPlaces(READING_AT_ONCE) }
  const running = new Map<number, Promise<void>>()

  const tell = async (id: number): Promise<void> => {
    try {
      while (!signal.aborted && (await deliverNext(means, id))) {}
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, webhook: id }, 'delivering a webhook failed; it is tried again')
      // A fault of ours must not become a loop without a pause.
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
    await release(server.db, id, means.claim).catch((error) => log.warn(error, 'a webhook stays claimed for a while'))
    running.delete(id)
  }
  const take = async (): Promise<void> => {
    const room = MOST - running.size
    if (room <= 0) return
    for (const id of await claimWebhooks(server.db, means.claim, room)) running.set(id, tell(id))
  }

  const work = repeat(log, 'looking for webhooks to deliver', signal, take, () => sleep(POLL_MS, undefined, { signal }))
  return {
    stop: async () => {
      closing.abort()
      await work
      // An answer that is not waited for is a delivery that comes twice.
      await Promise.race([Promise.all(running.values()), sleep(GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await Promise.all(running.values())
    },
  }
}
