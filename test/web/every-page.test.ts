import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page as Browsed } from 'playwright-core'
import { type ApiDocument, bodyOf, resolved } from '../../web/api/document.ts'
import type { Schema } from '../../web/api/schema.ts'
import { type CollectionModel, collectionsOf } from '../../web/generic/collections.ts'
import { isThorough, isTurnOf } from '../effort.ts'
import { assertNoBarrier, inBrowser, openSite } from './site.ts'
import { hostileData, STORED_SCRIPTS } from './stored-scripts.ts'
import { watch } from './watch.ts'

type Id = string | number
interface Made {
  readonly data: { readonly id: Id }
}

let site: Awaited<ReturnType<typeof openSite>>
let document: ApiDocument
/** One object of each non-empty collection, by page name; its text fields contain stored scripts where possible. */
const made = new Map<string, Id>()
let spoiled = 0

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  document = await site.call<ApiDocument>('GET', 'openapi.json')
  await setUpModels()
  for (const model of collectionsOf(document).values()) await makeHostile(model)
  await makeEntity()
  await runPlaybook()
  await makeReport()
  for (const path of [`workspaces/${made.get('workspaces')}`, `tickets/${made.get('tickets')}`])
    await site.call('POST', `${path}/comments`, { data: { text: STORED_SCRIPTS.join('\n\n') } })
})
after(() => site?.stop())

/** Pages of language models are shown with a provider that is never asked. */
async function setUpModels(): Promise<void> {
  const provider = 'ai-provider-openai-like'
  const features = ['ai_content_generation', 'ai_entity_extraction', 'ai_translation', 'ai_web_enrichment']
  const chosen = Object.fromEntries(features.map((feature) => [feature, { provider, model: 'none' }]))
  await site.call('PATCH', 'configurations/server', { data: { ai_providers_usage_consented: true } })
  await site.call('PUT', 'configurations/ai', {
    data: { type: provider, enabled: true, base_url: 'http://127.0.0.1:9/v1' },
  })
  await site.call('PUT', 'configurations/ai', { data: { type: 'ai-features', ...chosen } })
}

let at = 0
const nextScript = (most = Number.POSITIVE_INFINITY): string => {
  const fitting = STORED_SCRIPTS.filter(({ length }) => length <= most)
  return fitting[at++ % fitting.length] ?? ''
}

/** Creates the example of the API document and puts a stored script into every text field that accepts one. */
async function makeHostile({ slug, path }: CollectionModel): Promise<void> {
  const body = document.paths[`/api/v2/${path}`]?.post?.requestBody?.content?.['application/json']
  const example = (body as { example?: unknown } | undefined)?.example
  const own = example === undefined ? undefined : await site.call<Made>('POST', path, example).catch(() => undefined)
  if (own) await spoil(path, own.data.id)
  const id = own?.data.id ?? (await site.call<{ data: { id: Id }[] }>('GET', `${path}?limit=1`)).data[0]?.id
  if (id !== undefined) made.set(slug, id)
}

async function spoil(path: string, id: Id): Promise<void> {
  const patch = document.paths[`/api/v2/${path}/{id}`]?.patch
  const { schemas } = document.components
  const { data } = resolved(schemas, patch && bodyOf(patch)).properties ?? {}
  for (const [name, described] of Object.entries(resolved(schemas, data).properties ?? {})) {
    const value = scriptFor(resolved(schemas, described))
    if (value === undefined) continue
    const isTaken = await site.call('PATCH', `${path}/${id}`, { data: { [name]: value } }).then(
      () => true,
      () => false,
    )
    if (isTaken) spoiled++
  }
}

/** A stored script for a field that accepts any text or list of texts. */
function scriptFor(schema: Schema): unknown {
  if (schema['x-corvus-collection'] || schema.enum || schema.writeOnly || schema.format) return undefined
  const type = [schema.type].flat()[0]
  if (type === 'string') return nextScript(schema.maxLength)
  if (type !== 'array' || !schema.items) return undefined
  const inner = scriptFor(resolved(document.components.schemas, schema.items))
  return inner === undefined ? undefined : [inner]
}

/** An entity of stored scripts, with a relationship, observables and everything else its page shows. */
async function makeEntity(): Promise<void> {
  const make = async (name: string) => {
    const data = { ...hostileData(document.components.schemas, `EntityData${name}`), title: nextScript() }
    const tags = STORED_SCRIPTS.map((text) => text.slice(0, 500))
    const meta = { alias: nextScript(), tags, own: { [nextScript()]: nextScript() } }
    const observables = [{ type: 'name', value: nextScript() }]
    return (await site.call<Made>('POST', 'entities', { data: { data, meta, observables } })).data.id
  }
  const [source, target] = [await make('Incident'), await make('Ttp')]
  const { data } = await site.call<{ data: { id: Id }[] }>('GET', 'sources?filter[type]=group')
  const related = { source, target, key: 'related-to', description: nextScript() }
  await site.call('POST', 'relationships', { data: { data: related, sources: [data[0]?.id] } })
  const file = { filename: 'x"><img src=x onerror=hit()>.txt', data: Buffer.from(nextScript()).toString('base64') }
  await site.call('POST', 'entities/attachments', { data: { ...file, entities: [source] } })
  await site.call('PATCH', `entities/${source}`, { data: { data: { description: `A text.\n\n${nextScript()}` } } })
  made.set('entities', source)
}

