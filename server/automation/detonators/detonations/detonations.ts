import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import type { Operations } from '../../../engine/definition.ts'
import { computed, found, int, json, oneOf, ref, searched, strings, text } from '../../../engine/field.ts'
import { defineResource } from '../../../engine/resource.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { readOnly, standard } from '../../../engine/standard.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { MAX_FAULTS } from '../../circuit.ts'
import { DETONATION_TYPES, VERDICTS } from '../adapter.ts'
import { IS_UNDER_WAY } from './ask.ts'
import { detonationRoutes } from './detonation-routes.ts'
import { attack, dropped, entity, extract, network, process, screenshot, signature, withAddresses } from './records.ts'
import { STATES } from './states.ts'

const PATH = '/api/v2/detonations/'

/** A column of the request of the caller for the detonation `t`. */
const own = (ctx: Context, column: string): RawBuilder<unknown> => sql`(
  select own.${sql.ref(column)} from detonation_requesters as own
  where own.detonation = t.id and own."user" = ${ctx.caller.id})`

const shownTime = z.iso.datetime({ offset: true })

const askedAt = (ctx: Context) => sql`coalesce(${own(ctx, 'requested_at')}, t.created_at)`

/** Whether the caller sees what the report of the detonation says. */
const seesReport = (ctx: Context) => holdsKey(ctx, sql`t.vis`)

/**
 * A column that changes while the vendor is asked, as the caller may know it: if the detonation ended for them alone, as it was then. That it
 * goes on would tell that another user asked.
 */
const known = (ctx: Context, column: string, then = column): RawBuilder<unknown> => sql`(case
  when ${own(ctx, 'outcome')} is null or ${seesReport(ctx)} then ${sql.ref(`t.${column}`)}
  else ${own(ctx, then)} end)`

/** A time, but not one before the caller asked: it would tell that another user did. */
const notBefore = (ctx: Context, time: RawBuilder<unknown>) =>
  sql`case when ${time} is not null then greatest(${time}, ${own(ctx, 'requested_at')}) end`

/** The entities of the report that the caller sees, and its observables. */
const shownEntities = (ctx: Context): RawBuilder<unknown> => {
  const resource = resourceOf(ctx, 'entities')
  return sql`coalesce((
    select jsonb_agg(r.record order by r.place)
    from jsonb_array_elements(t.entities) with ordinality as r(record, place)
    where ${seesReport(ctx)} and (r.record ->> 'entity_id' is null or exists (
      select from entities as analysis
      where analysis.id = (r.record ->> 'entity_id')::uuid and ${visible(ctx, resource, 'analysis')}))), '[]')`
}

/** Whether the entity of the analysis is among these, and the caller sees both it and the report. */
const isAnalysis = (ctx: Context, ids: readonly string[]): RawBuilder<SqlBool> => sql`(${seesReport(ctx)} and exists (
  select from entities as analysis
  where analysis.id = t.entity and analysis.id = any(${ids}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'entities'), 'analysis')}))`

/** Why the detonation waits, which may be a reason of its detonator, or has ended. */
const reason = (ctx: Context) => sql`case
  when ${own(ctx, 'outcome')} is not null then ${own(ctx, 'reason')}
  when t.state_reason is not null or not t.${IS_UNDER_WAY} then t.state_reason
  else (
    select case
      when not e.is_active then 'The detonator is inactive.'
      when e.suspended_at is not null then 'The detonator is suspended, because the vendor refuses it.'
      when e.waits_until > now() then e.wait_reason
      when e.faults >= ${sql.lit(MAX_FAULTS)} and e.open_until > now() then 'The vendor cannot be reached. It is called again later.' end
    from detonators as e where e.id = t.detonator) end`

/** A part of the report, which only those see who hold its key. */
const records = <S extends z.ZodType>(schema: S) => json(z.array(schema)).readOnly().shownTo(seesReport, `'[]'::jsonb`)

const hash = (column: 'md5' | 'sha1' | 'sha256') =>
  searched(
    'hexadecimal digits',
    (value) => (/^[0-9a-f]+$/i.test(value) ? value.toLowerCase() : undefined),
    (_, values) => sql`t.${sql.ref(column)} = any(${values}::text[])`,
  )

const isShown = { sample: `'${PATH}' || t.id || '/sample'`, report: `'${PATH}' || t.id || '/report'` }

const pathOnly = (url: string): string => `${PATH}${url.split(PATH)[1] ?? ''}`

/** The fields that lists leave out unless they are asked for: each may have thousands of records. */
const LARGE = ['entities', 'extracts', 'attacks', 'processes', 'network', 'signatures', 'dropped_files', 'screenshots']

const operations: Operations = {
  ...readOnly,
  list: (ctx, resource, plan) => {
    const attributes = plan.attributes ?? Object.keys(resource.fields).filter((name) => !LARGE.includes(name))
    return standard.list(ctx, resource, { ...plan, attributes })
  },
}

