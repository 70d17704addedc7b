import type { Worker } from '../../../background/worker.ts'
import { type LaneParts, startLane } from '../../lane.ts'
import { notifyOfSuspensions } from '../../suspension-notifications.ts'
import { adaptersOf } from '../find-adapter.ts'
import { advance } from './advance.ts'
import { type Claimed, claimDue, EXTEND_MS, extend } from './claim.ts'
import { notifyOfEnds } from './notifications.ts'

/** How many detonations one process works on at the same time; those that the vendor runs need none of it. */
const MAX_DETONATIONS = 20

/** Submits samples and reads reports until stopped. */
export function startDetonations({ server, log }: LaneParts): Worker {
  const { db } = server
  const installed = adaptersOf(server).map(({ name }) => name)
  return startLane<Claimed>(log, {
    name: 'advancing detonations',
    unit: 'a detonation',
    concurrency: MAX_DETONATIONS,
    claim: (fence, room) => claimDue(db, fence, room, installed),
    perform: (claimed, signal) => advance({ server, log, signal }, claimed),
    describe: ({ id }) => ({ detonation: id }),
    keeping: {
      name: 'keeping detonations',
      everyMs: EXTEND_MS,
      extend: async (running) => {
        const held = await extend(db, running)
        return running.filter(({ id, claim }) => !held.has(`${id} ${claim}`))
      },
    },
    chores: [
      {
        name: 'notifying users of suspended detonators',
        everyMs: 2000,
        run: () => notifyOfSuspensions(server, 'detonators'),
      },
      { name: 'notifying users of detonations', everyMs: 2000, run: () => notifyOfEnds(server) },
    ],
  })
}
