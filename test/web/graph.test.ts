import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { choose, expand, settled, stageOf } from './graph-steps.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'

let site: Awaited<ReturnType<typeof openSite>>
let ids: Record<string, string> = {}

before(async () => {
  if (inBrowser.skip) return
  site = await openSite()
  ids = await makeStory()
})
after(() => site?.stop())

interface Made {
  readonly data: readonly {
    readonly id: string
    readonly sources: string[]
    readonly data: { readonly title: string }
  }[]
}

const DOMAINS = 120

/** An actor with its malware, tools and a report, and an infrastructure with very many domains. */
async function makeStory(): Promise<Record<string, string>> {
  const day = (n: number) => `2026-0${1 + (n % 6)}-1${n % 10}T08:00:00Z`
  const entity = (type: string, title: string, n: number, rest: object = {}) => ({
    data: { type, title, description: '' },
    meta: { tlp_color: 'GREEN', estimated_observed_time: day(n) },
    ...rest,
  })
  const domains = Array.from({ length: DOMAINS }, (_, i) => ({ type: 'domain', value: `c2-${i}.example.com` }))
  const { data } = await site.call<Made>('PUT', 'entities', {
    data: [
      entity('threat-actor', 'Grey Heron', 0),
      entity('malware', 'HeronLoader', 1, { observables: [{ type: 'domain', value: 'shared.example.net' }] }),
      entity('malware', 'FeatherRAT', 2),
      entity('tool', 'Remote shell', 3, { observables: [{ type: 'domain', value: 'shared.example.net' }] }),
      entity('report', 'Herons over Europe', 4),
      entity('infrastructure', 'Fast-flux network', 5, { observables: domains }),
      entity('identity', 'A bank', 6),
    ],
  })
  const made = Object.fromEntries(data.map((each) => [each.data.title, each.id]))
  const join = (source: string, key: string, target: string) => ({
    data: { source: made[source], target: made[target], key },
    sources: data[0]?.sources,
  })
  await site.call('PUT', 'relationships', {
    data: [
      join('Grey Heron', 'uses', 'HeronLoader'),
      join('Grey Heron', 'uses', 'FeatherRAT'),
      join('Grey Heron', 'uses', 'Remote shell'),
      join('Grey Heron', 'targets', 'A bank'),
      join('HeronLoader', 'uses', 'Fast-flux network'),
      join('Herons over Europe', 'related-to', 'Grey Heron'),
    ],
  })
  return made
}