export const detonations = defineResource({
  collection: 'detonations',
  title: 'Detonation',
  doc: 'A sample that was submitted to a detonator, and what its report says. Seen by those who asked for it, and the report by those who see the source of the detonator at its colour.',
  key: ['id'],
  fields: {
    detonator: ref('detonators').readOnly(),
    kind: oneOf(DETONATION_TYPES).readOnly(),
    filename: computed(
      'text',
      z.string(),
      (ctx) => sql`coalesce(${own(ctx, 'filename')}, case when ${seesReport(ctx)} then t.name end, '')`,
    ),
    size: computed('bigint', z.int(), 't.size'),
    hashes: computed(
      'jsonb',
      z.object({ md5: z.string(), sha1: z.string(), sha256: z.string() }),
      `case when t.sha256 is not null then jsonb_build_object('md5', t.md5, 'sha1', t.sha1, 'sha256', t.sha256) end`,
    ),
    url: text().nullable().readOnly(),
    observable: found('observables', (ctx) => own(ctx, 'observable')),
    attachment: found('attachments', (ctx) => own(ctx, 'attachment')),
    file: found('files', (ctx) => own(ctx, 'file')),
    origin: found('entities', (ctx) => own(ctx, 'origin')).describe('The entity that the sample came from.'),
    options: json(z.record(z.string(), z.unknown())).readOnly(),
    state: computed('text', z.enum(STATES), (ctx) => sql`coalesce(${own(ctx, 'outcome')}, t.state)`).describe(
      'WAITING: for its turn. CHECKING: the vendor is asked whether it knows the sample. SUBMITTING: the sample is sent. RUNNING: the vendor analyses it. REPORTING: the report is fetched. REFUSED: it may no longer be submitted.',
    ),
    state_reason: computed('text', z.string(), reason).describe(
      'Why it waits or has ended without a report, and what to do.',
    ),
    verdict: oneOf(VERDICTS).nullable().readOnly().shownTo(seesReport, 'null'),
    score: int(0, 100).nullable().readOnly().shownTo(seesReport, 'null').describe('From 0 to 100.'),
    families: strings().readOnly().shownTo(seesReport, `'{}'::text[]`),
    tags: strings().readOnly().shownTo(seesReport, `'{}'::text[]`),
    vendor_url: computed('text', z.string().nullable(), (ctx) => known(ctx, 'vendor_url')).describe(
      'The page of the analysis at the vendor.',
    ),
    environment: text()
      .nullable()
      .readOnly()
      .shownTo(seesReport, 'null')
      .describe('The machine that it ran on, such as `Windows 10 64-bit`.'),
    entity: found('entities', (ctx) => sql`case when ${seesReport(ctx)} then t.entity end`).describe(
      'The analysis as an entity.',
    ),
    entities: computed('jsonb', z.array(entity), shownEntities),
    extracts: records(extract),
    attacks: records(attack),
    processes: records(process),
    network: records(network),
    signatures: records(signature),
    dropped_files: records(dropped),
    screenshots: records(screenshot).shownAs(withAddresses),
    warnings: strings()
      .readOnly()
      .shownTo(seesReport, `'{}'::text[]`)
      .describe('What could not be read or was left out.'),
    report_url: computed(
      'text',
      z.url(),
      (ctx) => sql`case when t.report is not null and ${seesReport(ctx)} then ${sql.raw(isShown.report)} end`,
      pathOnly,
    )
      .path()
      .describe('The report as the vendor sent it.'),
    sample_url: computed('text', z.url(), `case when t.sha256 is not null then ${isShown.sample} end`, pathOnly)
      .path()
      .describe('The sample in an encrypted archive.'),
    was_known: computed('boolean', z.boolean(), (ctx) => known(ctx, 'was_known')).describe(
      'Whether the vendor knew the sample, so that it was not submitted.',
    ),
    requested_at: computed('timestamptz', shownTime, askedAt).describe('When you asked for it.'),
    created_at: computed('timestamptz', shownTime, askedAt).describe('Same as `requested_at`.'),
    submitted_at: computed('timestamptz', shownTime, (ctx) => notBefore(ctx, known(ctx, 'submitted_at'))),
    finished_at: computed('timestamptz', shownTime, (ctx) => notBefore(ctx, known(ctx, 'finished_at', 'ended_at'))),
    created_by: found(
      'users',
      (ctx) => sql`(
        select r."user" from detonation_requesters as r
        where r.detonation = t.id
        order by r."user" = ${ctx.caller.id} desc, r.rank, r.id
        limit 1)`,
    ).describe('You, if you asked for it; otherwise who did.'),
    vis: int().nullable().hidden(),
    report: ref('attachments').nullable().hidden(),
  },
  search: {
    filters: {
      'hashes.md5': hash('md5'),
      'hashes.sha1': hash('sha1'),
      'hashes.sha256': hash('sha256'),
      'entities.entity_id': searched(
        'an id',
        (value) => (z.uuid().safeParse(value).success ? value.toLowerCase() : undefined),
        isAnalysis,
      ),
    },
  },
  visible: (ctx, t) => sql`(
    exists (
      select from detonation_requesters as v where v.detonation = ${sql.ref(`${t}.id`)} and v."user" = ${ctx.caller.id})
    or ${holdsKey(ctx, sql.ref(`${t}.vis`))})`,
  operations,
  routes: (standardRoutes) => [...detonationRoutes, ...standardRoutes],
})