/** A run of a playbook has a page below that of the playbook. */
async function runPlaybook(): Promise<void> {
  const path = `playbooks/${made.get('playbooks')}/runs`
  const { data } = await site.call<{ data: { runs: string[] } }>('POST', path, {
    data: { entities: [made.get('entities')] },
  })
  made.set('playbook-run', `${made.get('playbooks')}/runs/${data.runs[0]?.split('/').at(-1)}`)
}

/** A detonation of stored scripts, whose report consists of them as well. */
async function makeReport(): Promise<void> {
  const [detonator] = (
    await site.call<{ data: { id: number; terms: { id: string }[] }[] }>('GET', 'detonators?filter[name]=cape')
  ).data
  const path = `detonators/${detonator?.id}`
  // Nothing listens there: the report is written into the database.
  await site.call('PATCH', path, { data: { parameters: { url: 'http://127.0.0.1:9' }, is_active: true } })
  await site.call('POST', `${path}/consent`, { data: { terms: detonator?.terms.map(({ id }) => id) } })
  const sample = { filename: 'x"><img src=x onerror=hit()>.exe', data: Buffer.from(nextScript()).toString('base64') }
  const { id } = (await site.call<Made>('POST', 'detonations', { data: { detonator: detonator?.id, ...sample } })).data
  const script = nextScript
  const records = {
    extracts: [{ kind: 'name', value: script(), classification: 'bad', confidence: 'high', link_type: script() }],
    attacks: [{ tactic_id: null, technique_id: script() }],
    processes: [{ pid: 1, parent: null, name: script(), command_line: script() }],
    network: [{ protocol: script(), host: script(), address: script(), port: 80, url: 'javascript:hit()' }],
    signatures: [{ name: script(), description: script(), severity: 9, techniques: [script()] }],
    dropped_files: [{ name: script(), size: 1, md5: null, sha1: null, sha256: script() }],
  }
  const { rowCount } = await site.pool.query(
    `update detonations set state = 'FINISHED', finished_at = now(), claim = null, claimed_until = null, verdict = 'malicious',
       score = 99, families = $2, tags = $2, warnings = $2, environment = $3, extracts = $4, attacks = $5, processes = $6,
       network = $7, signatures = $8, dropped_files = $9, vis = (
         select r.vis from entities as r where r.id = $10)
     where id = $1`,
    [id, STORED_SCRIPTS, script(), ...Object.values(records).map((each) => JSON.stringify(each)), made.get('entities')],
  )
  assert.equal(rowCount, 1)
  made.set('detonations', id)
}

interface Page {
  readonly path: string
  /** A selector that matches once the page is ready. */
  readonly sign?: string
  /** Whether the page is generated from the API document. */
  readonly isGeneric?: boolean
}

