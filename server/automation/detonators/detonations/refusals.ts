import { sql } from 'kysely'
import type { Exclusion } from '../../../domain/exclusions.ts'
import { TLP, type Tlp, tlpRank } from '../../../domain/tlp.ts'
import type { Context } from '../../../engine/context.ts'
import { ApiError } from '../../../engine/errors.ts'
import { toUrl } from '../../../engine/reference.ts'
import { stateOf } from '../detonator-state.ts'
import { hasConsented } from '../terms.ts'
import type { SeenSample, Subject } from './samples.ts'

/** What decides whether a detonator may receive a sample of a user. */
export interface Rules {
  readonly id: number
  readonly name: string
  readonly adapter: string
  readonly state: string
  readonly state_reason: string | null
  readonly max_tlp: Tlp | null
  readonly has_consented: boolean
}

/** The detonators with these ids, as they are for a user. */
export async function readRules(
  ctx: Pick<Context, 'db' | 'sandboxes'>,
  ids: readonly number[],
  user: number,
): Promise<Map<number, Rules>> {
  const { rows } = await sql<Rules>`
    select t.id, t.name, t.adapter, ${stateOf(ctx)} as state, t.suspended_reason as state_reason, t.max_tlp,
      ${hasConsented(ctx, sql`${user}::integer`)} as has_consented
    from detonators as t
    where t.id = any(${ids}::integer[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Why a sample must not leave the platform through a detonator: its colour, or an exclusion list; undefined if it may. */
export function withheldBy(
  sample: Subject & Pick<SeenSample, 'rank'>,
  { max_tlp }: Pick<Rules, 'max_tlp'>,
  exclusion: Exclusion,
): string | undefined {
  const list = excludedBy(sample, exclusion)
  if (list !== undefined) return `It is on the exclusion list '${list}'.`
  if (max_tlp !== null && sample.rank > tlpRank(max_tlp))
    return `It is TLP ${TLP[sample.rank]}, and the detonator may receive at most ${max_tlp}.`
  return undefined
}

function excludedBy({ url, md5, sha1, sha256 }: Subject, exclusion: Exclusion): string | undefined {
  const named = [
    ['uri', url],
    ['hash-md5', md5],
    ['hash-sha1', sha1],
    ['hash-sha256', sha256],
  ] as const
  for (const [type, value] of named) {
    const list = value === null ? undefined : exclusion(type, value)
    if (list !== undefined) return list
  }
  return undefined
}

/** Why a user cannot use a detonator at all now; undefined if they can. */
export function unusable(ctx: Pick<Context, 'baseUrl'>, rules: Rules): ApiError | undefined {
  const { id, name, state, state_reason } = rules
  const said = (title: string, detail: string) => new ApiError(409, detail, { title })
  if (state === 'NOT_INSTALLED')
    return said(
      'Detonator Not Installed',
      `The adapter '${rules.adapter}' of the detonator '${name}' is not installed.`,
    )
  if (state === 'INACTIVE') return said('Detonator Inactive', `The detonator '${name}' is inactive.`)
  if (state === 'SUSPENDED')
    return said(
      'Detonator Suspended',
      `The detonator '${name}' is suspended: ${state_reason ?? 'the vendor refuses it'}`,
    )
  if (!rules.has_consented) {
    const path = `${toUrl(ctx.baseUrl, 'detonators', id)}/consent`
    return said(
      'Consent Required',
      `You have not accepted the present terms of the detonator '${name}'. Read its terms and send their ids to POST ${path}.`,
    )
  }
  return undefined
}

/** The refusal of a sample above the ceiling or on an exclusion list. */
export const withheld = ({ name }: Rules, reason: string): ApiError =>
  new ApiError(409, `The detonator '${name}' must not receive the sample. ${reason}`, { title: 'Sample Withheld' })
