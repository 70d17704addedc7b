import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { toUrl } from '../../engine/reference.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { fillPlaceholders, hasPlaceholders } from './placeholders.ts'
import type { StepContext, StepResult, Subject } from './step.ts'

interface Described {
  readonly title: string
  readonly type: string
  readonly source: string
  readonly tlp: string
}

/** Fills the placeholders of texts about an object. The object is read once, and only if a text asks for it. */
export function textFiller(
  ctx: Context,
  subject: Subject,
  playbook: string,
  results: ReadonlyMap<string, StepResult>,
): StepContext['fill'] {
  let described: Promise<Described> | undefined
  return async (template, encode) => {
    if (!hasPlaceholders(template)) return template
    described ??= describe(ctx, subject)
    const url = pageOf(ctx, subject)
    const values = { ...(await described), id: subject.id, url, playbook }
    return fillPlaceholders(template, values, (step, name) => results.get(step)?.output[name], encode)
  }
}

const PAGES = { entities: 'entities', observables: 'observables', files: 'files' } as const

/** The page of an object in the web interface, or its URL in the API if the public address is unknown. */
const pageOf = ({ publicUrl, baseUrl }: Context, { collection, id }: Subject): string =>
  publicUrl === undefined ? toUrl(baseUrl, collection, id) : `${publicUrl}/${PAGES[collection]}/${id}`

async function describe({ db }: Context, { collection, id }: Subject): Promise<Described> {
  const { rows } = await sql<Described>`${DESCRIPTIONS[collection](id)}`.execute(db)
  return rows[0] ?? { title: '', type: '', source: '', tlp: '' }
}

const DESCRIPTIONS: Readonly<Record<Subject['collection'], (id: string) => RawBuilder<unknown>>> = {
  entities: (id) => sql`
    select coalesce(nullif(t.meta ->> 'alias', ''), t.data ->> 'title', '') as title, t.type,
      coalesce((select s.name from sources as s where s.number = ${sourceOf(sql`t.vis`)}), '') as source,
      (array['', 'WHITE', 'GREEN', 'AMBER', 'RED'])[${rankOf(sql`t.vis`)} + 1] as tlp
    from entities as t where t.id = ${id}::uuid`,
  observables: (id) => sql`
    select t.value as title, t.type, '' as source, '' as tlp from observables as t where t.id = ${id}::integer`,
  files: (id) => sql`
    select t.name as title, t.content_type as type, coalesce((select s.name from sources as s where s.id = t.source), '') as source,
      '' as tlp
    from files as t where t.id = ${id}::integer`,
}