test(
  'an actor is expanded, an aggregate opened, a step undone, a path found, and the graph saved and exported',
  inBrowser,
  async () => {
    const { page, shot, assertQuiet } = await site.enter(`/graph?entities=${ids['Grey Heron']}`)
    await settled(page, 1)
    await stageOf(page).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'targets → identities' }).waitFor()
    await page.keyboard.press('Escape')
    await stageOf(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'Grey Heron' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'uses → malware' }).waitFor()
    await shot('graph-menu')
    await page.getByRole('menuitem', { name: 'uses → malware' }).click()
    await settled(page, 3)

    await choose(page, 'HeronLoader')
    await expand(page, 'uses → infrastructure')
    await settled(page, 4)
    await choose(page, 'Fast-flux network')
    await expand(page, 'Domains')
    await page.getByRole('heading', { name: '+120 domains' }).waitFor()
    await settled(page, 5)
    await shot('graph-aggregate')
    await page.getByRole('button', { name: 'Show next 50' }).click()
    await page.getByRole('heading', { name: '+70 domains' }).waitFor()
    await settled(page, 55)
    await shot('graph-opened')
    await assertAccessible(page, 'graph')

    await stageOf(page).focus()
    await page.keyboard.press('Control+z')
    await settled(page, 5)
    await page.keyboard.press('Control+Shift+Z')
    await settled(page, 55)
    await page.getByRole('button', { name: /^Undo: Show 50 nodes/ }).click()
    await settled(page, 5)

    await page.getByRole('textbox', { name: 'Add entity' }).fill('herons over')
    await page.getByRole('option', { name: /Herons over Europe/ }).click()
    await settled(page, 6)
    await page.getByRole('tab', { name: 'Paths' }).click()
    for (const [label, name] of [
      ['From', 'Herons over Europe'],
      ['To', 'Fast-flux network'],
    ] as const) {
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name }).click()
    }
    await page.getByRole('button', { name: 'Find paths' }).click()
    await page.getByText('1 path', { exact: true }).waitFor()
    await shot('graph-path')
    await assertAccessible(page, 'graph with a path')
    await page.getByRole('button', { name: 'Clear highlighting' }).click()

    await page.getByRole('button', { name: 'Save graph', exact: true }).click()
    await page.getByLabel('Name').fill('Heron infrastructure')
    await page.getByRole('dialog').getByRole('button', { name: 'Save graph' }).click()
    await page.getByRole('heading', { name: 'Heron infrastructure', level: 1 }).waitFor()
    await page.waitForURL(/graph=\d+/)

    await page.getByRole('button', { name: 'Export graph' }).click()
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Image (PNG)' }).click(),
    ])
    assert.equal(picture.suggestedFilename(), 'Heron-infrastructure.png')
    const bytes = await readFile(await picture.path())
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
    assert.ok(bytes.length > 10_000, `a picture with something on it has more than ${bytes.length} bytes`)
    await writeFile('var/screenshots/graph-picture.png', bytes)

    await page.getByRole('button', { name: 'Export graph' }).click()
    await page.getByRole('menuitem', { name: 'STIX 2.1 bundle' }).click()
    await page.getByRole('button', { name: 'Create bundle' }).click()
    const [bundle] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download bundle' }).click(),
    ])
    const { objects } = JSON.parse(await readFile(await bundle.path(), 'utf8'))
    const names = objects.map(({ name }: { name?: string }) => name)
    for (const name of ['Grey Heron', 'HeronLoader', 'FeatherRAT', 'Herons over Europe'])
      assert.ok(names.includes(name))

    await page.goto(`${site.url}/workspaces/1`)
    await page.getByRole('region', { name: 'Graphs' }).getByRole('link', { name: 'Heron infrastructure' }).click()
    await page.getByRole('heading', { name: 'Heron infrastructure', level: 1 }).waitFor()
    assertQuiet()
  },
)

/** The id of an entity that does not exist. */
const GONE = '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'

