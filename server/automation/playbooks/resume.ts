import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'

/** Ends the pause of a playbook. Runs that waited for it go on. */
export async function resumePlaybook({ db }: Pick<Context, 'db'>, id: Id): Promise<void> {
  await sql`
    update playbooks
    set failures = 0, paused_at = null, paused_reason = null, is_pause_told = true, problem = null
    where id = ${id}`.execute(db)
}
