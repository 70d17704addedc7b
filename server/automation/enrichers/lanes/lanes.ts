import type { Worker } from '../../../background/worker.ts'
import { type LaneParts, startLane } from '../../lane.ts'
import { notifyOfSuspensions } from '../../suspension-notifications.ts'
import { type Claimed, claimLookUps, release } from './claim.ts'
import { finishRuns } from './finish-runs.ts'
import { lookUp } from './look-up.ts'

/** How many look-ups one process runs at the same time, of all enrichers together; in addition to one of each that has none. */
const MAX_LOOK_UPS = 40
/** An enricher cannot occupy the process, because each claim takes the next look-up of every enricher first. */
const MAX_CLAIMED = 20

/**
 * Looks observables up until stopped. Each enricher has its own queue with its own concurrency: a slow source does not delay other
 * enrichers.
 */
export const startLanes = ({ server, log }: LaneParts): Worker =>
  startLane<Claimed>(log, {
    name: 'looking observables up',
    unit: 'a look-up',
    concurrency: MAX_LOOK_UPS,
    claim: (fence, room, running) => {
      const busy = [...new Set(running.map(({ enricher }) => enricher))]
      return claimLookUps(server.db, fence, Math.min(MAX_CLAIMED, room), busy)
    },
    perform: (claimed, signal) => lookUp({ server, log, signal }, claimed),
    describe: ({ enricher }) => ({ enricher }),
    release: (claimed) => release(server.db, claimed, { isCounted: true, pauseSeconds: 5 }),
    chores: [
      { name: 'ending runs of enrichers', everyMs: 500, run: () => finishRuns(server.db) },
      {
        name: 'notifying users of suspended enrichers',
        everyMs: 2000,
        run: () => notifyOfSuspensions(server, 'enrichers'),
      },
    ],
  })
