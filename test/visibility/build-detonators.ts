import { type Kysely, sql } from 'kysely'
import { cape } from '../../server/automation/detonators/adapters/cape/cape.ts'
import { digestOf } from '../../server/automation/detonators/terms.ts'
import { keyOf } from '../../server/identity/access/visibility.ts'
import type { Detonation, Sample } from './detonating.ts'
import { contentOf, detailOf, hashOf } from './holding-ids.ts'
import type { Insert } from './inserter.ts'
import { type Instance, id, observableValue, text } from './instance.ts'
import { rows } from './people.ts'
import { reportOf } from './seen-detonating.ts'
import { ALLOWED } from './world.ts'

const PAST = '2026-01-01T00:00:00Z'
const LATER = '2026-01-02T00:00:00Z'
const FUTURE = '2100-01-01T00:00:00Z'
const NOWHERE = '00000000-0000-7000-8009-000000000000'

/** Writes detonators, who accepted their terms, what was asked of them, and their reports. */
export async function insertDetonators(
  db: Kysely<unknown>,
  insert: Insert,
  instances: readonly Instance[],
): Promise<void> {
  const columns =
    'id integer, name text, adapter text, task_name text, is_active boolean, selected_extract_types text[], max_tlp text, source uuid, suspended_at timestamptz, suspended_reason text, waits_until timestamptz, wait_reason text, faults integer, open_until timestamptz, last_fault text, created_by integer'
  await insert('detonators', columns, (instance) =>
    instance.world.holdings.detonators.map(({ name, source, condition }) => {
      const reason = text(instance, `${name}reason`)
      return {
        id: id(instance, name),
        name: text(instance, name),
        adapter: 'cape',
        task_name: text(instance, name),
        is_active: condition !== 'inactive',
        selected_extract_types: ['domain'],
        max_tlp: 'GREEN',
        source: id(instance, source),
        ...(condition === 'suspended' && { suspended_at: PAST, suspended_reason: reason }),
        ...(condition === 'waiting' && { waits_until: FUTURE, wait_reason: reason }),
        faults: condition === 'unreachable' ? 4 : 0,
        ...(condition === 'unreachable' && { open_until: FUTURE, last_fault: reason }),
        created_by: id(instance, 'writer'),
      }
    }),
  )
  await insert(
    'detonator_consents',
    'detonator integer, "user" integer, terms text[], digest text, servers text[]',
    (instance) =>
      instance.world.holdings.detonators.flatMap(({ name, consents }) =>
        [...new Set(consents)].map((person) => ({
          detonator: id(instance, name),
          user: id(instance, person),
          terms: cape.terms.map((each) => each.id),
          digest: digestOf(cape),
          servers: [],
        })),
      ),
  )
  await insertReports(db, instances)
  await insertDetonations(insert)
  await insertRequesters(insert)
  await setKeys(db, instances)
}

/** Attachments that are seen only through a report, with contents that are stored already. */
async function insertReports(db: Kysely<unknown>, instances: readonly Instance[]): Promise<void> {
  const reports = instances.flatMap((instance) =>
    instance.world.holdings.detonations.flatMap(({ name, report }) =>
      report === null
        ? []
        : [{ id: id(instance, reportOf(name)), like: id(instance, report), name: text(instance, `${name}report`) }],
    ),
  )
  await sql`
    insert into attachments (id, filename, sha256)
    select i.id, i.name, a.sha256 from ${rows(reports, 'id uuid, "like" uuid, name text')} join attachments as a on a.id = i."like"`.execute(
    db,
  )
}

async function insertDetonations(insert: Insert): Promise<void> {
  const columns =
    'id uuid, detonator integer, key text, kind text, size bigint, md5 text, sha1 text, sha256 text, url text, state text, state_reason text, name text, vendor_url text, was_known boolean, verdict text, score integer, families text[], tags text[], environment text, entity uuid, report uuid, entities jsonb, extracts jsonb, signatures jsonb, screenshots jsonb, warnings text[], created_at timestamptz, submitted_at timestamptz, finished_at timestamptz, expires_at timestamptz, due_at timestamptz, options jsonb'
  await insert('detonations', columns, (instance) =>
    instance.world.holdings.detonations.map((detonation, i) => {
      const { name, detonator, sample, state } = detonation
      const isEnded = state === 'FINISHED' || state === 'FAILED'
      return {
        id: id(instance, name),
        detonator: id(instance, detonator),
        key: text(instance, name),
        ...subjectOf(instance, name, sample),
        state,
        state_reason: state === 'FAILED' ? text(instance, `${name}reason`) : null,
        name: text(instance, `${name}name`),
        vendor_url: state === 'WAITING' ? null : `https://${text(instance, `${name}vendor`)}.example/`,
        was_known: state !== 'WAITING' && i % 2 === 0,
        created_at: `2026-01-01T00:00:0${i}Z`,
        submitted_at: state === 'WAITING' ? null : `2026-01-0${1 + (i % 3)}T00:00:30Z`,
        finished_at: isEnded ? `2026-01-0${1 + (i % 3)}T00:01:00Z` : null,
        expires_at: state === 'FINISHED' ? FUTURE : null,
        due_at: FUTURE,
        options: {},
        ...reportIn(instance, detonation),
      }
    }),
  )
}

