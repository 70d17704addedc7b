import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import type { Server } from '../../../server.ts'
import { readCandidates } from '../requests/candidates.ts'
import { type Rules, refusalOf } from '../requests/classify.ts'
import type { Claimed } from './claim.ts'

/** The permissions that a requester needs while the source is called. */
export const NEEDED = ['modify enrichments', 'read extracts']

/** How many users are considered for one look-up: those who asked first. */
const MAX_USERS = 20

/** For whom an observable may be looked up now. */
export interface Permission {
  /** The rank of the lowest colour at which one of them sees the observable; null if it may be looked up for none. */
  readonly rank: number | null
  /** Why it may not be looked up for a user. */
  readonly refused: ReadonlyMap<number, string>
  /** How many automations led to it. */
  readonly depth: number
  /** Whether a user still waits for it. */
  readonly isWanted: boolean
}

interface Requester {
  readonly user: number
  readonly depth: number
}

/** Checks for all who asked whether the observable may leave the platform, as everything is at this moment. */
export async function checkRequesters(
  server: Server,
  { enricher, observable }: Pick<Claimed, 'enricher' | 'observable'>,
): Promise<Permission> {
  const rules = await readCeiling(server, enricher)
  const requesters = await readRequesters(server, enricher, observable)
  const exclusion = await readExclusions(server.db)
  const refused = new Map<number, string>()
  const ranks: number[] = []
  for (const { user } of requesters) {
    const caller = await asUser(server, user)
    const lacking = caller && NEEDED.filter((permission) => !caller.permissions.has(permission))
    if (!caller || !lacking || lacking.length > 0) {
      refused.set(user, 'The user who asked may no longer look observables up.')
      continue
    }
    const ctx: Context = { ...server, caller, baseUrl: '', lookup: undefined }
    const [candidate] = await readCandidates(ctx, [observable], [])
    const reason = candidate && rules ? refusalOf(candidate, rules, exclusion) : 'The user who asked no longer sees it.'
    if (reason !== undefined || !candidate) refused.set(user, reason ?? '')
    else ranks.push(candidate.rank)
  }
  return {
    rank: ranks.length > 0 ? Math.min(...ranks) : null,
    refused,
    depth: Math.max(0, ...requesters.map(({ depth }) => depth)),
    isWanted: requesters.length > 0,
  }
}

/** The maximum colour as it is now: it may have changed since the look-up was claimed. */
async function readCeiling({ db }: Pick<Server, 'db'>, enricher: number): Promise<Pick<Rules, 'max_tlp'> | undefined> {
  const { rows } = await sql<Pick<Rules, 'max_tlp'>>`select max_tlp from enrichers where id = ${enricher}`.execute(db)
  return rows[0]
}

/** The users who wait, without those whose run has ended. */
async function readRequesters(
  { db }: Pick<Server, 'db'>,
  enricher: number,
  observable: number,
): Promise<readonly Requester[]> {
  const { rows } = await sql<Requester>`
    select r."user", max(r.depth) as depth
    from enrichment_requesters as r left join task_runs as run on run.id = r.run
    where r.enricher = ${enricher} and r.observable = ${observable} and (r.run is null or run.ended_at is null)
    group by r."user"
    order by min(r.id)
    limit ${MAX_USERS}`.execute(db)
  return rows
}