/** Hand-written pages; `$name` is the object of that collection. */
const PAGES: readonly Page[] = [
  { path: '/' },
  { path: '/?in=observables' },
  { path: '/profile' },
  { path: '/entities/new?type=report' },
  { path: '/entities/$entities?tab=enrichment', sign: '[role=tabpanel]' },
  { path: '/enrichers/$enrichers' },
  ...['/enrichers', '/enrichers/tables', '/enrichers/definitions'].map((path) => ({ path })),
  ...['/detonators', '/detonators/$detonators', '/detonators/$detonators?settings=true'].map((path) => ({ path })),
  ...['/detonations', '/detonations?new=true', '/detonations/$detonations'].map((path) => ({ path })),
  ...['observables', 'processes', 'network', 'files'].map((tab) => ({ path: `/detonations/$detonations?tab=${tab}` })),
  { path: '/entities/$entities?tab=detonations', sign: '[role=tabpanel]' },
  ...['overview', 'description', 'observables', 'relationships', 'neighbourhood', 'attachments'].map((tab) => ({
    path: `/entities/$entities?tab=${tab}`,
    sign: '[role=tabpanel]',
  })),
  ...['versions', 'history', 'json'].map((tab) => ({
    path: `/entities/$entities?tab=${tab}`,
    sign: '[role=tabpanel]',
  })),
  { path: '/entities/$entities/edit' },
  { path: '/observables/$observables' },
  { path: '/graph' },
  { path: '/graph?entities=$entities', sign: '[role=application][data-settled=true]' },
  ...['datasets', 'dashboards', 'workspaces', 'tickets', 'files', 'incoming-feeds', 'outgoing-feeds'].flatMap(
    (name) => [{ path: `/${name}` }, { path: `/${name}/$${name}` }],
  ),
  { path: '/tickets?view=table' },
  { path: '/automation' },
  ...['entity-rules', 'enrichment-rules', 'discovery-rules'].flatMap((name) => [
    { path: `/${name}` },
    { path: `/${name}/new` },
    ...['', '/edit', '?tab=history', '?tab=criteria', '?tab=runs'].map((rest) => ({
      path: `/${name}/$${name}${rest}`,
    })),
  ]),
  { path: '/consolidation-rules/new' },
  ...['', '/edit', '?tab=configurations', '?tab=keys', '?tab=history', '?tab=runs'].map((rest) => ({
    path: `/consolidation-rules/$consolidation-rules${rest}`,
  })),
  ...[
    '/consolidation-rules',
    '/consolidation-suggestions',
    '/consolidation-suggestions?view=list',
    '/consolidation-events',
  ].map((path) => ({ path })),
  ...['/playbooks', '/playbooks/templates', '/playbooks/new', '/playbooks/new?template=our-sector'].map((path) => ({
    path,
  })),
  ...['', '/edit', '?tab=runs'].map((rest) => ({ path: `/playbooks/$playbooks${rest}` })),
  { path: '/playbooks/$playbook-run' },
  { path: '/runs' },
  { path: '/admin' },
  { path: '/admin/configuration' },
  ...['gaps', 'defenses', 'log-sources', 'log-sources?view=gains', 'frameworks', 'reviews'].map((name) => ({
    path: `/attack/${name}`,
  })),
  { path: '/attack/defenses/$attack-defenses' },
  { path: '/content-generation?entities=$entities' },
  ...['extraction', 'translation', 'research'].map((tab) => ({
    path: `/entities/$entities?tab=${tab}`,
    sign: '[role=tabpanel]',
  })),
  ...['providers', 'features', 'usage'].map((tab) => ({ path: `/admin/language-models?tab=${tab}` })),
  { path: '/not/there' },
]

/** The pages that can be opened: some collections have no objects in an empty installation. */
function pages(): Page[] {
  const own = PAGES.map(({ path, ...rest }) => {
    const [, name = ''] = /\$([\w-]+)/.exec(path) ?? []
    return {
      ...rest,
      path: name === '' ? path : made.has(name) ? path.replace(`$${name}`, String(made.get(name))) : '',
    }
  })
  const generic = [...collectionsOf(document).values()].flatMap(({ slug, verbs }): Page[] => [
    { path: `/admin/${slug}`, isGeneric: true },
    ...(made.has(slug) ? [{ path: `/admin/${slug}/${made.get(slug)}`, isGeneric: true }] : []),
    ...(verbs.create && isThorough ? [{ path: `/admin/${slug}/new`, isGeneric: true }] : []),
  ])
  return [...own.filter(({ path }) => path !== ''), ...generic]
}

async function open(page: Browsed, { path, sign = '#main h1:not([data-old])', isGeneric }: Page): Promise<void> {
  if (isGeneric)
    await page.evaluate(`{
      document.querySelector('#main h1')?.setAttribute('data-old', '')
      history.pushState(null, '', ${JSON.stringify(path)})
    }`)
  else await page.goto(`${site.url}${path}`)
  await page.locator(sign).first().waitFor({ state: 'attached' })
  await page.locator('#main :is([aria-busy=true], .mantine-Skeleton-root)').first().waitFor({ state: 'detached' })
  if (isGeneric)
    assert.equal(await page.locator('#main [role=alert]').count(), 0, `${path} says that something is wrong`)
}

test('no page runs a stored script, calls another host or has a serious accessibility violation, in either theme', {
  ...inBrowser,
  timeout: isThorough ? 1_800_000 : 600_000,
}, async (t) => {
  assert.ok(spoiled > 25, `only ${spoiled} fields took a stored script`)
  const themes = ['light', 'dark'] as const
  const windows = await Promise.all(themes.map((colorScheme) => watch(site, '/profile', { colorScheme })))
  const faults: string[] = []
  const all = pages()
  for (const [i, { path, ...rest }] of all.entries()) {
    const runs = rest.isGeneric ? 4 : 2
    for (const [j, theme] of themes.entries()) {
      // Each run opens half of the hand-written pages and a quarter of the generated ones in one of the themes, in turn;
      // some of them are also checked for accessibility.
      if (!isTurnOf(i + j * runs, themes.length * runs)) continue
      const { page, assertNothingRan } = windows[j] ?? assert.fail()
      const place = `${path}, ${theme}`
      await open(page, { path, ...rest }).catch((error) => faults.push(`${place}: ${error}`))
      await assertNothingRan(place).catch((error) => faults.push(String(error)))
      if (isTurnOf(Math.floor(i / 2), rest.isGeneric ? 15 : 3))
        await assertNoBarrier(page, place).catch((error) => faults.push(String(error)))
    }
  }
  t.diagnostic(`${all.length} pages, ${spoiled} fields with a stored script`)
  assert.equal(faults.length, 0, faults.join('\n\n'))
})
