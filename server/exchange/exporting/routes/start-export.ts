import { z } from 'zod'
import { parseBody } from '../../../engine/action.ts'
import type { Context, Item } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import type { Route } from '../../../engine/route.ts'
import { FIELDS_CSV } from '../../../formats/csv/format.ts'
import { COLUMNS } from '../../../formats/fields-csv.ts'
import { CONTENT_TYPES, type ContentTypeUrn } from '../../../formats/formats.ts'
import { bodyOf, countSelected } from '../../../intelligence/by-query/selection.ts'
import { startSystemRun } from '../../../intelligence/by-query/start-run.ts'
import { EVERYTHING } from '../configuration.ts'
import { requireFields } from '../fields.ts'
import { exporting, extracting } from '../payload.ts'
import { permissionsFor } from '../rules.ts'
import { named, requireNamed, type Wanted, wantedEntities } from '../selection.ts'
import { signingKey } from '../signing-key.ts'

/** The fields that the bodies of all exports share. */
interface Asked extends Omit<Wanted, 'content_configuration'> {
  readonly content_type?: ContentTypeUrn
  readonly content_configuration: Wanted['content_configuration'] | null
  readonly include_fields?: readonly string[]
  readonly sign: boolean
  readonly dry_run: boolean
}

interface ExportRoute<B extends z.ZodType<Asked>> {
  readonly name: string
  readonly doc: string
  readonly path: string
  readonly body: B
  readonly example: z.input<B>
  /** Why a body is incomplete. */
  problemIn?(asked: Asked): string | undefined
}

type Outcome = { readonly count: number } | { readonly task_run: string }

const counted = z.object({ data: z.object({ count: z.int() }) })
const started = z.object({ data: z.object({ task_run: z.url() }) })

/** Defines an endpoint that starts an export; invalid requests are refused before a run exists. */
function defineExport<B extends z.ZodType<Asked>>({
  name,
  doc,
  path,
  body,
  example,
  problemIn,
}: ExportRoute<B>): Route {
  const route: Route<Asked, Outcome> = {
    method: 'POST',
    path,
    permission: 'read entities',
    doc: {
      operationId: name,
      summary: doc,
      tag: 'entities',
      body: z.object({ data: body }),
      example: { data: example },
      success: { 200: counted, 202: started },
      refusals: [400, 409, 422],
    },
    parse: ({ body: sent }) => parseBody(body, sent),
    guards: ({ content_type = FIELDS_CSV, content_configuration }) =>
      CONTENT_TYPES.filter(({ urn }) => urn === content_type).flatMap((type) =>
        permissionsFor(type, content_configuration ?? EVERYTHING),
      ),
    run: async (ctx, asked) => {
      const problem = problemIn?.(asked)
      if (problem !== undefined) throw badRequest(problem)
      return start(ctx, asked)
    },
    answer: (data) => ({ status: 'count' in data ? 200 : 202, body: { data } }),
  }
  return route
}

async function start(ctx: Context, { dry_run, ...asked }: Asked): Promise<Outcome> {
  const content_configuration = asked.content_configuration ?? EVERYTHING
  const at = new Date().toISOString()
  const { content_type = FIELDS_CSV, entities = [], datasets = [], include_fields, sign } = asked
  await requireNamed(ctx, { entities, datasets })
  if (include_fields) await requireFields(ctx, include_fields, COLUMNS)
  if (sign) await signingKey(ctx)
  const isWanted = await wantedEntities(ctx, { ...asked, at, content_configuration })
  if (dry_run) return { count: await countSelected(ctx, isWanted) }
  const parameters: Item = { ...asked, at, content_type, content_configuration, base_url: ctx.baseUrl }
  return { task_run: await startSystemRun(ctx, 'Export entities', 'export-entities', parameters) }
}

const query = { entities_query: 'tags:ransomware AND created_at:>now-30d/d', time_zone: '+01:00' }
const dry_run = z.boolean().default(false).describe('Only count what would be exported.')

/** The endpoints that export to export blocks. */
export const startExportRoutes: readonly Route[] = [
  defineExport({
    name: 'export_entities_by_query',
    doc: 'Export the entities that a query finds, among those that you can see, to an export block',
    path: '/entities/by-query/export',
    body: bodyOf(exporting),
    example: {
      ...query,
      content_type: 'urn:oasis:stix:json:2.1',
      content_configuration: { tlp_color_filter: 'AMBER', observables: { maliciousness: 'low' } },
    },
    problemIn: ({ entities_query = null, relational_query = null }) =>
      entities_query === null && relational_query === null
        ? 'entities_query: is required, unless there is a relational_query'
        : undefined,
  }),
  defineExport({
    name: 'export_entities',
    doc: 'Export listed entities, or those of datasets, to an export block',
    path: '/entities/export',
    body: z.object({ ...named, ...exporting, dry_run }),
    example: { datasets: [1], content_type: 'urn:eclecticiq.com:json:3.2', sign: false },
    problemIn: ({ entities = [], datasets = [] }) =>
      entities.length + datasets.length === 0 ? 'entities: is required, unless there are datasets' : undefined,
  }),
  defineExport({
    name: 'extract_csv_of_entities',
    doc: 'Export chosen fields as CSV to an export block: of entities that a query finds, of listed entities, or of all',
    path: '/entities/extract-csv',
    body: bodyOf({ ...named, ...extracting }),
    example: { ...query, include_fields: ['data.title', 'meta.tags', 'relevancy', 'observables'] },
  }),
]
