import { sql } from 'kysely'
import { v5 } from 'uuid'
import { readNodes } from '../../../attack/classification/nodes.ts'
import { storableText } from '../../../domain/storable-text.ts'
import type { Tlp } from '../../../domain/tlp.ts'
import { causedBy } from '../../../engine/cause.ts'
import type { Context } from '../../../engine/context.ts'
import { retried } from '../../../engine/retried.ts'
import { NOBODY } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { textList } from '../../../fast/binary-arrays.ts'
import { filename } from '../../../http/filename.ts'
import { keyOf } from '../../../identity/access/visibility.ts'
import { contentOf } from '../../../intelligence/attachments/content.ts'
import { prepareSearch } from '../../../intelligence/entities/search-preparation.ts'
import { writeEntities } from '../../../intelligence/entities/write.ts'
import type { Server } from '../../../server.ts'
import { sourceContext } from '../../as-source.ts'
import { rankFor } from '../../enrichers/requests/enqueue.ts'
import { storeVerdicts, type Verdict } from '../../store-verdicts.ts'
import type { Adapter } from '../adapter.ts'
import { type Claimed, ClaimLost } from './claim.ts'
import type { Fetched } from './fetch-report.ts'
import { planReport, type Rated, type ReportPlan } from './plan-report.ts'
import type { Permission } from './requesters.ts'
import type { Work } from './work.ts'

interface Outcome {
  readonly claimed: Claimed
  readonly work: Work
  readonly adapter: Adapter
  readonly permission: Permission
  readonly fetched: Fetched
}

/**
 * Stores what a report says exactly once: the transaction that stores it ends the detonation, and does nothing if another process has taken
 * that over. A result is at the colour of the detonator, or at that at which its sample was submitted if it is higher.
 */
export async function storeReport(
  server: Server,
  { claimed, work, adapter, permission, fetched }: Outcome,
): Promise<void> {
  const rank = rankFor(Math.max(work.rank ?? 0, permission.rank ?? 0), (work.tlp_color ?? null) as Tlp | null)
  const vis = keyOf(work.source_number, rank)
  const plan = planReport(work, adapter, fetched.report, rank, await readNodes(server))
  const prepared = await prepareSearch({ ...server, caller: NOBODY, baseUrl: '' }, [plan.item] as never)
  await retried(() =>
    server.db.transaction().execute(async (db) => {
      await lock(db, claimed)
      const cause = { ...causedBy('detonator', work.detonator, []), depth: permission.depth + 1 }
      const ctx = await sourceContext(server, db, [work.source], cause)
      const { rows } = await writeEntities(ctx, resourceOf(ctx, 'entities'), [plan.item], { prepared })
      const entity = String(rows[0]?.id)
      const files = await attach(ctx, work, entity, fetched)
      // Observables come last, in the order of all writers.
      await rate(ctx, plan.rated, vis)
      await finish(db, claimed, work, plan, {
        ...files,
        entity,
        vis,
        warnings: [...plan.warnings, ...fetched.warnings],
      })
    }),
  )
}

async function lock(db: Server['db'], { id, claim }: Claimed): Promise<void> {
  const { rows } = await sql`
    select from detonations where id = ${id}::uuid and claim = ${claim}::uuid and state = 'REPORTING' for update`.execute(
    db,
  )
  if (rows.length === 0) throw new ClaimLost()
}

interface Files {
  readonly report: string
  readonly screenshots: readonly { readonly id: string; readonly filename: string }[]
}

/** Attaches the report and the screenshots to the entity. The ids follow from the detonation. */
async function attach(ctx: Context, work: Work, entity: string, { report, screenshots }: Fetched): Promise<Files> {
  const item = (name: string, given: string, content: Buffer) => ({
    id: v5(name, work.id),
    filename: filename.parse(given.slice(0, 255)) || name,
    data: contentOf(content),
    entities: [{ id: entity }],
  })
  const raw = item('report', report.raw.filename, report.raw.content)
  const images = screenshots.map((image, i) => item(`screenshot-${i + 1}`, image.filename, image.content))
  const resource = resourceOf(ctx, 'attachments')
  await resource.operations.upsert?.(ctx, resource, [raw, ...images])
  return { report: raw.id, screenshots: images.map(({ id, filename }) => ({ id, filename })) }
}

/** Stores the verdicts of the detonator on observables, which are linked to the entity already. */
async function rate(ctx: Context, rated: readonly Rated[], vis: number): Promise<void> {
  const { rows: found } = await sql<Verdict>`
    select o.id, i.maliciousness
    from unnest(
      ${textList(rated.map(({ type }) => type))}::text[],
      ${textList(rated.map(({ value }) => value))}::text[],
      ${textList(rated.map(({ maliciousness }) => (maliciousness === 'unknown' ? null : maliciousness)))}::text[]
    ) as i(type, value, maliciousness)
    join observables as o on observable_key(o.value) = observable_key(i.value) and o.type = i.type and o.value = i.value
    order by o.id`.execute(ctx.db)
  await storeVerdicts(ctx, found, vis)
}

interface Stored extends Files {
  readonly entity: string
  readonly vis: number
  readonly warnings: readonly string[]
}

async function finish(
  db: Server['db'],
  { id }: Claimed,
  { cache_validity }: Work,
  { report, item, title, extracts, attacks, rated }: ReportPlan,
  { entity, vis, warnings, screenshots, report: raw }: Stored,
): Promise<void> {
  const entities = [
    { entity_id: entity, entity_type: 'malware-analysis', meta_stix_id: item.data.id ?? null, value: title },
    ...rated.map(({ type, value }) => ({ entity_id: null, entity_type: type, meta_stix_id: null, value })),
  ]
  const score = report.score === null ? null : Math.max(0, Math.min(100, Math.round(report.score)))
  const list = (records: readonly unknown[]) => sql`${JSON.stringify(records)}::jsonb`
  await sql`
    update detonations
    set state = 'FINISHED', state_reason = null, claim = null, claimed_until = null, attempts = 0, finished_at = now(),
      expires_at = now() + make_interval(secs => ${cache_validity}), vis = ${vis}, entity = ${entity}::uuid, report = ${raw}::uuid,
      verdict = ${report.verdict}, score = ${score}::integer, families = ${report.families}::text[], tags = ${report.tags}::text[],
      environment = ${report.environment === null ? null : storableText(report.environment, 1000)},
      entities = ${list(entities)}, extracts = ${list(extracts)}, attacks = ${list(attacks)}, processes = ${list(report.processes)},
      network = ${list(report.network)}, signatures = ${list(report.signatures)}, dropped_files = ${list(report.dropped_files)},
      screenshots = ${list(screenshots)}, warnings = ${warnings.map((warning) => storableText(warning, 1000))}::text[]
    where id = ${id}::uuid`.execute(db)
}
