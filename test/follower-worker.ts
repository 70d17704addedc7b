import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { startFollowers } from '../server/background/followers/follow.ts'
import { defineFollower } from '../server/background/followers/follower.ts'
import { connect } from '../server/database/database.ts'
import { bareServer } from './background.ts'

// A process whose follower writes its effects but never commits them, for tests to kill.
const [url = '', name = ''] = process.argv.slice(2)
const database = connect({ connectionString: url }, { poolSize: 5, statementTimeoutMs: 30_000 })
const stuck = defineFollower({
  name,
  collections: ['tickets'],
  handle: async (ctx, changes) => {
    await sql`
      insert into effects (follower, object)
      select ${name}, unnest(${changes.flatMap(({ ids }) => ids)}::text[])`.execute(ctx.db)
    console.log('written')
    await sleep(600_000)
  },
})
startFollowers({ server: bareServer(database), log: pino({ level: 'silent' }), followers: [stuck] })
