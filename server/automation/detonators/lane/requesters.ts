import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import type { Server } from '../../../server.ts'
import { READING } from '../detonations/reading.ts'
import { AS_IT_IS } from '../detonations/records.ts'
import { readRules, withheldBy } from '../detonations/refusals.ts'
import { type Origin, type SeenSample, seenNow } from '../detonations/samples.ts'
import type { Work } from './work.ts'

const NEEDED = ['modify detonations', 'read detonations']

/** How many users are considered for one detonation: those who asked first. */
const MAX_USERS = 20

/** For whom a sample may be submitted now. */
export interface Permission {
  /** The rank of the lowest colour at which one of them sees it; null if it may be submitted for none. */
  readonly rank: number | null
  /** Its name where it has that colour. */
  readonly name: string
  /** Why it may not be submitted for a user. */
  readonly refused: ReadonlyMap<number, string>
  /** How many automations led to it. */
  readonly depth: number
}

/** The sample may no longer be submitted. */
export class Withheld extends Error {
  readonly permission: Permission

  constructor(permission: Permission) {
    super('The sample may no longer be submitted.')
    this.permission = permission
  }
}

/** The detonator was switched off or suspended. */
export class Paused extends Error {
  constructor() {
    super('The detonator is not active.')
  }
}

interface Requester extends Origin {
  readonly user: number
  readonly depth: number
}

/**
 * Checks for all who asked whether the sample may leave the platform, as everything is at this moment: the detonator, their account, their
 * permissions, their consent, what they see, the maximum colour and the exclusion lists.
 */
export async function checkRequesters(server: Server, work: Work): Promise<Permission> {
  const exclusion = await readExclusions(server.db)
  const refused = new Map<number, string>()
  const seen: SeenSample[] = []
  const requesters = await readRequesters(server, work.id)
  for (const { user, depth: _, ...origin } of requesters) {
    const rules = (await readRules(server, [work.detonator], user)).get(work.detonator)
    if (!rules || ['INACTIVE', 'SUSPENDED', 'NOT_INSTALLED'].includes(rules.state)) throw new Paused()
    const caller = await asUser(server, user)
    const needed = [...NEEDED, ...READING[origin.via]]
    if (!caller || needed.some((permission) => !caller.permissions.has(permission))) {
      refused.set(user, 'The user who asked may no longer submit samples.')
      continue
    }
    if (!rules.has_consented) {
      refused.set(user, 'The user who asked has not accepted the present terms of the detonator.')
      continue
    }
    const ctx: Context = { ...server, caller, baseUrl: '', lookup: undefined }
    const { kind, size, md5, sha1, sha256, url } = work
    const sample = await seenNow(ctx, { ...origin, kind, size, md5, sha1, sha256, url })
    const reason = sample ? withheldBy(sample, rules, exclusion) : 'The user who asked no longer sees the sample.'
    if (reason !== undefined || !sample) refused.set(user, reason ?? '')
    else seen.push(sample)
  }
  const [lowest] = seen.toSorted((a, b) => a.rank - b.rank)
  return {
    rank: lowest?.rank ?? null,
    name: lowest?.filename ?? '',
    refused,
    depth: Math.max(0, ...requesters.map(({ depth }) => depth)),
  }
}

async function readRequesters({ db }: Pick<Server, 'db'>, detonation: string): Promise<Requester[]> {
  const { rows } = await sql<Requester>`
    select "user", via, filename, file, attachment, observable, origin, rank as given, depth
    from detonation_requesters
    where detonation = ${detonation}::uuid and outcome is null
    order by id
    limit ${MAX_USERS}`.execute(db)
  return rows
}

/** Ends a detonation for the users whom it was refused. */
export async function refuseUsers(
  { db }: Pick<Server, 'db'>,
  detonation: string,
  refused: ReadonlyMap<number, string>,
): Promise<void> {
  if (refused.size === 0) return
  await sql`
    update detonation_requesters as r set outcome = 'REFUSED', reason = i.reason, ${AS_IT_IS}
    from unnest(${[...refused.keys()]}::integer[], ${[...refused.values()]}::text[]) as i("user", reason), detonations as t
    where t.id = ${detonation}::uuid and r.detonation = t.id and r."user" = i."user" and r.outcome is null`.execute(db)
}