test(
  'a saved graph opens as saved, without deleted nodes, and is filtered by type, degree and time',
  inBrowser,
  async () => {
    const at = (name: string, x: number, y: number) => ({ kind: 'entity', id: ids[name], x, y })
    const { data: groups } = await site.call<{ data: { observables: { group: string }[] } }>(
      'GET',
      `entities/${ids['Fast-flux network']}/neighbourhood`,
    )
    const content = {
      nodes: [
        at('Grey Heron', 0, 0),
        at('HeronLoader', 80, 40),
        at('FeatherRAT', 80, -40),
        at('Fast-flux network', 160, 40),
        at('Herons over Europe', -80, 0),
        { kind: 'entity', id: GONE, x: 0, y: 80 },
      ],
      aggregates: [
        {
          of: { kind: 'entity', id: ids['Fast-flux network'] },
          group: groups.observables[0]?.group,
          x: 240,
          y: 40,
        },
      ],
    }
    const { data: first } = await site.call<{ data: { id: number } }>('POST', 'graphs', {
      data: { name: 'Herons at work', workspace: 1, content },
    })
    const { page, shot, assertQuiet } = await site.enter(`/graph?graph=${first.id}`, { colorScheme: 'dark' })
    await settled(page, 6)
    await choose(page, '+120 domains')
    await shot('graph-saved-dark')
    await assertAccessible(page, 'graph, dark')

    await page
      .getByRole('region', { name: 'Legend' })
      .getByRole('button', { name: /Malware/ })
      .click()
    await settled(page, 4)
    await page.waitForURL(/hide=entity%3Amalware/)
    await page.getByText('4 nodes and 1 edge, 2 nodes hidden').waitFor()
    await page.reload()
    await settled(page, 4)
    await page.getByRole('tab', { name: 'Filters' }).click()
    await page.getByRole('checkbox', { name: /Malware/ }).click()
    await settled(page, 6)
    await page.getByLabel('Minimum number of neighbours').fill('2')
    await settled(page, 4)
    await shot('graph-filters-dark')
    await assertAccessible(page, 'graph with filters, dark')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await settled(page, 6)
    await page.getByRole('slider', { name: 'End of the time range' }).focus()
    await page.keyboard.press('ArrowLeft')
    await settled(page, 4)
    await page.getByRole('button', { name: 'Show all times' }).click()
    await settled(page, 6)

    await page.getByRole('button', { name: 'Layout' }).click()
    await page.getByRole('menuitem', { name: 'Hierarchy' }).click()
    await page.getByText('Unsaved changes').waitFor()
    await shot('graph-hierarchy-dark')
    const elsewhere = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Datasets' })
    await elsewhere.click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click()
    await page.getByRole('button', { name: 'Save graph', exact: true }).click()
    await page.getByText('Graph saved').waitFor()
    await elsewhere.click()
    await page.getByRole('heading', { level: 1, name: 'Datasets' }).waitFor()
    // An address may contain nodes that the reader cannot see; a saved graph does not.
    await page.goto(new URL(`/graph?entities=${ids['Grey Heron']},${GONE}`, page.url()).href)
    await page.getByText('1 node cannot be shown: deleted, or not visible to you.').waitFor()
    assertQuiet()
  },
)

test(
  'a graph starts from a query, dataset or observable, and an empty one explains how to start',
  inBrowser,
  async () => {
    const { data: dataset } = await site.call<{ data: { id: number } }>('POST', 'datasets', {
      data: { name: 'Herons', workspaces: [1], entities: [ids['Grey Heron'], ids['A bank']] },
    })
    const { data: found } = await site.call<{ data: { id: number }[] }>(
      'GET',
      'observables?filter[value]=shared.example.net',
    )
    await site.call('POST', 'graphs', { data: { name: 'Saved before', workspace: 1 } })
    const { page, shot, assertQuiet } = await site.enter(`/graph?dataset=${dataset.id}`)
    await settled(page, 2)
    await page.getByText('2 nodes and 1 edge').waitFor()
    await page.goto(`${site.url}/graph?query=${encodeURIComponent('data.type:malware')}`)
    await settled(page, 2)
    await page.goto(`${site.url}/graph?observables=${found[0]?.id}`)
    await settled(page, 1)
    await choose(page, 'shared[.]example[.]net')
    await expand(page, 'In tools')
    await settled(page, 2)
    await shot('graph-observable')
    assert.equal(await page.getByRole('link', { name: /example/ }).count(), 0)

    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByRole('tab', { name: 'Paths' }).click()
    await shot('graph-narrow')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('link', { name: 'New graph' }).click()
    await page.getByRole('heading', { name: 'Explore how threats are connected' }).waitFor()
    await page.getByRole('link', { name: 'Saved before' }).waitFor()
    await shot('graph-empty')
    await assertAccessible(page, 'empty graph')
    await page.getByRole('textbox', { name: 'Find an entity or observable' }).fill('shared[.]example')
    await page.getByRole('option', { name: /shared\[\.\]example\[\.\]net/ }).waitFor()
    await shot('graph-picker')
    await page.getByRole('option', { name: /shared\[\.\]example\[\.\]net/ }).click()
    await settled(page, 1)
    await page.getByRole('textbox', { name: 'Add entity or observable' }).fill('nothing like it')
    await page.getByText('No matching entities or observables').waitFor()
    await page.goto(`${site.url}/graph?graph=424242`)
    await page.getByRole('alert').waitFor()
    await shot('graph-missing')
    assertQuiet()
  },
)