/** What the vendor receives. */
function subjectOf(instance: Instance, name: string, { via, of }: Sample): Record<string, unknown> {
  const { attachments, observables } = instance.world
  if (via === 'url') return { kind: 'url', url: `https://${text(instance, `${name}address`)}.example/` }
  const observable = observables.find((each) => via === 'observable' && each.name === of)
  if (observable) return { kind: 'url', url: observableValue(instance, observable) }
  const attachment = attachments.find((each) => via === 'attachment' && each.name === of)
  const document = of ?? name
  const hash = (algorithm: string) =>
    attachment ? id(instance, `${algorithm} of ${attachment.name}`) : hashOf(instance, document, algorithm)
  return {
    kind: 'file',
    size: text(instance, attachment?.content ?? contentOf(document)).length,
    md5: hash('md5'),
    sha1: hash('sha1'),
    sha256: hash('sha256'),
  }
}

/** What the report says; nothing before it is stored. */
function reportIn(instance: Instance, { name, state, entity, report }: Detonation): Record<string, unknown> {
  const nothing = { families: [], tags: [], entities: [], extracts: [], signatures: [], screenshots: [], warnings: [] }
  if (state !== 'FINISHED') return nothing
  const detail = text(instance, detailOf(name))
  return {
    verdict: 'malicious',
    score: name.length,
    families: [detail],
    tags: [detail],
    environment: detail,
    entity: entity && id(instance, entity),
    report: report && id(instance, reportOf(name)),
    entities: [
      ...(entity === null
        ? []
        : [{ entity_id: id(instance, entity), entity_type: 'malware-analysis', meta_stix_id: null, value: detail }]),
      { entity_id: null, entity_type: 'domain', meta_stix_id: null, value: detail },
    ],
    extracts: [{ kind: 'domain', value: detail, classification: 'bad', confidence: 'high', link_type: null }],
    signatures: [{ name: detail, description: null, severity: null, techniques: [] }],
    screenshots: [{ id: NOWHERE, filename: detail }],
    warnings: [detail],
  }
}

async function insertRequesters(insert: Insert): Promise<void> {
  const columns =
    'detonation uuid, "user" integer, via text, filename text, file integer, attachment uuid, observable integer, origin uuid, rank smallint, requested_at timestamptz, outcome text, reason text, ended_at timestamptz, was_known boolean, is_told boolean'
  await insert('detonation_requesters', columns, (instance) =>
    instance.world.holdings.detonations.flatMap(({ name, sample, requesters }) =>
      requesters.map(({ person, hasSent, origin, outcome, rank }) => {
        const isUrl = sample.via === 'url' || sample.via === 'observable'
        const via = sample.of === null || !hasSent ? sample.via : isUrl ? 'url' : 'data'
        const of = (kind: Sample['via']) => (via === kind && sample.of !== null ? id(instance, sample.of) : null)
        return {
          detonation: id(instance, name),
          user: id(instance, person),
          via,
          filename: isUrl ? '' : text(instance, `${name}${person}filename`),
          file: of('file'),
          attachment: of('attachment'),
          observable: of('observable'),
          origin: origin && id(instance, origin),
          rank,
          requested_at: LATER,
          outcome,
          reason: outcome === 'REFUSED' ? text(instance, `${name}${person}reason`) : null,
          ended_at: outcome && '2026-01-02T00:00:10Z',
          was_known: false,
          is_told: true,
        }
      }),
    ),
  )
}

/** Sets the keys of reports, by the numbers of the sources of their detonators. */
async function setKeys(db: Kysely<unknown>, instances: readonly Instance[]): Promise<void> {
  const finished = instances.flatMap((instance) =>
    instance.world.holdings.detonations
      .filter(({ state }) => state === 'FINISHED')
      .map(({ name, colour }) => ({ id: id(instance, name), rank: ALLOWED.indexOf(colour) })),
  )
  await sql`
    update detonations as t set vis = ${keyOf(sql`s.number`, sql`i.rank`)}
    from ${rows(finished, 'id uuid, rank integer')}, detonators as e join sources as s on s.id = e.source
    where t.id = i.id and e.id = t.detonator`.execute(db)
}
