import { defineFollower } from '../background/followers/follower.ts'
import { NEWSWORTHY, tellOfChanges } from './news.ts'
import { mailTask } from './outbox.ts'

/** Puts mails about changes into the outbox. */
export const notifications = defineFollower({
  name: 'notifications',
  collections: NEWSWORTHY,
  // What happens while no mail can be sent is not news any more when one can.
  isIdle: async ({ db }) => (await mailTask(db)) === undefined,
  handle: tellOfChanges,
})
