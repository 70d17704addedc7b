import { defineFollower } from '../background/followers/follower.ts'
import { NEWSWORTHY, tellOfChanges } from './news.ts'
import { mailTask } from './outbox.ts'

/** Adds notifications about changes to the outbox. */
export const notifications = defineFollower({
  name: 'notifications',
  collections: NEWSWORTHY,
  // Changes made while no mail can be sent are outdated by the time one can.
  isIdle: async ({ db }) => (await mailTask(db)) === undefined,
  handle: tellOfChanges,
})
